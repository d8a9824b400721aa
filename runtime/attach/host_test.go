package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

func TestPins(t *testing.T) {
	s := processServer(t, "echo")
	h := connectReady(t, s)
	snap, _, err := h.Snapshot(t.Context(), "s", nil)
	if err != nil {
		t.Fatal(err)
	}
	pin, err := schema.ContractHash(schema.KindTool, snap.Tools[0].Raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, pin, rule string }{
		{"echo", pin, ""},
		{"echo", "", ""},
		{"echo", "sha256:other", ruleChanged},
		{"removed", pin, "tool-removed"},
	} {
		_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: c.tool, Args: json.RawMessage(`{"text":"x"}`), Pin: c.pin})
		var de *runtime.DriftError
		var ce *runtime.CallError
		switch {
		case c.rule == "" && err != nil:
			t.Error(err)
		case c.rule != "" && (!errors.As(err, &de) || de.Rule != c.rule || !errors.Is(err, runtime.ErrDrift) || !errors.As(err, &ce) || ce.Sent || ce.Stage != stage.Drift):
			t.Errorf("%s: %v", c.rule, err)
		}
	}

	manifest := codec.NewManifest("s", string(lockfile.EncodeSnapshot(snap)), codec.ItemRef{Name: "echo", Pin: pin}, codec.ItemRef{Name: "gone", Pin: pin})
	other := codec.NewManifest("other", "", codec.ItemRef{Name: "x", Pin: pin})
	h = connectAll(t, &Options{Judge: byHash([]*codec.Manifest{manifest, other, nil}...)}, s)
	if p := h.Status()[0].Problems; len(p) != 1 || p[0].Name != "gone" || !strings.Contains(p[0].Reason, "tool-removed") {
		t.Errorf("problems %v", p)
	}
}

func TestMiddlewareAndStatusOrder(t *testing.T) {
	var order []string
	note := func(name string) runtime.Middleware {
		return func(next runtime.Invoker) runtime.Invoker {
			return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
				order = append(order, name)
				if req.Name == "forbidden" {
					return nil, &runtime.CallError{Stage: stage.Gate, Err: runtime.ErrDenied}
				}
				return next.Invoke(ctx, req)
			})
		}
	}
	running, states := 0, map[string][]State{}
	var h *Host
	opts := &Options{Middleware: []runtime.Middleware{note("first"), note("second")}, Parallel: 2, OnEvent: onState(func(server string, state State) {
		running++
		if running != 1 {
			t.Errorf("%d calls of OnEvent run at once, want one", running)
		}
		if h != nil {
			_ = h.Status() // must not block
		}
		states[server] = append(states[server], state)
		running--
	})}
	var servers []endpoint.Server
	for i := range 5 {
		s := httpServer(t, "echo")
		s.Name = fmt.Sprint("s", i)
		servers = append(servers, s)
	}
	h = connectAll(t, opts, servers...)
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	call := runtime.Request{Server: "s0", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"x"}`)}
	if _, err := h.Invoke(t.Context(), call); err != nil || !slices.Equal(order, []string{"first", "second"}) {
		t.Errorf("order %v, %v", order, err)
	}
	call.Name = "forbidden"
	if _, err := h.Invoke(t.Context(), call); !errors.Is(err, runtime.ErrDenied) {
		t.Error(err)
	}
	_ = h.Close()
	for name, got := range states {
		if !slices.Equal(got, []State{Connecting, Ready, Closed}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// scripted is a transport that answers listings from a list.
type scripted struct {
	transport
	pages []string
	asked []string
}

func (s *scripted) Call(_ context.Context, _ string, params json.RawMessage, _ wire.CallOptions) (json.RawMessage, error) {
	n := len(s.asked)
	s.asked = append(s.asked, string(params))
	return json.RawMessage(s.pages[min(n, len(s.pages)-1)]), nil
}

func TestPages(t *testing.T) {
	for _, c := range []struct {
		name     string
		protocol string
		pages    []string
		names    string // of the items; "" is an error
		problems string // or what the error says
	}{
		{"one", legacy, []string{`{"tools":[{"name":"b"},{"name":"a"}]}`}, "b a", "missing"},
		{"null cursor", legacy, []string{`{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":null}`}, "a", ""},
		{"empty cursor before", legacy, []string{`{"tools":[{"name":"a"}],"nextCursor":""}`, `{"tools":[{"name":"b"}]}`}, "a", ""},
		{"empty cursor since", modern, []string{`{"tools":[{"name":"a"}],"nextCursor":""}`, `{"tools":[{"name":"b"}]}`}, "a b", ""},
		{"an empty page and more", legacy, []string{`{"tools":[],"nextCursor":"x"}`, `{"tools":[{"name":"a"}],"nextCursor":"x"}`, `{"tools":[{"name":"b"}]}`}, "a b", ""},
		{"nothing for ever", legacy, []string{`{"tools":[],"nextCursor":"x"}`}, "", "again and again"},
		{"bad items", legacy, []string{`{"tools":[null,{"name":5},{"name":"a","annotations":[]},{"name":"b","name":"c"},"x",{"name":"d"}]}`}, "a d", "/tools/3"},
		{"twice", legacy, []string{`{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b"},{"inputSchema":{ "type":"object"},"name":"a"}]}`}, "a b", `tool "a": the server lists this name 2 times with the same definition`},
		{"twice, and different", legacy, []string{`{"tools":[{"name":"a"},{"name":"b"},{"name":"a","title":"A"},{"name":"a"}]}`}, "b", `tool "a": left out: the server lists this name 3 times with different definitions`},
		{"null", legacy, []string{`null`}, "", "null, not an object"},
		{"no list", legacy, []string{`{}`}, "", "nothing"},
		{"list is null", legacy, []string{`{"tools":null}`}, "", "null"},
		{"list is an object", legacy, []string{`{"tools":{}}`}, "", "an object"},
		{"odd cursor", legacy, []string{`{"tools":[],"nextCursor":5}`}, "", "a number, not a string"},
		{"many items", legacy, []string{`{"tools":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},{"name":"e"},{"name":"f"},{"name":"g"}]}`}, "", "limits.tools"},
	} {
		t.Run(c.name, func(t *testing.T) {
			script := &scripted{pages: c.pages}
			shown := 1
			s := &session{transport: script, protocol: c.protocol, opener: &opener{server: endpoint.Server{Limits: endpoint.Limits{Tools: 6}}, settings: settings{Options: Options{OnPage: func(_ string, page int) { shown = page }}}}}
			items, problems, err := s.list(t.Context(), listings()[0])
			if c.names == "" {
				checkError(t, err, c.problems)
				return
			}
			var names []string
			for _, it := range items {
				names = append(names, it.Name)
			}
			if err != nil || strings.Join(names, " ") != c.names || !strings.Contains(fmt.Sprint(problems), c.problems) {
				t.Errorf("items %v, problems %v, %v; asked %q", names, problems, err, script.asked)
			}
			if shown != len(script.asked) {
				t.Errorf("OnPage got page %d of %d", shown, len(script.asked))
			}
		})
	}
}

func TestPagesOfOtherKinds(t *testing.T) {
	script := &scripted{pages: []string{`{"resources":[{"uri":"b://"},{"uri":"a://","name":"first"},{"uri":"a://","name":"second"}]}`}}
	s := &session{transport: script, protocol: legacy, opener: &opener{}}
	items, problems, err := s.list(t.Context(), listings()[2])
	if err != nil || len(items) != 1 || items[0].Name != "b://" || len(problems) != 1 || problems[0].Name != "a://" {
		t.Errorf("%v, %v, %v", items, problems, err)
	}
}

func TestResultTypes(t *testing.T) {
	t.Parallel()
	many := `"0":{"method":"roots/list"}`
	for i := range maxAsked {
		many += fmt.Sprintf(`,"%d":{"method":"roots/list"}`, i+1)
	}
	for result, want := range map[string]string{
		`{"content":[]}`:                          "",
		`{"resultType":"complete"}`:               "",
		`{"content":[{"text":"\"resultType\""}]}`: "",
		`{"resultType":"task","taskId":"1"}`:      "", // it is followed elsewhere
		`{"resultType":"\u001b[31mnew"}`:          `unknown type "new"`,
		`{"resultType":5}`:                        "resultType is a number: want a string",
		`{"resultType":"input_required"}`:         "more time",
		`{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage"}}}`: "sampling/createMessage",
		`{"resultType":"input_required","inputRequests":[1]}`:                                       "inputRequests is an array: want an object",
		`{"resultType":"input_required","inputRequests":{"a":null}}`:                                "inputRequests/a is null: want an object",
		`{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list","params":5}}}`:  "inputRequests/a/params is a number",
		`{"resultType":"input_required","inputRequests":{"a":{"method":"foo/bar"}}}`:                `inputRequests/a: the server asks for "foo/bar"`,
		`{"resultType":"input_required","inputRequests":{"a":{},"a":{}}}`:                           "the same ID",
		`{"resultType":"input_required","inputRequests":{` + many + `}}`:                            "101 requests at once",
	} {
		for _, relay := range []json.RawMessage{nil, json.RawMessage(`{}`)} {
			if relay != nil && (want == "more time" || want == "sampling/createMessage") {
				continue // its client is asked
			}
			s := &session{transport: &scripted{pages: []string{result}}, opener: answersNothing()}
			_, _, err := s.roundTrips(t.Context(), &request{method: protocol.MethodCallTool, relay: relay})
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s, relay %s: %v, want %q", result, relay, err, want)
			}
		}
	}
	s := &session{transport: &scripted{pages: []string{`{"resultType":"task","taskId":"1"}`}}, opener: &opener{}}
	if _, _, err := s.roundTrips(t.Context(), &request{method: protocol.MethodReadResource}); err == nil || !strings.Contains(err.Error(), "answered resources/read with a task") {
		t.Errorf("a task of a resource: %v", err)
	}
}

// FuzzPage: whatever a listing holds, its items can be kept in a snapshot.
func FuzzPage(f *testing.F) {
	f.Add(`{"tools":[{"name":"a","inputSchema":{"type":"object"}},null],"nextCursor":"x"}`)
	f.Add(`{"tools":[{"name":"a","x":1e400,"y":[1.0]},{"name":"\u202e"}]}`)
	f.Add(`{"serverInfo":{"name":5},"capabilities":[],"instructions":{}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		h := parseHandshake(json.RawMessage(raw))
		_ = h.has("tools")
		s := &session{transport: &scripted{pages: []string{raw, `{"tools":[]}`}}, protocol: modern, opener: &opener{}}
		items, _, err := s.list(t.Context(), listings()[0])
		if err != nil {
			return
		}
		snap := &schema.Snapshot{Server: "s", ProtocolVersion: modern, Tools: items}
		back, err := lockfile.ParseSnapshot(lockfile.EncodeSnapshot(snap))
		if err != nil || len(back.Tools) != len(items) {
			t.Fatalf("%q: %v", raw, err)
		}
	})
}

// answersNothing opens sessions whose program answers no requests.
func answersNothing() *opener {
	o := &opener{settings: newSettings(&Options{})}
	o.handlers = newClientHandlers(o)
	return o
}
