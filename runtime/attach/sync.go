// Registries that follow the life of a host.

package attach

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
)

// Sync registers tools with reg, all or none, and keeps it so: a tool leaves reg
// when its server goes or it is quarantined, and comes back when it may be
// called again. A server that crashed and can be brought back has not gone. Only
// tools of servers of this host are ever registered, and native ones, which
// always are.
//
//	stop, err := host.Sync(registry, mcp.Tools(host)...)
//
// The error is that of the first registration; see [runtime.RegisterAll]. Later
// ones are events of kind [runtime.EventNotice], and are tried again at the next
// change. Following ends at [Host.Close], when all tools of servers leave reg,
// and with stop, which leaves reg as it is and returns when nothing will be
// registered any more. Reg is called by one goroutine at a time; it must not call
// stop or Close.
func (h *Host) Sync(reg runtime.Registrar, tools ...runtime.Tool) (stop func(), err error) {
	tools = slices.Clone(tools)
	return h.follow(reg, func() ([]offer, error) {
		list := make([]offer, 0, len(tools))
		for _, t := range tools {
			if t == nil {
				list = append(list, offer{}) // an error of the first registration
				continue
			}
			if spec := t.Spec(); h.offers(spec) {
				list = append(list, offer{Tool: t, id: h.settings.Naming.Qualify(spec.Server, spec.Tool)})
			}
		}
		return list, nil
	})
}

// SyncAll does what [Host.Sync] does, for whatever [Host.Tools] returns at any
// time: tools of servers without a manifest come and go as they are listed. A
// tool whose definition changes is registered anew.
func (h *Host) SyncAll(reg runtime.Registrar) (stop func(), err error) {
	return h.follow(reg, func() ([]offer, error) {
		tools, err := h.Tools()
		list := make([]offer, len(tools))
		for i, t := range tools {
			list[i] = t.(offer) // Tools returns no others
		}
		return list, err
	})
}

// offers reports whether a tool may be called now.
func (h *Host) offers(spec runtime.Spec) bool {
	if spec.Server == "" {
		return true
	}
	s := h.serverState(spec.Server)
	if s == nil {
		return false
	}
	x := s.offered()
	return x != nil && x.usable(spec.Tool)
}

// follower keeps one registrar.
type follower struct {
	host       *Host
	reg        runtime.Registrar
	want       func() ([]offer, error)
	registered []registered // in the order of registration
}

type registered struct {
	offer
	spec runtime.Spec
	text []byte // of the spec
}

func (h *Host) follow(reg runtime.Registrar, want func() ([]offer, error)) (stop func(), err error) {
	if !h.begin() {
		return nil, errDetached
	}
	defer h.changes.Done()
	ctx, cancel := context.WithCancel(context.Background())
	events := h.Events(ctx) // from before the first look
	f := &follower{host: h, reg: reg, want: want}
	if err := f.begin(); err != nil {
		cancel()
		return nil, err
	}
	done, news := make(chan struct{}), make(chan struct{}, 1)
	h.syncs.Go(func() {
		defer close(news)
		for e := range events {
			if comesOrGoes(e.Kind) {
				select {
				case news <- struct{}{}:
				default: // it will look anyway
				}
			}
		}
	})
	h.syncs.Go(func() {
		defer close(done)
		defer cancel()
		for range news {
			if ctx.Err() == nil {
				f.update()
			}
		}
		if ctx.Err() == nil { // the host is closed
			f.update()
		}
	})
	return sync.OnceFunc(func() { cancel(); <-done }), nil
}

// comesOrGoes reports whether tools may come or go with an event.
func comesOrGoes(kind runtime.EventKind) bool {
	switch kind {
	case runtime.EventUnstarted, runtime.EventAttached, runtime.EventFailed, runtime.EventUnavailable, runtime.EventDetached,
		runtime.EventToolAdded, runtime.EventToolRemoved, runtime.EventToolChanged, runtime.EventDrift:
		return true
	}
	return false
}

// begin registers what is there.
func (f *follower) begin() error {
	offers, err := f.want()
	if err != nil {
		return err
	}
	tools := make([]runtime.Tool, len(offers))
	for i, o := range offers {
		tools[i] = o.Tool
	}
	if err := runtime.RegisterAll(f.reg, tools...); err != nil {
		return err
	}
	for _, o := range offers {
		f.registered = append(f.registered, newRegistered(o))
	}
	return nil
}

func newRegistered(o offer) registered {
	spec := o.Spec()
	text, err := json.Marshal(spec)
	if err != nil {
		text = nil // a schema that is no JSON: the same as nothing else, so registered anew each time
	}
	return registered{o, spec, text}
}

// is reports whether a tool that is wanted is registered as it is.
func (r registered) is(other registered) bool {
	return r.text != nil && r.spec.Server == other.spec.Server && r.spec.Tool == other.spec.Tool && r.pin == other.pin && bytes.Equal(r.text, other.text)
}

// update brings the registrar to what is wanted now: first out, then in.
func (f *follower) update() {
	offers, err := f.want()
	if err != nil {
		f.failed("the tools cannot be registered", err)
		return
	}
	wanted := make(map[string]registered, len(offers))
	for _, o := range offers {
		r := newRegistered(o)
		wanted[r.spec.Name] = r
	}
	f.registered = slices.DeleteFunc(f.registered, func(r registered) bool {
		if w, ok := wanted[r.spec.Name]; ok && r.is(w) {
			delete(wanted, r.spec.Name)
			return false
		}
		if err := f.reg.Unregister(r.spec.Name); err != nil {
			f.failed(fmt.Sprintf("%q cannot be unregistered", r.spec.Name), err)
			delete(wanted, r.spec.Name)
			return false
		}
		return true
	})
	for _, o := range offers {
		r, ok := wanted[o.Spec().Name]
		if !ok {
			continue
		}
		if err := f.reg.Register(o.Tool); err != nil {
			f.failed(fmt.Sprintf("%q cannot be registered", r.spec.Name), err)
			continue
		}
		f.registered = append(f.registered, r)
	}
}

func (f *follower) failed(what string, err error) {
	f.host.notifier.event(runtime.Event{Kind: runtime.EventNotice, Detail: what + ": " + strings.Join(strings.Fields(err.Error()), " "), Err: err})
}
