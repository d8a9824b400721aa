// Registries that follow the life of a host.

package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
)

// Sync registers tools with reg, all or none, and keeps reg up to date: a tool is
// removed when its server is detached or the tool is quarantined, and is added again
// when it may be called again. Tools that [Options.Shows] hides are not registered.
// Tools of a crashed server that can be restarted stay. Only tools of this host's
// servers are ever registered, and native tools, which always are.
//
//	stop, err := view.Sync(registry, mcp.Tools(host)...)
//
// The error is that of the first registration; see [runtime.RegisterAll]. Later
// errors are events of kind [event.Notice], and the registration is tried again at
// the next change. The updates end at [attach.Host.Close], which removes all tools of
// servers from reg, and with stop. Stop leaves reg unchanged, and returns when
// nothing will be registered any more. Reg is used by one goroutine at a time; it
// must not call stop or Close.
func (v *View) Sync(reg runtime.Registrar, tools ...runtime.Tool) (stop func(), err error) {
	tools = slices.Clone(tools)
	return v.follow(reg, func() ([]offer, error) {
		list := make([]offer, 0, len(tools))
		for _, t := range tools {
			if t == nil {
				list = append(list, offer{}) // an error of the first registration
				continue
			}
			spec := t.Spec()
			o, present := v.host.Offered(spec.Server)
			if spec.Server == "" || present && o.Allows(spec.Tool) && v.showsTool(spec) {
				list = append(list, offer{Tool: t, id: v.opts.Naming.Qualify(spec.Server, spec.Tool)})
			}
		}
		return list, nil
	})
}

// SyncAll does the same as [View.Sync] for the current result of [View.Tools]: tools
// of servers without a manifest come and go as they are listed. A tool whose
// definition changes is registered again.
func (v *View) SyncAll(reg runtime.Registrar) (stop func(), err error) {
	return v.follow(reg, v.shown)
}

// follower keeps one registrar up to date.
type follower struct {
	host *attach.Host
	reg  runtime.Registrar
	want func() ([]offer, error)

	mu         sync.Mutex
	begun      bool         // the first registration succeeded
	registered []registered // in the order of registration
}

type registered struct {
	offer
	spec runtime.Spec
	text []byte // of the spec
}

// follow keeps a registrar up to date with the wanted tools.
func (v *View) follow(reg runtime.Registrar, want func() ([]offer, error)) (stop func(), err error) {
	f := &follower{host: v.host, reg: reg, want: want}
	if stop, err = v.host.Watch(f.update); err != nil { // before the first listing
		return nil, err
	}
	if err := f.begin(); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// begin registers the current tools.
func (f *follower) begin() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	offers, err := f.want()
	if err != nil {
		return err
	}
	tools := make([]runtime.Tool, len(offers))
	for i, o := range offers {
		tools[i] = o.named()
	}
	if err := runtime.RegisterAll(f.reg, tools...); err != nil {
		return err
	}
	for _, o := range offers {
		f.registered = append(f.registered, newRegistered(o))
	}
	f.begun = true
	return nil
}

func newRegistered(o offer) registered {
	spec := o.Spec()
	text, err := json.Marshal(spec)
	if err != nil {
		text = nil // a schema that is not JSON equals no other, so the tool is registered again each time
	}
	return registered{o, spec, text}
}

// is reports whether a wanted tool is registered in the same form.
func (r registered) is(other registered) bool {
	return r.text != nil && r.spec.Server == other.spec.Server && r.spec.Tool == other.spec.Tool && r.pin == other.pin && bytes.Equal(r.text, other.text)
}

// update brings the registrar up to date: it removes tools first, then adds.
func (f *follower) update() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.begun {
		return
	}
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
		if err := f.reg.Register(o.named()); err != nil {
			f.failed(fmt.Sprintf("%q cannot be registered", r.spec.Name), err)
			continue
		}
		f.registered = append(f.registered, r)
	}
}

func (f *follower) failed(what string, err error) {
	f.host.Notice(what+": "+err.Error(), err)
}
