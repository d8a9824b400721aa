package capturing

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/npmcache"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// What is under way with each server, from its start to the end of its listing.
func TestProgressText(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("npm_config_cache", cache)
	there := npmcache.Package(cache, "there@1.0.0")
	if err := os.MkdirAll(there, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(there, "package.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	servers := []endpoint.Server{
		{Name: "a", Launch: &endpoint.Process{Command: "npx", Args: []string{"-y", "new@1.0.0"}}}, {Name: "b", Launch: &endpoint.Process{Command: "npx", Args: []string{"-y", "there@1.0.0"}}},
		{Name: "c", Launch: &endpoint.Process{Command: "./c"}}, {Name: "d", Launch: &endpoint.Process{Command: "uvx", Args: []string{"d"}}}, {Name: "e", Launch: &endpoint.Address{URL: "https://e.example"}},
	}
	p := (&Client{Options: Options{Console: &console.Console{Out: io.Discard, Err: io.Discard}}}).startProgress(servers)
	defer p.stop()
	want := func(text string) {
		t.Helper()
		if got := p.text(); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	for _, s := range servers {
		p.event(event.Event{Server: s.Name, Kind: event.Attaching})
	}
	want("installing a; installing or starting d; starting b, c, e")
	if len(p.notes) != 2 {
		t.Errorf("%d servers are said to be installed, want a and d", len(p.notes))
	}
	p.page("c", 2)
	p.page("nobody", 7)
	for _, s := range servers[2:] {
		p.event(event.Event{Server: s.Name, Kind: event.Attached})
	}
	want("installing a; starting b")
	p.list("c", func() {
		want("installing a; listing c; starting b")
		p.page("c", 3)
		want("installing a; listing c (page 3); starting b")
	})
	p.page("c", 4) // a later listing, which nobody waits for
	want("installing a; starting b")
}
