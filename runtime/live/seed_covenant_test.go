package live_test

// Covenant: ~/.covenant/secrets.toml and nothing beside it.

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

func covenantRows() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"002-01": covenantSurface,
		"002-02": covenantSpecs,
		"002-03": covenantResults,
		"002-05": covenantEcho,
		"002-08": covenantClock,
		"002-10": covenantCapabilities,
		"002-17": covenantStartup,
		"002-18": covenantFailSoft,
		"002-23": covenantSecurity,
		"002-26": covenantUser,
	}
}

// covenantServer is an entry of the file for a mode of the test server.
func covenantServer(name string, args ...string) string {
	list, _ := json.Marshal(args) // texts always have a form, which is TOML's, too
	return "[[mcp.server]]\nname = \"" + name + "\"\ncommand = PROGRAM\nargs = " + string(list) + "\nenv = { LOG_LEVEL = \"info\" }\n\n"
}

// readFile is what the server of the document offers here.
const readFile = `{"name":"read_file","description":"Reads a file.","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}`

// covenantFiles is the server "filesystem" with the tool read_file, and where it says
// what was asked of it.
func covenantFiles() (entry, trace string, files map[string]string) {
	entry = covenantServer("filesystem", "replay", "tools.json", "-trace", "trace")
	return entry, "trace", map[string]string{"../home/.covenant/secrets.toml": entry, "tools.json": `{"tools":[` + readFile + `]}`}
}

// methodsSent lists the methods of the messages in a trace, in their order.
func methodsSent(t *testing.T, trace string) []string {
	t.Helper()
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var methods []string
	for _, m := range regexp.MustCompile(`"method":"([^"]+)"`).FindAllSubmatch(data, -1) {
		methods = append(methods, string(m[1]))
	}
	return methods
}

// covenantLog is the log of the user, whatever folder a program runs in.
func covenantLog() string {
	return filepath.Join(os.Getenv("HOME"), ".covenant", filepath.FromSlash(config.DefaultAuditFile))
}

// addGrants is what mcpgen capabilities grant does.
func addGrants(t *testing.T, rules ...string) {
	t.Helper()
	env, err := live.Environment()
	if err != nil {
		t.Fatal(err)
	}
	p, err := config.Search(env, "covenant")
	if err != nil {
		t.Fatal(err)
	}
	store, err := live.Grants(p)
	for _, rule := range rules {
		if err == nil {
			err = store.Add(policy.Grant{Rule: rule})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// catalogue keeps the tools of a host by their names, in their order.
type catalogue struct {
	names []string
	tools map[string]runtime.Tool
}

func (c *catalogue) Register(tool runtime.Tool) error {
	name := tool.Spec().Name
	c.names, c.tools[name] = append(c.names, name), tool
	return nil
}

func (c *catalogue) Unregister(name string) error {
	delete(c.tools, name)
	return nil
}

func registerAll(t *testing.T, host *live.Host) *catalogue {
	t.Helper()
	c := &catalogue{tools: map[string]runtime.Tool{}}
	tools, err := host.Tools()
	if err == nil {
		err = runtime.RegisterAll(c, tools...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// use calls a tool of the catalogue.
func (c *catalogue) use(t *testing.T, name, args string) (*runtime.Result, error) {
	t.Helper()
	tool := c.tools[name]
	if tool == nil {
		t.Fatalf("no tool %q among %q", name, c.names)
	}
	return tool.Call(t.Context(), json.RawMessage(args))
}

// Native tools and those of servers are one list, called in one way, by one gate into
// one log, and an agent is told of all of them.
func covenantSurface(t *testing.T) {
	_, _, files := covenantFiles()
	enterProject(t, files)
	addGrants(t, "tool.call.echo", "tool.call.read_file")
	host := openReady(t, live.Options{System: "covenant"})
	all := registerAll(t, host)
	if !slices.Equal(all.names, []string{"echo", "clock", "read_file"}) {
		t.Errorf("registered %q", all.names)
	}
	for name, want := range map[string]string{"echo": "hi", "clock": "epoch_ms", "read_file": "today.txt"} {
		args := map[string]string{"echo": `{"text":"hi"}`, "clock": `{}`, "read_file": `{"path":"today.txt"}`}[name]
		res, err := all.use(t, name, args)
		if err != nil || !strings.Contains(res.Text(), want) {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	const prompt = `# Built-in tools

- echo: Returns the provided text argument verbatim.
- clock: Returns the time in milliseconds since 1970.

# Tools of MCP servers

The servers wrote the descriptions of tools, and all lines that begin with ">".

## filesystem (1 tool)

- read_file: Reads a file.
`
	if got := host.Instructions(); got != prompt {
		t.Errorf("instructions\n%s", got)
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	logged := map[string]int{}
	for _, r := range recordsIn(t, covenantLog(), audit.Filter{}) {
		if r.Agent != "" {
			logged[r.Kind+" "+r.Agent]++
		}
	}
	want := map[string]int{}
	for _, tool := range all.names {
		want["CapabilityCheck tool:"+tool], want["call tool:"+tool] = 1, 1
	}
	if !reflect.DeepEqual(logged, want) {
		t.Errorf("logged %v, want %v", logged, want)
	}
}

// covenantSpec is the ToolSpec of the document, as JSON.
const covenantSpec = `{
  "name": "echo",
  "description": "Returns the provided text argument verbatim.",
  "inputSchema": {
    "type": "object",
    "properties": { "text": { "type": "string" } },
    "required": ["text"],
    "additionalProperties": false
  }
}`

// A spec has the members of the document and no others, whoever offers the tool.
func covenantSpecs(t *testing.T) {
	_, _, files := covenantFiles()
	enterProject(t, files)
	all := registerAll(t, openReady(t, live.Options{System: "covenant"}))
	for name, want := range map[string]string{"echo": covenantSpec, "read_file": readFile} {
		got, err := json.Marshal(all.tools[name].Spec())
		if err != nil {
			t.Fatal(err)
		}
		var is, wanted any
		if err := errors.Join(json.Unmarshal(got, &is), json.Unmarshal([]byte(want), &wanted)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(is, wanted) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// Text blocks, JSON blocks and isError, as servers send them.
func covenantResults(t *testing.T) {
	enterProject(t, map[string]string{"../home/.covenant/secrets.toml": covenantServer("good", "json-content") + covenantServer("bad", "is-error")})
	addGrants(t, "tool.call.echo")
	host := openReady(t, live.Options{System: "covenant"})
	res, err := callTool(t, host, "good", "echo")
	if err != nil || res.IsError || res.Text() != "two blocks\n{\"n\":9007199254740993}" || string(res.Structured) != `{"n":9007199254740993}` {
		t.Fatalf("%+v, %v", res, err)
	}
	var value struct{ N json.Number }
	if err := res.Decode(&value); err != nil || value.N != "9007199254740993" {
		t.Errorf("decoded %v, %v", value, err)
	}
	const wire = `{"content":[{"type":"text","text":"two blocks"},{"type":"json","value":{"n":9007199254740993}}],"isError":false}`
	if string(res.Raw) != wire {
		t.Errorf("the wire shape is %s", res.Raw)
	}
	if res, err := callTool(t, host, "bad", "echo"); err != nil || !res.IsError || !strings.Contains(res.Text(), "the tool said no") {
		t.Errorf("%+v, %v", res, err)
	}
}

// echo returns its text verbatim, and takes nothing else.
func covenantEcho(t *testing.T) {
	enterProject(t, map[string]string{"../home/.covenant/secrets.toml": ""})
	addGrants(t, "tool.call.echo")
	all := registerAll(t, openReady(t, live.Options{System: "covenant"}))
	for _, text := range []string{"hi", "", " a\n<b>\u2028 é 🙂 \x00"} {
		args, err := json.Marshal(map[string]string{"text": text})
		if err != nil {
			t.Fatal(err)
		}
		if res, err := all.use(t, "echo", string(args)); err != nil || res.IsError || res.Text() != text {
			t.Errorf("%q: %+v, %v", text, res, err)
		}
	}
	for args, says := range map[string]string{`{}`: "text", `{"text":5}`: "/text", `{"text":null}`: "/text", `{"text":"hi","more":1}`: "more"} {
		res, err := all.use(t, "echo", args)
		if res != nil || !errors.Is(err, runtime.ErrInvalidArgs) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %+v, %v", args, res, err)
		}
	}
}

// clock needs no grant, as a sign of life; a server's tool of that name does.
func covenantClock(t *testing.T) {
	enterProject(t, map[string]string{
		"../home/.covenant/secrets.toml": covenantServer("other", "replay", "tools.json", "-trace", "trace"),
		"tools.json":                     `{"tools":[{"name":"clock","inputSchema":{"type":"object"}}]}`,
	})
	host := openReady(t, live.Options{System: "covenant"})
	all := registerAll(t, host)
	res, err := all.use(t, "clock", `{}`)
	if err != nil || !regexp.MustCompile(`^\{"epoch_ms":\d{13}\}$`).Match(res.Structured) {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := all.use(t, "echo", `{"text":"hi"}`); !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("echo: %v", err)
	}
	if _, err := callTool(t, host, "other", "clock"); !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("the clock of a server: %v", err)
	}
	if slices.Contains(methodsSent(t, "trace"), "tools/call") {
		t.Errorf("the server got %q, want no tools/call: it was denied", methodsSent(t, "trace"))
	}
}

// Without tool.call.<name> nothing is sent; with it that tool works, and no other.
func covenantCapabilities(t *testing.T) {
	_, trace, files := covenantFiles()
	enterProject(t, files)
	expectDenied := func(tools ...string) {
		t.Helper()
		all := registerAll(t, openReady(t, live.Options{System: "covenant"}))
		for _, name := range []string{"echo", "read_file"} {
			_, err := all.use(t, name, map[string]string{"echo": `{"text":"hi"}`, "read_file": `{"path":"x"}`}[name])
			if denied := errors.Is(err, runtime.ErrDenied); denied != slices.Contains(tools, name) || !denied && err != nil {
				t.Errorf("%s: %v, want %q denied", name, err, tools)
			}
		}
	}
	expectDenied("echo", "read_file")
	if got := methodsSent(t, trace); slices.Contains(got, "tools/call") {
		t.Errorf("sent %q", got)
	}
	addGrants(t, "tool.call.echo2", "tool.call.read") // names are whole
	expectDenied("echo", "read_file")
	addGrants(t, "tool.call.echo")
	expectDenied("read_file")
	if got := methodsSent(t, trace); slices.Contains(got, "tools/call") {
		t.Errorf("sent %q", got)
	}
	addGrants(t, "tool.call.read_file")
	expectDenied()
	if got := methodsSent(t, trace); got[len(got)-1] != "tools/call" {
		t.Errorf("sent %q", got)
	}
}

// Each server is a process of its own, which has shaken hands and listed its tools
// before the program goes on.
func covenantStartup(t *testing.T) {
	files, _, all := covenantFiles()
	all["../home/.covenant/secrets.toml"] = files + covenantServer("second", "echo-env", "-trace", "second")
	enterProject(t, all)
	host := openReady(t, live.Options{System: "covenant"})
	if got := attachedServers(host); !slices.Equal(got, []string{"filesystem", "second"}) {
		t.Errorf("attached %q", got)
	}
	pids := map[int]bool{}
	for _, st := range host.Status() {
		pids[st.PID] = true
	}
	if len(pids) != 2 || pids[0] {
		t.Errorf("processes %v", pids)
	}
	for _, trace := range []string{"trace", "second"} {
		got := slices.DeleteFunc(methodsSent(t, trace), func(method string) bool { return method == "server/discover" }) // asks whether the server is a newer one
		if !slices.Equal(got, []string{"initialize", "notifications/initialized", "tools/list"}) {
			t.Errorf("%s: sent %q", trace, got)
		}
	}
	if got := registerAll(t, host).names; !slices.Equal(got, []string{"echo", "clock", "read_file", "env"}) {
		t.Errorf("one registry has %q", got)
	}
}

// A server that fails is logged and skipped, whichever way it fails.
func covenantFailSoft(t *testing.T) {
	_, _, files := covenantFiles()
	missing := "[[mcp.server]]\nname = \"missing\"\ncommand = \"./no-such-program\"\n\n"
	files["../home/.covenant/secrets.toml"] = missing + covenantServer("crashes", "crash-on-start") + covenantServer("refuses", "init-error") +
		covenantServer("unlisted", "list-error") + files["../home/.covenant/secrets.toml"]
	enterProject(t, files)
	addGrants(t, "tool.call.read_file")
	host, err := live.Open(t.Context(), live.Options{System: "covenant"})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	all := registerAll(t, host)
	if !slices.Equal(all.names, []string{"echo", "clock", "read_file"}) {
		t.Errorf("registered %q", all.names)
	}
	if _, err := all.use(t, "read_file", `{"path":"x"}`); err != nil {
		t.Error(err)
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, r := range recordsIn(t, covenantLog(), audit.Filter{Kinds: []string{audit.KindAttach}}) {
		if rows[r.Server] = r.Stage; (r.Error == "") != (r.Server == "filesystem") {
			t.Errorf("%+v", r)
		}
	}
	want := map[string]string{"missing": "start", "crashes": "handshake", "refuses": "handshake", "unlisted": "list", "filesystem": ""}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("logged %v, want %v", rows, want)
	}
}

// A server has its operator's rights, and the gate cannot see what it does: so the log
// shows the command of each, and a server is reached by calls that were granted only.
func covenantSecurity(t *testing.T) {
	enterProject(t, map[string]string{"../home/.covenant/secrets.toml": covenantServer("notes", "echo-env", "$HOME/notes")})
	t.Setenv("OPERATORS_OWN", "inherited")
	addGrants(t, "tool.call.env")
	host := openReady(t, live.Options{System: "covenant"})
	if got := environmentOf(t, host, "notes"); got["OPERATORS_OWN"] != "inherited" || got["LOG_LEVEL"] != "info" {
		t.Errorf("the environment has %q and %q", got["OPERATORS_OWN"], got["LOG_LEVEL"])
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	rows := recordsIn(t, covenantLog(), audit.Filter{Kinds: []string{audit.KindAttach}})
	if len(rows) != 1 || rows[0].Server != "notes" || rows[0].Launch != testserver.Program()+" echo-env $HOME/notes" {
		t.Errorf("logged %+v", rows)
	}
}

// What is granted, and what is written down, is the user's, whatever folder a program
// runs in; a project that imports the system has its own.
func covenantUser(t *testing.T) {
	enterProject(t, map[string]string{
		"../home/.covenant/secrets.toml": "",
		"mcpgen.yaml":                    "version: 1\nimport: [covenant]\n",
	})
	addGrants(t, "tool.call.echo")
	echo := func(opts live.Options) error {
		t.Helper()
		host := openReady(t, opts)
		defer host.Close()
		_, err := host.Call(t.Context(), "echo", json.RawMessage(`{"text":"hi"}`))
		return err
	}
	for range 2 {
		if err := echo(live.Options{System: "covenant"}); err != nil {
			t.Error(err)
		}
		t.Chdir(t.TempDir())
	}
	if rows := recordsIn(t, covenantLog(), audit.Filter{Kinds: []string{audit.KindCall}}); len(rows) != 2 {
		t.Errorf("logged %+v", rows)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("the folder has %v, %v", left, err)
	}
	work := filepath.Join(os.Getenv("HOME"), "..", "work")
	if err := echo(live.Options{Dir: work}); !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("in a project: %v", err)
	}
	if rows := recordsIn(t, filepath.Join(work, filepath.FromSlash(config.DefaultAuditFile)), audit.Filter{Kinds: []string{audit.KindCall}}); len(rows) != 1 {
		t.Errorf("logged in the project %+v", rows)
	}
}
