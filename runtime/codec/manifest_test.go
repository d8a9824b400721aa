package codec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// filesystemManifest returns the manifest of a real listing, with three of its tools.
func filesystemManifest(t *testing.T) *codec.Manifest {
	t.Helper()
	data, err := os.ReadFile("testdata/filesystem.json")
	if err != nil {
		t.Fatal(err)
	}
	return codec.NewManifest("filesystem", string(data),
		codec.ItemRef{Name: "read_text_file", Qualified: "filesystem__read_text_file", Pin: "sha256:1"},
		codec.ItemRef{Name: "list_directory", Qualified: "filesystem__list_directory", Pin: "sha256:2"},
		codec.ItemRef{Name: "write_file", Qualified: "filesystem__write_file", Pin: "sha256:3"})
}

func TestManifest(t *testing.T) {
	m := filesystemManifest(t)
	if m.Server() != "filesystem" || m.Err() != nil {
		t.Fatal(m.Server(), m.Err())
	}
	specs, pins := m.Specs(), m.Refs()
	if len(specs) != 3 || len(pins) != 3 || pins[1].Pin != "sha256:2" {
		t.Fatal(specs, pins)
	}
	spec := specs[0]
	if spec.Name != "filesystem__read_text_file" || spec.Tool != "read_text_file" || spec.Server != "filesystem" ||
		spec.Title == "" || spec.Description == "" {
		t.Errorf("got %+v", spec)
	}
	var definition map[string]json.RawMessage
	if err := json.Unmarshal(m.Definition("read_text_file"), &definition); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]json.RawMessage{
		"inputSchema": spec.InputSchema, "outputSchema": spec.OutputSchema, "annotations": spec.Annotations,
	} {
		if len(got) == 0 || !bytes.Equal(got, definition[name]) {
			t.Errorf("%s: got %s, want %s", name, got, definition[name])
		}
		if bytes.ContainsAny(got, "\n\t") {
			t.Errorf("%s has white space", name)
		}
	}
	if m.Definition("no_such_tool") != nil {
		t.Error("Definition of an unknown tool is not nil")
	}
	if m.Definition("move_file") == nil {
		t.Error("Definition of a tool that was not generated is nil, want it")
	}
}

// The JSON form of a spec is the protocol's Tool object.
func TestSpecJSON(t *testing.T) {
	m := codec.NewManifest("s", `{"mcpgen":1,"tools":[{"name":"t","description":"a","x":1,
		"inputSchema":{"type":"object","properties":{"z":{"maximum":9007199254740993.0},"a":{}}}}]}`,
		codec.ItemRef{Name: "t", Qualified: "s__t"})
	got, err := json.Marshal(m.Specs()[0])
	want := `{"name":"s__t","description":"a","inputSchema":{"type":"object","properties":{"z":{"maximum":9007199254740993.0},"a":{}}}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestManifestDamaged(t *testing.T) {
	const empty = `{"type":"object"}`
	for _, tt := range []struct{ name, snapshot, fails string }{
		{"empty", ``, "s: the embedded snapshot: empty"},
		{"not JSON", `{"tools":[`, "not valid JSON at byte 10: run mcpgen generate"},
		{"array", `[]`, "not a snapshot"},
		{"tools is not a list", `{"tools":{"name":"t"}}`, "not a snapshot"},
		{"no tools", `{}`, `the embedded snapshot lacks "t", "u": run mcpgen generate`},
		{"other tools", `{"tools":[{"name":"u","inputSchema":true},{"name":7},"t",null]}`, `lacks "t": run mcpgen generate`},
		{"nothing wrong", `{"tools":[{"name":"u"},{"name":"t","inputSchema":[]}]}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := codec.NewManifest("s", tt.snapshot, codec.ItemRef{Name: "t", Qualified: "s__t"}, codec.ItemRef{Name: "u", Qualified: "s__u"})
			for i, spec := range m.Specs() {
				if string(spec.InputSchema) != empty || spec.Name != m.Refs()[i].Qualified || spec.Tool != m.Refs()[i].Name {
					t.Errorf("got %+v", spec)
				}
			}
			err := m.Err()
			if (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("got %v, want %s", err, tt.fails)
			}
		})
	}
}

func TestManifestTools(t *testing.T) {
	m := filesystemManifest(t)
	a := &answer{result: parseResult(t, `{"isError":true}`)}
	tools := m.Tools(a)
	if len(tools) != 3 || tools[1].Spec().Name != "filesystem__list_directory" {
		t.Fatalf("got %v, want three tools, the second of them filesystem__list_directory", tools)
	}
	var raw runtime.Result
	res, err := tools[1].Call(t.Context(), json.RawMessage(` {"path":"/"} `), nil, runtime.WithTimeout(time.Minute), runtime.WithRaw(&raw))
	if err != nil || !res.IsError || !raw.IsError || a.got.Options.Timeout != time.Minute {
		t.Fatal(res, err) // a tool's refusal is a result, not an error
	}
	want := runtime.Request{Server: "filesystem", Method: "tools/call", Name: "list_directory", Pin: "sha256:2"}
	if string(a.got.Args) != `{"path":"/"}` || a.got.Server != want.Server || a.got.Method != want.Method || a.got.Name != want.Name || a.got.Pin != want.Pin {
		t.Errorf("got %+v", a.got)
	}
	if _, err := tools[0].Call(runtime.NewContext(t.Context(), a), nil); err != nil || a.got.Args != nil {
		t.Error(err, a.got.Args)
	}
	for _, args := range []string{`[]`, `{`, `"x"`, `{}{}`} {
		before := a.calls
		_, err := tools[0].Call(t.Context(), json.RawMessage(args))
		if ce, ok := errors.AsType[*runtime.CallError](err); !ok || ce.Sent || !errors.Is(err, runtime.ErrInvalidArgs) || a.calls != before {
			t.Errorf("%s: got %v", args, err)
		}
	}
	if _, err := m.Tools(nil)[0].Call(t.Context(), nil); !errors.Is(err, runtime.ErrNoInvoker) {
		t.Errorf("got %v", err)
	}
}

func TestManifestIsSafeForConcurrentUse(t *testing.T) {
	m := filesystemManifest(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, tool := range m.Tools(nil) {
				_ = tool.Spec()
			}
			specs, pins := m.Specs(), m.Refs()
			specs[0].Name, pins[0].Name = "changed", "changed"
			m.Definition("write_file")[0] = '!'
		})
	}
	wg.Wait()
	if m.Specs()[0].Name == "changed" || m.Refs()[0].Name == "changed" || m.Definition("write_file")[0] == '!' {
		t.Error("a change of what was handed out changes the manifest, want copies")
	}
}
