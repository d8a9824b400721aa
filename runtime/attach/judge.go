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
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/schema"
)

// judgement is what was found out about a listing. The zero value, of tests
// alone, is that of a server without a manifest.
type judgement struct {
	mode     DriftMode
	log      *slog.Logger
	pinned   *pinnedServer      // nil: there is no manifest
	asking   asking             // how differences from it are judged
	verdicts map[string]verdict // of the listed and of the missing tools; nil: nothing was judged
	logged   sync.Map           // of the mode warn: what was logged
}

// pinnedServer is what the manifests of one server hold.
type pinnedServer struct {
	manifests    []*runtime.Manifest
	surface      *surface
	tools        []string // sorted
	instructions string
	others       map[contractOfKind]schema.Item // prompts, resources and templates
}

// contractOfKind is a pin with the kind of what it is about.
type contractOfKind struct {
	kind schema.Kind
	hash string
}

// item returns the prompt, resource or template with a contract.
func (p *pinnedServer) item(kind schema.Kind, pin string) (schema.Item, bool) {
	if p == nil {
		return schema.Item{}, false
	}
	item, ok := p.others[contractOfKind{kind, pin}]
	return item, ok
}

// add takes the prompts, resources or templates of a manifest.
func (p *pinnedServer) add(kind schema.Kind, raw []json.RawMessage) {
	for _, r := range raw {
		item, err := schema.ParseItem(kind, r)
		if err != nil {
			continue
		}
		if hash, err := schema.ContractHash(kind, r); err == nil {
			p.others[contractOfKind{kind, hash}] = item
		}
	}
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
	p := &pinnedServer{others: map[contractOfKind]schema.Item{}}
	var tools []pinnedTool
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
			Prompts      []json.RawMessage `json:"prompts"`
			Resources    []json.RawMessage `json:"resources"`
			Templates    []json.RawMessage `json:"resourceTemplates"`
		}
		_ = json.Unmarshal([]byte(m.Snapshot()), &snapshot) // Manifest.Err reports that
		p.add(schema.KindPrompt, snapshot.Prompts)
		p.add(schema.KindResource, snapshot.Resources)
		p.add(schema.KindTemplate, snapshot.Templates)
		p.instructions = cmp.Or(p.instructions, snapshot.Instructions)
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
	if p.manifests == nil {
		return nil
	}
	for _, t := range tools {
		p.tools = append(p.tools, t.name)
	}
	slices.Sort(p.tools)
	p.surface = newSurface(server, tools)
	return p
}

// judge judges a listing of a server: after attach, restart, reconnect and each
// listing afresh, and before the session shows the listing to calls. Nobody else
// sees x yet, so that it can be filled without locks; listings of one server are
// judged one after the other. What is not quickly decided is pending: see prove.
func (h *Host) judge(s *serverState, x *toolIndex) {
	server := s.server.Name
	x.mode, x.log, x.pinned = h.driftMode(), h.settings.log, h.pinned(server)
	if x.pinned == nil || x.mode == DriftOff {
		return
	}
	x.asking = h.asking(x.pinned, server)
	var before map[string]verdict
	s.mu.Lock()
	if s.listed != nil {
		before = s.listed.verdicts
	}
	s.mu.Unlock()
	live := make([]schema.Item, 0, len(x.items))
	for _, name := range x.names() {
		live = append(live, x.items[name].item)
	}
	x.verdicts = x.pinned.surface.compare(s.life, live, before, x.asking)
	x.judgeProblems(server)
}

// asking is how differences of one server are judged.
func (h *Host) asking(own *pinnedServer, server string) asking {
	return asking{judge: h.settings.Judge, otherTools: h.otherTools(own, server)}
}

func (h *Host) driftMode() DriftMode { return cmp.Or(h.settings.Drift, DriftCompatible) }

// otherTools returns the tools of other servers, by the names that those had when
// code was generated.
func (h *Host) otherTools(own *pinnedServer, server string) []string {
	var names []string
	for _, m := range h.settings.Manifests {
		if m == nil || m.Server() == server {
			continue
		}
		for _, p := range m.Pins() {
			if _, known := slices.BinarySearch(own.tools, p.Tool); !known {
				names = append(names, p.Tool)
			}
		}
	}
	return names
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
func (x *toolIndex) verdict(tool string) verdict {
	if v, ok := x.verdicts[tool]; ok {
		return v
	}
	switch {
	case x.verdicts == nil:
		return verdict{Verdict: Verdict{State: Unchecked}}
	case x.pinned.surface.knows(tool):
		return verdict{Verdict: Verdict{State: Missing, Rule: ruleRemoved, Message: "the tool is gone"}}
	}
	return verdict{Verdict: Verdict{State: New, Rule: ruleUnlisted, Message: "the tool is neither pinned nor listed"}}
}

// admit says whether a call may be sent: nil, or a *runtime.DriftError.
//
// A pin that is the hash of the live contract speaks for itself, save where
// there is a security finding. A pin that is neither that nor the manifest's is
// of code that was generated against something else.
func (x *toolIndex) admit(server, tool, pin string) error {
	if x.mode == DriftOff {
		return nil
	}
	v := x.verdict(tool)
	if pin == "" || pin == v.pin {
		silent := x.mode
		if silent == DriftWarn {
			silent = DriftCompatible
		}
		if silent.allows(v.State) {
			return nil
		}
		return x.refuse(driftError(server, tool, v.Verdict))
	}
	hash, ok, err := x.contract(tool)
	switch {
	case !ok:
		return x.refuse(driftError(server, tool, Verdict{Rule: ruleRemoved}))
	case err != nil:
		return fmt.Errorf("the definition of the tool cannot be judged: %w", err)
	case v.State == Security || v.State == Pending:
		return x.refuse(driftError(server, tool, v.Verdict))
	case hash != pin:
		return x.refuse(driftError(server, tool, Verdict{Rule: ruleChanged}))
	}
	return nil
}

// refuse returns the error of a call of something that has drifted. In the mode
// warn it is logged instead, once in a listing, and the call is let through.
func (x *toolIndex) refuse(err *runtime.DriftError) error {
	if x.mode != DriftWarn {
		return err
	}
	if _, logged := x.logged.LoadOrStore(err.Tool+" "+err.Rule, true); !logged && x.log != nil {
		x.log.Warn("allowing call to drifted tool", slog.String("server", err.Server),
			slog.String("name", quote.Line(err.Tool, 200)), slog.String("rule", err.Rule), slog.String("path", quote.Line(err.Path, 200)))
	}
	return nil
}

// noteDrift notes the judgements of a listing that are not those of the one
// before, nil if there is none; mu is held. What is as it should be is no news
// at first.
func (s *serverState) noteDrift(before, after *toolIndex) {
	was := map[string]verdict{}
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
		if now.Rule == ruleUnlisted {
			now = verdict{Verdict: Verdict{State: Missing, Rule: ruleRemoved, Message: "the new tool is gone"}}
		}
		if old.State == now.State && old.Rule == now.Rule && old.Path == now.Path || before == nil && now.State == Verified {
			continue
		}
		s.note(runtime.Event{Kind: runtime.EventDrift, Tool: name, State: string(now.State), Detail: now.String()})
	}
}
