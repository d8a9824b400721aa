package workspace

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/install"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// installNote is how long a server may take before it is said that it may have to
// be installed first.
const installNote = 2 * time.Second

// progress shows one line per server on a terminal, with elapsed time. Elsewhere
// it only says which servers may have to be installed.
type progress struct {
	console *console.Console
	start   time.Time
	servers map[string]endpoint.Server

	mu      sync.Mutex
	notes   []*time.Timer
	waiting map[string]bool
	done    chan struct{}
	wg      sync.WaitGroup
	shown   bool
}

// startProgress begins to show what is awaited. Call stop.
func startProgress(c *console.Console, servers []endpoint.Server) *progress {
	p := &progress{console: c, start: time.Now(), servers: map[string]endpoint.Server{}, waiting: map[string]bool{}, done: make(chan struct{})}
	for _, s := range servers {
		p.servers[s.Name] = s
	}
	if c.Progress() {
		p.wg.Go(p.tick)
	}
	return p
}

// status takes a server's change of state.
func (p *progress) status(s attach.Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.State == attach.Connecting {
		p.waiting[s.Server] = true
		p.noteInstall(p.servers[s.Server])
		return
	}
	if !p.waiting[s.Server] {
		return
	}
	delete(p.waiting, s.Server)
	if !p.console.Progress() {
		return
	}
	p.clear()
	took := time.Since(p.start).Round(100 * time.Millisecond)
	if s.Err != nil {
		p.console.Note("%s: failed after %s", s.Server, took)
		return
	}
	p.console.Note("%s: connected in %s, %s", s.Server, took, console.Count(s.Tools, "tool"))
}

// noteInstall says after a while that a server is still waited for because it may
// have to be installed. The lock is held.
func (p *progress) noteInstall(s endpoint.Server) {
	runner, ok := install.Of(s)
	if !ok {
		return
	}
	p.notes = append(p.notes, time.AfterFunc(installNote, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.waiting[s.Name] {
			p.clear()
			p.console.Note("%s: %s may install first: up to %s", s.Name, runner, short(s.Timeout.Start))
		}
	}))
}

// tick redraws the waiting line.
func (p *progress) tick() {
	t := time.NewTicker(200 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-p.done:
			p.mu.Lock()
			p.clear()
			p.mu.Unlock()
			return
		case <-t.C:
			p.draw()
		}
	}
}

func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == 0 {
		return
	}
	var one string
	for name := range p.waiting {
		if one == "" || name < one {
			one = name
		}
	}
	text := "waiting for " + console.Clean(one)
	if n := len(p.waiting) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	fmt.Fprintf(p.console.Err, "\r\x1b[K%s … %s", text, time.Since(p.start).Round(100*time.Millisecond))
	p.shown = true
}

// clear removes the waiting line. The lock is held.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.console.Err, "\r\x1b[K")
		p.shown = false
	}
}

func (p *progress) stop() {
	p.mu.Lock()
	for _, note := range p.notes {
		note.Stop()
	}
	clear(p.waiting)
	p.mu.Unlock()
	close(p.done)
	p.wg.Wait()
}

// logger hands the log of the sessions to the console: warnings always, the
// rest if verbose.
func logger(c *console.Console) *slog.Logger { return slog.New(handler{console: c}) }

type handler struct {
	console *console.Console
	attrs   []slog.Attr
}

// Enabled lets warnings through, and everything if verbose.
func (h handler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || h.console.Verbose
}

// Handle prints message and attributes on one line.
func (h handler) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	add := func(a slog.Attr) bool {
		text += fmt.Sprintf(" %s=%q", a.Key, a.Value)
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	if r.Level >= slog.LevelWarn {
		h.console.Warn("%s", text)
	} else {
		h.console.Detail("%s", text)
	}
	return nil
}

// WithAttrs keeps the attributes.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.attrs = append(h.attrs[:len(h.attrs):len(h.attrs)], attrs...)
	return h
}

// WithGroup is not used by the sessions; attributes stay flat.
func (h handler) WithGroup(string) slog.Handler { return h }
