package gateway

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// lockedEcho is the manifest of a server that has the tool echo, a prompt and a resource.
func lockedEcho(t *testing.T, server string) *codec.Manifest {
	t.Helper()
	const tool = `{"name":"echo","description":"Returns its arguments.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"outputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}`
	pin, err := schema.ContractHash(schema.KindTool, json.RawMessage(tool))
	if err != nil {
		t.Fatal(err)
	}
	const others = `"prompts":[{"name":"review"}],"resources":[{"uri":"file:///a","name":"a"}]`
	return codec.NewManifest(server, `{"instructions":"Use it well.","tools":[`+tool+`],`+others+`}`, codec.ItemRef{Server: server, Name: "echo", Qualified: server + "__echo", Pin: pin})
}

// openEarly opens a gateway to servers that nobody has waited for; those that are named
// are locked.
func openEarly(t *testing.T, locked []string, servers ...endpoint.Server) *Gateway {
	t.Helper()
	var manifests []*codec.Manifest
	for _, name := range locked {
		manifests = append(manifests, lockedEcho(t, name))
	}
	return openGateway(t, &attach.Options{Background: true, Judge: pinned.ByHash(manifests...)}, nil, servers...)
}

// A server that never comes up holds nothing up: everything that is locked is listed at
// once, and calls of the others are answered. A call of its own waits for it as long as it
// may, and its caller is told of that.
func TestEarly(t *testing.T) {
	asleep := processServer(t, "asleep", "sleep", "-delay", "1m")
	asleep.Timeout.Start, asleep.Timeout.Call = time.Hour, 300*time.Millisecond
	g := openEarly(t, []string{"asleep", "well"}, asleep, processServer(t, "well", "echo"))
	eachEra(t, func(t *testing.T, protocol string) {
		var progress []string
		c := dialAs(t, g, protocol, `{}`, func(method string, params json.RawMessage) json.RawMessage {
			if method == "notifications/progress" {
				progress = append(progress, string(params))
			}
			return nil
		})
		checkContains(t, c.must("tools/list", `{}`), `"asleep__echo"`, `"well__echo"`)
		checkContains(t, c.must("prompts/list", `{}`), `"asleep__review"`)
		checkContains(t, c.must("resources/list", `{}`), `"mcpgen://asleep/file:///a"`)
		got, err := c.call("well__echo", `{"text":"awake"}`)
		if err != nil {
			t.Fatal(err)
		}
		checkContains(t, got, "awake")
		_, err = c.request("tools/call", `{"name":"asleep__echo","arguments":{"text":"x"},"_meta":{"progressToken":1}}`)
		if err == nil || !strings.Contains(err.Error(), "not ready") {
			t.Errorf("got %v", err)
		}
		if len(progress) != 1 || !strings.Contains(progress[0], "waiting for asleep to be ready") {
			t.Errorf("progress: %q", progress)
		}
	})
	if got := g.instructions(requester{}); strings.Count(got, "Use it well.") != 2 {
		t.Errorf("instructions: %s", got)
	}
}

// Before a session has begun, its client gets answers alone. A change that a listing may
// have missed is notified when the session begins.
func TestNothingBeforeTheBeginning(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "echo"))
	in, write := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- g.ServeIO(t.Context(), in, out) }()
	lines := bufio.NewScanner(read)
	send := func(message string) {
		t.Helper()
		if _, err := io.WriteString(write, message+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	next := func(parts ...string) {
		t.Helper()
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
		checkContains(t, lines.Text(), parts...)
	}
	change := func() {
		for _, kind := range []schema.Kind{schema.KindTool, schema.KindPrompt, schema.KindResource} {
			notifyChanged(g.server, kind)
		}
		time.Sleep(100 * time.Millisecond) // the SDK collects changes
	}
	change()
	send(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
	next(`"id":7`, `"error":{"code":-32600,`, `\"tools/list\"`)
	send(initialize)
	next(`"id":1`, `"serverInfo"`)
	change()
	send(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	next(`"id":8`, `"result"`)
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for _, kind := range []string{"prompts", "resources", "tools"} {
		next(`"notifications/` + kind + `/list_changed"`)
	}
	go change()
	next("list_changed")
	go io.Copy(io.Discard, read)
	_ = write.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// What turns out to be missing leaves, and callers are notified of that: a server that
// does not come up, and a tool that its server does not have.
func TestEarlyMissing(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "offers.json")
	late := processServer(t, "late", "slow-start", "-delay", "300ms")
	down := processServer(t, "down", "sleep", "-delay", "1m")
	down.Timeout.Start = 400 * time.Millisecond
	other := processServer(t, "other", "replay", gate)
	if err := os.WriteFile(gate, []byte(`{"tools":[{"name":"another","inputSchema":{"type":"object"}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	g := openEarly(t, []string{"late", "down", "other"}, late, down, other)
	c := dialClient(t, g, legacy)
	checkContains(t, c.must("tools/list", `{}`), `"late__echo"`, `"down__echo"`, `"other__echo"`)
	until(t, c, "notifications/tools/list_changed", func() bool {
		got := c.must("tools/list", `{}`)
		return strings.Contains(got, `"late__echo"`) && !strings.Contains(got, "down") && !strings.Contains(got, "other")
	})
	if _, err := c.call("late__echo", `{"text":"x"}`); err != nil {
		t.Error(err)
	}
	_, err := c.call("down__echo", `{"text":"x"}`)
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || !strings.Contains(string(rpc.Data), `"server":"down"`) {
		t.Errorf("got %v", err)
	}
}

// until waits for notifications until something is the case.
func until(t *testing.T, c *client, method string, isSo func() bool) {
	t.Helper()
	news := make(chan struct{}, 100)
	c.on = func(m string, _ json.RawMessage) json.RawMessage {
		if m == method {
			news <- struct{}{}
		}
		return nil
	}
	for range 200 {
		if isSo() {
			if len(news) == 0 {
				t.Errorf("%s was not sent", method)
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("it does not become so")
}

// Nothing is known of a server that is not locked: the first listing, and a call, wait for
// it.
func TestEarlyUnlocked(t *testing.T) {
	for _, first := range []string{"listing", "call"} {
		t.Run(first, func(t *testing.T) {
			g := openEarly(t, nil, processServer(t, "late", "slow-start", "-delay", "300ms"))
			c := dialClient(t, g, legacy)
			if first == "listing" {
				checkContains(t, c.must("tools/list", `{}`), `"late__echo"`)
			} else if _, err := c.call("late__echo", `{"text":"x"}`); err != nil {
				t.Error(err)
			}
		})
	}
}
