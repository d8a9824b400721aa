// Package pinned has what code was generated against, by the manifests of a program,
// and compares listings with it: by hashes, and with a [Prover] where those differ.
// Package judge has the prover; a program that does without links none:
//
//	attach.Options{Judge: pinned.ByHash(mcp.Manifests()...)}
package pinned

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// Prover says what definitions that are not the pinned ones mean for code that was
// generated against those.
type Prover interface {
	// Judge returns a verdict for each item of c that differs, is new or is gone.
	// An item that differs and has no verdict is judged by its hash. The verdicts
	// are those of c alone, whatever the time or the load. It is called by several
	// goroutines at the same time. The error says that nothing is decided; it is
	// returned soon after ctx has ended.
	Judge(ctx context.Context, c Comparison) ([]attach.Verdict, error)
}

// Comparison is what a [Prover] is asked about.
type Comparison struct {
	// Pinned is what code was generated against, Live what the server offers now.
	// They hold the items that the question is about, and no others, or others by
	// their names alone.
	Pinned, Live *schema.Snapshot
	// Others are the tools of other servers, by server, as code was generated
	// against them: new text that speaks of one is a security finding.
	Others map[string][]string
	// Steps bounds the work, in the steps of schema/compat: with more than that to
	// do, a prover returns an error, and is asked again while the host works on. 0
	// is as many as the prover takes at most.
	Steps int
}

// New returns a judge that asks a prover about definitions that differ from those of
// the manifests. Nil manifests are skipped.
func New(manifests []*codec.Manifest, prover Prover) attach.Judge { return judge{manifests, prover} }

// ByHash returns a judge that goes by the contract hashes of manifests: equal is
// verified, everything else has changed, and new text is not looked at.
func ByHash(manifests ...*codec.Manifest) attach.Judge { return judge{manifests: manifests} }

// Manifests returns the manifests that a judge, such as the host's, goes by and that are
// about a server, in the order of [New]. There are none if the judge is not of this
// package, nor made by package judge, and has no method Manifests of its own.
func Manifests(judge attach.Judge, server string) []*codec.Manifest {
	if j, ok := judge.(interface {
		Manifests(server string) []*codec.Manifest
	}); ok {
		return j.Manifests(server)
	}
	return nil
}

type judge struct {
	manifests []*codec.Manifest
	prover    Prover
}

// Manifests is for the function of that name.
func (j judge) Manifests(server string) []*codec.Manifest {
	var all []*codec.Manifest
	for _, m := range j.manifests {
		if m != nil && m.Server() == server {
			all = append(all, m)
		}
	}
	return all
}

// Pinned implements [attach.Judge].
func (j judge) Pinned(server string) attach.Pinned {
	if s := read(server, j.Manifests(server)); s != nil {
		s.asking = asking{prover: j.prover, others: s.neighbours(j.manifests)}
		return s
	}
	return nil
}

// contractOfKind is a pin with the kind of what it is about.
type contractOfKind struct {
	kind schema.Kind
	hash string
}

// read reads the manifests of one server; nil if there are none. What they have twice
// counts as the first one has it. Of a snapshot that cannot be read the pins are left.
func read(server string, manifests []*codec.Manifest) *surface {
	if len(manifests) == 0 {
		return nil
	}
	var tools []pinnedTool
	instructions, client := "", json.RawMessage(nil)
	others := map[contractOfKind]schema.Item{}
	for _, m := range manifests {
		called := map[string]string{}
		for _, ref := range m.Refs() {
			called[ref.Name] = ref.Pin
		}
		var snapshot struct {
			Client       json.RawMessage   `json:"clientCapabilities"`
			Instructions string            `json:"instructions"`
			Tools        []json.RawMessage `json:"tools"`
			Prompts      []json.RawMessage `json:"prompts"`
			Resources    []json.RawMessage `json:"resources"`
			Templates    []json.RawMessage `json:"resourceTemplates"`
		}
		_ = json.Unmarshal([]byte(m.Snapshot()), &snapshot) // Manifest.Err reports that
		for kind, list := range map[schema.Kind][]json.RawMessage{
			schema.KindPrompt: snapshot.Prompts, schema.KindResource: snapshot.Resources, schema.KindTemplate: snapshot.Templates,
		} {
			for _, raw := range list {
				item, err := schema.ParseItem(kind, raw)
				if err != nil {
					continue
				}
				if hash, err := schema.ContractHash(kind, raw); err == nil {
					others[contractOfKind{kind, hash}] = item
				}
			}
		}
		instructions = cmp.Or(instructions, snapshot.Instructions)
		if client == nil {
			client = snapshot.Client
		}
		for _, raw := range snapshot.Tools {
			if item, err := schema.ParseItem(schema.KindTool, raw); err == nil {
				tools = append(tools, pinnedTool{name: item.Name, definition: item.Raw, pin: called[item.Name]})
				delete(called, item.Name)
			}
		}
		for name, pin := range called {
			tools = append(tools, pinnedTool{name: name, pin: pin})
		}
	}
	s := newSurface(server, tools)
	s.instructions, s.others, s.client = instructions, others, endpoint.OffersOf(client)
	return s
}

// neighbours returns the tools of other servers, by the names that those had when
// code was generated.
func (s *surface) neighbours(manifests []*codec.Manifest) map[string][]string {
	names := map[string][]string{}
	for _, m := range manifests {
		if m == nil || m.Server() == s.server {
			continue
		}
		for _, ref := range m.Refs() {
			if s.tools[ref.Name] == nil {
				names[m.Server()] = append(names[m.Server()], ref.Name)
			}
		}
	}
	return names
}

// Instructions implements [attach.Pinned].
func (s *surface) Instructions() string { return s.instructions }

// Declared implements [attach.Pinned].
func (s *surface) Declared() endpoint.Offers { return s.client }

// Tools implements [attach.Pinned].
func (s *surface) Tools() map[string]schema.Item { return s.items }

// Compare implements [attach.Pinned].
func (s *surface) Compare(ctx context.Context, live []schema.Item, earlier map[string]attach.Judged) map[string]attach.Judged {
	return s.compare(ctx, live, earlier, s.asking)
}

// Decide implements [attach.Pinned].
func (s *surface) Decide(ctx context.Context, live []schema.Item) []attach.Verdict {
	return s.changed(ctx, live, s.asking)
}

// Name implements [attach.Pinned].
func (s *surface) Name(kind schema.Kind, contract string) string {
	return s.others[contractOfKind{kind, contract}].Name
}

// CompareItem implements [attach.Pinned]. Nothing is known without a prover, of a
// contract that no item of that name had, and of a definition that is too large.
func (s *surface) CompareItem(ctx context.Context, live schema.Item, contract string) (attach.Verdict, bool, error) {
	changed := attach.Verdict{Kind: live.Kind, Name: live.Name, State: attach.Changed, Rule: ruleChanged}
	pinned, known := s.others[contractOfKind{live.Kind, contract}]
	if !known || pinned.Name != live.Name || s.asking.prover == nil || len(live.Raw) > maxDefinition {
		return changed, false, nil
	}
	found, err := s.asking.prover.Judge(ctx, Comparison{Pinned: snapshotOf(pinned), Live: snapshotOf(live), Others: s.asking.others})
	for _, f := range found {
		if f.Kind == live.Kind && f.Name == live.Name {
			changed = f
		}
	}
	return changed, err == nil, err
}

// snapshotOf is a surface of one item.
func snapshotOf(item schema.Item) *schema.Snapshot {
	s := &schema.Snapshot{}
	*s.List(item.Kind) = []schema.Item{item}
	return s
}
