// Package pinned holds what code was generated against, from the manifests of a
// program. It compares listings with it: by hashes, and with a [Prover] if those
// differ. Package judge has the prover; a program without one links none:
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

// Prover judges how definitions that differ from the pinned ones affect generated
// code.
type Prover interface {
	// Judge returns a verdict for each item of c that differs, is new or is missing.
	// An item that differs and has no verdict is judged by its hash. The verdicts
	// depend on c alone, not on time or load. It is called by several goroutines at
	// the same time. An error means that no item is decided; it is returned soon
	// after ctx has ended.
	Judge(ctx context.Context, c Comparison) ([]attach.Verdict, error)
}

// Comparison is the input of a [Prover].
type Comparison struct {
	// Pinned is the surface that code was generated against, Live the server's
	// current surface. They hold the items to judge; other items are absent, or have
	// only their names.
	Pinned, Live *schema.Snapshot
	// Others lists the tools of other servers, by server, as code was generated
	// against them: new text that mentions one is a security finding.
	Others map[string][]string
	// Steps bounds the work, in the steps of schema/compat. Beyond it, a prover
	// returns an error, and is called again in the background. 0 is the prover's own
	// maximum.
	Steps int
}

// New returns a judge that uses a prover for definitions that differ from the
// manifests. Nil manifests are skipped.
func New(manifests []*codec.Manifest, prover Prover) attach.Judge { return judge{manifests, prover} }

// ByHash returns a judge that compares the contract hashes of manifests: an equal one
// is verified, any other has changed, and new text is not reviewed.
func ByHash(manifests ...*codec.Manifest) attach.Judge { return judge{manifests: manifests} }

// Manifests returns the manifests of a server that a judge, such as the host's, uses,
// in the order of [New]. It returns nil if the judge is not from this package or
// package judge, and has no method Manifests.
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

// Manifests returns the manifests of a server.
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

// contractOfKind is a contract hash with the kind of its item.
type contractOfKind struct {
	kind schema.Kind
	hash string
}

// read reads the manifests of one server; nil if there are none. Of a duplicate, the
// first counts. If a snapshot cannot be read, only its pins are used.
func read(server string, manifests []*codec.Manifest) *surface {
	if len(manifests) == 0 {
		return nil
	}
	var tools []pinnedItem
	var instructions, protocol string
	var client, capabilities json.RawMessage
	others := map[contractOfKind]*pinnedItem{}
	for _, m := range manifests {
		called := map[string]string{}
		for _, ref := range m.Refs() {
			called[ref.Name] = ref.Pin
		}
		var snapshot struct {
			Protocol     string            `json:"protocolVersion"`
			Capabilities json.RawMessage   `json:"capabilities"`
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
				if p := (pinnedItem{Item: item}).hashed(); err == nil && p.contract != "" {
					others[contractOfKind{kind, p.contract}] = p
				}
			}
		}
		instructions = cmp.Or(instructions, snapshot.Instructions)
		if client == nil {
			client = snapshot.Client
		}
		if capabilities == nil {
			protocol, capabilities = snapshot.Protocol, snapshot.Capabilities
		}
		for _, raw := range snapshot.Tools {
			if item, err := schema.ParseItem(schema.KindTool, raw); err == nil {
				tools = append(tools, pinnedItem{Item: item, pin: called[item.Name]})
				delete(called, item.Name)
			}
		}
		for name, pin := range called {
			tools = append(tools, pinnedItem{Item: schema.Item{Kind: schema.KindTool, Name: name}, pin: pin})
		}
	}
	s := newSurface(server, tools)
	s.instructions, s.others, s.client = instructions, others, endpoint.OffersOf(client)
	s.protocol, s.capabilities = protocol, capabilities
	return s
}

// neighbours returns the tools of other servers, by their names when code was
// generated.
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

// Handshake implements [attach.Pinned].
func (s *surface) Handshake() (protocol string, capabilities json.RawMessage) {
	return s.protocol, s.capabilities
}

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
	if p := s.others[contractOfKind{kind, contract}]; p != nil {
		return p.Name
	}
	return ""
}

// CompareItem implements [attach.Pinned]. The result is false without a prover, and for
// a contract that no item of that name had.
func (s *surface) CompareItem(ctx context.Context, live schema.Item, contract string) (attach.Verdict, bool, error) {
	p := s.others[contractOfKind{live.Kind, contract}]
	switch {
	case s.asking.prover == nil:
		return attach.Verdict{}, false, nil
	case contract == "" && len(live.Raw) > maxDefinition:
		return attach.Verdict{Kind: live.Kind, Name: live.Name, State: attach.Unchecked}, true, nil
	case contract == "":
		found, err := s.asking.prover.Judge(ctx, Comparison{Pinned: s.snapshot(), Live: s.snapshot(live), Others: s.asking.others})
		if err != nil || len(found) != 1 {
			return attach.Verdict{}, false, err
		}
		return found[0], true, nil
	case p == nil || p.Name != live.Name:
		return attach.Verdict{}, false, nil
	case p.same(live.Raw):
		return attach.Verdict{Kind: live.Kind, Name: live.Name, State: attach.Verified}, true, nil
	}
	return s.changedItem(ctx, p, live, s.asking), true, ctx.Err()
}
