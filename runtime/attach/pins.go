// What a caller was generated against, compared with what the server offers now.
// Tools were listed at attach. Prompts, resources and templates are listed when a
// pin first asks for them: most programs use none.

package attach

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/schema"
)

// rulePromptRemoved is the rule for a prompt that is not listed any more.
const rulePromptRemoved = "prompt-removed"

// judgeRequest says whether a request may be sent, by what is known of what it is
// about. Of tools that is the judgement of the listing; prompts and resources are
// judged by the pin of the request. Completions have no definition.
func (s *session) judgeRequest(ct *callTime, req runtime.Request) error {
	x := s.tools.Load()
	switch req.Method {
	case runtime.MethodCallTool, runtime.MethodGetTask, runtime.MethodAwaitTask, runtime.MethodUpdateTask:
		return x.admit(s.server.Name, req.Name, req.Pin)
	}
	if req.Pin == "" || x.mode == DriftOff {
		return nil
	}
	var judge func(ctx context.Context, x *toolIndex, req runtime.Request, afresh bool) (Verdict, error)
	switch req.Method {
	case runtime.MethodGetPrompt:
		judge = s.judgePrompt
	case runtime.MethodReadResource, runtime.MethodSubscribe:
		judge = s.judgeResource
	default:
		return nil
	}
	allowed := x.mode
	if allowed == DriftWarn {
		allowed = DriftCompatible // what is not in it is logged
	}
	v, err := judge(ct.ctx, x, req, false)
	if err == nil && !allowed.allows(v.State) {
		v, err = judge(ct.ctx, x, req, true) // the listing may be an old one
	}
	switch {
	case err != nil:
		return fmt.Errorf("the definition cannot be judged: %w", s.explain(ct, err))
	case !allowed.allows(v.State):
		return x.refuse(driftError(s.server.Name, req.Name, v))
	}
	return nil
}

// judgePrompt judges the prompt of a request by the pin of that.
func (s *session) judgePrompt(ctx context.Context, x *toolIndex, req runtime.Request, afresh bool) (Verdict, error) {
	prompts, err := s.listed(ctx, schema.KindPrompt, afresh)
	if err != nil {
		return Verdict{}, err
	}
	if prompts.items[req.Name] == nil {
		return Verdict{State: Missing, Rule: rulePromptRemoved}, nil
	}
	return x.judgeItem(ctx, prompts, req.Name, req.Pin)
}

// judgeResource does it for a resource. The pin is that of a resource in the
// listing or, since the request names the URI alone, of any template.
func (s *session) judgeResource(ctx context.Context, x *toolIndex, req runtime.Request, afresh bool) (Verdict, error) {
	templates, err := s.listed(ctx, schema.KindTemplate, afresh)
	if err != nil {
		return Verdict{}, err
	}
	for name := range templates.items {
		hash, _, err := templates.items.contract(name)
		if err == nil && hash == req.Pin {
			return Verdict{State: Verified}, nil
		}
	}
	if x.pinned != nil {
		if name := x.pinned.Name(schema.KindTemplate, req.Pin); templates.items[name] != nil {
			return x.judgeItem(ctx, templates, name, req.Pin)
		}
	}
	resources, err := s.listed(ctx, schema.KindResource, afresh)
	if err != nil {
		return Verdict{}, err
	}
	return x.judgeItem(ctx, resources, req.Name, req.Pin)
}

// judgeItem judges an item of a listing by the contract that a caller was
// generated against: it is that, or the manifest has the definition with that
// contract and the judge says what the difference means. All else has changed.
func (x *toolIndex) judgeItem(ctx context.Context, l *listedItems, name, pin string) (Verdict, error) {
	changed := Verdict{Kind: l.kind, Name: name, State: Changed, Rule: ruleChanged}
	hash, ok, err := l.items.contract(name)
	switch {
	case err != nil || !ok:
		return changed, err
	case hash == pin:
		return Verdict{Kind: l.kind, Name: name, State: Verified}, nil
	}
	if x.pinned == nil {
		return changed, nil
	}
	key := name + " " + pin
	l.mu.Lock()
	v, judged := l.verdicts[key]
	l.mu.Unlock()
	if judged {
		return v, nil
	}
	v, known, err := x.pinned.CompareItem(ctx, l.items[name].item, pin)
	if err != nil || !known {
		return changed, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.verdicts[key] = v
	return v, nil
}

// pinListings are the listings that pins have asked for.
type pinListings struct {
	mu    sync.Mutex
	kinds map[schema.Kind]*listedItems
}

// listedItems is one listing.
type listedItems struct {
	kind  schema.Kind
	items index

	mu       sync.Mutex
	verdicts map[string]Verdict // on names and pins, given when first needed
}

// keep takes the verdicts of the listing before on definitions that are the same;
// nobody else has l yet.
func (l *listedItems) keep(before *listedItems) {
	if before == nil {
		return
	}
	before.mu.Lock()
	defer before.mu.Unlock()
	for key, v := range before.verdicts {
		if now := l.items[v.Name]; now != nil && string(now.item.Raw) == string(before.items[v.Name].item.Raw) {
			l.verdicts[key] = v
		}
	}
}

// listed returns a listing, from the server if it is asked for the first time or
// afresh. What the server cannot list is empty.
func (s *session) listed(ctx context.Context, kind schema.Kind, afresh bool) (*listedItems, error) {
	s.pins.mu.Lock()
	known := s.pins.kinds[kind]
	s.pins.mu.Unlock()
	if known != nil && !afresh {
		return known, nil
	}
	l := &listedItems{kind: kind, items: index{}, verdicts: map[string]Verdict{}}
	for _, from := range listings() {
		if from.kind != kind || !s.handshake.has(from.capability) {
			continue
		}
		items, _, err := s.list(ctx, from)
		if err != nil && !isMethodNotFound(err) {
			return nil, err
		}
		for _, item := range items {
			l.items[item.Name] = &indexedItem{item: item}
		}
	}
	s.pins.mu.Lock()
	defer s.pins.mu.Unlock()
	l.keep(s.pins.kinds[kind])
	if s.pins.kinds == nil {
		s.pins.kinds = map[schema.Kind]*listedItems{}
	}
	s.pins.kinds[kind] = l
	return l, nil
}

// Items lists the prompts, resources or resource templates of a server afresh, within
// its start timeout, sorted by name. What the server does not have is an empty list.
// It starts no server: one that is not ready is an error, as is a listing that
// cannot be read. Errors are of type [*ServerError].
func (h *Host) Items(ctx context.Context, server string, kind schema.Kind) ([]schema.Item, error) {
	s, err := h.attached(server)
	if err != nil {
		return nil, err
	}
	sess, err := s.get()
	if err != nil {
		return nil, serverError(s.server, StageSession, err, nil)
	}
	var l *listedItems
	if err := sess.listWithin(ctx, "the "+string(kind)+"s were not listed within %v", func(ctx context.Context) (err error) {
		l, err = sess.listed(ctx, kind, true)
		return err
	}); err != nil {
		return nil, err
	}
	items := make([]schema.Item, 0, len(l.items))
	for _, name := range slices.Sorted(maps.Keys(l.items)) {
		items = append(items, l.items[name].item)
	}
	return items, nil
}
