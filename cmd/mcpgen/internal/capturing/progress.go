package capturing

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// installNote is the time after which a note says that a server may have to be installed first.
const installNote = 2 * time.Second

// progress shows on a terminal which servers are awaited, with elapsed time. Elsewhere it only names
// servers that may have to be installed.
type progress struct {
	console *console.Console
	start   time.Time
	servers map[string]endpoint.Server

	mu      sync.Mutex
	notes   []*time.Timer
	waiting map[string]step
	took    map[string]time.Duration // time until servers were connected and listed
	done    chan struct{}
	wg      sync.WaitGroup
}

// step is the current activity of a server.
type step struct {
	what string // installing, starting or listing
	page int    // of a listing; 0 is the first one
}

// startProgress starts to show the progress of servers. The caller must call stop.
func (cl *Client) startProgress(servers []endpoint.Server) *progress {
	p := &progress{
		console: cl.Console, start: time.Now(), done: make(chan struct{}),
		servers: map[string]endpoint.Server{}, waiting: map[string]step{}, took: map[string]time.Duration{},
	}
	for _, s := range cl.Patient(servers) {
		p.servers[s.Name] = s
	}
	if p.console.Progress() {
		p.wg.Go(p.tick)
	}
	return p
}

// event handles an event of a server.
func (p *progress) event(s event.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch s.Kind {
	case event.Attaching, event.Restarting, event.Reconnecting:
		server := p.servers[s.Server]
		p.waiting[s.Server] = step{what: starting(server)}
		if p.waiting[s.Server].what != "starting" {
			p.noteInstall(server)
		}
		return
	case event.Attached, event.Failed, event.Detached:
		if p.waiting[s.Server] == (step{}) {
			return
		}
	default:
		return
	}
	delete(p.waiting, s.Server)
	p.took[s.Server] = time.Since(p.start)
	if !p.console.Progress() {
		return
	}
	if len(p.waiting) == 0 {
		p.console.Status("") // otherwise it is shown again below the line
	}
	took := p.took[s.Server].Round(100 * time.Millisecond)
	if s.Err != nil {
		p.console.Note("%s: failed after %s", s.Server, took)
		return
	}
	p.console.Note("%s: connected in %s, %s", s.Server, took, safetext.Count(len(s.Tools), "tool"))
}

// list lists a server by calling f, and returns the time for connecting and listing, without the time
// spent waiting for other servers.
func (p *progress) list(server string, f func()) time.Duration {
	p.mu.Lock()
	p.waiting[server] = step{what: "listing"}
	p.mu.Unlock()
	began := time.Now()
	f()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, server)
	return p.took[server] + time.Since(began)
}

// page sets the page of the current listing.
func (p *progress) page(server string, page int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.waiting[server]; ok {
		p.waiting[server] = step{what: "listing", page: page}
	}
}

// starting returns the first activity of a server: npx installs packages that are not in its cache. For
// other package runners this is not known.
func starting(s endpoint.Server) string {
	runner, ok := install.Of(s.Launch)
	p, _ := s.Launch.(*endpoint.Process)
	switch {
	case !ok:
		return "starting"
	case runner.Program != "npx":
		return "installing or starting"
	case runner.Missing(os.Environ(), p.Dir) == "":
		return "starting"
	}
	return "installing"
}

// noteInstall prints after a while that a server may have to be installed, unless the status shows it.
// The caller holds the lock.
func (p *progress) noteInstall(s endpoint.Server) {
	runner, ok := install.Of(s.Launch)
	if !ok || p.console.Progress() {
		return
	}
	p.notes = append(p.notes, time.AfterFunc(installNote, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.waiting[s.Name] != (step{}) {
			p.console.Note("%s: %s may be installing the server, which can take up to %s",
				s.Name, runner, short(s.Timeout.Start))
		}
	}))
}

// tick redraws the status regularly.
func (p *progress) tick() {
	t := time.NewTicker(200 * time.Millisecond)
	defer t.Stop()
	defer p.console.Status("")
	for {
		select {
		case <-p.done:
			return
		case <-t.C:
			text := p.text()
			if text != "" {
				text = fmt.Sprintf("%s … %s", time.Since(p.start).Round(100*time.Millisecond), text)
			}
			p.console.Status("%s", text)
		}
	}
}

// text returns the current activities with their servers; "" if there are none.
func (p *progress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := map[string][]string{}
	for name, s := range p.waiting {
		if s.page > 0 {
			name = fmt.Sprintf("%s (page %d)", name, s.page)
		}
		names[s.what] = append(names[s.what], name)
	}
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[what])
		parts = append(parts, what+" "+strings.Join(names[what], ", "))
	}
	return strings.Join(parts, "; ")
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
