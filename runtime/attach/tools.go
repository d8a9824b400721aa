// The tools of a session as they were listed at attach: what pins are checked
// against.

package attach

import (
	"context"
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/schema"
)

// The rules of a DriftError from here: what exactly changed is for the drift
// rules to say.
const (
	ruleChanged = "contract-changed"
	ruleRemoved = "tool-removed"
)

// toolIndex holds the tools of one session. Contract hashes are computed when
// first needed: most tools are never called.
type toolIndex struct {
	items    map[string]*indexedTool
	problems []schema.Problem
}

type indexedTool struct {
	item schema.Item
	once sync.Once
	hash string
	err  error
}

// index lists the tools and keeps them.
func (s *session) index(ctx context.Context) error {
	items, problems, err := s.list(ctx, listings()[0])
	if err != nil && isMethodNotFound(err) && !s.hello.has("tools") {
		items, problems, err = nil, nil, nil
	}
	if err != nil {
		return err
	}
	if len(items) == 0 && !s.server.AllowEmpty {
		problems = append(problems, schema.Problem{Kind: schema.KindTool, Reason: ErrEmpty.Error() + ": if that is right, set allow_empty"})
	}
	s.tools = &toolIndex{items: make(map[string]*indexedTool, len(items)), problems: problems}
	for _, item := range items {
		s.tools.items[item.Name] = &indexedTool{item: item}
	}
	return nil
}

// contract returns the contract hash of a tool; ok is false if there is no such
// tool.
func (x *toolIndex) contract(name string) (hash string, ok bool, err error) {
	t := x.items[name]
	if t == nil {
		return "", false, nil
	}
	t.once.Do(func() { t.hash, t.err = schema.ContractHash(schema.KindTool, t.item.Raw) })
	return t.hash, true, t.err
}

// judge compares a tool with the contract that a caller was generated against.
func (s *session) judge(tool, pin string) error {
	if pin == "" {
		return nil
	}
	hash, ok, err := s.tools.contract(tool)
	switch {
	case !ok:
		return &runtime.DriftError{Server: s.server.Name, Tool: tool, Rule: ruleRemoved}
	case err != nil:
		return fmt.Errorf("the definition of the tool cannot be judged: %w", err)
	case hash != pin:
		return &runtime.DriftError{Server: s.server.Name, Tool: tool, Rule: ruleChanged}
	}
	return nil
}

// judgeManifests notes the tools that are not what generated code expects.
func (s *session) judgeManifests(manifests []*runtime.Manifest) {
	for _, m := range manifests {
		if m == nil || m.Server() != s.server.Name {
			continue
		}
		for _, p := range m.Pins() {
			if err := s.judge(p.Tool, p.Pin); err != nil {
				s.tools.problems = append(s.tools.problems, schema.Problem{Kind: schema.KindTool, Name: p.Tool, Reason: err.Error()})
			}
		}
	}
}
