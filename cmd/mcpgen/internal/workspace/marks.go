package workspace

// This file finds the marks on text that list and docs show.

import (
	"context"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/parallel"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Marked is an item of one server; the zero value is the server itself.
type Marked struct {
	Kind schema.Kind
	Name string
}

// Marks are the security findings of items as if all text were new, each a rule with its message. They
// are for information only.
type Marks map[Marked][]string

// MarksOf checks all text of a server. The error is that of ctx.
func (w *Workspace) MarksOf(ctx context.Context, name string, s *schema.Snapshot) (Marks, error) {
	found, err := judge(ctx, w.Lock, comparison{name: name, after: s}, judgement(w.Project, Judging{}))
	if err != nil {
		return nil, err
	}
	out := Marks{}
	for _, c := range found.Changes {
		at := Marked{c.Kind, c.Name}
		if c.Kind == drift.KindServer {
			at = Marked{}
		}
		if text := c.Rule.String() + ": " + c.Message; gated(&c) && !slices.Contains(out[at], text) {
			out[at] = append(out[at], text)
		}
	}
	return out, nil
}

// Mark sets the marks of a listing. The error is that of ctx.
func (w *Workspace) Mark(ctx context.Context, l *Listing) error {
	ctx, end := afterAll(ctx, len(l.Servers))
	defer end()
	return parallel.Each(ctx, len(l.Servers), func(i int) (err error) {
		s := &l.Servers[i]
		if s.snapshot != nil { // native tools are the program's own
			s.Marks, err = w.MarksOf(ctx, s.Server, s.snapshot)
		}
		return err
	})
}

// Line returns the line of a listing with the marks of an item; "" if it has none.
func (m Marks) Line(kind schema.Kind, name string) string {
	found := m[Marked{kind, name}]
	if len(found) == 0 {
		return ""
	}
	return "! " + console.Cut(strings.Join(found, "; "), 160)
}
