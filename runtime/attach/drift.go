// What is said about the tools of a host: are they what code was generated
// against?

package attach

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/runtime"
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
)

// Judge says what definitions that are not the pinned ones mean for code that was
// generated against those. The one of package runtime/judge proves it.
type Judge interface {
	// Judge returns a verdict for each item of c that differs, is new or is gone.
	// An item that differs and has no verdict is judged by its hash. The verdicts
	// are those of c alone, whatever the time or the load. It is called by several
	// goroutines at the same time. The error says that nothing is decided; it is
	// returned soon after ctx has ended.
	Judge(ctx context.Context, c Comparison) ([]Verdict, error)
}

// Comparison is what a [Judge] is asked about.
type Comparison struct {
	// Pinned is what code was generated against, Live what the server offers now.
	// They hold the items that the question is about, and no others, or others by
	// their names alone.
	Pinned, Live *schema.Snapshot
	// OtherTools are the tools of other servers, as code was generated against
	// them: an order about one of them in new text is a security finding.
	OtherTools []string
	// Steps bounds the work, in the steps of schema/compat: with more than that to
	// do, a judge returns an error, and is asked again while the host works on. 0
	// is as many as the judge takes at most.
	Steps int
}

// Verdict is what a [Judge] says of one item.
type Verdict struct {
	Kind    schema.Kind
	Name    string
	State   ToolState       // Compatible, Changed or Security; New or Missing of what is on one side alone
	Rule    string          // of the change that decides; "" if there is none
	Path    string          // JSON pointer into the definition
	Message string          // one printable sentence; "" if there is nothing to say
	Witness json.RawMessage // a value that worked and does not any more; nil if none is known
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
	Kind    schema.Kind
	Tool    string // its name as the server spells it; of resources the URI, of templates the URI template
	State   ToolState
	Allowed bool            // calls of it are let through
	Rule    string          // of the change that decides, such as "hint-readonly-dropped"; "" if there is none
	Path    string          // JSON pointer into the definition
	Message string          // one printable sentence; "" if there is nothing to say
	Witness json.RawMessage // arguments that fitted, or a result that was allowed, and does not any more; nil if none is known
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
	lists := slices.Collect(maps.Values(s.pins.kinds))
	s.pins.mu.Unlock()
	var all []ToolDrift
	for _, l := range lists {
		l.mu.Lock()
		for _, v := range l.verdicts {
			all = append(all, x.driftOf(s.server.Name, v))
		}
		l.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b ToolDrift) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.State, b.State))
	})
	return all
}

func (x *toolIndex) driftOf(server string, v Verdict) ToolDrift {
	return ToolDrift{
		Server: server, Kind: v.Kind, Tool: v.Name, State: v.State, Allowed: x.mode.allows(v.State),
		Rule: v.Rule, Path: v.Path, Message: v.Message, Witness: slices.Clone(v.Witness),
	}
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

// driftError makes the error of a call that a judgement forbids.
func driftError(server, tool string, v Verdict) *runtime.DriftError {
	return &runtime.DriftError{
		Server: server, Tool: tool, Rule: cmp.Or(v.Rule, ruleUnchecked), Path: v.Path, Witness: slices.Clone(v.Witness),
	}
}
