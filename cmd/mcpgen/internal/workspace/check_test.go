package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// realListing is the surface that a real server listed, cut to n tools.
func realListing(t testing.TB, server string, n int) *schema.Snapshot {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "golden", "corpus", "servers", server+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	s := &schema.Snapshot{Server: server}
	for _, raw := range list.Tools[:min(n, len(list.Tools))] {
		item, err := schema.ParseItem(schema.KindTool, raw)
		if err != nil {
			t.Fatal(err)
		}
		s.Tools = append(s.Tools, item)
	}
	return s
}

// lockedWorkspace is a workspace with one locked server.
func lockedWorkspace(t testing.TB, s *schema.Snapshot) *Workspace {
	t.Helper()
	locked, err := lockfile.LockSnapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	return &Workspace{Client: &capturing.Client{Servers: inputs.NewServers(&locks.State{
		Project: &config.Project{Output: "internal/mcp", Build: map[string]config.Build{s.Server: {Package: "p"}}},
		Lock:    &lockfile.Lock{Servers: map[string]*lockfile.LockedServer{s.Server: locked}},
	})}}
}

// BenchmarkUnchanged is what check does with the listing of a server that has not
// changed: hash it, compare with the lock, report.
func BenchmarkUnchanged(b *testing.B) {
	s := realListing(b, "github", 100)
	w := lockedWorkspace(b, s)
	r := &run{w: w, judge: judging.Of(w.Project, w.Lock, judging.Flags{})}
	for b.Loop() {
		c := &capturing.Capture{Server: endpoint.Server{Name: "github"}, Snapshot: s}
		if err := c.Hash(); err != nil {
			b.Fatal(err)
		}
		r.captures = []*capturing.Capture{c}
		out, err := r.compare(b.Context(), map[string]*schema.Snapshot{"github": s})
		if err != nil || out[0].Verdict != drift.Unchanged {
			b.Fatalf("got %v, %v, want the verdict unchanged", out, err)
		}
		found := report.Of(drift.Join(&drift.Report{Servers: out}))
		if err := report.Write(discard{}, report.Text, found, report.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/100-tools")
}

// BenchmarkOneChanged is the same with one tool of the hundred changed.
func BenchmarkOneChanged(b *testing.B) {
	s, changed := realListing(b, "github", 100), realListing(b, "github", 100)
	changed.Tools[7].Raw = json.RawMessage(strings.Replace(string(changed.Tools[7].Raw), `"properties": {`, `"properties": {"added": {"type": "string"},`, 1))
	if string(changed.Tools[7].Raw) == string(s.Tools[7].Raw) {
		b.Fatal("the definition of tool 7 did not change, want it to have properties")
	}
	w := lockedWorkspace(b, s)
	r := &run{w: w, judge: judging.Of(w.Project, w.Lock, judging.Flags{})}
	for b.Loop() {
		c := &capturing.Capture{Server: endpoint.Server{Name: "github"}, Snapshot: changed}
		if err := c.Hash(); err != nil {
			b.Fatal(err)
		}
		r.captures = []*capturing.Capture{c}
		if out, err := r.compare(b.Context(), map[string]*schema.Snapshot{"github": s}); err != nil || len(out[0].Changes) == 0 {
			b.Fatalf("got %v, %v, want changes", out, err)
		}
	}
}

// BenchmarkThousandServers is what check does with the listings of 1,000 real servers that have not changed.
func BenchmarkThousandServers(b *testing.B) {
	w := &Workspace{Client: &capturing.Client{Servers: inputs.NewServers(&locks.State{Project: &config.Project{Output: "internal/mcp", Build: map[string]config.Build{}}, Lock: lockfile.NewLock()})}}
	real := []string{"context7", "everything", "filesystem", "github", "kubernetes", "mapbox", "memory", "notion"}
	snapshots, tools := map[string]*schema.Snapshot{}, 0
	for i := range 1000 {
		s := realListing(b, real[i%len(real)], 1000)
		s.Server = fmt.Sprintf("s%03d", i)
		locked, err := lockfile.LockSnapshot(s)
		if err != nil {
			b.Fatal(err)
		}
		w.Lock.Servers[s.Server], snapshots[s.Server] = locked, s
		tools += len(s.Tools)
	}
	r := &run{w: w, judge: judging.Of(w.Project, w.Lock, judging.Flags{})}
	for b.Loop() {
		r.captures = nil
		var wg sync.WaitGroup
		for name, s := range snapshots {
			c := &capturing.Capture{Server: endpoint.Server{Name: name}, Snapshot: s}
			r.captures = append(r.captures, c)
			wg.Go(func() { c.Err = c.Hash() })
		}
		wg.Wait()
		out, err := r.compare(b.Context(), snapshots)
		if err != nil || slices.ContainsFunc(out, func(s drift.ServerReport) bool { return s.Verdict != drift.Unchanged }) {
			b.Fatalf("got %v, %v, want the verdict unchanged of all servers", out, err)
		}
		if err := report.Write(discard{}, report.Text, report.Of(drift.Join(&drift.Report{Servers: out})), report.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(tools), "tools")
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// TestUnchanged holds the short way to what the long one says.
func TestUnchanged(t *testing.T) {
	for _, server := range []string{"github", "filesystem", "everything"} {
		s := realListing(t, server, 1000)
		w := lockedWorkspace(t, s)
		c := &capturing.Capture{Server: endpoint.Server{Name: server}, Snapshot: s}
		if err := c.Hash(); err != nil {
			t.Fatal(err)
		}
		j := judging.Of(w.Project, w.Lock, judging.Flags{Profile: drift.Pin})
		if long, err := j.Compare(t.Context(), judging.Comparison{Name: server, Before: s, After: s}); err != nil || !j.Unchanged(server, c.Locked) || long.Verdict != drift.Unchanged {
			t.Errorf("%s: %+v", server, long)
		}
		if state := j.State(t.Context(), w.Project, server, s, s); state != "as locked" {
			t.Errorf("%s: got the state %q, want as locked", server, state)
		}
		j.Ignore = []drift.Accept{{Server: server, Rule: "tool-removed"}}
		if j.Unchanged(server, c.Locked) {
			t.Error("unchanged is true with an unused entry of ignore, want false: it has to be reported")
		}
		j.Ignore[0].Server = "other"
		if !j.Unchanged(server, c.Locked) {
			t.Error("unchanged is false with an entry of another server, want true")
		}
		for name, change := range map[string]func(*schema.Snapshot){
			"instructions": func(s *schema.Snapshot) { s.Instructions = "x" },
			"identity":     func(s *schema.Snapshot) { s.Identity = json.RawMessage(`{"name":"x"}`) },
			"capabilities": func(s *schema.Snapshot) { s.Capabilities = json.RawMessage(`{"logging":{}}`) },
			"protocol":     func(s *schema.Snapshot) { s.ProtocolVersion = "2024-11-05" },
			"gone":         func(s *schema.Snapshot) { s.Tools = s.Tools[1:] },
			"new": func(s *schema.Snapshot) {
				s.Prompts = []schema.Item{{Kind: schema.KindPrompt, Name: "p", Raw: json.RawMessage(`{"name":"p"}`)}}
			},
			"reworded": func(s *schema.Snapshot) {
				s.Tools[0].Raw = json.RawMessage(strings.Replace(string(s.Tools[0].Raw), `"name"`, `"x": 1, "name"`, 1))
			},
		} {
			now := *s
			now.Tools = slices.Clone(s.Tools)
			change(&now)
			c := &capturing.Capture{Server: endpoint.Server{Name: server}, Snapshot: &now}
			if err := c.Hash(); err != nil {
				t.Fatal(name, err)
			}
			if j.Unchanged(server, c.Locked) || len(w.Lock.Servers[server].Verify(&now)) == 0 {
				t.Errorf("%s: %s is taken for unchanged", server, name)
			}
		}
	}
}

// TestFind wants the line of each thing in a snapshot that a change can be about.
func TestFind(t *testing.T) {
	s := realListing(t, "github", 20)
	s.Instructions, s.Identity = "line", json.RawMessage(`{"name": "x", "version": "1"}`)
	s.Templates = []schema.Item{{Kind: schema.KindTemplate, Name: "repo://{a/b}", Raw: json.RawMessage(`{"name":"n","uriTemplate":"repo://{a/b}"}`)}}
	data := lockfile.EncodeSnapshot(s)
	lines := strings.Split(string(data), "\n")
	tests := []struct {
		kind       schema.Kind
		name, path string
		want       string // begins the line
	}{
		{drift.KindServer, "", "/instructions", `"instructions": "line"`},
		{drift.KindServer, "", "/identity/version", `"version": "1"`},
		{drift.KindServer, "", "/launch", ""},
		{schema.KindTemplate, "repo://{a/b}", "/uriTemplate", `"uriTemplate": "repo://{a/b}"`},
		{schema.KindTool, s.Tools[3].Name, "/name", fmt.Sprintf(`"name": %q`, s.Tools[3].Name)},
		{schema.KindTool, s.Tools[3].Name, "/inputSchema/properties/no~1such", `"properties": {`},
		{schema.KindTool, "none", "", ""},
	}
	for _, tt := range tests {
		offset := find(data, &drift.Change{Kind: tt.kind, Name: tt.name, Path: tt.path})
		got := ""
		if offset > 0 {
			got = strings.TrimSpace(lines[strings.Count(string(data[:offset]), "\n")])
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s %s %s: %q, want %q", tt.kind, tt.name, tt.path, got, tt.want)
		}
	}
}

// FuzzFind reads any file, for any pointer.
func FuzzFind(f *testing.F) {
	f.Add([]byte(`{"tools":[{"name":"a","x":[1,{"b":2}]}]}`), "a", "/x/1/b")
	f.Add([]byte(`{"tools": {"0": 1}, "identity": "x"}`), "", "/identity/0")
	f.Add([]byte("{\"tools\":[\n"), "a", "//~1~0")
	f.Fuzz(func(t *testing.T, data []byte, name, path string) {
		for _, kind := range []schema.Kind{schema.KindTool, drift.KindServer} {
			if at := find(data, &drift.Change{Kind: kind, Name: name, Path: path}); at < 0 || at > len(data) {
				t.Errorf("%d of %d", at, len(data))
			}
		}
	})
}

// Time that is up, and Ctrl-C, end the command: no verdict is made of them.
func TestJudgeEndsWithTheCommand(t *testing.T) {
	s, changed := realListing(t, "github", 1000), realListing(t, "github", 1000)
	changed.Tools = changed.Tools[1:]
	w := lockedWorkspace(t, s)
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	c := judging.Comparison{Name: "github", Before: s, After: changed}
	if out, err := judging.Of(w.Project, w.Lock, judging.Flags{}).Compare(late, c); exit.Code(err) != exit.Server || !strings.Contains(err.Error(), "raise --timeout") || out.Changes != nil {
		t.Errorf("late: %v, %+v", err, out)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if out, err := judging.Of(w.Project, w.Lock, judging.Flags{}).Compare(ended, c); !errors.Is(err, context.Canceled) || out.Changes != nil {
		t.Errorf("interrupted: %v, %+v", err, out)
	}
}
