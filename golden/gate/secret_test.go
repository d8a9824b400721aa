package gate_test

// A secret is planted in the environment of servers that repeat it wherever they
// can; nothing that the host says or writes holds it, in any spelling.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/mask"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// planted has characters that every encoding treats in a way of its own.
const planted = `planted/secret+"0001"<&>ü`

// runRepeater is a server that says its secret everywhere: before the handshake,
// in its name, in listings, in errors of both kinds, in notifications, in its
// last words. How is the spelling it uses.
func runRepeater(how string) {
	secret := spellingsOf(os.Getenv("TOKEN"))[how]
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	q := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	fmt.Fprintln(os.Stderr, "the token is", secret)
	say("not a message: %s", secret)
	d := json.NewDecoder(os.Stdin)
	for {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if d.Decode(&m) != nil {
			return
		}
		switch {
		case m.ID == nil:
		case m.Method == "initialize":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"instructions":%s,"serverInfo":{"name":"repeater","version":%s}}}`, m.ID, q("use "+secret), q(secret))
		case m.Method == "tools/list":
			say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"x","data":%s}}`, q("started with "+secret))
			say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"go","inputSchema":{"type":"object"}},{"name":%s,"inputSchema":{"type":"object"}},{"name":"told","description":%s,"inputSchema":{"type":"object"}}]}}`, m.ID, q("bad "+secret), q("uses "+secret))
		case m.Params.Name == "exit":
			fmt.Fprintln(os.Stderr, strings.Repeat("y", 990), secret)
			os.Exit(3)
		case m.Params.Name == "result":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`, m.ID, q(secret))
		case m.Params.Name == "elicit":
			say(`{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{"message":%s,"requestedSchema":{"type":"object","properties":{}}}}`, q("is it "+secret))
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":"no","data":%s}}`, m.ID, q(secret))
		default:
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s,"data":{"token":%s}}}`, m.ID, q(strings.Repeat("z", 300)+secret), q(secret))
		}
	}
}

// spellingsOf are the ways in which a server may repeat a secret, a few for each
// server.
func spellingsOf(secret string) map[string]string {
	all := map[string]string{}
	for i, s := range credentials.Spellings(secret) {
		all[fmt.Sprint(i%6)] += s + " "
	}
	return all
}

func testSecretGoesNowhere(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer // everything that is said
	var saying sync.Mutex
	say := func(args ...any) {
		saying.Lock()
		defer saying.Unlock()
		fmt.Fprintln(&out, args...)
	}
	var yaml strings.Builder
	yaml.WriteString("version: 1\npolicy: {mode: yolo, secrets: [{secret: token, tool: \"*\"}]}\nservers:\n")
	ways := spellingsOf(planted)
	for how := range ways {
		fmt.Fprintf(&yaml, "  s%s: {command: %q, args: [%q], env: {%s: \"2\", TOKEN: \"{{secret:token}}\"}}\n", how, exe, how, asServer)
	}
	project, err := config.Parse([]byte(yaml.String()))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var hidden mask.Set
	log, err := audit.Open(path, &audit.Options{Arguments: true, Mask: &hidden})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	tell := func(e event.Event) { log.Event(e); say(fmt.Sprintf("%+v", e)) }
	gate, err := policy.New(*project.Policy, &policy.Options{OnEvent: tell})
	if err != nil {
		t.Fatal(err)
	}
	source := func(context.Context, string) (string, error) { return planted, nil }
	host, err := attach.Connect(t.Context(), project.Servers, &attach.Options{
		Middleware: []runtime.Middleware{log.Middleware(), gate.Middleware()}, Secrets: gate.Secrets(source), Mask: &hidden, OnEvent: tell,
		Enforces: []endpoint.Requirement{endpoint.RequirePolicy, endpoint.RequireAudit},
		Logger:   slog.New(slog.NewTextHandler(writer(func(p []byte) { say(string(p)) }), &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		t.Fatal(err)
	}
	say(fmt.Sprintf("%+v", host.Status()))
	var work sync.WaitGroup
	for _, s := range project.Servers {
		work.Go(func() {
			repeated := false
			for _, tool := range []string{"result", "error", "elicit", "exit", "error"} {
				res, err := host.Invoke(t.Context(), runtime.Request{Server: s.Name, Method: protocol.MethodCallTool, Name: tool, Args: json.RawMessage(`{"given":"` + strings.ReplaceAll(planted, `"`, `\"`) + `"}`)})
				repeated = repeated || err == nil && res.Text() == ways[strings.TrimPrefix(s.Name, "s")]
				say(tool, err)
				if e, ok := errors.AsType[*runtime.RPCError](err); ok {
					say(string(e.Data), e.Message)
				}
			}
			if !repeated {
				t.Errorf("%s did not get its secret: results are not masked", s.Name)
			}
		})
	}
	work.Wait()
	for _, st := range host.Status() {
		say(fmt.Sprintf("%+v", st))
		data, _ := json.Marshal(st)
		say(string(data))
	}
	for _, s := range project.Servers {
		if err := host.Reload(t.Context(), project.Servers); err != nil { // those that died, too
			t.Fatal(err)
		}
		snap, problems, err := host.Snapshot(t.Context(), s.Name, nil)
		say(fmt.Sprintf("%+v %v", problems, err))
		if snap != nil {
			say(string(lockfile.EncodeSnapshot(snap)))
		}
	}
	settings, _ := json.Marshal(project.Servers[0].Launch.(*endpoint.Process).Env)
	say(string(settings), agent.NewView(host, nil).Instructions(), agent.NewView(host, nil).Listing())
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	say(string(data))
	host.Close() // a server may still be saying something
	saying.Lock()
	said := out.String()
	saying.Unlock()
	spellings := credentials.Spellings(planted)
	if n := strings.Count(said, credentials.Masked); n < len(spellings)*5 {
		t.Errorf("only %d texts were masked: the servers did not repeat it", n)
	}
	for _, s := range spellings {
		if i := strings.Index(said, s); i >= 0 {
			t.Errorf("%q is in: %q", s, said[max(0, i-200):min(len(said), i+100)])
		}
	}
}

// writer writes with a function.
type writer func([]byte)

func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }
