// What a caller was generated against, compared with what the server offers now.
// Tools were listed at attach. Prompts, resources and templates are listed when a
// pin first asks for them: most programs use none.

package attach

import (
	"context"
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/schema"
)

// rulePromptRemoved is the rule for a prompt that is not listed any more.
const rulePromptRemoved = "prompt-removed"

// judgeRequest says whether a request may be sent, by what is known of what it is
// about. Of tools that is the judgement of the listing; prompts and resources are
// compared with the pin of the request. Completions have no definition.
func (s *session) judgeRequest(ct *callTime, req runtime.Request) error {
	x := s.tools.Load()
	if req.Method == runtime.MethodCallTool {
		return x.admit(s.server.Name, req.Name, req.Pin)
	}
	if req.Pin == "" || x.mode == DriftOff {
		return nil
	}
	var rule func(ctx context.Context, afresh bool) (string, error)
	switch req.Method {
	case runtime.MethodGetPrompt:
		rule = func(ctx context.Context, afresh bool) (string, error) { return s.promptRule(ctx, req, afresh) }
	case runtime.MethodReadResource:
		rule = func(ctx context.Context, afresh bool) (string, error) { return s.resourceRule(ctx, req, afresh) }
	default:
		return nil
	}
	broken, err := rule(ct.ctx, false)
	if err == nil && broken != "" {
		broken, err = rule(ct.ctx, true) // the listing may be an old one
	}
	switch {
	case err != nil:
		return fmt.Errorf("the definition cannot be judged: %w", s.explain(ct, err))
	case broken != "":
		return x.refuse(&runtime.DriftError{Server: s.server.Name, Tool: req.Name, Rule: broken})
	}
	return nil
}

// promptRule returns the rule that a prompt breaks, "" if it is the pinned one.
func (s *session) promptRule(ctx context.Context, req runtime.Request, afresh bool) (string, error) {
	prompts, err := s.listed(ctx, schema.KindPrompt, afresh)
	if err != nil {
		return "", err
	}
	hash, ok, err := prompts.contract(req.Name)
	switch {
	case err != nil:
		return "", err
	case !ok:
		return rulePromptRemoved, nil
	case hash != req.Pin:
		return ruleChanged, nil
	}
	return "", nil
}

// resourceRule does it for a resource. The pin is that of a resource in the
// listing or, since the request names the URI alone, of any template.
func (s *session) resourceRule(ctx context.Context, req runtime.Request, afresh bool) (string, error) {
	templates, err := s.listed(ctx, schema.KindTemplate, afresh)
	if err != nil {
		return "", err
	}
	for name := range templates.items {
		hash, _, err := templates.contract(name)
		if err == nil && hash == req.Pin {
			return "", nil
		}
	}
	resources, err := s.listed(ctx, schema.KindResource, afresh)
	if err != nil {
		return "", err
	}
	if hash, _, err := resources.contract(req.Name); err != nil || hash == req.Pin {
		return "", err
	}
	return ruleChanged, nil
}

// pinListings are the listings that pins have asked for.
type pinListings struct {
	mu    sync.Mutex
	kinds map[schema.Kind]*listedItems
}

// listedItems is one listing.
type listedItems struct {
	kind   schema.Kind
	items  map[string]schema.Item
	mu     sync.Mutex
	hashes map[string]string // computed when first needed
}

// contract returns the contract hash of an item; ok is false if there is none.
func (l *listedItems) contract(name string) (hash string, ok bool, err error) {
	item, ok := l.items[name]
	if !ok {
		return "", false, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if hash, ok := l.hashes[name]; ok {
		return hash, true, nil
	}
	if hash, err = schema.ContractHash(l.kind, item.Raw); err == nil {
		l.hashes[name] = hash
	}
	return hash, true, err
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
	l := &listedItems{kind: kind, items: map[string]schema.Item{}, hashes: map[string]string{}}
	for _, from := range listings() {
		if from.kind != kind || !s.hello.has(from.capability) {
			continue
		}
		items, _, err := s.list(ctx, from)
		if err != nil && !isMethodNotFound(err) {
			return nil, err
		}
		for _, item := range items {
			l.items[item.Name] = item
		}
	}
	s.pins.mu.Lock()
	defer s.pins.mu.Unlock()
	if s.pins.kinds == nil {
		s.pins.kinds = map[schema.Kind]*listedItems{}
	}
	s.pins.kinds[kind] = l
	return l, nil
}
