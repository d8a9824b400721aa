// Package adaptertest is the test that every adapter passes: the same tools, called
// in each framework's own way, give the same answers.
package adaptertest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Driver is an adapter in its framework.
type Driver struct {
	// Schema returns the parameters of a tool that the framework sends to a model.
	Schema func(name string) ([]byte, error)
	// Call has the framework carry out a call of a model. The reply is the text for
	// the model, and whether it is marked as an error, if the framework can mark it.
	// An error ends the conversation.
	Call func(ctx context.Context, name, args string) (Reply, error)
}

// Reply is the answer that a model gets.
type Reply struct {
	Text      string
	IsError   bool
	Images    [][]byte
	Documents [][]byte // files in PDF
}

// Options are the limitations of a framework.
type Options struct {
	NoErrors bool // an answer cannot be marked as an error, except by its text
	NoImages bool // an answer is one text
	NoFiles  bool // an answer holds no file
	Reorders bool // schemas and arguments are decoded into maps on the way
	NoVendor bool // keywords of vendors do not reach the model
	NoRoot   bool // of a schema's root only type, properties and required do
	Server   bool // no model is behind it but a client, which gets schemas and content as they are
	Rounds   bool // numbers in arguments, too, as floating-point numbers
	AnyName  bool // arguments have names of any characters

	Provider string // whose API the agent of the test speaks to
	Sent     string // the form of [Schema] that reaches the model, if the provider has its own form
}

// Schema is the input schema of each tool here.
const Schema = `{"type":"object","properties":{"z":{"$ref":"#/$defs/Z"},` +
	`"a":{"type":["string","null"],"description":"first <a> & b"},` +
	`"n":{"type":"integer","maximum":9007199254740993}},"required":["z"],` +
	`"additionalProperties":false,"x-vendor":{"b":1,"a":[2]},` +
	`"$defs":{"Z":` + z + `}}`

// z is the definition in it.
const z = `{"oneOf":[{"const":"x"},{"type":"number","exclusiveMinimum":0}]}`

// IsSchema reports whether a text is [Schema], with its order and its digits.
func IsSchema(text []byte) bool { return same(Options{}, text, Schema) }

// inlined is the schema with its references resolved.
var inlined = strings.NewReplacer(`{"$ref":"#/$defs/Z"}`, z, `,"$defs":{"Z":`+z+`}`, "").Replace(Schema)

// Image is the result of the tool image; Document is a file.
var (
	Image    = []byte("\x89PNG\r\n\x1a\n")
	Document = []byte("%PDF-1.7\n")
)

// large is an integer that no floating-point number is.
const large = "9007199254740993"

// every is a result with content of every kind, and of one that is not known. Its second
// text says what the structured content says.
var every = `{"structuredContent":{"n":` + large + `},"content":[` +
	`{"type":"text","text":"first"},{"type":"text","text":"{\"n\": ` + large + `}"},` +
	picture("image/png", Image) + `,{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="},` +
	`{"type":"resource","resource":{"uri":"note://1","mimeType":"text/plain","text":"a note"}},` +
	`{"type":"resource","resource":{"uri":"file:///report","mimeType":"application/pdf",` +
	`"blob":"` + base64.StdEncoding.EncodeToString(Document) + `"}},` +
	`{"type":"resource_link","uri":"https://example.com/page","name":"page"},{"type":"future","x":1}]}`

// picture is an image as content.
func picture(mime string, data []byte) string {
	return `{"type":"image","mimeType":"` + mime + `","data":"` + base64.StdEncoding.EncodeToString(data) + `"}`
}

// tool is a tool with a Go function.
type tool struct {
	spec runtime.Spec
	call func(ctx context.Context, args json.RawMessage) (*runtime.Result, error)
}

func (t *tool) Spec() runtime.Spec { return t.spec }

func (t *tool) Call(ctx context.Context, args json.RawMessage, _ ...runtime.CallOption) (*runtime.Result, error) {
	return t.call(ctx, args)
}

// Tool returns a tool with a name, whose calls return a result object.
func Tool(name, result string) runtime.Tool {
	return &tool{spec(name), func(context.Context, json.RawMessage) (*runtime.Result, error) {
		return parsed(result)
	}}
}

// failing returns a tool whose calls fail at a stage.
func failing(name, at string, err error) runtime.Tool {
	return &tool{spec("s__" + name), func(context.Context, json.RawMessage) (*runtime.Result, error) {
		return nil, &runtime.CallError{Server: "s", Name: name, Stage: at, Err: err}
	}}
}

// denied returns a tool that no rule allows.
func denied() runtime.Tool {
	return failing("denied", stage.Gate, fmt.Errorf("%w: no rule allows it", runtime.ErrDenied))
}

func parsed(result string) (*runtime.Result, error) {
	return runtime.Request{Method: protocol.MethodCallTool}.ParseResult([]byte(result))
}

func spec(name string) runtime.Spec {
	return runtime.Spec{Name: name, Description: "Does it.", InputSchema: json.RawMessage(Schema), Server: "s", Tool: name}
}

// waiting returns a tool whose call waits until its context ends, and then closes stopped.
func waiting() (_ runtime.Tool, stopped chan struct{}) {
	stopped = make(chan struct{})
	return &tool{spec("s__wait"), func(ctx context.Context, _ json.RawMessage) (*runtime.Result, error) {
		<-ctx.Done()
		close(stopped)
		return nil, &runtime.CallError{Server: "s", Name: "wait", Stage: stage.Receive, Sent: true, Err: ctx.Err()}
	}}, stopped
}

// Run tests an adapter. Adapt passes tools to the adapter and returns the framework
// with them. The names of the tests begin with the letters of the columns in the
// table that make test-adapters prints.
func Run(t *testing.T, o Options, adapt func(tools ...runtime.Tool) (Driver, error)) {
	var sent json.RawMessage
	echo := &tool{spec("s__echo"), func(_ context.Context, args json.RawMessage) (*runtime.Result, error) {
		sent = bytes.Clone(args)
		return parsed(`{"content":[{"type":"text","text":"said"}]}`)
	}}
	waits, stopped := waiting()
	down := failing("down", stage.Route, fmt.Errorf("%w: it crashed", runtime.ErrUnavailable))
	d, err := adapt(echo, waits, denied(), down,
		Tool("s__failed", `{"isError":true,"content":[{"type":"text","text":"no such file"}]}`),
		Tool("s__image", `{"content":[`+picture("image/png", Image)+`]}`),
		Tool("s__blank", `{"content":[{"type":"text","text":""},{"type":"text","text":" \n"}]}`),
		Tool("s__svg", `{"content":[`+picture("image/svg+xml", []byte("<svg/>"))+`,`+picture("image/jpeg", Image)+`]}`),
		Tool("s__every", every),
		Tool("s__number", `{"content":[{"type":"text","text":"{}"}],"structuredContent":{"n":9007199254740993,"x":"<&>"}}`))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("a schema", func(t *testing.T) { d.schema(t, o) })
	t.Run("a roots", func(t *testing.T) { roots(t, o, adapt) })
	t.Run("a names", func(t *testing.T) { names(t, o, adapt) })
	t.Run("b arguments", func(t *testing.T) {
		const args = `{"z":"x","n":9007199254740993,"a":"<é>"}`
		reply := d.call(t, "s__echo", args)
		if reply.IsError || reply.Text != "said" {
			t.Errorf("got %+v", reply)
		}
		want := args
		if o.Rounds {
			want = strings.Replace(args, "9007199254740993", "9007199254740992", 1)
		}
		if !same(Options{Reorders: o.Reorders || o.Rounds}, sent, want) {
			t.Errorf("the tool was sent %s, want %s", sent, want)
		}
	})
	t.Run("c errors", func(t *testing.T) {
		d.fails(t, o, "s__failed", "no such file")
		d.fails(t, o, "s__down", "it crashed")
	})
	t.Run("d image", func(t *testing.T) {
		reply := d.call(t, "s__image", `{"z":"x"}`)
		switch {
		case reply.IsError:
			t.Errorf("got %+v", reply)
		case o.NoImages && !strings.Contains(reply.Text, "image/png"):
			t.Errorf("the text does not mention the image: %q", reply.Text)
		case !o.NoImages && (len(reply.Images) != 1 || !bytes.Equal(reply.Images[0], Image)):
			t.Errorf("got the images %q", reply.Images)
		}
	})
	t.Run("d every kind", func(t *testing.T) { everyKind(t, o, d.call(t, "s__every", `{"z":"x"}`)) })
	if !o.Server {
		t.Run("d what providers refuse", func(t *testing.T) { d.refused(t, o) })
	}
	t.Run("c wrong arguments", func(t *testing.T) {
		d.call(t, "s__echo", `{"z":-1,"b":2}`) // the tool, or the framework, says what is wrong with them
	})
	t.Run("e denial", func(t *testing.T) { d.fails(t, o, "s__denied", "denied: no rule allows it") })
	t.Run("f duplicate name", func(t *testing.T) {
		if _, err := adapt(Tool("a", `{}`), Tool("a", `{}`)); err == nil || !strings.Contains(err.Error(), `"a"`) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("g illegal name", func(t *testing.T) {
		for _, name := range []string{"mcp.github.list_prs", "1st", "", "é", strings.Repeat("a", 65)} {
			if _, err := adapt(Tool(name, `{}`)); err == nil {
				t.Errorf("the name %q is taken", name)
			}
		}
	})
	t.Run("h cancel", func(t *testing.T) {
		cancel(t, stopped, func(ctx context.Context) error {
			_, err := d.Call(ctx, "s__wait", `{"z":"x"}`)
			return err
		})
	})
	t.Run("i without", func(t *testing.T) {
		fewer, err := adapt(Tool("s__other", `{}`))
		if err != nil {
			t.Fatal(err)
		}
		if schema, err := fewer.Schema("s__echo"); err == nil {
			t.Errorf("a set without the tool returns a schema for it: %s", schema)
		}
	})
	t.Run("large integer", func(t *testing.T) {
		if reply := d.call(t, "s__number", `{"z":"x"}`); !strings.Contains(reply.Text, "9007199254740993") {
			t.Errorf("got %q", reply.Text)
		}
	})
}

// everyKind wants all of a result that has every kind of content, and nothing twice.
func everyKind(t *testing.T, o Options, reply Reply) {
	for _, text := range []string{
		"first", large, "audio/wav", "note://1", "a note", "file:///report", "https://example.com/page", "future",
	} {
		if !strings.Contains(reply.Text, text) {
			t.Errorf("%q is not in %q", text, reply.Text)
		}
	}
	if !o.Server && strings.Count(reply.Text, large) != 1 {
		t.Errorf("the structured content does not occur exactly once: %q", reply.Text)
	}
	for _, kind := range []struct {
		name  string
		no    bool
		found [][]byte
		want  []byte
	}{
		{"image/png", o.NoImages, reply.Images, Image},
		{"application/pdf", o.NoImages || o.NoFiles, reply.Documents, Document},
	} {
		if kind.no && (len(kind.found) != 0 || !strings.Contains(reply.Text, kind.name)) ||
			!kind.no && (len(kind.found) != 1 || !bytes.Equal(kind.found[0], kind.want)) {
			t.Errorf("of %s there is %q in %q", kind.name, kind.found, reply.Text)
		}
	}
}

// refused wants what a provider refuses to be named, or left out if it is blank.
func (d Driver) refused(t *testing.T, o Options) {
	reply := d.call(t, "s__svg", `{"z":"x"}`)
	if reply.IsError || !strings.Contains(reply.Text, "image/svg+xml") ||
		!o.NoImages && (len(reply.Images) != 1 || !bytes.Equal(reply.Images[0], Image)) {
		t.Errorf("got %+v", reply)
	}
	if reply := d.call(t, "s__blank", `{"z":"x"}`); reply.IsError || reply.Text != "(no content)" {
		t.Errorf("got %+v", reply)
	}
}

// RunRegistrar tests a registry that starts empty. Names returns those of its tools.
func RunRegistrar(t *testing.T, reg runtime.Registrar, names func() []string) {
	t.Helper()
	if err := runtime.RegisterAll(reg, Tool("a", `{}`), Tool("b", `{}`), Tool("c", `{}`)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(reg.Unregister("b"), reg.Register(Tool("a", `{}`))); err != nil {
		t.Fatal(err)
	}
	got := names()
	slices.Sort(got)
	if !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("it has %q, want a and c", got)
	}
	if err := reg.Register(Tool("a.b", `{}`)); err == nil {
		t.Error("a name that models refuse has no error, want one")
	}
	err := errors.Join(reg.Unregister("a"), reg.Unregister("c"), reg.Unregister("gone"))
	if err != nil || len(names()) != 0 {
		t.Errorf("unregistering returned %v and left the tools %q, want neither", err, names())
	}
}

// roots hands schemas to an adapter that providers or frameworks refuse as they are:
// what the model is sent is one of an object, refers to nothing that is not there, and
// has the values that a definition names.
func roots(t *testing.T, o Options, adapt func(tools ...runtime.Tool) (Driver, error)) {
	for _, schema := range []string{
		`{}`, `true`, `{"type":["object","null"]}`, `{"type":"array","items":{"type":"string"}}`,
		`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"integer"}}}]}`,
		`{"$ref":"#/definitions/A","definitions":{"A":{"type":"object","properties":{"known":{"type":"string"}}}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"$ref":"#/definitions/A"}},"definitions":{"A":{"type":"string","enum":["known"]}}}`,
		`{"type":"object","properties":{"n":{"type":"number","minimum":0,"exclusiveMinimum":true}}}`,
		`{"type":"object","properties":{"n":{"$ref":"#/properties/m"},"m":{"type":"object","properties":{"n":{"$ref":"#"}}}}}`,
		`{"type":"object","properties":{"a":{},"b":true}}`,
		`{"type":"object","properties":{"a":{"type":"odd"},"b":{"minLength":-1},"c":"odd","d":{"maximum":1e999}},"required":"odd"}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/odd"},"b":{"$ref":"https://example.com/odd"},"c":{"type":"array","items":[{"type":"string"}]}}}`,
	} {
		d, err := adapt(&tool{spec: runtime.Spec{Name: "f", InputSchema: json.RawMessage(schema)}})
		if err != nil {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		sent, err := d.Schema("f")
		var root struct{ Type, Definitions any }
		if strings.Contains(schema, "known") && !bytes.Contains(sent, []byte("known")) {
			t.Errorf("%s: the model is sent %s, without the definition", schema, sent)
		}
		for _, odd := range []string{"odd", "-1", "1e999", `"items":[`} {
			if !o.Server && bytes.Contains(sent, []byte(odd)) {
				t.Errorf("%s: the model is sent %s", schema, sent)
			}
		}
		if err != nil || json.Unmarshal(sent, &root) != nil || root.Type != "object" ||
			root.Definitions == nil && bytes.Contains(sent, []byte("#/definitions/")) {
			t.Errorf("%s: the model got %s, error %v", schema, sent, err)
		}
	}
}

// Odd is a schema whose arguments have names that providers refuse, and Hard are others
// that some refuse.
const Odd = `{"type":"object","properties":{"$filter":{"type":"string"},"x[y]":{"type":"integer"},` +
	`"a b":{"type":"string"},"é":{"type":"string"}},"required":["$filter"]}`

// Hard is for those who can read what a provider reads.
var Hard = []string{
	Schema, Odd,
	`{"type":"object","properties":{"a":{"type":["array","null"],"prefixItems":[{"type":"string"}]},"b":{"type":"object","patternProperties":{"^x":{}},"additionalProperties":false}}}`,
	`{"type":"object","properties":{"u":{"type":"string","format":"uri"},"e":{"enum":[1,2]},"f":{"const":"x"}},"required":["u","v"],"if":{},"$comment":"c"}`,
	`{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}}}}}`,
	`{"type":"object","properties":{"o":{"oneOf":[{"not":{}},{"allOf":[{"type":"string"}]}]}},"dependentRequired":{"o":["o"]},"unevaluatedProperties":false}`,
}

// names wants the arguments of [Odd] under names that the provider takes, and the tool
// called with its own.
func names(t *testing.T, o Options, adapt func(tools ...runtime.Tool) (Driver, error)) {
	var sent json.RawMessage
	odd := runtime.Spec{Name: "f", InputSchema: json.RawMessage(Odd)}
	d, err := adapt(&tool{odd, func(_ context.Context, args json.RawMessage) (*runtime.Result, error) {
		sent = args
		return &runtime.Result{}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := d.Schema("f")
	var root struct {
		Properties map[string]struct{ Description string }
		Required   []string
	}
	if err != nil || json.Unmarshal(schema, &root) != nil || len(root.Properties) != 4 || len(root.Required) != 1 {
		t.Fatalf("the model is sent %s, %v", schema, err)
	}
	args, want := map[string]any{}, map[string]any{"$filter": "f", "x[y]": json.Number("1"), "a b": "b", "é": "e"}
	for name, property := range root.Properties {
		own := name
		if !o.AnyName && !o.Server {
			if strings.ContainsAny(name, "$[ é") {
				t.Errorf("the model is sent the argument %q", name)
			}
			_, own, _ = strings.Cut(property.Description, "The server's name of this argument is \"")
			own = strings.TrimSuffix(own, "\".")
		}
		args[name] = want[own]
	}
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	d.call(t, "f", string(text))
	if got := exact(sent); !reflect.DeepEqual(got, any(want)) ||
		root.Properties[root.Required[0]].Description == "" && !o.AnyName && !o.Server {
		t.Errorf("for %s the tool is sent %s", text, sent)
	}
}

// call carries out a call that must have an answer.
func (d Driver) call(t *testing.T, name, args string) Reply {
	t.Helper()
	reply, err := d.Call(t.Context(), name, args)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return reply
}

func (d Driver) fails(t *testing.T, o Options, name, text string) {
	reply := d.call(t, name, `{"z":"x"}`)
	if reply.IsError == o.NoErrors || !strings.Contains(reply.Text, text) {
		t.Errorf("got %+v, want %q marked as an error: %t", reply, text, !o.NoErrors)
	}
}

func (d Driver) schema(t *testing.T, o Options) {
	first, err := d.Schema("s__echo")
	if err != nil {
		t.Fatal(err)
	}
	whole, resolved := Schema, inlined
	if o.NoRoot {
		const extra = `,"additionalProperties":false`
		whole, resolved = strings.Replace(whole, extra, "", 1), strings.Replace(resolved, extra, "", 1)
	}
	if o.NoVendor {
		const vendor = `,"x-vendor":{"b":1,"a":[2]}`
		whole, resolved = strings.Replace(whole, vendor, "", 1), strings.Replace(resolved, vendor, "", 1)
	}
	if o.Sent != "" {
		whole = o.Sent
	}
	if !same(o, first, whole) && !same(o, first, resolved) {
		t.Errorf("the model is sent the schema\n%s\nwant\n%s", first, Schema)
	}
	for range 50 {
		if again, err := d.Schema("s__echo"); err != nil || !bytes.Equal(again, first) {
			t.Fatalf("the schema differs from one time to the next:\n%s\n%s, %v", first, again, err)
		}
	}
}

// cancel ends the context of a call of the tool that waits. The call, and the tool, must end.
func cancel(t *testing.T, stopped chan struct{}, call func(ctx context.Context) error) {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		time.Sleep(50 * time.Millisecond)
		cancel()
	}()
	if err := call(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v, want the error of the context", err)
	}
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Error("the tool runs on after the context has ended")
	}
}

// same compares JSON: by its bytes, or by its values if maps were used on the way.
// HTML escapes of encoding/json, which some frameworks write, count as the characters
// that they represent.
func same(o Options, got []byte, want string) bool {
	if !o.Reorders {
		return unescape.Replace(string(got)) == want
	}
	return reflect.DeepEqual(exact(got), exact([]byte(want)))
}

var unescape = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

func exact(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	return v
}
