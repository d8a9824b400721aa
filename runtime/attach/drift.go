// What is said about the tools of a host: are they what code was generated
// against?

package attach

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// DriftMode says which tools may be called, by what is known of them. Whatever
// the mode, what a model is shown of a tool with a manifest is the pinned text.
type DriftMode string

// The modes. A call that carries a pin which is the hash of the live contract is
// allowed in each of them, unless there is a security finding.
const (
	// DriftCompatible allows verified and compatible tools, and those of servers
	// without a manifest. New tools stay hidden, the others are quarantined one
	// by one. It is the default. A tool whose proof takes long is pending until it
	// is done, and quarantined as if it had changed: Connect does not wait for it.
	// A call of a tool in quarantine may have the tools listed afresh before it is
	// refused, at intervals that grow from a second to a minute. A server whose
	// listing goes back and forth is served by what all of its surfaces allow.
	DriftCompatible DriftMode = "compatible"
	// DriftClosed allows verified tools only. Of a server without a manifest
	// these are the ones that are called with a pin.
	DriftClosed DriftMode = "closed"
	// DriftWarn allows all, and logs.
	DriftWarn DriftMode = "warn"
	// DriftOff allows all, and judges nothing.
	DriftOff DriftMode = "off"
)

// check returns an error if m is invalid.
func (m DriftMode) check() error {
	switch m {
	case "", DriftCompatible, DriftClosed, DriftWarn, DriftOff:
		return nil
	}
	return fmt.Errorf("drift mode %q: must be %s, %s, %s or %s", string(m), DriftClosed, DriftCompatible, DriftWarn, DriftOff)
}

// allows reports whether a tool in this state may be called.
func (m DriftMode) allows(s ToolState) bool {
	switch m {
	case DriftWarn, DriftOff:
		return true
	case DriftClosed:
		return s == Verified
	}
	return s == Verified || s == Compatible || s == Unchecked
}

// ToolState is what is known of one tool.
type ToolState string

// The states of tools.
const (
	Verified   ToolState = "verified"   // the contract is the pinned one
	Compatible ToolState = "compatible" // it differs, and was proven to serve the pinned code
	Changed    ToolState = "changed"    // it differs, and is broken, or not proven to work
	Security   ToolState = "security"   // something came that a person has to look at first
	Missing    ToolState = "missing"    // generated code calls it, and it is not listed
	New        ToolState = "new"        // listed, and unknown to the manifest
	Pending    ToolState = "pending"    // it differs, and whether it serves is being judged; an event says when that is known
	Unchecked  ToolState = "unchecked"  // no manifest, or nothing is judged
	Flapping   ToolState = "flapping"   // the server alternates between definitions of it, and not all of them serve
	// Unoffered is not listed, and less is declared to the server than when code was
	// generated: it may offer the tool to other clients. That is no drift.
	Unoffered ToolState = "unoffered"
)

// Judge knows what code was generated against, and says what differences mean for
// it. Package judge proves it; package pinned below this one compares hashes alone.
type Judge interface {
	// Pinned returns what code was generated against of a server; nil if nothing is
	// known of that. It is called once for each server.
	Pinned(server string) Pinned
}

// Pinned is what code was generated against of one server. Its methods are safe for
// concurrent use.
type Pinned interface {
	// Instructions are those that the server had.
	Instructions() string
	// Declared is what was declared to it.
	Declared() endpoint.Offers
	// Tools are the tools that it had, by name. Of one whose definition is not known,
	// Raw is nil. The map must not be changed.
	Tools() map[string]schema.Item
	// Compare returns a judgement for each tool of a listing, and for each that
	// generated code calls and that is gone. Judgements of an earlier listing hold for
	// definitions that did not change; nil means none. What is not quickly decided is
	// [Pending], whatever the time or the load.
	Compare(ctx context.Context, live []schema.Item, earlier map[string]Judged) map[string]Judged
	// Decide judges tools that are pending, in their order.
	Decide(ctx context.Context, live []schema.Item) []Verdict
	// Name returns the name of the prompt, resource or template with a contract hash;
	// "" if there is none.
	Name(kind schema.Kind, contract string) string
	// CompareItem judges a live prompt, resource or template by the contract that a
	// caller was generated against, which is another one. It is false if nothing is
	// known of that.
	CompareItem(ctx context.Context, live schema.Item, contract string) (Verdict, bool, error)
}

// Judged is a [Verdict] with what it was given for.
type Judged struct {
	Verdict
	Pin string          // the contract that generated code carries; "" if none calls the tool
	Raw json.RawMessage // what was judged; nil of a tool that is gone
}

// Verdict is what a [Judge] says of one item.
type Verdict struct {
	Kind    schema.Kind
	Name    string
	State   ToolState // Compatible, Changed or Security; New, Missing or Unoffered of what is on one side alone
	Rule    string    // of the change that decides, such as "hint-readonly-dropped"; "" if there is none
	Path    string    // JSON pointer into the definition
	Message string    // one printable sentence; "" if there is nothing to say
	// Reworded says of a verified tool that its texts, or what else its contract does not
	// cover, are not the pinned ones.
	Reworded bool
	Witness  json.RawMessage // arguments that fitted, or a result that was allowed, and does not any more; nil if none is known
}

// String gives the state, then what decides.
func (v Verdict) String() string {
	text := string(v.State)
	if v.Rule != "" {
		text += ": " + v.Rule
	}
	if v.Message != "" {
		text += ": " + v.Message
	}
	return text
}

// ToolDrift is the judgement about one tool, or about a prompt, resource or template.
type ToolDrift struct {
	Server  string // configured name
	Verdict        // its Name is the server's; of resources the URI, of templates the URI template
	Allowed bool   // calls of it are let through
}

// String names the server and the item, then gives the verdict.
func (d ToolDrift) String() string {
	return safetext.Words(d.Server+"/"+d.Name, 200) + ": " + d.Verdict.String()
}

// Drift returns the judgements about the tools of the servers that are there, by
// the listing that counts now: servers in the order of [Host.Status], and the tools of
// each sorted by name. A server that is being
// brought back counts with the listing it had. Prompts, resources and templates
// are judged when a call with a pin asks for them: those whose contract was not
// the pinned one follow the tools of their server, for as long as its session lives.
func (h *Host) Drift() []ToolDrift {
	var all []ToolDrift
	for _, s := range h.all() {
		if x := s.offered(); x != nil {
			all = append(all, x.drift(s.server.Name)...)
			if sess, err := s.get(); err == nil {
				all = append(all, sess.itemDrift(x)...)
			}
		}
	}
	return all
}

// itemDrift returns the judgements about prompts, resources and templates, sorted
// by kind and name.
func (s *session) itemDrift(x *toolIndex) []ToolDrift {
	s.pins.mu.Lock()
	defer s.pins.mu.Unlock()
	var all []ToolDrift
	for key, v := range s.pins.verdicts {
		if now := s.pins.kinds[key.kind][key.name]; now != nil && string(now.item.Raw) == string(v.raw) {
			all = append(all, x.driftOf(s.server.Name, v.Verdict))
		}
	}
	slices.SortFunc(all, func(a, b ToolDrift) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.State, b.State))
	})
	return all
}

func (x *toolIndex) driftOf(server string, v Verdict) ToolDrift {
	v.Witness = slices.Clone(v.Witness)
	return ToolDrift{Server: server, Verdict: v, Allowed: x.mode.allows(v.State)}
}

// drift returns the judgements about one listing, sorted by tool.
func (x *toolIndex) drift(server string) []ToolDrift {
	if x.unlisted {
		return nil
	}
	var all []ToolDrift
	for _, name := range x.known() {
		v := x.verdict(name).Verdict
		v.Kind, v.Name = schema.KindTool, name
		all = append(all, x.driftOf(server, v))
	}
	return all
}

// states counts the states of the tools of a listing.
func (x *toolIndex) states() map[ToolState]int {
	counts := map[ToolState]int{}
	for _, name := range x.known() {
		counts[x.verdict(name).State]++
	}
	return counts
}

// reworded are the tools that are verified by their contract alone, sorted.
func (x *toolIndex) reworded() []string {
	var names []string
	for _, name := range x.known() {
		if x.verdict(name).Reworded {
			names = append(names, name)
		}
	}
	return names
}

// driftError makes the error of a call that a judgement forbids.
func driftError(server, tool string, v Verdict) *runtime.DriftError {
	unclassified := ruleUnchecked
	if v.State == Compatible || v.State == Changed {
		unclassified = ruleChanged
	}
	return &runtime.DriftError{
		Server: server, Tool: tool, Rule: cmp.Or(v.Rule, unclassified), Path: v.Path, Witness: slices.Clone(v.Witness),
	}
}
