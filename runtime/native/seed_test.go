package native_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row.
func TestSeed(t *testing.T) {
	for row, f := range map[string]func(*testing.T){
		"002-02": seedSpec, "002-03": seedResult, "002-04": seedRegistry, "002-05": seedEcho,
		"002-06": seedEchoValidation, "002-07": seedClock,
		"004-42": seedOnly, "004-43": seedCanon,
	} {
		t.Run(row, f)
	}
}

// registry is a registrar in memory.
type registry struct{ tools map[string]runtime.Tool }

func (r *registry) Register(t runtime.Tool) error {
	r.tools[t.Spec().Name] = t
	return nil
}

func (r *registry) Unregister(name string) error {
	delete(r.tools, name)
	return nil
}

func (r *registry) names() []string {
	var names []string
	for name := range r.tools {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func builtinSet(t *testing.T) *native.Set {
	t.Helper()
	s, err := native.NewSet(native.Echo(), native.Clock(func() time.Time { return time.UnixMilli(1_767_323_045_678) }))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// remoteServer is a server with one tool, in place of a host.
func remoteServer(seen *[]runtime.Request) (runtime.Invoker, *codec.Manifest) {
	inv := runtime.InvokerFunc(func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		*seen = append(*seen, req)
		return &runtime.Result{Content: []runtime.Content{{Type: protocol.ContentText, Text: "remote"}}}, nil
	})
	m := codec.NewManifest("github", `{"tools":[{"name":"list_prs","inputSchema":{"type":"object"}}]}`, codec.ItemRef{Name: "list_prs", Qualified: "github__list_prs"})
	return inv, m
}

// echoSpec is Covenant's own.
const (
	echoSpec  = `{"name":"echo","description":"Returns the provided text argument verbatim.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}}`
	clockSpec = `{"name":"clock","description":"Returns the time in milliseconds since 1970.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"outputSchema":{"type":"object","properties":{"epoch_ms":{"type":"integer","description":"Milliseconds since 1970-01-01 UTC."}},"required":["epoch_ms"],"additionalProperties":false}}`
)

// isSpec compares a spec with a text, in which members may have another order.
func isSpec(t *testing.T, spec runtime.Spec, want string) {
	t.Helper()
	got, err := json.Marshal(spec)
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

func seedSpec(t *testing.T) {
	for i, want := range []string{echoSpec, clockSpec} {
		isSpec(t, builtinSet(t).Specs()[i], want)
	}
}

func seedResult(t *testing.T) {
	type out struct {
		N int `json:"n"`
	}
	tool := native.Must(native.New("n", "", func(context.Context, struct{}) (*out, error) { return &out{5}, nil }))
	res, err := tool.Call(t.Context(), nil)
	if err != nil || string(res.Raw) != `{"content":[{"type":"text","text":"{\"n\":5}"}],"structuredContent":{"n":5}}` || res.IsError || string(res.Structured) != `{"n":5}` {
		t.Errorf("got %+v, %v", res, err)
	}
	refusing := native.Must(native.New("no", "", func(context.Context, struct{}) (string, error) { return "", errors.New("not today") }))
	res, err = refusing.Call(t.Context(), nil)
	if err != nil || !res.IsError || res.Text() != "not today" || res.Structured != nil {
		t.Errorf("got %+v, %v", res, err)
	}
}

func seedRegistry(t *testing.T) {
	set := builtinSet(t)
	var names []string
	for _, s := range set.Specs() {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"echo", "clock"}) {
		t.Errorf("specs %q", names)
	}
	res, err := set.Call(t.Context(), "echo", json.RawMessage(`{"text":"hi"}`))
	if err != nil || res.Text() != "hi" {
		t.Errorf("got %v, %v", res, err)
	}
	if _, err := set.Call(t.Context(), "gone", nil); !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("a tool that is not there: %v", err)
	}
	if _, err := native.NewSet(native.Echo(), native.Echo(), nil); err == nil || !strings.Contains(err.Error(), `"echo"`) || !strings.Contains(err.Error(), "nil") {
		t.Errorf("two of one name: %v", err)
	}
}

func seedEcho(t *testing.T) {
	isSpec(t, native.Echo().Spec(), echoSpec)
	for _, text := range []string{"hi", "", "a\n<b>\u2028 é 🙂"} {
		args, err := json.Marshal(map[string]string{"text": text})
		if err != nil {
			t.Fatal(err)
		}
		res, err := native.Echo().Call(t.Context(), args)
		if err != nil || res.Text() != text || res.IsError {
			t.Errorf("%q: %+v, %v", text, res, err)
		}
	}
}

func seedEchoValidation(t *testing.T) {
	for args, pointer := range map[string]string{`{}`: "", ``: "", `{"text":5}`: "/text", `{"text":null}`: "/text", `{"text":"hi","more":1}`: "", `[]`: "", `{`: ""} {
		res, err := native.Echo().Call(t.Context(), json.RawMessage(args))
		invalid, ok := errors.AsType[*runtime.InvalidArgsError](err)
		call, isCall := errors.AsType[*runtime.CallError](err)
		if res != nil || !errors.Is(err, runtime.ErrInvalidArgs) || !ok || !strings.HasPrefix(invalid.Pointer, pointer) ||
			!isCall || call.Name != "echo" || call.Stage != stage.Gate || call.Sent {
			t.Errorf("%s: %+v, %v", args, res, err)
		}
	}
}

func seedClock(t *testing.T) {
	res, err := builtinSet(t).Call(t.Context(), "clock", nil)
	if err != nil || string(res.Structured) != `{"epoch_ms":1767323045678}` || res.Text() != `{"epoch_ms":1767323045678}` {
		t.Errorf("got %+v, %v", res, err)
	}
	if _, err := builtinSet(t).Call(t.Context(), "clock", json.RawMessage(`{"zone":"UTC"}`)); !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Errorf("an argument: %v", err)
	}
	before := native.Clock(func() time.Time { return time.UnixMilli(-5) })
	if res, err := before.Call(t.Context(), nil); err != nil || string(res.Structured) != `{"epoch_ms":0}` {
		t.Errorf("before 1970: %+v, %v", res, err)
	}
}

// Naming tools filters the built-in ones; remote ones are not part of the set.
func seedOnly(t *testing.T) {
	var seen []runtime.Request
	host, manifest := remoteServer(&seen)
	for _, c := range []struct {
		only []string
		want string
	}{
		{nil, "clock echo github__list_prs"},
		{[]string{""}, "clock echo github__list_prs"},
		{[]string{"echo"}, "echo github__list_prs"},
		{[]string{"ECHO", "clock"}, "clock echo github__list_prs"},
		{[]string{"web_fetch"}, "github__list_prs"},
	} {
		reg := &registry{map[string]runtime.Tool{}}
		tools := append(builtinSet(t).Only(c.only...).Tools(host), manifest.Tools(host)...)
		if err := runtime.RegisterAll(reg, tools...); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(reg.names(), " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.only, got, c.want)
		}
	}
}

func seedCanon(t *testing.T) {
	fetch := native.Must(native.New("web_fetch", "", func(context.Context, struct{}) (string, error) { return "", nil }))
	set, err := native.NewSet(fetch, native.Echo())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"web_fetch", "webfetch", "Web-Fetch", " WEBFETCH "} {
		if specs := set.Only(name).Specs(); len(specs) != 1 || specs[0].Name != "web_fetch" {
			t.Errorf("%q: %v", name, specs)
		}
	}
}
