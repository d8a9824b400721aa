package cases_test

// The generated packages, called: what they put on the wire and what they make
// of an answer.

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/cases"
	"github.com/mcpgen/mcpgen/golden/cases/everything"
	"github.com/mcpgen/mcpgen/golden/cases/memory"
	"github.com/mcpgen/mcpgen/golden/cases/types"
	"github.com/mcpgen/mcpgen/golden/cases/types/typestest"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/format"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// recorder answers every call with the same structured result.
type recorder struct {
	last   runtime.Request
	answer string
	failed bool
}

func (r *recorder) Invoke(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	r.last = req
	text, _ := json.Marshal(r.answer)
	raw := `{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + r.answer + `}`
	if r.failed {
		raw = `{"content":[{"type":"text","text":"no"}],"isError":true}`
	}
	return req.ParseResult(json.RawMessage(raw))
}

func TestBothForms(t *testing.T) {
	rec := &recorder{answer: `{}`}
	ctx := runtime.NewContext(t.Context(), rec)
	args := everything.GetSumArgs{A: 2, B: 3}
	if _, err := everything.GetSum(ctx, args); err != nil {
		t.Fatal(err)
	}
	first := rec.last
	if _, err := everything.New(rec).GetSum(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first, rec.last) {
		t.Errorf("the function asked %+v, the method %+v", first, rec.last)
	}
	if first.Server != "everything" || first.Name != "get-sum" || first.Method != protocol.MethodCallTool || !strings.HasPrefix(first.Pin, "sha256:") {
		t.Errorf("asked %+v", first)
	}
	sameJSON(t, first.Args, `{"a":2,"b":3}`)
	if _, err := everything.GetSum(t.Context(), args); !errors.Is(err, runtime.ErrNoInvoker) {
		t.Errorf("without an invoker: %v", err)
	}
}

func sameJSON(t *testing.T, got []byte, want string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Each row of the type table, as it is sent.
func TestArguments(t *testing.T) {
	tests := []struct {
		name string
		args types.PutValuesArgs
		want string
	}{
		{"nothing set that may be zero", types.PutValuesArgs{State: types.StateOpen},
			`{"anything":null,"big":0,"count":0,"flag":false,"limits":{},"members":null,"quotas":null,"name":"","owner":null,"parent":{"label":""},"ratio":0,"state":"open","tags":[]}`},
		{"everything set", types.PutValuesArgs{
			Name: "n", Count: 1, Ratio: 1.5, Flag: true, Tags: []string{"t"}, Limits: map[string]int{"l": 2}, Owner: new("me"),
			Members: []string{}, Quotas: map[string]int{"q": 3},
			Parent: types.Node{Label: "p", Next: &types.Node{Label: "q"}, Children: []types.Node{{Label: "r"}}},
			State:  types.StateOpen, Anything: []any{1}, Big: 9007199254740993, Huge: new(uint64(18446744073709551615)),
			Note: new(""), Page: 2, Limit: 3, Level: types.Level2, Sort: types.SortDesc, Labels: []string{},
			Assignee: runtime.Null[string](), Color: runtime.Some(types.ColorRed), Kind: types.KindValue,
			Since: new(format.DateTime("2026-01-02T03:04:05.120Z")), At: &types.ValueAt{HTMLURL: "u", UserIDs: []int{1}},
			Open: &types.Open{A: new("a"), Extra: map[string]any{"b": 1}}, Filter: new("f"), Func: new("g"),
		}, `{"name":"n","count":1,"ratio":1.5,"flag":true,"tags":["t"],"limits":{"l":2},"members":[],"quotas":{"q":3},"owner":"me",
			"parent":{"label":"p","next":{"label":"q"},"children":[{"label":"r"}]},"state":"open","anything":[1],
			"big":9007199254740993,"huge":18446744073709551615,"note":"","page":2,"limit":3,"level":2,"sort":"desc","labels":[],
			"assignee":null,"color":"red","kind":"value","since":"2026-01-02T03:04:05.120Z","at":{"html_url":"u","user_ids":[1]},
			"open":{"a":"a","b":1},"$filter":"f","func":"g"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := &recorder{answer: `{}`}
			if _, err := types.New(rec).PutValues(t.Context(), tt.args); err != nil {
				t.Fatal(err)
			}
			sameJSON(t, rec.last.Args, tt.want)
			if tt.args.Big != 0 && !strings.Contains(string(rec.last.Args), "9007199254740993") {
				t.Errorf("an integer lost digits: %s", rec.last.Args)
			}
			var back types.PutValuesArgs
			if err := codec.DecodeValue(rec.last.Args, &back); err != nil {
				t.Fatal(err)
			}
			again, err := codec.EncodeValue(back)
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, again, string(rec.last.Args))
		})
	}
}

// Arguments with undeclared members are whole for encoding/json, too.
func TestExtraArguments(t *testing.T) {
	in := types.Open{A: new("a"), Extra: map[string]any{"b": json.Number("9007199254740993"), "c": []any{nil}}}
	data, err := json.Marshal(map[string]any{"by value": in, "by pointer": &in})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"a":"a","b":9007199254740993,"c":[null]}`
	sameJSON(t, data, `{"by value":`+want+`,"by pointer":`+want+`}`)
	var out map[string]types.Open
	if err := json.Unmarshal(data, &out); err != nil || !reflect.DeepEqual(out["by value"], in) {
		t.Errorf("%+v, %v", out, err)
	}
}

// A whole result that is a text of a format, and may be null, from the fake, which
// imports codec for it.
func TestResultIsAFormat(t *testing.T) {
	fake := typestest.New(t)
	for _, want := range []*format.DateTime{nil, new(format.DateTime("2026-01-02T03:04:05z"))} {
		fake.OnNextOpening(func(context.Context, types.NextOpeningArgs) (*format.DateTime, error) { return want, nil })
		got, err := types.New(fake).NextOpening(t.Context(), types.NextOpeningArgs{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %v", got, err)
		}
	}
}

func TestResults(t *testing.T) {
	rec := &recorder{answer: `{"id":1e3,"items":[{"n":1.5,"tree":{"value":"v","left":{"value":"l"}},"more":[1]}],"state":"unheard of",
		"maybe":null,"raw":{"x":9007199254740993},"closed":{"x":"y","z":1},"scores":{"s":2},"undeclared":9007199254740993}`}
	got, err := types.New(rec).GetValues(t.Context(), types.GetValuesArgs{})
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != 1000 || len(got.Items) != 1 || got.State != "unheard of" || !got.Maybe.IsNull() || string(got.Extra["undeclared"]) != "9007199254740993" {
		t.Errorf("got %+v", got)
	}
	if item := got.Items[0]; item.N != 1.5 || *item.Tree.Left.Value != "l" || string(item.Extra["more"]) != "[1]" {
		t.Errorf("got %+v", item)
	}
	if string(got.Raw) != `{"x":9007199254740993}` || *got.Closed.X != "y" || got.Scores["s"] != 2 {
		t.Errorf("got %+v", got)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, text, `{"id":1000,"items":[{"n":1.5,"tree":{"value":"v","left":{"value":"l"}},"more":[1]}],"state":"unheard of",
		"maybe":null,"raw":{"x":9007199254740993},"closed":{"x":"y"},"scores":{"s":2},"undeclared":9007199254740993}`)
}

// A text of a format keeps its spelling; what it stands for is asked for.
func TestTextFormats(t *testing.T) {
	const answer = `{"id":1,"items":[],"state":"open","created":"2026-01-02t03:04:05.120z","closed_at":"yesterday",
		"links":["https://e.com/%7Efoo/"],"key":"123E4567-E89B-12D3-A456-426614174000","data":"aGk"}`
	got, err := types.New(&recorder{answer: answer}).GetValues(t.Context(), types.GetValuesArgs{})
	if err != nil {
		t.Fatal(err)
	}
	if at, err := got.Created.Time(); err != nil || !at.Equal(time.Date(2026, 1, 2, 3, 4, 5, 120e6, time.UTC)) {
		t.Error(at, err)
	}
	closed, ok := got.ClosedAt.Get()
	if at, err := closed.Time(); !ok || err == nil || !strings.Contains(err.Error(), `"yesterday" is not of the format date-time`) {
		t.Error(closed, at, err)
	}
	if link, err := got.Links[0].Parse(); err != nil || link.Path != "/~foo/" {
		t.Error(link, err)
	}
	if key, err := got.Key.Bytes(); err != nil || key[0] != 0x12 {
		t.Error(key, err)
	}
	if data, err := got.Data.Decode(); err != nil || string(data) != "hi" {
		t.Error(data, err)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, text, answer)
	written := types.GetValuesResult{Created: new(format.DateTimeOf(time.Unix(0, 0).UTC())), Links: []format.URI{"https://e.com"}}
	if *written.Created != "1970-01-01T00:00:00Z" {
		t.Errorf("Created is %q, want 1970-01-01T00:00:00Z", *written.Created)
	}
}

// A required union that nobody set is not sent as null.
func TestRequiredUnion(t *testing.T) {
	text := types.ShapeValueString("v")
	for want, args := range map[string]types.SendShapesArgs{
		`/target": null, but a variant of types.Target is required`:    {Value: text},
		`/value": null, but a variant of types.ShapeValue is required`: {Target: types.TargetWorkspace{}},
	} {
		rec := &recorder{answer: `{}`}
		_, err := types.New(rec).SendShapes(t.Context(), args)
		if !errors.Is(err, runtime.ErrInvalidArgs) || !strings.Contains(err.Error(), want) || rec.last.Name != "" {
			t.Errorf("got %v, want %s; sent %+v", err, want, rec.last)
		}
	}
	if _, err := types.New(&recorder{answer: `{}`}).SendShapes(t.Context(), types.SendShapesArgs{Value: text, Target: types.TargetWorkspace{}}); err != nil {
		t.Error(err)
	}
	rec := &recorder{answer: `{}`}
	_, err := types.New(rec).SendShapes(t.Context(), types.SendShapesArgs{Value: text, Target: types.TargetOther{}})
	if !errors.Is(err, runtime.ErrInvalidArgs) || !strings.Contains(err.Error(), `/target": null, but`) || rec.last.Name != "" {
		t.Errorf("an empty Other: got %v, sent %+v", err, rec.last)
	}
}

// A required enum that nobody set is not sent as "".
func TestRequiredEnum(t *testing.T) {
	rec := &recorder{answer: `{}`}
	_, err := types.New(rec).PutValues(t.Context(), types.PutValuesArgs{})
	want := `types/put_values: encode: ` + runtime.ErrInvalidArgs.Error() + `: at "/state": "", but one of ["open" "closed"] is required`
	if err == nil || !strings.HasSuffix(err.Error(), want) || rec.last.Name != "" {
		t.Errorf("got %v, want %s; sent %+v", err, want, rec.last)
	}
	if _, err := types.New(rec).PutValues(t.Context(), types.PutValuesArgs{State: types.State("odd")}); err != nil {
		t.Error(err)
	}
	values := types.State("").Values()
	values[0] = "changed by a caller"
	if got := types.State("").Values(); !slices.Equal(got, []string{"open", "closed"}) {
		t.Errorf("Values are %q", got)
	}
}

func TestResultThatDoesNotFit(t *testing.T) {
	for _, answer := range []string{`{}`, `{"id":"1","items":[],"state":"open"}`, `{"id":1.5,"items":[],"state":"open"}`, `{"ID":1,"items":[],"state":"open"}`, `[]`} {
		out, err := types.New(&recorder{answer: answer}).GetValues(t.Context(), types.GetValuesArgs{})
		if !errors.Is(err, runtime.ErrDecode) || out != nil {
			t.Errorf("%s: %+v, %v", answer, out, err)
		}
	}
}

func TestToolThatSaysNo(t *testing.T) {
	rec := &recorder{failed: true}
	_, err := memory.New(rec).ReadGraph(t.Context(), memory.ReadGraphArgs{})
	te, ok := errors.AsType[*runtime.ToolError](err)
	if !ok || te.Result.Text() != "no" {
		t.Errorf("got %v", err)
	}
}

// registry is what an agent framework has.
type registry map[string]runtime.Tool

func (r registry) Register(t runtime.Tool) error { r[t.Spec().Name] = t; return nil }
func (r registry) Unregister(name string) error  { delete(r, name); return nil }

func TestRegister(t *testing.T) {
	rec, reg := &recorder{answer: `{}`}, registry{}
	if err := cases.Register(reg, rec); err != nil {
		t.Fatal(err)
	}
	if len(reg) != len(cases.Tools(nil)) {
		t.Errorf("%d of %d tools were registered", len(reg), len(cases.Tools(nil)))
	}
	tool := reg["everything__get-sum"]
	if tool == nil || !strings.Contains(string(tool.Spec().InputSchema), `"a"`) {
		t.Fatalf("got %v", tool)
	}
	if _, err := tool.Call(t.Context(), json.RawMessage(`{"a":1,"b":2}`)); err != nil {
		t.Fatal(err)
	}
	if rec.last.Name != "get-sum" || rec.last.Pin == "" {
		t.Errorf("asked %+v", rec.last)
	}
}

func TestManifests(t *testing.T) {
	manifests := cases.Manifests()
	if len(manifests) != 6 || manifests[0].Server() != "everything" {
		t.Fatalf("got %d manifests", len(manifests))
	}
	for _, m := range manifests {
		if err := m.Err(); err != nil {
			t.Error(err)
		}
		for _, p := range m.Refs() {
			if m.Definition(p.Name) == nil || p.Qualified != m.Server()+"__"+p.Name {
				t.Errorf("%+v", p)
			}
		}
	}
}
