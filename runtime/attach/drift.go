// Drift: how the tools of a host differ from the tools that code was generated
// against.

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

// DriftMode says which tools may be called, by their [ToolState]. In every mode, a
// model is shown the pinned text of a tool with a manifest.
type DriftMode string

// The modes. Each of them allows a call whose pin is the hash of the live contract,
// unless the tool has a security finding, is pending or is flapping.
const (
	// DriftCompatible allows verified and compatible tools, and all tools of servers
	// without a manifest. New tools are hidden; each other tool is quarantined. It is
	// the default. A tool whose proof takes long is pending until the proof ends, and
	// is quarantined meanwhile: Connect does not wait for it. A call of a tool in
	// quarantine may have the tools listed again before it is refused, at intervals
	// that grow from a second to a minute. If the listing of a server alternates
	// between surfaces, a tool is served as far as all of them allow it.
	DriftCompatible DriftMode = "compatible"
	// DriftClosed allows verified tools only. Of a server without a manifest, it
	// allows only calls with a pin.
	DriftClosed DriftMode = "closed"
	// DriftWarn allows all tools, and logs drift.
	DriftWarn DriftMode = "warn"
	// DriftOff allows all tools, and judges none.
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

// ToolState is the judgement about one tool.
type ToolState string

// The states of tools.
const (
	Verified   ToolState = "verified"   // the contract is the pinned one
	Compatible ToolState = "compatible" // the contract differs, and is proven to serve the pinned code
	Changed    ToolState = "changed"    // the contract differs, and is broken, or not proven to serve
	Security   ToolState = "security"   // a change that a person has to review first
	Missing    ToolState = "missing"    // generated code calls it, and it is not listed
	New        ToolState = "new"        // listed, and not in the manifest
	Pending    ToolState = "pending"    // the contract differs, and is still being judged; an event reports the result
	Unchecked  ToolState = "unchecked"  // no manifest, or no judging
	Flapping   ToolState = "flapping"   // the server alternates between definitions of it, and not all of them serve
	// Unoffered is the state of a tool that is not listed, while less is declared to
	// the server than when code was generated: the server may offer the tool to other
	// clients. Unoffered is not drift.
	Unoffered ToolState = "unoffered"
)

// Judge holds what code was generated against, and judges differences. Package
// runtime/judge proves compatibility; package attach/pinned compares hashes alone.
type Judge interface {
	// Pinned returns what code was generated against of a server; nil if unknown. The
	// host calls it once for each server, and again after a reload.
	Pinned(server string) Pinned
}

// Pinned is the surface of one server that code was generated against. Its methods
// are safe for concurrent use.
type Pinned interface {
	// Instructions returns the instructions of the server.
	Instructions() string
	// Handshake returns the server's revision of the protocol and its capabilities; nil
	// if they are unknown.
	Handshake() (protocol string, capabilities json.RawMessage)
	// Declared returns the client capabilities that were declared to the server.
	Declared() endpoint.Offers
	// Tools returns the tools by name. Raw is nil for a tool whose definition is
	// unknown. The map must not be changed.
	Tools() map[string]schema.Item
	// Compare returns a judgement for each tool of a listing, and for each missing
	// tool that generated code calls. Judgements of an earlier listing are kept for
	// definitions that did not change; nil means none. A tool that is not quickly
	// decided is [Pending], whatever the time or the load.
	Compare(ctx context.Context, live []schema.Item, earlier map[string]Judged) map[string]Judged
	// Decide judges pending tools, in the order of live.
	Decide(ctx context.Context, live []schema.Item) []Verdict
	// Name returns the name of the prompt, resource or template with a contract hash;
	// "" if there is none.
	Name(kind schema.Kind, contract string) string
	// CompareItem judges a live prompt, resource or template by the definition with the
	// contract that a caller was generated against; "" judges it as a new one. The
	// result is false if that contract is unknown, and without a prover.
	CompareItem(ctx context.Context, live schema.Item, contract string) (Verdict, bool, error)
}

// Judged is a [Verdict] with what was judged.
type Judged struct {
	Verdict
	Pin string          // the contract hash in generated code; "" if generated code does not call the tool
	Raw json.RawMessage // the judged definition; nil if the tool is missing
}

// Verdict is the judgement of a [Judge] about one item.
type Verdict struct {
	Kind    schema.Kind
	Name    string
	State   ToolState // Compatible, Changed or Security; New, Missing or Unoffered if only one side has the item
	Rule    string    // of the change that decides, such as "hint-readonly-dropped"; "" if none
	Path    string    // JSON pointer into the definition
	Message string    // one printable sentence; may be ""
	// Reworded reports that a verified tool differs in its texts, or in other parts
	// that its contract does not cover.
	Reworded bool
	Witness  json.RawMessage // arguments that were valid, or a result that was allowed, and no longer is; nil if unknown
}

// String returns the state, the rule and the message.
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
	Verdict        // its Name is the server's; for resources the URI, for templates the URI template
	Allowed bool   // calls of it are allowed
}

// String names the server and the item, then gives the verdict.
func (d ToolDrift) String() string {
	return safetext.Words(d.Server+"/"+d.Name, 200) + ": " + d.Verdict.String()
}

// itemDrift returns the judgements about prompts, resources and templates that differ,
// sorted by kind and name.
func (x *toolIndex) itemDrift(server string) []ToolDrift {
	if x.listing == nil {
		return nil
	}
	x.listing.mu.Lock()
	defer x.listing.mu.Unlock()
	var all []ToolDrift
	for _, v := range x.listing.verdicts {
		if v.State != Verified || v.Reworded {
			all = append(all, x.driftOf(server, v))
		}
	}
	slices.SortFunc(all, func(a, b ToolDrift) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.State, b.State))
	})
	return all
}

func (j *judgement) driftOf(server string, v Verdict) ToolDrift {
	v.Witness = slices.Clone(v.Witness)
	return ToolDrift{Server: server, Verdict: v, Allowed: j.mode.allows(v.State)}
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

// reworded returns the tools that are verified by their contract alone, sorted.
func (x *toolIndex) reworded() []string {
	var names []string
	for _, name := range x.known() {
		if x.verdict(name).Reworded {
			names = append(names, name)
		}
	}
	return names
}

// driftError returns the error of a call that a judgement forbids.
func driftError(server, tool string, v Verdict) *runtime.DriftError {
	unclassified := ruleUnchecked
	if v.State == Compatible || v.State == Changed {
		unclassified = ruleChanged
	}
	return &runtime.DriftError{
		Server: server, Tool: tool, Rule: cmp.Or(v.Rule, unclassified), Path: v.Path, Witness: slices.Clone(v.Witness),
	}
}
