// Servers that come and go while the host lives.

package attach

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// errDetached is the error of a call, or of an attempt, whose server is detached.
var errDetached error = &failure{text: "the server was detached, or the host is closed", errs: []error{runtime.ErrNotAttached}}

// begin registers a change of the set of servers. It fails if the configuration of
// servers is invalid or the host is closed; otherwise h.changes.Done must be called.
func (h *Host) begin(servers []endpoint.Server) error {
	if err := errors.Join(checkServers(servers), checkRequired(servers, &h.settings.Options)); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return errDetached
	}
	h.changes.Add(1)
	return nil
}

// Attach adds servers to a live host and returns when each is ready or has failed;
// see [Connect] for ctx. A name that is already attached is an error, unless its
// server has failed or is lost: that server is replaced, with a fresh count of
// attempts. If the configuration is invalid or the host is closed, Attach changes
// nothing. Otherwise the error joins a [*ServerError] for each server that did not
// start; [Host.Status] lists these servers too, and a call starts them again.
func (h *Host) Attach(ctx context.Context, servers ...endpoint.Server) error {
	if err := h.begin(servers); err != nil {
		return err
	}
	defer h.changes.Done()
	added, replaced, err := h.insert(servers)
	if err != nil {
		return err
	}
	endAll(replaced)
	h.keeper.attachAll(ctx, added)
	return failures(added)
}

// insert adds states for servers. Replaced are the states that had the same names.
func (h *Host) insert(servers []endpoint.Server) (added, replaced []*serverState, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, nil, errDetached
	}
	var errs []error
	for _, server := range servers {
		old := h.states[server.Name]
		if old == nil {
			continue
		}
		switch old.currentStatus().State {
		case Lost, Failed:
			replaced = append(replaced, old)
		default:
			errs = append(errs, hint.With(fmt.Errorf("%sserver %q: already attached", server.Source.Prefix(), server.Name), "detach the server first", "use Reload"))
		}
	}
	if len(errs) > 0 {
		return nil, nil, errors.Join(errs...)
	}
	for _, server := range servers {
		added = append(added, h.put(server))
	}
	return added, replaced, nil
}

// failures joins the errors of the servers that are not usable.
func failures(states []*serverState) error {
	var errs []error
	for _, s := range states {
		if err := s.currentStatus().Err; err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Detach removes servers from the host. They are withdrawn at once: from then on
// calls to them fail with [runtime.ErrNotAttached], including calls in progress. When
// Detach returns, their processes and connections have ended; a failure while they
// end is not an error. The error joins a [runtime.ErrNotAttached] for each name that
// is not attached; the other servers are detached. Without names it does nothing. It
// must not be called from [Options.OnEvent].
func (h *Host) Detach(names ...string) error {
	if err := h.begin(nil); err != nil {
		return err
	}
	defer h.changes.Done()
	var errs []error
	var out []*serverState
	h.mu.Lock()
	for _, name := range names {
		if s := h.remove(name); s != nil {
			out = append(out, s)
		} else {
			errs = append(errs, fmt.Errorf("server %q: %w", name, runtime.ErrNotAttached))
		}
	}
	h.mu.Unlock()
	endAll(out)
	return errors.Join(errs...)
}

// Reload replaces the set of servers of the host: servers that are not in the new set
// are detached, new ones are attached, and servers whose configuration or referenced
// variables have changed are detached and attached again. Unchanged servers keep
// their sessions, unless they have failed or are lost: then they are attached again.
// The order becomes the order of servers. Context and error are as in [Host.Attach];
// Reloads run one at a time.
func (h *Host) Reload(ctx context.Context, servers []endpoint.Server) error {
	if err := h.begin(servers); err != nil {
		return err
	}
	defer h.changes.Done()
	h.reload.Lock()
	defer h.reload.Unlock()
	stay := map[string]*serverState{}
	var come []endpoint.Server
	for _, server := range servers {
		if s := h.serverState(server.Name); s != nil && h.serves(ctx, s, server) {
			stay[server.Name] = s
		} else {
			come = append(come, server)
		}
	}
	var out []*serverState
	h.mu.Lock()
	for _, name := range slices.Clone(h.order) {
		if stay[name] == nil {
			out = append(out, h.remove(name))
		}
	}
	h.mu.Unlock()
	endAll(out)
	added, replaced, err := h.insert(come)
	if err != nil {
		return err
	}
	h.reorder(servers)
	endAll(replaced)
	h.keeper.pins.Clear()
	var again sync.WaitGroup
	for _, s := range stay {
		for _, each := range append(s.callers.of(func(asker) bool { return true }), s) {
			again.Go(func() { h.judgeAgain(ctx, each) })
		}
	}
	h.keeper.attachAll(ctx, added)
	again.Wait()
	h.notifier.event(event.Event{Kind: event.Reloaded})
	return failures(added)
}

// judgeAgain lists and judges a server that stays by its current pins. A server that
// is starting shows the tools of its current manifest.
func (h *Host) judgeAgain(ctx context.Context, s *serverState) {
	sess, err := s.get()
	if err != nil { // it is listed when it comes up
		s.mu.Lock()
		expected := s.expected != nil
		s.mu.Unlock()
		if expected || h.settings.Background {
			h.keeper.expect(s)
		}
		return
	}
	if err := h.keeper.relist(ctx, s, sess, sess.tools.Load(), nil); err != nil {
		h.keeper.noteStale(s, err)
	}
}

// serves reports whether attaching server would lead to the same state.
func (h *Host) serves(ctx context.Context, s *serverState, server endpoint.Server) bool {
	s.mu.Lock()
	state, launched := s.status.State, s.launched
	s.mu.Unlock()
	if state != Ready && state != Connecting && state != Unstarted || !reflect.DeepEqual(written(s.server), written(server)) {
		return false
	}
	if launched == (fingerprint{}) {
		return true // its variables are read when it is started
	}
	o := &opener{settings: h.settings, server: server}
	return o.resolve(ctx) == nil && fingerprintOf(o.resolved) == launched
}

// written returns the configuration of a server as written: without its position,
// without the requirements to the program, and without its functions, which cannot be
// compared. The fingerprint covers the results of these functions.
func written(s endpoint.Server) endpoint.Server {
	s.Source, s.Requires = endpoint.Source{}, nil
	s.Expand, s.LoadEnv, s.LoadText, s.Secret = nil, nil, nil, nil
	return s
}

// fingerprint is a hash of everything that a session is opened with. It covers
// secrets without revealing them.
type fingerprint [sha256.Size]byte

func fingerprintOf(r endpoint.Resolved) fingerprint {
	data, err := json.Marshal(r)
	if err != nil {
		return fingerprint{}
	}
	return sha256.Sum256(data)
}
