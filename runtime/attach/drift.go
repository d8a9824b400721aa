// What is said about the tools of a host: are they what code was generated
// against?

package attach

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/judge"
)

// DriftMode says which tools may be called, by what is known of them. Whatever
// the mode, what a model is shown of a tool with a manifest is the pinned text.
type DriftMode string

// The modes. A call that carries a pin which is the hash of the live contract is
// allowed in each of them, unless there is a security finding.
const (
	// DriftCompatible allows verified and compatible tools, and those of servers
	// without a manifest. New tools stay hidden, the others are quarantined one
	// by one. It is the default.
	DriftCompatible DriftMode = "compatible"
	// DriftClosed allows verified tools only. Of a server without a manifest
	// these are the ones that are called with a pin.
	DriftClosed DriftMode = "closed"
	// DriftWarn allows all, and tells.
	DriftWarn DriftMode = "warn"
	// DriftOff allows all, and judges nothing.
	DriftOff DriftMode = "off"
)

// check reports a mode that is none.
func (m DriftMode) check() error {
	switch m {
	case "", DriftCompatible, DriftClosed, DriftWarn, DriftOff:
		return nil
	}
	return fmt.Errorf("drift mode %q: there are %s, %s, %s and %s", string(m), DriftClosed, DriftCompatible, DriftWarn, DriftOff)
}

func (m DriftMode) mode() judge.Mode { return judge.Mode(cmp.Or(m, DriftCompatible)) }

// ToolState is what is known of one tool.
type ToolState string

// The states of tools.
const (
	Verified   ToolState = ToolState(judge.Verified)   // the contract is the pinned one
	Compatible ToolState = ToolState(judge.Compatible) // it differs, and was proven to serve the pinned code
	Changed    ToolState = ToolState(judge.Changed)    // it differs, and is broken, or not proven to work
	Security   ToolState = ToolState(judge.Security)   // something came that a person has to look at first
	Missing    ToolState = ToolState(judge.Missing)    // generated code calls it, and it is not listed
	New        ToolState = ToolState(judge.New)        // listed, and unknown to the manifest
	Unchecked  ToolState = ToolState(judge.Unchecked)  // no manifest, or nothing is judged
)

// ToolDrift is the judgement about one tool.
type ToolDrift struct {
	Server  string // configured name
	Tool    string // as the server spells it
	State   ToolState
	Allowed bool            // calls of it are let through
	Rule    string          // of the change that decides, such as "hint-readonly-dropped"; "" if there is none
	Path    string          // JSON pointer into the definition
	Message string          // one printable sentence; "" if there is nothing to say
	Witness json.RawMessage // arguments that fitted, or a result that was allowed, and does not any more; nil if none is known
}

// Drift returns the judgements about the tools of the servers that are there, by
// the listing that counts now, sorted by server and tool. A server that is being
// brought back counts with the listing it had.
func (h *Host) Drift() []ToolDrift {
	var all []ToolDrift
	for _, s := range h.all() {
		if x := s.offered(); x != nil {
			all = append(all, x.drift(s.server.Name)...)
		}
	}
	return all
}

// drift returns the judgements about one listing, sorted by tool.
func (x *toolIndex) drift(server string) []ToolDrift {
	var all []ToolDrift
	for _, name := range x.known() {
		v := x.verdict(name)
		all = append(all, ToolDrift{
			Server: server, Tool: name, State: ToolState(v.State), Allowed: x.mode.Allows(v.State),
			Rule: v.Rule, Path: v.Path, Message: v.Message, Witness: slices.Clone(v.Witness),
		})
	}
	return all
}

// states counts the states of the tools of a listing.
func (x *toolIndex) states() map[ToolState]int {
	counts := map[ToolState]int{}
	for _, name := range x.known() {
		counts[ToolState(x.verdict(name).State)]++
	}
	return counts
}

// driftError makes the error of a call that a judgement forbids.
func driftError(server, tool string, v judge.Verdict) *runtime.DriftError {
	return &runtime.DriftError{
		Server: server, Tool: tool, Rule: cmp.Or(v.Rule, judge.RuleUnchecked), Path: v.Path, Witness: slices.Clone(v.Witness),
	}
}
