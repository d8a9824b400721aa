// Pins: what a caller was generated against, compared with what the server offers
// now. Tools are listed at attach. Prompts, resources and templates are listed when a
// pin first needs them, since most programs use none.

package attach

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/internal/stage"
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
	var judge func(ctx context.Context, x *toolIndex, req runtime.Request, afresh bool) (Verdict, error)
	switch req.Method {
	case protocol.MethodGetPrompt:
		judge = s.judgePrompt
	case protocol.MethodReadResource, protocol.MethodSubscribe:
		judge = s.judgeResource
	default:
		return nil
	}
	allowed := x.mode
	if allowed == DriftWarn {
		allowed = DriftCompatible // drift beyond that is logged
	}
	v, err := judge(ct.ctx, x, req, false)
	if err == nil && !allowed.allows(v.State) && s.pins.asked.due(s.clock.now(), true) {
		v, err = judge(ct.ctx, x, req, true) // the listing may be stale
	}
	switch {
	case err != nil:
		return fmt.Errorf("the definition cannot be judged: %w", s.explain(ct, err))
	case v.State == Unoffered && x.mode != DriftWarn:
		return x.unoffered()
	case !allowed.allows(v.State):
		return x.refuse(driftError(s.server.Name, req.Name, v))
	}
	return nil
}

// judgePrompt judges the prompt of a request by the request's pin.
func (s *session) judgePrompt(ctx context.Context, x *toolIndex, req runtime.Request, afresh bool) (Verdict, error) {
	prompts, err := s.listed(ctx, schema.KindPrompt, afresh)
	if err != nil {
		return Verdict{}, err
	}
	if prompts[req.Name] == nil {
		return x.gone(schema.KindPrompt, req.Name), nil
	}
	return s.judgeItem(ctx, x, prompts, schema.KindPrompt, req.Name, req.Pin)
}

// judgeResource judges the resource of a request by the request's pin. The request
// has only a URI, so the pin may be that of a listed resource or of any template.
func (s *session) judgeResource(ctx context.Context, x *toolIndex, req runtime.Request, afresh bool) (Verdict, error) {
	templates, err := s.listed(ctx, schema.KindTemplate, afresh)
	if err != nil {
		return Verdict{}, err
	}
	for name := range templates {
		hash, _, err := templates.contract(name)
		if err == nil && hash == req.Pin {
			return Verdict{State: Verified}, nil
		}
	}
	if x.pinned != nil {
		name := x.pinned.Name(schema.KindTemplate, req.Pin)
		switch {
		case templates[name] != nil:
			return s.judgeItem(ctx, x, templates, schema.KindTemplate, name, req.Pin)
		case name != "":
			return x.gone(schema.KindTemplate, name), nil
		}
	}
	resources, err := s.listed(ctx, schema.KindResource, afresh)
	if err != nil {
		return Verdict{}, err
	}
	if resources[req.Name] == nil && x.pinned != nil && x.pinned.Name(schema.KindResource, req.Pin) == req.Name {
		return x.gone(schema.KindResource, req.Name), nil
	}
	return s.judgeItem(ctx, x, resources, schema.KindResource, req.Name, req.Pin)
}

// judgeItem judges an item of a listing by the contract that a caller was generated
// against. The item has that contract, or the manifest has the definition with that
// contract and the judge compares the two; otherwise the item has changed.
func (s *session) judgeItem(ctx context.Context, x *toolIndex, items index, kind schema.Kind, name, pin string) (Verdict, error) {
	changed := Verdict{Kind: kind, Name: name, State: Changed, Rule: ruleChanged}
	hash, ok, err := items.contract(name)
	switch {
	case err != nil || !ok:
		return changed, err
	case hash == pin:
		return Verdict{Kind: kind, Name: name, State: Verified}, nil
	}
	if x.pinned == nil {
		return changed, nil
	}
	item, key := items[name].item, itemPin{kind, name, pin}
	s.pins.mu.Lock()
	before, judged := s.pins.verdicts[key]
	s.pins.mu.Unlock()
	if judged && string(before.raw) == string(item.Raw) {
		return before.Verdict, nil
	}
	v, known, err := x.pinned.CompareItem(ctx, item, pin)
	if err != nil || !known {
		return changed, err
	}
	s.pins.mu.Lock()
	defer s.pins.mu.Unlock()
	s.pins.verdicts[key] = itemVerdict{v, item.Raw}
	return v, nil
}

// pinListings holds the listings that pins needed, and the verdicts on items that
// differ from the pinned ones.
type pinListings struct {
	asked    intervals // between the listings that refused calls request
	mu       sync.Mutex
	kinds    map[schema.Kind]index
	verdicts map[itemPin]itemVerdict
}

// itemPin is an item with the contract that a caller was generated against.
type itemPin struct {
	kind      schema.Kind
	name, pin string
}

// itemVerdict is a verdict with the definition that it was given for.
type itemVerdict struct {
	Verdict
	raw json.RawMessage
}

// listed returns a listing. It requests the listing from the server at the first use
// or if afresh is set. A listing that the server does not support is empty.
func (s *session) listed(ctx context.Context, kind schema.Kind, afresh bool) (index, error) {
	s.pins.mu.Lock()
	known := s.pins.kinds[kind]
	s.pins.mu.Unlock()
	if known != nil && !afresh {
		return known, nil
	}
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
	s.pins.mu.Lock()
	defer s.pins.mu.Unlock()
	if s.pins.kinds == nil {
		s.pins.kinds, s.pins.verdicts = map[schema.Kind]index{}, map[itemPin]itemVerdict{}
	}
	s.pins.kinds[kind] = all
	return all, nil
}

// Items lists the prompts, resources or resource templates of a server anew, within
// its start timeout, in the server's order. A listing that the server does not
// support is empty. Items starts no server: one that is not ready is an error, as is
// an unreadable listing. Errors are of type [*ServerError].
func (h *Host) Items(ctx context.Context, server string, kind schema.Kind) ([]schema.Item, error) {
	s, err := h.attached(server)
	if err != nil {
		return nil, err
	}
	sess, err := s.get()
	if err != nil {
		return nil, serverError(s.server, stage.Session, err, nil)
	}
	var listed index
	if err := sess.listWithin(ctx, "the "+string(kind)+"s were not listed within %v", func(ctx context.Context) (err error) {
		listed, err = sess.listed(ctx, kind, true)
		return err
	}); err != nil {
		return nil, err
	}
	return listed.inOrder(), nil
}
