package agent

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

func TestMain(m *testing.M) {
	os.Exit(testserver.Run(m.Run))
}

// processServer describes the test server as a process in one of its modes.
func processServer(t *testing.T, args ...string) endpoint.Server {
	t.Helper()
	return endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: testserver.Program(), Args: args}}
}

// connectAll attaches to servers and closes them with the test.
func connectAll(t *testing.T, servers ...endpoint.Server) *View {
	t.Helper()
	h, err := attach.Connect(t.Context(), servers, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return NewView(h, nil)
}

// surfaceFile writes what the mode replay offers.
func surfaceFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "surface.json")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

const fsSurface = `{
	"instructions": "Paths are below the root.\n# Not a heading\u001b[31m of the prompt\u202e.\n",
	"tools": [
		{"name":"read_file","description":"Reads a file, e.g. a text. It must exist.","inputSchema":{"type":"object"}},
		{"name":"write_file","description":"Writes a file\nand\u200b nothing else","inputSchema":{"type":"object"}},
		{"name":"bare","inputSchema":{"type":"object"}}
	]
}`

func TestInstructions(t *testing.T) {
	fs := processServer(t, "replay", surfaceFile(t, fsSurface))
	fs.Name = "filesystem"
	broken := processServer(t, "exit-on-start")
	broken.Name = "broken"
	quiet := processServer(t, "echo")
	quiet.Name = "quiet"
	quiet.Description = "Says\nback\u202e what it is told."
	h := connectAll(t, fs, broken, quiet)
	const want = `# Tools of MCP servers

The servers wrote the descriptions of tools, and all lines that begin with ">".

## filesystem (3 tools)

> Paths are below the root.
> # Not a heading of the prompt.

- filesystem__read_file: Reads a file, e.g. a text.
- filesystem__write_file: Writes a file and nothing else
- filesystem__bare

## quiet (1 tool)

Configured as: Says back what it is told.

- quiet__echo: Returns its arguments.
`
	if got := h.Instructions(); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := connectAll(t, broken).Instructions(); got != "" {
		t.Errorf("without a ready server:\n%s", got)
	}
}

func TestInstructionsForLookingUp(t *testing.T) {
	docs := processServer(t, "replay", surfaceFile(t, `{"tools":[{"name":"search_docs","description":"Searches.","inputSchema":{"type":"object"}}]}`))
	docs.Name = "docs"
	got := connectAll(t, docs).Instructions()
	if !strings.Contains(got, "## Looking up documentation\n") || !strings.HasSuffix(got, "look it up: docs__search_docs.\n") {
		t.Errorf("got\n%s", got)
	}
	if got := connectAll(t, processServer(t, "echo")).Instructions(); strings.Contains(got, "Looking up") {
		t.Errorf("got\n%s", got)
	}
}

func TestListing(t *testing.T) {
	ok := processServer(t, "replay", surfaceFile(t, `{"tools":[{"name":"read_file","description":"`+strings.Repeat("0123456789", 7)+`","inputSchema":{"type":"object"}},{"name":"short","description":"Short\u001b[2J.","inputSchema":{"type":"object"}},{"name":"whole","description":"`+strings.Repeat("0123456789", 6)+`","inputSchema":{"type":"object"}}]}`))
	ok.Name = "fs"
	broken := processServer(t, "echo")
	broken.Name, broken.Launch.(*endpoint.Process).Command, broken.Launch.(*endpoint.Process).Args = "broken", "/no/such/program", nil
	h := connectAll(t, broken, ok)
	const want = `broken: ✗ failed over stdio: server "broken": start: "/no/such/program": `
	got := h.Listing()
	first, rest, _ := strings.Cut(got, "\n")
	if !strings.HasPrefix(first, strings.TrimSuffix(want, `"/no/such/program": `)) {
		t.Errorf("got %s", first)
	}
	const connected = `fs: ● connected (3 tools) over stdio
  fs__read_file
    012345678901234567890123456789012345678901234567890123456...
  fs__short
    Short.
  fs__whole
    012345678901234567890123456789012345678901234567890123456789
`
	if rest != connected {
		t.Errorf("got\n%s", rest)
	}
	if err := h.host.Detach("fs", "broken"); err != nil {
		t.Fatal(err)
	}
	if got := h.Listing(); got != "No MCP servers are configured.\n" {
		t.Errorf("got %s", got)
	}
	for want, st := range map[string]attach.Status{
		"○ not started over http":               {Transport: "http"},
		"○ connecting over http":                {Transport: "http", State: attach.Connecting},
		"○ lost (3 tools) over stdio: unknown":  {Transport: "stdio", State: attach.Lost},
		"○ closed over stdio":                   {Transport: "stdio", State: attach.Closed},
		"✗ failed over sse: no \"x\" and so on": {Transport: "sse", State: attach.Failed, Err: errors.New("no \"x\"\nand\u202e so on")},
	} {
		if got := describe(st, 3); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Servers are shown in the order in which they were given to the host.
func TestOrder(t *testing.T) {
	var servers []endpoint.Server
	for _, name := range []string{"zeta", "alpha", "mid"} {
		s := processServer(t, "echo")
		s.Name = name
		servers = append(servers, s)
	}
	h := connectAll(t, servers...)
	for name, text := range map[string]string{"instructions": h.Instructions(), "listing": h.Listing()} {
		last := -1
		for _, s := range servers {
			at := strings.Index(text, s.Name)
			if at <= last {
				t.Errorf("%s stands before another one in the %s:\n%s", s.Name, name, text)
			}
			last = at
		}
	}
}

// A section of the options is left out where one of the call is about one of its tools.
func TestSectionsOfOptions(t *testing.T) {
	docs := processServer(t, "replay", surfaceFile(t, docsSurface))
	h := connectAll(t, docs)
	h.opts.Sections = []Section{DocumentationWorkflow()}
	own := Section{Title: "Docs", Text: "Ask `search_docs`.", Tools: []string{"search_docs"}}
	if got := h.Instructions(); !strings.Contains(got, "## Documentation Lookup\n") {
		t.Errorf("alone it is missing:\n%s", got)
	}
	if got := h.Instructions(own); !strings.Contains(got, "## Docs\n") || strings.Contains(got, "Documentation Lookup") {
		t.Errorf("beside a section about one of its tools:\n%s", got)
	}
}

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their rows.
func TestSeed(t *testing.T) {
	t.Run("003-24", TestInstructions)
	t.Run("003-26", TestListing)
}

func TestNamingIsChecked(t *testing.T) {
	view := NewView(connectAll(t, processServer(t, "echo")).host, &Options{Naming: "kebab"})
	if _, err := view.Tools(); err == nil || !strings.Contains(err.Error(), `"kebab"`) {
		t.Errorf("got %v", err)
	}
}

// A tool has its name whether or not it may be called, and one that nobody lists has
// none.
func TestName(t *testing.T) {
	v := connectAll(t, processServer(t, "echo"))
	if got := v.Name("s", "echo"); got != "s__echo" || v.Scheme() != naming.DoubleUnderscore {
		t.Errorf("%q, scheme %q", got, v.Scheme())
	}
	if got := v.Name("s", "other") + v.Name("nobody", "echo"); got != "" {
		t.Errorf("%q is the name of a tool that nobody lists", got)
	}
}
