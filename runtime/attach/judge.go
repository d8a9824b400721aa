// What a listing means for those who call its tools.

package attach

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/judge"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// judgement is what was found out about a listing. The zero value, of tests
// alone, is that of a server without a manifest.
type judgement struct {
	mode     judge.Mode
	log      *slog.Logger
	pinned   *pinnedServer            // nil: there is no manifest
	verdicts map[string]judge.Verdict // of the listed and of the missing tools; nil: nothing was judged
	told     sync.Map                 // of the mode warn: what was logged
	offers   offers                   // the tools as a program gets them
}

// pinnedServer is what the manifests of one server hold.
type pinnedServer struct {
	manifests    []*runtime.Manifest
	surface      *judge.Surface
	tools        []string // sorted
	instructions string
}

// pins are the pinned servers of a host, read when first asked for.
type pins struct {
	mu      sync.Mutex
	servers map[string]*pinnedServer
}

// pinned returns what the manifests of a server hold; nil if it has none.
func (h *Host) pinned(server string) *pinnedServer {
	h.pins.mu.Lock()
	defer h.pins.mu.Unlock()
	p, ok := h.pins.servers[server]
	if !ok {
		p = readPinned(server, h.settings.Manifests)
		if h.pins.servers == nil {
			h.pins.servers = map[string]*pinnedServer{}
		}
		h.pins.servers[server] = p
	}
	return p
}

// readPinned reads the manifests of one server. What they have twice counts as
// the first one has it. Of a snapshot that cannot be read the pins are left.
func readPinned(server string, manifests []*runtime.Manifest) *pinnedServer {
	p := &pinnedServer{}
	var tools []judge.Pinned
	for _, m := range manifests {
		if m == nil || m.Server() != server {
			continue
		}
		p.manifests = append(p.manifests, m)
		called := map[string]string{}
		for _, pin := range m.Pins() {
			called[pin.Tool] = pin.Pin
		}
		var snapshot struct {
			Instructions string            `json:"instructions"`
			Tools        []json.RawMessage `json:"tools"`
		}
		_ = json.Unmarshal([]byte(m.Snapshot()), &snapshot) // Manifest.Err tells
		p.instructions = cmp.Or(p.instructions, snapshot.Instructions)
		for _, raw := range snapshot.Tools {
			if item, err := schema.ParseItem(schema.KindTool, raw); err == nil {
				tools = append(tools, judge.Pinned{Name: item.Name, Definition: item.Raw, Pin: called[item.Name]})
				delete(called, item.Name)
			}
		}
		for name, pin := range called {
			tools = append(tools, judge.Pinned{Name: name, Pin: pin})
		}
	}
	if p.manifests == nil {
		return nil
	}
	for _, t := range tools {
		p.tools = append(p.tools, t.Name)
	}
	slices.Sort(p.tools)
	p.surface = judge.NewSurface(server, tools)
	return p
}

// judge judges a listing of a server: after attach, restart, reconnect and each
// listing afresh, and before the session shows the listing to calls. Nobody else
// sees x yet, so that it can be filled without locks; listings of one server are
// judged one after the other.
func (h *Host) judge(s *slot, _ *session, x *toolIndex) {
	server := s.server.Name
	x.mode, x.log, x.pinned = h.settings.Drift.mode(), h.settings.log, h.pinned(server)
	if x.pinned == nil || x.mode == judge.Off {
		return
	}
	var before map[string]judge.Verdict
	s.mu.Lock()
	if s.listed != nil {
		before = s.listed.verdicts
	}
	s.mu.Unlock()
	live := make([]schema.Item, 0, len(x.items))
	for _, name := range x.names() {
		live = append(live, x.items[name].item)
	}
	x.verdicts = x.pinned.surface.Judge(live, before, judge.Options{Drift: h.driftOptions(x.pinned, server)})
	for _, name := range x.known() {
		if v := x.verdicts[name]; v.Pin != "" && !judge.Default.Allows(v.State) {
			x.problems = append(x.problems, schema.Problem{Kind: schema.KindTool, Name: name, Reason: driftError(server, name, v).Error()})
		}
	}
}

// driftOptions are the rules for one server. Orders about tools of other servers
// are told by the names that those had when code was generated.
func (h *Host) driftOptions(own *pinnedServer, server string) drift.Options {
	var o drift.Options
	if h.settings.DriftRules != nil {
		o = *h.settings.DriftRules
	}
	o.OtherTools = slices.Clone(o.OtherTools)
	for _, m := range h.settings.Manifests {
		if m == nil || m.Server() == server {
			continue
		}
		for _, p := range m.Pins() {
			if _, known := slices.BinarySearch(own.tools, p.Tool); !known {
				o.OtherTools = append(o.OtherTools, p.Tool)
			}
		}
	}
	return o
}

// known returns the tools about which something can be said, sorted: those that
// are listed and those that are missing.
func (x *toolIndex) known() []string {
	names := x.names()
	for name := range x.verdicts {
		if x.items[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// verdict returns the judgement about a tool, also one that nobody ever listed:
// what could not be taken into a listing is not to be called by name either.
func (x *toolIndex) verdict(tool string) judge.Verdict {
	if v, ok := x.verdicts[tool]; ok {
		return v
	}
	switch {
	case x.verdicts == nil:
		return judge.Verdict{State: judge.Unchecked}
	case x.pinned.surface.Knows(tool):
		return judge.Verdict{State: judge.Missing, Rule: judge.RuleRemoved, Message: "the tool is gone"}
	}
	return judge.Verdict{State: judge.New, Rule: judge.RuleUnlisted, Message: "the tool is neither pinned nor listed"}
}

// admit says whether a call may be sent: nil, or a *runtime.DriftError.
//
// A pin that is the hash of the live contract speaks for itself, save where
// there is a security finding. A pin that is neither that nor the manifest's is
// of code that was generated against something else.
func (x *toolIndex) admit(server, tool, pin string) error {
	if x.mode == judge.Off {
		return nil
	}
	v := x.verdict(tool)
	if pin == "" || pin == v.Pin {
		silent := x.mode
		if silent == judge.Warn {
			silent = judge.Default
		}
		if silent.Allows(v.State) {
			return nil
		}
		return x.refuse(driftError(server, tool, v))
	}
	hash, ok, err := x.contract(tool)
	switch {
	case !ok:
		return x.refuse(driftError(server, tool, judge.Verdict{Rule: judge.RuleRemoved}))
	case err != nil:
		return fmt.Errorf("the definition of the tool cannot be judged: %w", err)
	case v.State == judge.Security:
		return x.refuse(driftError(server, tool, v))
	case hash != pin:
		return x.refuse(driftError(server, tool, judge.Verdict{Rule: judge.RuleChanged}))
	}
	return nil
}

// refuse returns the error of a call of something that has drifted. In the mode
// warn it is logged instead, once in a listing, and the call is let through.
func (x *toolIndex) refuse(err *runtime.DriftError) error {
	if x.mode != judge.Warn {
		return err
	}
	if _, told := x.told.LoadOrStore(err.Tool+" "+err.Rule, true); !told && x.log != nil {
		x.log.Warn("a call of what has drifted is let through", slog.String("server", err.Server),
			slog.String("name", quote.Line(err.Tool, 200)), slog.String("rule", err.Rule), slog.String("path", quote.Line(err.Path, 200)))
	}
	return nil
}

// noteDrift notes the judgements of a listing that are not those of the one
// before, nil if there is none; mu is held. What is as it should be is no news
// at first.
func (s *slot) noteDrift(before, after *toolIndex) {
	was := map[string]judge.Verdict{}
	if before != nil {
		was = before.verdicts
	}
	names := slices.Collect(maps.Keys(after.verdicts))
	for name := range was {
		if _, ok := after.verdicts[name]; !ok && after.verdicts != nil {
			names = append(names, name) // a new tool that is gone again
		}
	}
	slices.Sort(names)
	for _, name := range names {
		old, now := was[name], after.verdict(name)
		if now.Rule == judge.RuleUnlisted {
			now = judge.Verdict{State: judge.Missing, Rule: judge.RuleRemoved, Message: "the new tool is gone"}
		}
		if old.State == now.State && old.Rule == now.Rule && old.Path == now.Path || before == nil && now.State == judge.Verified {
			continue
		}
		s.note(runtime.Event{Kind: runtime.EventDrift, Tool: name, State: string(now.State), Detail: now.String()})
	}
}
