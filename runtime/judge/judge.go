// Package judge proves how a changed definition affects code that was generated
// against the pinned one. It is the judge of [attach.Options], and classifies changes
// by the rules of package drift.
//
//	host, err := attach.Connect(ctx, servers, &attach.Options{
//		Judge: judge.New(mcp.Manifests(), project.Drift.Options()),
//	})
//
// It is a separate package because a proof needs a validator and a checker of
// schemas: a program without package judge links neither.
package judge

import (
	"context"
	"errors"
	"maps"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// prover is a [pinned.Prover].
type prover struct{ opts drift.Options }

// New returns a judge that compares with the manifests of generated packages, and
// classifies changes by these options: profile and overrides. The method Options of a
// project's config.Judgement returns such options. Nil options judge for a caller. The
// judge does not use the accepted changes of the options: they are for mcpgen check,
// and a program accepts only what is in its manifests. The options must not be changed
// afterwards.
func New(manifests []*codec.Manifest, opts *drift.Options) attach.Judge {
	return pinned.New(manifests, newProver(opts))
}

func newProver(opts *drift.Options) *prover {
	p := &prover{}
	if opts != nil {
		p.opts = *opts
		p.opts.Ignore = nil
	}
	return p
}

var errSteps = errors.New("the steps are not enough")

// Judge returns a verdict for each item that changed, is new or is missing. The same
// comparison gives the same verdicts. The error is that of ctx, or says that the
// steps of c are not enough.
func (p *prover) Judge(ctx context.Context, c pinned.Comparison) ([]attach.Verdict, error) {
	opts := p.opts
	opts.MaxSteps = c.Steps
	opts.Others = map[string][]string{}
	maps.Copy(opts.Others, p.opts.Others)
	maps.Copy(opts.Others, c.Others)
	report, err := drift.Compare(ctx, c.Pinned, c.Live, &opts)
	switch {
	case err != nil:
		return nil, err
	case report.GaveUp && c.Steps > 0:
		return nil, errSteps
	}
	verdicts := unjudged(c)
	index := map[key]int{}
	for i, v := range verdicts {
		index[key{v.Kind, v.Name}] = i
	}
	for _, server := range report.Servers {
		for _, change := range server.Changes {
			if i, ok := index[key{change.Kind, change.Name}]; ok {
				weigh(&verdicts[i], change)
			}
		}
	}
	return verdicts, nil
}

// key identifies an item of a surface.
type key struct {
	kind schema.Kind
	name string
}

// unjudged returns the verdicts on items before any change is added.
func unjudged(c pinned.Comparison) []attach.Verdict {
	before := map[key]string{}
	for item := range c.Pinned.Items() {
		before[key{item.Kind, item.Name}] = string(item.Raw)
	}
	var verdicts []attach.Verdict
	for item := range c.Live.Items() {
		k := key{item.Kind, item.Name}
		raw, known := before[k]
		delete(before, k)
		switch {
		case !known:
			verdicts = append(verdicts, attach.Verdict{Kind: k.kind, Name: k.name, State: attach.New})
		case raw != string(item.Raw):
			verdicts = append(verdicts, attach.Verdict{Kind: k.kind, Name: k.name, State: attach.Compatible})
		}
	}
	for item := range c.Pinned.Items() {
		k := key{item.Kind, item.Name}
		if _, left := before[k]; left {
			verdicts = append(verdicts, attach.Verdict{Kind: k.kind, Name: k.name, State: attach.Missing})
			delete(before, k)
		}
	}
	return verdicts
}

// weigh adds a change to the verdict on its item. A security finding takes
// precedence, then a breaking change, with a witness if there is one. A new item
// stays new, and for a missing item only a rename matters.
func weigh(v *attach.Verdict, c drift.Change) {
	state := attach.Changed
	if c.Class == drift.ClassSecurity && c.Severity == drift.Breaking {
		state = attach.Security
	}
	var decides bool
	switch v.State {
	case attach.Missing:
		state, decides = attach.Missing, c.Rule.Renames() && c.Rule.Part() == drift.Item
	case attach.New:
		decides = state == attach.Security
	case attach.Compatible:
		decides = state == attach.Security || c.Severity.AtLeast(drift.Unknown)
	case attach.Changed:
		decides = state == attach.Security || c.Severity.AtLeast(drift.Unknown) && v.Witness == nil && c.Witness != nil
	}
	if decides {
		v.State, v.Rule, v.Path, v.Message, v.Witness = state, c.Rule.String(), c.Path, c.Message, c.Witness
	}
}
