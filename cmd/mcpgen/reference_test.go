package main

// The reference pages of the guide are printed here, from what the program itself goes by:
// make docs writes them, and the test compares them.

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/urfave/cli/v2"
)

var (
	updatePages = flag.Bool("update", false, "write the reference pages of the guide")
	guide       = filepath.Join("..", "..", "examples", "guide")
)

// generatedPage is the first line of a page that nobody edits.
const generatedPage = "<!-- Written by make docs. DO NOT EDIT. -->\n"

// checkReference compares a generated page of the guide, or writes it.
func checkReference(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(guide, "reference", name)
	text = generatedPage + text
	if *updatePages {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(readPage(t, path), text); diff != "" {
		t.Errorf("%s: run make docs and read the diff (-page +program):\n%s", path, diff)
	}
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

// cell is text in a cell of a markdown table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

func code(text string) string { return "`" + strings.ReplaceAll(text, "|", `\|`) + "`" }

// Each command has a section, which is its help, and each exit code a row.
func TestReferenceCommands(t *testing.T) {
	defer func(f cli.FlagStringFunc) { cli.FlagStringer = f }(cli.FlagStringer)
	cli.FlagStringer = flagText(cli.FlagStringer)
	help := func(name ...string) string {
		var out bytes.Buffer
		if code := run(context.Background(), append([]string{"mcpgen", "help"}, name...), &out, &out); code != 0 {
			t.Fatalf("help %s: exit code %d: %s", name, code, &out)
		}
		return "```\n" + strings.TrimSpace(out.String()) + "\n```\n\n"
	}
	var b strings.Builder
	b.WriteString("# Commands\n\nFlags may come before or after arguments.\n" +
		"Data goes to standard output, everything else to standard error.\n\n" +
		"## Exit codes\n\n| code | meaning |\n|---|---|\n")
	for _, c := range exitCodes(t) {
		fmt.Fprintf(&b, "| %s | %s |\n", c.value, cell(c.comment))
	}
	b.WriteString("\nIf several codes apply, mcpgen exits with the worst: 130 or 143, then 2, then 3, then 1.\n\n## mcpgen\n\n" + help())
	for _, group := range commandGroups() {
		for _, c := range group.commands {
			fmt.Fprintf(&b, "## mcpgen %s\n\n%s", c.Name, help(c.Name))
		}
	}
	checkReference(t, "commands.md", strings.TrimSpace(b.String())+"\n")
}

// documented is a name with its comment.
type documented struct{ name, value, comment string }

// exitCodes reads the constants that are exit codes.
func exitCodes(t *testing.T) []documented {
	t.Helper()
	codes := declared(t, filepath.Join("internal", "exit", "exit.go"), "")
	if len(codes) != 6 || exit.Terminated != 143 {
		t.Fatalf("the exit codes are %v", codes)
	}
	return codes
}

// declared reads the constants and variables of a Go file whose names begin with a prefix.
func declared(t *testing.T, path, prefix string) []documented {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var found []documented
	ast.Inspect(file, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncDecl); ok {
			return false
		}
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		one := documented{name: spec.Names[0].Name, comment: strings.TrimSpace(spec.Comment.Text())}
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
			one.value = constant.MakeFromLiteral(literal.Value, literal.Kind, 0).ExactString()
		}
		found = append(found, one)
		return true
	})
	return found
}

// configNode is what the pages take of a JSON Schema.
type configNode struct {
	Ref         string                 `json:"$ref"`
	Type        string                 `json:"type"`
	Description string                 `json:"description"`
	Default     json.RawMessage        `json:"default"`
	Enum        []any                  `json:"enum"`
	Pattern     string                 `json:"pattern"`
	Format      string                 `json:"format"`
	Properties  json.RawMessage        `json:"properties"`
	Defs        map[string]*configNode `json:"$defs"`
	Items       *configNode            `json:"items"`
	Additional  json.RawMessage        `json:"additionalProperties"`
	OneOf       []*configNode          `json:"oneOf"`
	Required    []string               `json:"required"`
}

// Each key of mcpgen.yaml has a row.
func TestReferenceConfiguration(t *testing.T) {
	raw, err := json.Marshal(configSchema())
	if err != nil {
		t.Fatal(err)
	}
	var root configNode
	if err := json.Unmarshal(raw, &root); err != nil {
		t.Fatal(err)
	}
	w := &keyWriter{defs: root.Defs}
	w.Grow(1 << 15)
	w.WriteString("# mcpgen.yaml\n\n`mcpgen config --schema` prints a JSON Schema of these keys for editors; `mcpgen config` prints the values in effect.\n" +
		"[An example of many keys](../configuration.md).\n\n| key | value | default | meaning |\n|---|---|---|---|\n")
	w.object("", &root)
	if w.rows < 90 || strings.Contains(w.String(), "|  |\n") {
		t.Errorf("%d keys, or one has no description:\n%s", w.rows, w)
	}
	checkReference(t, "mcpgen.yaml.md", w.String())
}

// keyWriter writes a row for each key.
type keyWriter struct {
	strings.Builder
	defs map[string]*configNode
	rows int
}

func (w *keyWriter) object(prefix string, n *configNode) {
	if len(n.Properties) == 0 {
		return
	}
	keys := json.NewDecoder(bytes.NewReader(n.Properties)) // in the order of the program
	keys.Token()
	for keys.More() {
		name, _ := keys.Token()
		var key configNode
		if err := keys.Decode(&key); err != nil {
			panic(err)
		}
		path, into := prefix+name.(string), &key
		value, needed := w.value(&key), ""
		if slices.Contains(n.Required, name.(string)) {
			needed = "required"
		} else if key.Default != nil {
			needed = code(string(key.Default))
		}
		w.rows++
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", code(path), value, needed, cell(key.Description))
		for {
			var next configNode
			switch {
			case into.Ref != "":
				into = w.defs[strings.TrimPrefix(into.Ref, "#/$defs/")]
				continue
			case into.Items != nil:
				path, into = path+"[]", into.Items
				continue
			case len(into.Additional) > 0 && into.Additional[0] == '{':
				if err := json.Unmarshal(into.Additional, &next); err != nil {
					panic(err)
				}
				path, into = path+".NAME", &next
				continue
			}
			break
		}
		w.object(path+".", into)
	}
}

// value says what a key may be.
func (w *keyWriter) value(n *configNode) string {
	switch {
	case n.Ref != "":
		return w.value(w.defs[strings.TrimPrefix(n.Ref, "#/$defs/")])
	case len(n.Enum) > 0:
		var all []string
		for _, v := range n.Enum {
			all = append(all, code(fmt.Sprint(v)))
		}
		return strings.Join(all, ", ")
	case len(n.OneOf) > 0:
		var all []string
		for _, one := range n.OneOf {
			if one.Type == "string" && n.Pattern != "" {
				all = append(all, code(strings.Trim(n.Pattern, "^$")))
				continue
			}
			all = append(all, w.value(one))
		}
		return strings.Join(all, " or ")
	case n.Items != nil:
		return "list of " + w.value(n.Items)
	case n.Type == "object" && len(n.Additional) > 0 && n.Additional[0] == '{':
		var next configNode
		if json.Unmarshal(n.Additional, &next) == nil {
			return "map of " + w.value(&next)
		}
	case n.Type == "object":
		return "keys below"
	case n.Format != "":
		return n.Format
	case n.Type == "array":
		return "list"
	}
	return n.Type
}

// Every command of the guide is there.
func TestCommandsOfGuide(t *testing.T) {
	// The commands of Covenant and of tallow are understood as well.
	names := append(commandNames(newApp(os.Stdout, os.Stderr, "mcpgen")), "help", "tools", "capabilities", "trust-project")
	pages, _ := filepath.Glob(filepath.Join(guide, "*.md"))
	for _, page := range append(pages, filepath.Join("..", "..", "README.md")) {
		for _, m := range regexp.MustCompile("(?m)(?:`|tool |^\\$ )mcpgen ([a-z][a-z-]*)").FindAllStringSubmatch(readPage(t, page), -1) {
			if !slices.Contains(names, m[1]) {
				t.Errorf("%s: no command is called %q", page, m[1])
			}
		}
	}
}

// Each error and each stage of a call has a row on the page of errors.
func TestErrorsOfGuide(t *testing.T) {
	page := readPage(t, filepath.Join(guide, "errors.md"))
	want := []string{stage.Encode, stage.Route, stage.Gate, stage.Drift, stage.Connect, stage.Send, stage.Receive, stage.Decode}
	for _, e := range declared(t, filepath.Join("..", "..", "runtime", "errors.go"), "Err") {
		want = append(want, "runtime."+e.name)
	}
	if len(want) < 15 {
		t.Fatalf("the errors are %v", want)
	}
	for _, name := range want {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("errors.md says nothing of %s", name)
		}
	}
}

// Each member of mcpgen.lock has a row.
func TestLockOfGuide(t *testing.T) {
	page := readPage(t, filepath.Join(guide, "reference", "mcpgen.lock.md"))
	var source strings.Builder
	for _, name := range []string{"file_write.go", "lock_file.go", "source.go", "artifact.go"} {
		source.WriteString(readPage(t, filepath.Join("..", "..", "schema", "lockfile", name)))
	}
	members := regexp.MustCompile(`w\.(?:text|texts|pairs|raw|name|number)\("(\w+)"`).FindAllStringSubmatch(source.String(), -1)
	pins := readPage(t, filepath.Join("..", "..", "generator", "internal", "decide", "pins.go"))
	members = append(members, regexp.MustCompile(`json:"()(\w+)`).FindAllStringSubmatch(pins, -1)...)
	if len(members) < 30 {
		t.Fatalf("found %d members", len(members))
	}
	for _, m := range members {
		if name := m[len(m)-1]; !strings.Contains(page, "`"+name+"`") {
			t.Errorf("mcpgen.lock.md says nothing of %q", name)
		}
	}
}

// optionalAndNull describes how members that are optional or null look in Go.
const optionalAndNull = "## Optional and null\n\n" +
	"| the schema | the field | absent | null |\n|---|---|---|---|\n" +
	"| required | `string` | the decoder reports an error | the decoder reports an error |\n" +
	"| required, may be null | `*string` | the decoder reports an error | `nil` |\n" +
	"| optional | `*string` | `nil` | `nil` |\n" +
	"| optional, may be null | `runtime.Opt[string]` | `IsZero()` is true | `IsNull()` is true |\n\n" +
	"An optional member is not a pointer if its zero value can mean absent. This is the case if the schema forbids\n" +
	"the zero value, as for an integer with minimum 1 or a string with minLength or enum, or if the default is the zero value.\n\n" +
	"`v, ok := opt.Get()` returns the value of an `Opt`. In arguments, `new(\"x\")` sets an optional field,\n" +
	"`runtime.Some(\"x\")` sets an `Opt`, and `runtime.Null[string]()` sends null. A number such as 1.0 is an\n" +
	"integer, and 1.5 in an `int` is a `*runtime.DecodeError`.\n\n"

// TestReferenceTypes shows what each keyword of JSON Schema becomes in Go.
func TestReferenceTypes(t *testing.T) {
	var b strings.Builder
	b.WriteString("# What a JSON Schema becomes in Go\n\nEach schema describes a member `value`, which is optional unless the row says `required`.\n" +
		"The generator itself wrote the columns of Go types. [How to choose another name or type](../rename-types.md).\n\n" +
		optionalAndNull + "## Keywords\n\n" +
		"| keywords | schema | in arguments | in results |\n|---|---|---|---|\n")
	shown := map[string]bool{}
	for _, e := range typeExamples() {
		words := strings.Fields(e.keywords)
		for i, word := range words {
			if shown[word] = true; !strings.HasPrefix(word, "(") && !jsonschema.Known(word) {
				t.Errorf("%s is no keyword", word)
			}
			words[i] = code(word)
		}
		args, result := typesOf(t, e)
		fmt.Fprintf(&b, "| %s | %s%s | %s | %s |\n", strings.Join(words, " "), code(e.schema), map[bool]string{true: ", required"}[e.required], args, result)
	}
	for _, keyword := range knownKeywords(t) {
		if !shown[keyword] {
			t.Errorf("no example has the keyword %s", keyword)
		}
	}
	checkReference(t, "types.md", b.String())
}

// knownKeywords reads the keywords out of the tags of package jsonschema.
func knownKeywords(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[jsonschema.Schema]()) {
		found = append(found, strings.Fields(f.Tag.Get("keyword"))...)
	}
	if len(found) < 40 {
		t.Fatalf("found the keywords %v", found)
	}
	return append(found, "items", "additionalItems", "dependencies", "$anchor", "example")
}

// typeExample is a schema that shows keywords.
type typeExample struct {
	keywords string
	required bool
	schema   string
}

func typeExamples() []typeExample {
	return []typeExample{
		{"type", true, `{"type":"string"}`},
		{"type", false, `{"type":"string"}`},
		{"type", true, `{"type":"integer"}`},
		{"type", false, `{"type":"integer"}`},
		{"type minimum", false, `{"type":"integer","minimum":1}`},
		{"type exclusiveMinimum maximum exclusiveMaximum multipleOf", true, `{"type":"integer","exclusiveMinimum":0,"maximum":9,"exclusiveMaximum":10,"multipleOf":2}`},
		{"type", true, `{"type":"number"}`},
		{"type", false, `{"type":"boolean"}`},
		{"type default", false, `{"type":"boolean","default":false}`},
		{"type default", false, `{"type":"integer","default":10}`},
		{"nullable", true, `{"type":"string","nullable":true}`},
		{"type", false, `{"type":["string","null"]}`},
		{"format", true, `{"type":"integer","format":"int64"}`},
		{"format", true, `{"type":"string","format":"date-time"}`},
		{"format", true, `{"type":"string","format":"uuid"}`},
		{"format", true, `{"type":"string","format":"uri"}`},
		{"format", true, `{"type":"string","format":"ipv4"}`},
		{"format", true, `{"type":"string","format":"email"}`},
		{"contentEncoding", true, `{"type":"string","contentEncoding":"base64"}`},
		{"contentMediaType contentSchema", true, `{"type":"string","contentMediaType":"application/json","contentSchema":{"type":"object"}}`},
		{"minLength maxLength pattern", false, `{"type":"string","minLength":1,"maxLength":9,"pattern":"^[a-z]+$"}`},
		{"enum", true, `{"enum":["open","closed"]}`},
		{"enum", false, `{"type":"string","enum":["open","closed"]}`},
		{"const", true, `{"const":"v1"}`},
		{"title description example examples", true, `{"type":"string","title":"City","description":"Where.","example":"Rome","examples":["Oslo"]}`},
		{"deprecated readOnly writeOnly", true, `{"type":"string","deprecated":true,"readOnly":true,"writeOnly":false}`},
		{"items", true, `{"type":"array","items":{"type":"string"}}`},
		{"items minItems maxItems uniqueItems", false, `{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":9,"uniqueItems":true}`},
		{"prefixItems", true, `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"minItems":2}`},
		{"prefixItems additionalItems", true, `{"type":"array","items":[{"type":"number"},{"type":"number"}],"additionalItems":false,"minItems":2}`},
		{"contains minContains maxContains unevaluatedItems", true, `{"type":"array","contains":{"const":1},"minContains":1,"maxContains":2,"unevaluatedItems":false}`},
		{"properties required", true, `{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string"}},"required":["id"]}`},
		{"additionalProperties", true, `{"type":"object","additionalProperties":{"type":"integer"}}`},
		{"additionalProperties", true, `{"type":"object","properties":{"id":{"type":"string"}},"additionalProperties":true}`},
		{"propertyNames minProperties maxProperties", true, `{"type":"object","additionalProperties":{"type":"string"},"propertyNames":{"maxLength":9},"minProperties":1,"maxProperties":9}`},
		{"patternProperties unevaluatedProperties", true, `{"type":"object","patternProperties":{"^x-":{"type":"string"}},"unevaluatedProperties":false}`},
		{"dependentRequired dependencies", true, `{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string"}},"dependentRequired":{"id":["note"]}}`},
		{"dependentSchemas", true, `{"type":"object","properties":{"id":{"type":"string"}},"dependentSchemas":{"id":{"properties":{"note":{"type":"string"}}}}}`},
		{"if then else", true, `{"type":"object","properties":{"id":{"type":"string"}},"if":{"required":["id"]},"then":{"properties":{"a":{"type":"string"}}},"else":{"properties":{"b":{"type":"string"}}}}`},
		{"allOf", true, `{"allOf":[{"type":"object","properties":{"id":{"type":"string"}}},{"required":["id"]}]}`},
		{"anyOf", true, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`},
		{"oneOf", true, `{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]}`},
		{"not", true, `{"type":"string","not":{"const":""}}`},
		{"$ref $defs", true, `{"$ref":"#/$defs/Node","$defs":{"Node":{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"}}}}}`},
		{"$ref definitions", true, `{"$ref":"#/definitions/Id","definitions":{"Id":{"type":"string"}}}`},
		{"$ref $anchor", true, `{"$ref":"#id","$defs":{"Id":{"$anchor":"id","type":"integer"}}}`},
		{"(none)", true, `{}`},
	}
}

// typesOf generates the code for a tool whose arguments and result have the schema at the
// member value, and returns what its fields are.
func typesOf(t *testing.T, e typeExample) (args, result string) {
	t.Helper()
	body := strings.Replace(e.schema, `"#/`, `"#/properties/value/`, -1)
	whole := `{"type":"object","properties":{"value":` + body + `}`
	if e.required {
		whole += `,"required":["value"]`
	}
	it, err := schema.ParseItem(schema.KindTool, []byte(`{"name":"call","inputSchema":`+whole+`},"outputSchema":`+whole+`}}`))
	if err != nil {
		t.Fatalf("%s: %v", e.schema, err)
	}
	server, err := project.Lock(&schema.Snapshot{Server: "s", ProtocolVersion: "2025-11-25", Tools: []schema.Item{it}})
	if err != nil {
		t.Fatalf("%s: %v", e.schema, err)
	}
	out, err := generator.Generate(t.Context(), generator.Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []generator.Server{server}})
	if err != nil {
		t.Fatalf("%s: %v", e.schema, err)
	}
	for _, f := range out.Files {
		if strings.HasSuffix(f.Path, "types.go") {
			return fieldText(t, f.Data, "CallArgs"), fieldText(t, f.Data, "CallResult")
		}
	}
	t.Fatalf("%s: no types", e.schema)
	return "", ""
}

// fieldText is the type of the field Value, and what a type of the package is.
func fieldText(t *testing.T, source []byte, of string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "types.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	text := func(n ast.Node) string { return string(source[n.Pos()-file.FileStart : n.End()-file.FileStart]) }
	structs, consts := map[string]ast.Expr{}, map[string][]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			structs[n.Name.Name] = n.Type
		case *ast.ValueSpec:
			if id, ok := n.Type.(*ast.Ident); ok {
				consts[id.Name] = append(consts[id.Name], n.Names[0].Name)
			}
		}
		return true
	})
	whole, ok := structs[of].(*ast.StructType)
	if !ok {
		t.Fatalf("no struct %s in\n%s", of, source)
	}
	for _, f := range whole.Fields.List {
		if len(f.Names) == 0 || f.Names[0].Name != "Value" {
			continue
		}
		out := code(text(f.Type))
		name := strings.TrimLeft(text(f.Type), "*[]")
		switch expr := structs[name].(type) {
		case *ast.StructType:
			var members []string
			for _, m := range expr.Fields.List {
				if len(m.Names) > 0 {
					members = append(members, m.Names[0].Name+" "+text(m.Type))
				}
			}
			out += ": a struct of " + code(strings.Join(members, "; "))
		case *ast.InterfaceType:
			out += ": an interface with one type for each variant"
		case nil:
		default:
			out += ": " + code(text(expr))
		}
		if len(consts[name]) > 0 {
			out += " with " + code(strings.Join(consts[name], "`, `"))
		}
		return cell(strings.TrimRightFunc(out, unicode.IsSpace))
	}
	return "not a field"
}
