//go:build peers

package peers

// What of a definition arrives: from the server to its lock, its manifest and a model, and
// through a gateway to a client, byte by byte.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema/view"
)

// kinds are those of differences, as the guide lists them.
func kinds(t *testing.T) []string {
	t.Helper()
	_, list, _ := strings.Cut(read(t, filepath.Join(checkout, "examples", "guide", "how-it-works.md")), "## Where bytes differ from the server's")
	var out []string
	for _, m := range regexp.MustCompile("(?m)^\\| `?([a-z -]+)`? \\|").FindAllStringSubmatch(list, -1) {
		if m[1] != "kind" {
			out = append(out, m[1])
		}
	}
	if len(out) == 0 || len(out) > 10 {
		t.Fatalf("the guide has %d kinds of differences: %q", len(out), out)
	}
	return out
}

// said is what a server listed last: definitions by kind and name, and the names in order.
type said struct {
	raw   map[string]json.RawMessage // by kind, a space, and the name
	names map[string][]string        // by kind
}

// listings are the members of results that hold definitions, and the member of each that
// names it.
var listings = map[string]string{"tools": "name", "prompts": "name", "resources": "uri", "resourceTemplates": "uriTemplate"}

// take reads one message.
func (s *said) take(line []byte) {
	whole, err := jsontext.Whole(line)
	if err != nil {
		return // not a message
	}
	result := jsontext.Member(whole, "result")
	for kind, member := range listings {
		list := jsontext.Member(result, kind)
		if list == nil {
			continue
		}
		items, _ := jsontext.Elements(list)
		for i, raw := range items {
			name := jsontext.Text(jsontext.Member(raw, member))
			if i == 0 && slices.Contains(s.names[kind], name) {
				s.names[kind] = nil // another session
			}
			s.raw[kind+" "+name], s.names[kind] = raw, append(s.names[kind], name)
		}
	}
}

func newSaid() *said { return &said{map[string]json.RawMessage{}, map[string][]string{}} }

// differences counts them by kind.
type differences struct {
	t     *testing.T
	kinds []string
	count map[string]int
	equal int // definitions of which each byte is the server's, but for name and URI
	all   int
}

func (d *differences) note(kind string) {
	d.t.Helper()
	if !slices.Contains(d.kinds, kind) {
		d.t.Fatalf("the guide does not have the kind %q", kind)
	}
	d.count[kind]++
}

// compare fails unless got has the tokens of want: the same members in the same order, the
// same texts, the same digits.
func (d *differences) compare(where string, want, got []byte) {
	d.t.Helper()
	d.all++
	switch {
	case bytes.Equal(want, got):
		d.equal++
	case !slices.Equal(tokens(d.t, want), tokens(d.t, got)):
		d.t.Errorf("%s: a difference of no kind that the guide lists:\nwant %s\ngot  %s", where, want, got)
	case bytes.Equal(jsontext.Compact(want), jsontext.Compact(got)):
		d.note("white space")
	default:
		d.note("escapes")
	}
}

// tokens are those of a JSON text.
func tokens(t *testing.T, raw []byte) []string {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out []string
	for dec.More() || len(out) > 0 {
		token, err := dec.Token()
		if err != nil {
			break
		}
		out = append(out, fmt.Sprintf("%T %v", token, token))
	}
	return out
}

// replaced is an object with another value of one member, or without it for nil.
func replaced(object []byte, name string, value []byte) []byte {
	out := []byte{'{'}
	for m := jsontext.NewItems(object); m.Next(); {
		v := m.Value
		if string(m.Key()) == name {
			if v = value; v == nil {
				continue
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, jsontext.AppendString(nil, string(m.Key()))...), ':'), v...)
	}
	return append(out, '}')
}

// gateway compares a definition with the one that a client of a gateway gets.
func (d *differences) gateway(where, kind string, raw, got []byte) {
	d.t.Helper()
	member := listings[kind]
	name := jsontext.Member(got, member)
	want := []byte(jsontext.Compact(raw))
	if !bytes.Equal(want, raw) {
		d.note("white space")
	}
	if own := jsontext.Member(want, member); !bytes.Equal(own, name) {
		d.note("names")
		want = replaced(want, member, name)
	}
	if kind == "tools" {
		if own := jsontext.Member(want, "execution"); own != nil {
			offered := jsontext.Member(got, "execution")
			if offered != nil && string(offered) != `{"taskSupport":"optional"}` {
				d.t.Errorf("%s: the gateway offers %s", where, offered)
			}
			if !bytes.Equal(own, offered) {
				d.note("execution")
				want = replaced(want, "execution", offered)
			}
		}
		input := jsontext.Member(want, "inputSchema")
		if string(jsontext.Member(input, "type")) != `"object"` {
			v, err := view.Object(input)
			if err != nil {
				d.t.Fatal(err)
			}
			d.note("root types")
			want = replaced(want, "inputSchema", v.Schema)
		}
		if output := jsontext.Member(want, "outputSchema"); output != nil && string(jsontext.Member(output, "type")) != `"object"` {
			d.note("older callers")
			want = replaced(want, "outputSchema", nil)
		}
		if uri := jsontext.Member(jsontext.Member(jsontext.Member(got, "_meta"), "ui"), "resourceUri"); uri != nil {
			d.note("names")
			meta := jsontext.Member(want, "_meta")
			want = replaced(want, "_meta", replaced(meta, "ui", replaced(jsontext.Member(meta, "ui"), "resourceUri", uri)))
		}
	}
	d.compare(where, want, got)
}

// byteServers are the servers: ten of npm's registry, and the examples of the SDK.
func byteServers(t *testing.T, dir string) map[string][]string {
	t.Helper()
	modules := filepath.Join(installed, "node_modules")
	servers := map[string][]string{
		"everything": {"node", filepath.Join(modules, "@modelcontextprotocol", "server-everything", "dist", "index.js"), "stdio"},
		"older":      {"node", filepath.Join(modules, "everything-2025", "dist", "index.js"), "stdio"},
		"filesystem": {bin("mcp-server-filesystem"), dir}, "memory": {bin("mcp-server-memory")}, "thinking": {bin("mcp-server-sequential-thinking")},
		"playwright": {bin("playwright-mcp"), "--headless"}, "context7": {bin("context7-mcp")}, "chart": {bin("mcp-server-chart")},
		"notion": {bin("notion-mcp-server")}, "devtools": {bin("chrome-devtools-mcp"), "--headless"},
	}
	for _, name := range []string{"everything", "hello", "memory", "sequentialthinking", "toolschemas"} {
		program := filepath.Join(dir, "sdk"+name)
		build := exec.Command("go", "build", "-o", program, "github.com/modelcontextprotocol/go-sdk/examples/server/"+name)
		build.Dir = checkout
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		servers["sdk"+name] = []string{program}
	}
	return servers
}

// adapted lets the module use the adapter of this checkout.
func (m *module) adapted() {
	adapter := filepath.Join(checkout, "runtime", "adapters", "anthropic")
	m.write("go.mod", read(m.t, filepath.Join(m.dir, "go.mod"))+"\nrequire github.com/mcpgen/mcpgen/runtime/adapters/anthropic v0.0.0\n\nreplace github.com/mcpgen/mcpgen/runtime/adapters/anthropic => "+adapter+"\n")
	m.write("go.sum", read(m.t, filepath.Join(m.dir, "go.sum"))+read(m.t, filepath.Join(adapter, "go.sum")))
}

// Each difference between what a server said and what arrives is of a kind that the guide
// lists, with its reason.
func TestBytes(t *testing.T) {
	t.Parallel()
	m := bareModule(t, "bytes")
	m.adapted()
	servers := byteServers(t, t.TempDir())
	logs := t.TempDir()
	config, file := "version: 1\noutput: internal/mcp\nservers:\n", map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		args := append([]string{"-c", `"$0" "$@" | tee -a "$LOG"`}, servers[name]...)
		env := map[string]string{"LOG": filepath.Join(logs, name), "MEMORY_FILE_PATH": filepath.Join(logs, name+".jsonl")}
		text, err := json.Marshal(map[string]any{"command": "sh", "args": args, "env": env, "timeout": map[string]string{"start": "180s"}})
		if err != nil {
			t.Fatal(err)
		}
		config += "  " + name + ": " + string(text) + "\n"
		env = maps.Clone(env)
		env["LOG"] += ".live"
		file[name] = map[string]any{"command": "sh", "args": args, "env": env}
	}
	m.write("mcpgen.yaml", config)
	_, _ = exitOf(m, mcpgen, "generate")                                                                                                    // text that is marked is left out
	update := []string{"update", "--yes", "--all", "--accept", "chart/*/*", "--accept", "sdkeverything/*", "--accept", "sdkeverything/*/*"} // theirs
	if code, said := exitOf(m, mcpgen, update...); code != 0 {
		t.Fatalf("update ends with %d:\n%s", code, said)
	}

	d := &differences{t: t, kinds: kinds(t), count: map[string]int{}}
	heard := map[string]*said{}
	for name := range servers {
		heard[name] = heardIn(t, filepath.Join(logs, name))
	}
	t.Run("manifest and adapter", func(t *testing.T) { d.locked(t, m, heard) })
	t.Run("gateway", func(t *testing.T) {
		d.served(t, heard, servers, mcpgen, "--config", filepath.Join(m.dir, "mcpgen.yaml"), "serve")
	})
	text, err := json.Marshal(map[string]any{"mcpServers": file})
	if err != nil {
		t.Fatal(err)
	}
	live := filepath.Join(t.TempDir(), "live.json")
	if err := os.WriteFile(live, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("gateway without a lock", func(t *testing.T) { d.served(t, heard, servers, mcpgen, "--mcp", live, "serve") })
	t.Logf("%d of %d definitions are the server's bytes but for names; of the others %v", d.equal, d.all, d.count)
}

// heardIn is what a server said in a log.
func heardIn(t *testing.T, log string) *said {
	t.Helper()
	s := newSaid()
	for line := range bytes.Lines([]byte(read(t, log))) {
		s.take(line)
	}
	if len(s.names["tools"]) == 0 {
		t.Fatalf("%s lists no tools", filepath.Base(log))
	}
	return s
}

// locked compares manifests, and what a model gets of them.
func (d *differences) locked(t *testing.T, m *module, heard map[string]*said) {
	d.t = t
	proxied := *m
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env = m.dir, append(proxied.environment(), "GOPROXY="+strings.TrimSpace(m.do("sh", "-c", "unset GOPROXY; go env GOPROXY")))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	shown := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		var got struct {
			Server, Tool             string
			Definition, Schema, Sent json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		where := got.Server + "/" + got.Tool
		raw := heard[got.Server].raw["tools "+got.Tool]
		shown[got.Server] = append(shown[got.Server], got.Tool)
		d.compare(where+" in the manifest", raw, got.Definition)
		input := jsontext.Member(raw, "inputSchema")
		d.compare(where+"/inputSchema", input, got.Schema)
		d.note("other members")
		if name := jsontext.Text(jsontext.Member(got.Sent, "name")); name != qualified(got.Server, "tools", got.Tool) {
			t.Errorf("%s: the model knows it as %s", where, name)
		}
		d.note("names")
		if text := jsontext.Text(jsontext.Member(got.Sent, "description")); text != jsontext.Text(jsontext.Member(raw, "description")) {
			t.Errorf("%s: the model reads %q", where, text)
		}
		sent := jsontext.Member(got.Sent, "input_schema")
		if f, err := view.Fit("anthropic", input); err == nil && !slices.Equal(tokens(t, sent), tokens(t, input)) {
			d.note("providers")
			input = f.Schema
		}
		d.compare(where+" to the model", input, sent)
	}
	for server, s := range heard {
		if !reflect.DeepEqual(shown[server], s.names["tools"]) {
			t.Errorf("%s lists %q, and a model gets %q", server, s.names["tools"], shown[server])
		}
	}
}

// qualified is the name, or the URI, of a server's item at a gateway.
func qualified(server, kind, name string) string {
	if page, ok := strings.CutPrefix(name, "ui://"); ok {
		return "ui://mcpgen/" + server + "/" + page
	}
	if kind == "resources" || kind == "resourceTemplates" {
		return "mcpgen://" + server + "/" + name
	}
	return naming.Portable(naming.DoubleUnderscore.Qualify(server, name))
}

// served compares what a gateway lists.
func (d *differences) served(t *testing.T, heard map[string]*said, servers map[string][]string, line ...string) {
	d.t = t
	cmd := exec.Command(line[0], line[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait() // its input has ended
	})
	messages := json.NewDecoder(out)
	ask := func(id int, method, params string) []byte {
		t.Helper()
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		for {
			var raw json.RawMessage
			if err := messages.Decode(&raw); err != nil {
				t.Fatal(err)
			}
			if string(jsontext.Member(raw, "id")) == fmt.Sprint(id) {
				return raw
			}
		}
	}
	ask(1, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bytes","version":"1"}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	want := 0
	for _, s := range heard {
		want += len(s.names["tools"])
	}
	var got *said
	for id := 2; ; id += 4 { // until all servers are there
		got = newSaid()
		for i, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
			got.take(ask(id+i, method, `{}`))
		}
		if len(got.names["tools"]) >= want || id > 600 {
			break
		}
		time.Sleep(500 * time.Millisecond)
	}
	for kind := range listings {
		for _, server := range slices.Sorted(maps.Keys(servers)) {
			own := map[string]string{}
			for _, name := range heard[server].names[kind] {
				own[qualified(server, kind, name)] = name
			}
			var names []string
			for _, name := range got.names[kind] {
				if raw := heard[server].raw[kind+" "+own[name]]; raw != nil {
					names = append(names, own[name])
					d.gateway(server+" "+kind+" "+own[name], kind, raw, got.raw[kind+" "+name])
				}
			}
			if !slices.Equal(names, heard[server].names[kind]) {
				t.Errorf("%s lists the %s %q, and the gateway %q", server, kind, heard[server].names[kind], names)
			}
		}
	}
}
