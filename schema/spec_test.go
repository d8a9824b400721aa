package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/corpus"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

var update = flag.Bool("update", false, "write the results of testdata/vectors.json anew: read the diff")

// vector is a case of testdata/vectors.json, which SPEC.md describes.
type vector struct {
	Name      string          `json:"name"`
	Kind      schema.Kind     `json:"kind"`
	Server    *string         `json:"server,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	Base64    []byte          `json:"base64,omitempty"`
	Error     string          `json:"error,omitempty"`
	Canonical string          `json:"canonical,omitempty"`
	Full      string          `json:"full,omitempty"`
	Text      string          `json:"text,omitempty"`
	Contract  string          `json:"contract,omitempty"`
	Key       string          `json:"key,omitempty"`
}

// The results of every vector are those of this package, so that they are also what other
// implementations of SPEC.md come to.
func TestVectors(t *testing.T) {
	const file = "testdata/vectors.json"
	var all struct{ Vectors []vector }
	corpus.ReadJSON(t, file, &all)
	names := map[string]bool{}
	counts := map[string]int{}
	for i, v := range all.Vectors {
		if names[v.Name] {
			t.Errorf("two vectors are called %q", v.Name)
		}
		names[v.Name] = true
		got := v.result(t)
		if *update {
			all.Vectors[i] = got
			continue
		}
		counts[v.Error]++
		if v.Error == "" && v.Canonical == "" {
			got.Canonical = ""
		}
		if v.Error == "" && v.Text == "" {
			got.Text = ""
		}
		if want, have := encode(t, v), encode(t, got); !bytes.Equal(want, have) {
			t.Errorf("%s\n got %s\nwant %s", v.Name, have, want)
		}
	}
	if *update {
		text := []byte("{\"vectors\": [\n")
		for i, v := range all.Vectors {
			text = append(append(text, encode(t, v)...), strings.Repeat(",", min(1, len(all.Vectors)-1-i))+"\n"...)
		}
		if err := os.WriteFile(file, append(text, "]}\n"...), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(all.Vectors) < 200 || len(counts) < 6 {
		t.Errorf("%d vectors, by errors %v: too few", len(all.Vectors), counts)
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// bytes returns what the vector is about.
func (v vector) bytes(t *testing.T) []byte {
	t.Helper()
	var text string
	var pieces [][2]any
	switch {
	case v.Base64 != nil:
		return v.Base64
	case json.Unmarshal(v.Input, &text) == nil:
		return []byte(text)
	}
	if err := json.Unmarshal(v.Input, &pieces); err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	for _, p := range pieces {
		text += strings.Repeat(p[0].(string), int(p[1].(float64)))
	}
	return []byte(text)
}

// result returns the vector with the results that the code comes to. Long texts are left out.
func (v vector) result(t *testing.T) vector {
	t.Helper()
	raw := v.bytes(t)
	out := vector{Name: v.Name, Kind: v.Kind, Server: v.Server, Input: v.Input, Base64: v.Base64}
	canonical, err := schema.Canonical(raw)
	if err != nil {
		out.Error = errorWord(err)
		return out
	}
	text, err := schema.Contract(v.Kind, raw, nil)
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	if len(raw) < 1000 {
		out.Canonical, out.Text = string(canonical), string(text)
	}
	if out.Full, err = schema.FullHash(raw); err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	if out.Contract, err = schema.ContractHash(v.Kind, raw); err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	if v.Server == nil {
		return out
	}
	var tool struct {
		Name        string
		InputSchema json.RawMessage
	}
	if err := json.Unmarshal(raw, &tool); err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	if out.Key, err = lockfile.ContentKey(*v.Server, tool.Name, tool.InputSchema); err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	return out
}

// errorWord is what SPEC.md calls an error.
func errorWord(err error) string {
	for word, part := range map[string]string{
		"utf8": "not valid UTF-8", "duplicate": "duplicate member name", "depth": "nested more than", "values": "too many values",
	} {
		if strings.Contains(err.Error(), part) {
			return word
		}
	}
	return "syntax"
}
