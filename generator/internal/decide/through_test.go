package decide

// Does every valid value go through the types that were decided? The types are
// interpreted here: a value is decoded and encoded again by the rules that ir
// states, and has to come back equal.

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// absent is a member that is not sent.
type absent struct{}

// throughType returns what v is after a value of type r was made of it and sent.
func throughType(r *ir.Ref, v any) (any, error) {
	switch r.Kind {
	case ir.Any, ir.Raw:
		return v, nil
	case ir.Opt, ir.Pointer:
		if v == nil {
			return nil, nil
		}
		return throughType(r.Elem, v)
	case ir.Slice, ir.Array:
		return throughSlice(r, v)
	case ir.Map:
		return throughMap(r, v)
	case ir.Named:
		return throughNamed(r.Decl, v)
	case ir.Text:
		return throughBasic("string", v)
	case ir.Number:
		if _, ok := v.(json.Number); !ok {
			return nil, fmt.Errorf("%v is not a number", v)
		}
		return v, nil
	}
	return throughBasic(r.Name, v)
}

func throughBasic(name string, v any) (any, error) {
	ok := false
	switch name {
	case "string":
		_, ok = v.(string)
	case "bool":
		_, ok = v.(bool)
	case "float64":
		var n json.Number
		if n, ok = v.(json.Number); ok {
			f, err := n.Float64()
			return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), err
		}
	default:
		var n json.Number
		if n, ok = v.(json.Number); ok {
			s, exact := goInt(string(n))
			if !exact {
				return nil, fmt.Errorf("%s is no %s", n, name)
			}
			return json.Number(s), nil
		}
	}
	if !ok {
		return nil, fmt.Errorf("%v is not a %s", v, name)
	}
	return v, nil
}

func throughSlice(r *ir.Ref, v any) (any, error) {
	if v == nil && r.Kind == ir.Slice {
		return nil, nil // nil is null
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%v is not an array", v)
	}
	if r.Kind == ir.Array && len(list) != r.Len {
		return nil, fmt.Errorf("%d items, not %d", len(list), r.Len)
	}
	out := make([]any, len(list))
	for i := range list {
		var err error
		if out[i], err = throughType(r.Elem, list[i]); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return out, nil
}

func throughMap(r *ir.Ref, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	members, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%v is not an object", v)
	}
	out := map[string]any{}
	for name, m := range members {
		var err error
		if out[name], err = throughType(r.Elem, m); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
	}
	return out, nil
}

func throughNamed(t *ir.Type, v any) (any, error) {
	switch t.Kind {
	case ir.Enum:
		return throughBasic(t.Base, v)
	case ir.Alias:
		return throughType(t.Of, v)
	case ir.Union:
		return throughUnion(t, v)
	case ir.Tuple:
		return throughTuple(t, v)
	}
	members, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%v is not an object", v)
	}
	out := map[string]any{}
	declared := map[string]bool{}
	for _, tag := range t.Tags {
		declared[tag.Wire] = true
		out[tag.Wire] = normalizeNumbers(decodeText(tag.Value))
		if !reflect.DeepEqual(normalizeNumbers(members[tag.Wire]), out[tag.Wire]) {
			return nil, fmt.Errorf("%q is not %s", tag.Wire, tag.Value)
		}
	}
	for _, f := range t.Fields {
		declared[f.Wire] = true
		m, there := members[f.Wire]
		if !there {
			if f.Presence == ir.Required {
				return nil, fmt.Errorf("%q is missing", f.Wire)
			}
			continue
		}
		sent, err := throughType(f.Type, m)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", f.Wire, err)
		}
		if t.Extra != nil && t.Extra.Kind == ir.Raw && reflect.DeepEqual(roundNumbers(m), roundNumbers(sent)) {
			sent = m // Extra has the text of what was rounded
		}
		if sent = absentValue(f, sent); sent != any(absent{}) {
			out[f.Wire] = sent
		}
	}
	for name, m := range members {
		if declared[name] || t.Extra == nil {
			continue
		}
		var err error
		if out[name], err = throughType(t.Extra, m); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
	}
	return out, nil
}

// roundNumbers is v with float64s for numbers.
func roundNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := v.Float64()
		return f
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = roundNumbers(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name := range v {
			out[name] = roundNumbers(v[name])
		}
		return out
	}
	return v
}

func throughTuple(t *ir.Type, v any) (any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%v is not an array", v)
	}
	out := []any{}
	for i, item := range list {
		r, f := t.Rest, &ir.Field{Type: t.Rest}
		if i < len(t.Fields) {
			f = t.Fields[i]
			r = f.Type
		}
		if r == nil {
			return nil, fmt.Errorf("there are %d items", len(list))
		}
		sent, err := throughType(r, item)
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		if sent = absentValue(f, sent); sent != any(absent{}) {
			out = append(out, sent)
		}
	}
	if len(list) < len(t.Fields) && t.Fields[len(list)].Presence == ir.Required {
		return nil, fmt.Errorf("only %d items", len(list))
	}
	return out, nil
}

// throughUnion takes the variant that a decoder takes: of those that its tag or its
// key speaks for, or else by rank, the first that loses nothing.
func throughUnion(t *ir.Type, v any) (any, error) {
	if v == nil {
		return nil, nil // nil is null
	}
	members, _ := v.(map[string]any)
	left := slices.SortedFunc(slices.Values(t.Variants), func(x, y ir.Variant) int {
		return cmp.Or(matchRank(y.Match, v, members)-matchRank(x.Match, v, members), x.Match.Rank-y.Match.Rank)
	})
	for _, c := range left {
		sent, err := throughNamed(c.Type, v)
		if err == nil && matchRank(c.Match, v, members) > 0 && reflect.DeepEqual(normalizeNumbers(sent), normalizeNumbers(v)) {
			return sent, nil
		}
	}
	return v, nil // in Other
}

// matchRank says how much speaks for a variant; 0 rules it out.
func matchRank(m ir.Match, v any, members map[string]any) int {
	if !ofKind([]string{m.Kind}, v) {
		return 0
	}
	value, tagged := members[m.Tag]
	_, keyed := members[m.Key]
	is := slices.ContainsFunc(m.Values, func(s string) bool {
		return reflect.DeepEqual(normalizeNumbers(decodeText(s)), normalizeNumbers(value))
	})
	switch {
	case m.Tag != "" && tagged && is:
		return 3
	case m.Tag != "" && (tagged || slices.Contains(m.Needs, m.Tag)):
		return 0
	case m.Key != "" && keyed:
		return 2
	case m.Key != "":
		return 0
	}
	return 1
}

func ofKind(want []string, v any) bool {
	kind := "boolean"
	switch v := v.(type) {
	case string:
		kind = "string"
	case []any:
		kind = "array"
	case map[string]any:
		kind = "object"
	case json.Number:
		kind = "number"
		if _, ok := goInt(string(v)); ok && slices.Contains(want, "integer") {
			kind = "integer"
		}
	}
	return slices.Contains(want, kind)
}

func decodeText(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	_ = d.Decode(&v)
	return v
}

var zeroIsDefault = regexp.MustCompile(`Default: (?:false|""|[-0.]+)\. Left out if|which is the default\.$`)

// absentValue leaves out a zero value where omitzero does.
func absentValue(f *ir.Field, v any) any {
	said := defaultWords.MatchString(f.Doc.Server) && slices.ContainsFunc(f.Doc.Notes, func(note string) bool { return strings.Contains(note, "Left out if") })
	if said || slices.ContainsFunc(f.Doc.Notes, zeroIsDefault.MatchString) {
		return v // absent means the same
	}
	scalar := f.Type.Kind == ir.Basic || f.Type.Kind == ir.Text || f.Type.Kind == ir.Named && f.Type.Decl.Kind == ir.Enum
	switch {
	case f.Presence == ir.Required:
	case f.Type.Kind == ir.Any && v == nil:
		return absent{}
	case scalar && (v == "" || v == false || v == json.Number("0")):
		return absent{}
	}
	return v
}

// normalizeNumbers gives equal numbers one spelling.
func normalizeNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if s, ok := goInt(string(v)); ok {
			return json.Number(s)
		}
		if s, ok := goFloat(string(v)); ok {
			return json.Number(s)
		}
	case []any:
		for i := range v {
			v[i] = normalizeNumbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = normalizeNumbers(v[name])
		}
	}
	return v
}

func decodeValue(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// checkRoundTrip sends a value through r.
func checkRoundTrip(t *testing.T, r *ir.Ref, raw json.RawMessage) error {
	t.Helper()
	got, err := throughType(r, decodeValue(t, raw))
	if err != nil {
		return err
	}
	if want := normalizeNumbers(decodeValue(t, raw)); !reflect.DeepEqual(normalizeNumbers(got), want) {
		return fmt.Errorf("%v came back as %v", want, got)
	}
	return nil
}

func TestHardValues(t *testing.T) {
	paths, _ := filepath.Glob(corpus + "hard/*.json")
	all, lost := 0, 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Schema json.RawMessage
			Valid  []json.RawMessage
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		p, _ := mustPackage(t, Input{Server: Server{Name: "hard", Snapshot: &schema.Snapshot{Tools: []schema.Item{schemaTool(t, name, file.Schema)}}}})
		for _, v := range file.Valid {
			all++
			if err := checkRoundTrip(t, p.Tools[0].Result, v); err != nil {
				lost++
				t.Errorf("%s, result: %v", name, err)
			}
		}
	}
	t.Logf("%d of %d values survive as results", all-lost, all)
}

type instances struct {
	Tool, Side string
	Valid      []struct {
		Cls string
		V   json.RawMessage
	}
}

func TestInstances(t *testing.T) {
	for _, s := range corpusServers(t) {
		p, _ := mustPackage(t, Input{Server: Server{Name: s.Server, Snapshot: s}})
		wire := map[string]string{} // by the name in the file of instances
		for _, tool := range s.Tools {
			var snap struct {
				Snap string `json:"_snap"`
			}
			if err := json.Unmarshal(tool.Raw, &snap); err != nil {
				t.Fatal(err)
			}
			wire[strings.TrimSuffix(snap.Snap, ".snap")] = tool.Name
			wire[tool.Name] = tool.Name
		}
		refs := map[string]*ir.Ref{}
		for _, tool := range p.Tools {
			refs["input "+tool.Wire] = &ir.Ref{Kind: ir.Named, Decl: tool.Args}
			refs["output "+tool.Wire] = tool.Result
		}
		all, lost := 0, 0
		for _, line := range readInstances(t, s.Server) {
			r := refs[line.Side+" "+wire[line.Tool]]
			if r == nil {
				t.Fatalf("%s: nothing for the %s of %s", s.Server, line.Side, line.Tool)
			}
			for _, v := range line.Valid {
				if line.Side == "input" && (v.Cls == "extra-props" || len(r.Decl.Fields) == 0) {
					continue // what a schema does not name is not sent unless it says so
				}
				all++
				if err := checkRoundTrip(t, r, v.V); err != nil {
					lost++
					t.Errorf("%s/%s, %s, %s: %v", s.Server, line.Tool, line.Side, v.Cls, err)
				}
			}
		}
		t.Logf("%-12s %d of %d values survive", s.Server, all-lost, all)
	}
}

func readInstances(t *testing.T, server string) []instances {
	t.Helper()
	f, err := os.Open("testdata/instances/" + server + ".jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []instances
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line instances
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		out = append(out, line)
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%s: %d lines, %v", server, len(out), err)
	}
	return out
}
