// Pins: what a caller was generated against, compared with what the server offers
// now. Tools are listed at attach. Prompts, resources and templates belong to the same
// listing, but are listed when a pin first needs them, since most programs use none.

package attach

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
)

// judgeRequest returns nil if a request may be sent. Tools are judged by the listing,
// prompts and resources by the pin of the request. Completions have no definition.
func (s *session) judgeRequest(ct *callTime, req runtime.Request) error {
	x := s.tools.Load()
	switch req.Method {
	case protocol.MethodCallTool, protocol.MethodGetTask, protocol.MethodAwaitTask, protocol.MethodUpdateTask:
		return x.admit(s.server.Name, req.Name, req.Pin)
	}
	if req.Pin == "" || x.mode == DriftOff {
		return nil
	}
	var judge func(ctx context.Context, x *toolIndex, req runtime.Request) (Verdict, error)
	switch req.Method {
	case protocol.MethodGetPrompt:
		judge = s.judgePrompt
	case protocol.MethodReadResource, protocol.MethodSubscribe:
		judge = s.judgeResource
	default:
		return nil
	}
	v, err := judge(ct.ctx, x, req)
	if err != nil {
		return fmt.Errorf("the definition cannot be judged: %w", s.explain(ct, err))
	}
	return x.decide(s.server.Name, req.Name, v)
}

// judgePrompt judges the prompt of a request by the request's pin.
func (s *session) judgePrompt(ctx context.Context, x *toolIndex, req runtime.Request) (Verdict, error) {
	prompts, err := s.listed(ctx, x, schema.KindPrompt)
	if err != nil {
		return Verdict{}, err
	}
	if prompts[req.Name] == nil {
		return x.gone(schema.KindPrompt, req.Name), nil
	}
	return x.judgeItem(ctx, prompts, schema.KindPrompt, req.Name, req.Pin)
}

// judgeResource judges the resource of a request by the request's pin. The request
// has only a URI, so the pin may be that of a listed resource or of any template.
func (s *session) judgeResource(ctx context.Context, x *toolIndex, req runtime.Request) (Verdict, error) {
	templates, err := s.listed(ctx, x, schema.KindTemplate)
	if err != nil {
		return Verdict{}, err
	}
	name := ""
	if x.pinned != nil {
		name = x.pinned.Name(schema.KindTemplate, req.Pin)
	}
	for known := range templates {
		if hash, _, err := templates.contract(known); name == "" && err == nil && hash == req.Pin {
			name = known
		}
	}
	switch {
	case templates[name] != nil:
		return x.judgeItem(ctx, templates, schema.KindTemplate, name, req.Pin)
	case name != "":
		return x.gone(schema.KindTemplate, name), nil
	}
	resources, err := s.listed(ctx, x, schema.KindResource)
	if err != nil {
		return Verdict{}, err
	}
	if resources[req.Name] == nil && x.pinned != nil && x.pinned.Name(schema.KindResource, req.Pin) == req.Name {
		return x.gone(schema.KindResource, req.Name), nil
	}
	return x.judgeItem(ctx, resources, schema.KindResource, req.Name, req.Pin)
}

// judgeItem judges an item of a listing by the contract that a caller was generated
// against. If the manifest has the definition with that contract, the judge compares
// the two; otherwise an item with another contract has changed.
func (x *toolIndex) judgeItem(ctx context.Context, items index, kind schema.Kind, name, pin string) (Verdict, error) {
	v := Verdict{Kind: kind, Name: name, State: Changed, Rule: ruleChanged}
	hash, ok, err := items.contract(name)
	if err != nil || !ok {
		return v, err
	}
	key, l := itemPin{kind, name, pin}, x.listing
	l.mu.Lock()
	before, judged := l.verdicts[key]
	l.mu.Unlock()
	if judged {
		return before, nil
	}
	known := false
	if x.pinned != nil {
		var found Verdict
		if found, known, err = x.pinned.CompareItem(ctx, items[name].item, pin); err != nil {
			return v, err
		} else if known {
			v = found
		}
	}
	if !known && hash == pin {
		v = Verdict{Kind: kind, Name: name, State: Verified}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if known && l.kinds[kind][name] == items[name] {
		l.verdicts[key] = v
	}
	return v, nil
}

// judgeItemsAgain judges the items of a new listing that were judged in the one before.
// If they cannot be listed now, the next call lists them.
func (s *session) judgeItemsAgain(ctx context.Context, before, x *toolIndex) {
	before.listing.mu.Lock()
	judged := slices.Collect(maps.Keys(before.listing.verdicts))
	before.listing.mu.Unlock()
	for _, key := range judged {
		if items, err := s.listed(ctx, x, key.kind); err == nil {
			_, _ = x.judgeItem(ctx, items, key.kind, key.name, key.pin) // a call reports the error
		}
	}
}

// itemPin is an item with the contract that a caller was generated against.
type itemPin struct {
	kind      schema.Kind
	name, pin string
}

// listed returns the prompts, resources or templates of a listing of the session. They
// are requested from the server at the first use, and again after the server has
// reported a change. What the server does not support is empty.
func (s *session) listed(ctx context.Context, x *toolIndex, kind schema.Kind) (index, error) {
	l, changes := x.listing, s.handlers.changes.Load()
	l.mu.Lock()
	if l.changes != changes || l.kinds == nil {
		l.changes, l.kinds, l.verdicts = changes, map[schema.Kind]index{}, map[itemPin]Verdict{}
	}
	known := l.kinds[kind]
	l.mu.Unlock()
	if known != nil {
		return known, nil
	}
	all, err := s.listItems(ctx, kind)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changes == changes {
		l.kinds[kind] = all
	}
	return all, nil
}

// listItems lists the prompts, resources or templates of the server.
func (s *session) listItems(ctx context.Context, kind schema.Kind) (index, error) {
	all := index{}
	for _, from := range listings() {
		if from.kind != kind || !s.handshake.has(from.capability) {
			continue
		}
		items, _, err := s.list(ctx, from)
		if err != nil && !isMethodNotFound(err) {
			return nil, err
		}
		for i, item := range items {
			all[item.Name] = &indexedItem{item: item, place: i}
		}
	}
	return all, nil
}
