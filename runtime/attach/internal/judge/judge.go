// Package judge says what a live listing of tools means for code that was
// generated against an earlier one: tool by tool, without network, disk or SDK.
//
// Hashes come first: a tool whose definition or contract is the pinned one costs
// no more. The others are for package drift to classify, within a time limit.
package judge

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// State is what is known of one tool.
type State string

// The states.
const (
	Verified   State = "verified"   // the contract is the pinned one
	Compatible State = "compatible" // it differs, and was proven to serve the pinned code
	Changed    State = "changed"    // it differs, and is broken, or not proven to work
	Security   State = "security"   // something came that a person has to look at first
	Missing    State = "missing"    // pinned, and not listed
	New        State = "new"        // listed, and not known to the pinned surface
	Unchecked  State = "unchecked"  // there is nothing to compare it with
)

// Mode says which tools may be called.
type Mode string

// The modes.
const (
	Closed  Mode = "closed"     // verified ones
	Default Mode = "compatible" // verified, compatible and unchecked ones
	Warn    Mode = "warn"       // all; what is not verified is told
	Off     Mode = "off"        // all; nothing is judged
)

// Allows reports whether a tool in this state may be called.
func (m Mode) Allows(s State) bool {
	switch m {
	case Warn, Off:
		return true
	case Closed:
		return s == Verified
	}
	return s == Verified || s == Compatible || s == Unchecked
}

// The rules of verdicts that package drift does not give.
const (
	RuleChanged   = "contract-changed" // not classified
	RuleRemoved   = "tool-removed"
	RuleAdded     = "tool-added"
	RuleUnchecked = "unchecked"
	RuleUnlisted  = "tool-unlisted"
)

// Verdict is what was found out about one tool.
type Verdict struct {
	State   State
	Rule    string          // of the change that decides; "" if there is none
	Path    string          // JSON pointer into the definition
	Message string          // one printable sentence
	Witness json.RawMessage // a value that worked and does not any more; nil if there is none
	Pin     string          // the contract that generated code carries; "" if none calls the tool

	raw json.RawMessage // what was judged
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

// Pinned is one tool that code was generated against.
type Pinned struct {
	Name       string
	Definition json.RawMessage // nil if it is not known: hashes alone decide
	Pin        string          // contract hash; "" if no code calls the tool
}

// Surface is what the tools of one server were when code was generated. It is
// safe for concurrent use.
type Surface struct {
	server string
	tools  map[string]*pinned
}

type pinned struct {
	Pinned
	full     string // hashes, by this version; "" if the definition is not known or not readable
	contract string
}

// NewSurface hashes the tools; of two with one name the first counts.
func NewSurface(server string, tools []Pinned) *Surface {
	s := &Surface{server: server, tools: make(map[string]*pinned, len(tools))}
	for _, t := range tools {
		if s.tools[t.Name] != nil {
			continue
		}
		p := &pinned{Pinned: t, contract: t.Pin}
		if t.Definition != nil {
			p.full, _ = schema.FullHash(t.Definition) // "" equals nothing
			if hash, err := schema.ContractHash(schema.KindTool, t.Definition); err == nil {
				p.contract = hash
			}
		}
		s.tools[t.Name] = p
	}
	return s
}

// Knows reports whether a tool is part of the surface.
func (s *Surface) Knows(tool string) bool { return s.tools[tool] != nil }

// Judge says what a listing means for each of its tools and of those that are
// gone. Before are the verdicts of an earlier listing, which count on for
// definitions that did not change; nil is none.
func (s *Surface) Judge(live []schema.Item, before map[string]Verdict, o Options) map[string]Verdict {
	verdicts := make(map[string]Verdict, len(live))
	var differ, added []schema.Item
	for _, item := range live {
		p := s.tools[item.Name]
		if p == nil {
			added = append(added, item)
			continue
		}
		old := before[item.Name]
		switch {
		case old.raw != nil && string(old.raw) == string(item.Raw):
			verdicts[item.Name] = old
		case p.same(item.Raw):
			verdicts[item.Name] = Verdict{State: Verified}
		default:
			differ = append(differ, item)
		}
	}
	maps.Copy(verdicts, s.compareAll(differ, o))
	var gone []string
	for name, p := range s.tools {
		if _, ok := verdicts[name]; !ok && p.Pin != "" {
			gone = append(gone, name)
		}
	}
	slices.Sort(gone)
	maps.Copy(verdicts, s.shape(gone, added, o))
	for _, item := range live {
		v := verdicts[item.Name]
		v.raw = item.Raw
		verdicts[item.Name] = v
	}
	for name, p := range s.tools {
		if v, ok := verdicts[name]; ok {
			v.Pin = p.Pin
			verdicts[name] = v
		}
	}
	return verdicts
}

// same reports whether a definition is the pinned one.
func (p *pinned) same(raw json.RawMessage) bool {
	if p.full == "" {
		return false
	}
	hash, err := schema.FullHash(raw)
	return err == nil && hash == p.full
}
