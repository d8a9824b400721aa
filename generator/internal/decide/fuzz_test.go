package decide

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/schema"
)

// schemaTool is a tool with one schema on both sides.
func schemaTool(t testing.TB, name string, raw []byte) schema.Item {
	t.Helper()
	data, err := json.Marshal(map[string]json.RawMessage{
		"name": json.RawMessage(quoteJSON(name)), "inputSchema": raw, "outputSchema": raw,
	})
	if err != nil {
		t.Fatal(err)
	}
	return schema.Item{Kind: schema.KindTool, Name: name, Raw: data}
}

func quoteJSON(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

func hardSchemas(t testing.TB) map[string]json.RawMessage {
	t.Helper()
	paths, err := filepath.Glob(corpus + "hard/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no hard schemas: %v", err)
	}
	out := map[string]json.RawMessage{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Schema json.RawMessage }
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(path), ".json")] = file.Schema
	}
	return out
}

func TestHardSchemas(t *testing.T) {
	for name, raw := range hardSchemas(t) {
		s := &schema.Snapshot{Tools: []schema.Item{schemaTool(t, name, raw)}}
		p, warnings := mustPackage(t, Input{Server: Server{Name: "hard", Snapshot: s}})
		if err := checkCompiles(p); err != nil {
			t.Errorf("schema %s: got %v, want no error", name, err)
		}
		if len(p.Tools) != 1 || p.Tools[0].Result == nil {
			t.Errorf("%s: left out or without a result: %v", name, warnings)
		}
	}
}

// FuzzPackage builds a package from an arbitrary schema and tool name: it never
// fails, and what it decides compiles.
func FuzzPackage(f *testing.F) {
	for _, raw := range hardSchemas(f) {
		f.Add("list_prs", []byte(raw))
	}
	f.Add("a\x00*/", []byte(`{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`))
	f.Add("x", []byte(`{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"properties":{"p":{"$ref":"#/$defs/a"}}}]},"b":{"properties":{"p":{"$ref":"#/$defs/b"}}}},"$ref":"#/$defs/a"}`))
	f.Add("x", []byte(`{"enum":[1e400,-0,1e-400,{"a":1},"\ud800"]}`))
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		if !json.Valid(raw) || len(raw) > 1<<16 {
			return
		}
		name = strings.ToValidUTF8(name, "")
		s := &schema.Snapshot{Tools: []schema.Item{schemaTool(t, name, raw), schemaTool(t, name+"_2", raw)}}
		checkStable(t, Input{Server: Server{Name: "fuzz", Snapshot: s}})
	})
}

// TestHostileSizes builds schemas that are made to be slow. Nothing here is
// measured: what is not bounded does not come back.
func TestHostileSizes(t *testing.T) {
	deadline := time.AfterFunc(time.Minute, func() { panic("a schema takes too long") })
	defer deadline.Stop()
	const defs = `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`
	ref := func(i int) string { return `{"$ref":"#/$defs/d` + strconv.Itoa(i+1) + `"}` }
	def := func(i int, parts string) string { return `"d` + strconv.Itoa(i) + `":{"allOf":[` + parts + `]},` }
	long := strings.Repeat("-+#é", 1<<18)
	for name, raw := range map[string]string{
		"meeting": `{"type":"object","properties":{` + joinRange(20000, func(i int) string {
			return `"` + strings.Repeat("-", i%100) + `a` + strings.Repeat("-", i/100) + `":{},`
		}) + `"z":{"type":["string","array"]}}}`,
		"long":   `{"type":"object","properties":{"` + long + `":{"enum":["` + long + `"]},"u":{"type":["string","array"]}}}`,
		"chain":  defs + joinRange(5000, func(i int) string { return def(i, ref(i)+`,{"title":"x"}`) }) + `"d5000":{"type":"string"}}}`,
		"double": defs + joinRange(5000, func(i int) string { return def(i, ref(i)+","+ref(i)) }) + `"d5000":{"type":"string"}}}`,
		"itself": `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{
			"A":{"type":"object","properties":{"p":{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}}},
			"B":{"type":"object","properties":{"p":{"allOf":[{"$ref":"#/$defs/B"},{"$ref":"#/$defs/A"},{"type":"object","properties":{"q":{}}}]}}}}}`,
		"many": `{"type":"object","properties":{` + joinRange(6000, func(i int) string {
			return `"p` + strconv.Itoa(i) + `":{"type":"object","properties":{"x":{"enum":["a"]}}},`
		}) + `"last":{"type":"object","properties":{"x":{"type":"string"}}}}}`,
		"number": `{"type":"object","properties":{"a":{"type":"number","minimum":1e999999999,"enum":[1e999999999]}}}`,
		"text":   `{"type":"object","description":"` + strings.Repeat("é", 1<<20) + `"}`,
	} {
		s := &schema.Snapshot{Tools: []schema.Item{schemaTool(t, name, []byte(raw))}}
		p, warnings := mustPackage(t, Input{Server: Server{Name: "hostile", Snapshot: s}})
		if len(p.Types) > 2*maxTypes+2 {
			t.Errorf("%s: got %d types, want at most %d", name, len(p.Types), 2*maxTypes+2)
		}
		if name != "text" && name != "meeting" && name != "itself" && len(warnings) == 0 {
			t.Errorf("%s: got no warning, want one that says what is wide", name)
		}
		if doc := p.Tools[0].Args.Doc; len(doc.Server) > maxText {
			t.Errorf("%s: got %d bytes of docs, want at most %d", name, len(doc.Server), maxText)
		}
		if err := checkCompiles(p); err != nil {
			t.Errorf("schema %s: got %v, want no error", name, err)
		}
	}
}

// joinRange joins what f gives for 0 to n-1.
func joinRange(n int, f func(int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}
