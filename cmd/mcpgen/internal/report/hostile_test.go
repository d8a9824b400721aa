package report

// Every text that a server chooses is attacked here in every format: what is
// written is read back, and has to be the report that it was, with nothing in it
// that acts.

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// payloads are texts that attack Go source, and those that attack reports.
func payloads(t testing.TB) []string {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "golden", "hostile", "payloads.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []struct{ Text string }
	if err := json.Unmarshal(data, &all); err != nil || len(all) < 20 {
		t.Fatal(err, len(all))
	}
	out := reportPayloads()
	for i, p := range all {
		if i%4 == 0 { // those are about Go; neighbours are alike
			out = append(out, p.Text)
		}
	}
	return out
}

func reportPayloads() []string {
	return []string{
		"::error file=x::boom", "\n::set-output name=a::b", "\r\n::add-mask::x", "x %0A::error::y", "a,line=1,title=x::y",
		"  ::stop-commands::token", "##[error]x", "##vso[task.setvariable variable=a]b", "##teamcity[buildStop]",
		"</code><script>alert(1)</script>", "]]><testcase name=\"x\"/><![CDATA[", "]]>", "&lt;&#60;<!-- --><!DOCTYPE x [<!ENTITY a 'b'>]>",
		"a | b | c", "|\n|---|\n| x |", "```\n# h\n```", "`` ` ``", "![i](http://evil.example/x.png)", "[l](javascript:alert(1))", "<img src=x onerror=y>",
		"@everyone fixes #1 GH-1 http://evil.example www.evil.example a@b.example", "<details><summary>x", "--> <b>", "$a$ $$b$$", "a\n\n# head\n- item\n> quote",
		"\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b31m", "\x00\x01\x08\x7f\u0085", "\u202Eevil\u202C\u2066x\u2069", "a\u200bb\ufeffc\u2028d\u2029e", "\ufffe\uffff\U0001fffe", "\xff\xfe", "\U000E0041\U000E0042",
		"{0} {placeholder} [link](1) \\[x\\]", "$(touch x) `touch x` '; touch x; '", "a'b\"c\\d", "'\\''", "-rf", strings.Repeat("long", 500), strings.Repeat("漢", 200), strings.Repeat("'", 200), strings.Repeat(`\`, 99),
		"", " ", "%", "%25%0A",
	}
}

// poisoned is a report with one text in every place that a server, or the error
// about one, chooses.
func poisoned(text string) *Report {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	quoted := fmt.Sprintf("%q was here, and %s", text, text)
	var changes []Change
	for i, kind := range []drift.Kind{drift.KindTool, drift.KindPrompt, drift.KindResource, drift.KindTemplate, drift.KindServer} {
		c := Change{Position: Position{"internal/mcp/x/snapshot.json", i}, AfterHash: "sha256:" + strings.Repeat("a", 64)}
		c.Rule, c.Severity, c.Class, c.Kind = "input-const-changed", drift.Breaking, drift.ClassSecurity, kind
		c.Name, c.Path, c.Message = "n"+text, "/properties/"+text, quoted
		c.Before, c.After = raw, json.RawMessage(`{"a":`+string(raw)+`}`)
		c.Witness = json.RawMessage(`{"b":[1,` + string(raw) + `],"c":` + string(raw) + `}`)
		c.CallSites = []drift.CallSite{{File: "a" + text, Line: 1, Symbol: "S" + text, Source: "f(" + text + ")", Error: "undefined: " + text}}
		c.Remedy = remedy("s"+text, &c)
		changes = append(changes, c)
	}
	return &Report{
		Verdict: drift.Unchecked,
		Servers: []Server{
			{Server: "s" + text, Verdict: drift.Verdict(drift.Breaking), State: StateChecked, Changes: changes, Position: Position{"mcpgen.yaml", 1}},
			{Server: "t" + text, Verdict: drift.Unchecked, State: StateUnreachable, Error: "e" + text, Changes: []Change{}},
		},
		Stale:  []File{{Path: "p" + text, State: "changed", Position: Position{File: "q" + text}}},
		Error:  "f" + text,
		Unseen: []Unseen{{File: "g" + text, Line: 2, Reason: "h" + text}},
	}
}

func TestHostile(t *testing.T) {
	sarif, own := compile(t, "testdata/sarif-schema-2.1.0.json"), compile(t, "report.schema.json")
	for _, text := range payloads(t) {
		for _, f := range Formats() {
			data := write(t, f, poisoned(text), options())
			if err := inert(data); err != nil {
				t.Errorf("%s of %q: %v", f, text, err)
			}
			if err := readBack(f, data, text, sarif, own); err != nil {
				t.Errorf("%s of %q: %v\n%s", f, text, err, data)
			}
		}
		o := options()
		o.All = true
		data := write(t, Text, poisoned(text), o)
		if err := errors.Join(inert(data), readFullText(data)); err != nil {
			t.Errorf("all of %q: %v\n%s", text, err, data)
		}
	}
}

// FuzzFormats is TestHostile with texts that nobody has thought of.
func FuzzFormats(f *testing.F) {
	for i, text := range reportPayloads() {
		if i%6 == 0 { // TestHostile has them all
			f.Add(text)
		}
	}
	sarif, own := compile(f, "testdata/sarif-schema-2.1.0.json"), compile(f, "report.schema.json")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		for _, format := range Formats() {
			data := write(t, format, poisoned(text), options())
			if err := errors.Join(inert(data), readBack(format, data, text, sarif, own)); err != nil {
				t.Errorf("%s of %q: %v\n%s", format, text, err, data)
			}
		}
	})
}

func compile(t testing.TB, path string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// inert wants nothing that a terminal obeys or a reader cannot see, and no order
// to a program that runs mcpgen, save for our annotations.
func inert(data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("not UTF-8")
	}
	for _, r := range string(data) {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || r&0xfffe == 0xfffe) {
			return fmt.Errorf("%U stands in it", r)
		}
	}
	for l := range strings.SplitSeq(string(data), "\n") {
		if trimmed := strings.TrimSpace(l); strings.HasPrefix(trimmed, "::") && !annotation.MatchString(l) {
			return fmt.Errorf("the line %q is an order", l)
		}
		for _, order := range []string{"##[", "##vso[", "##teamcity["} {
			if strings.Contains(l, order) {
				return fmt.Errorf("the line %q has %s", l, order)
			}
		}
	}
	return nil
}

var annotation = regexp.MustCompile(`^::(error|warning|notice) (?:file=([^:,\r\n]*),)?(?:line=(\d+),)?title=([^:,\r\n]*)::([^\r\n]*)$`)

func readBack(f Format, data []byte, text string, sarif, own *jsonschema.Schema) error {
	switch f {
	case Text:
		return readText(data)
	case JSON:
		return readJSON(data, text, own)
	case SARIF:
		return readSARIF(data, sarif)
	case JUnit:
		return readJUnit(data)
	case GitHub:
		return readGitHub(data)
	}
	return readMarkdown(data, text)
}

// readText wants lines that fit, no more of them than a screen has, and the lines of
// the user's module first.
func readText(data []byte) error {
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, l := range lines {
		if columns(l) > 80 {
			return fmt.Errorf("%d columns: %q", columns(l), l)
		}
	}
	if len(lines) > MaxLines || !strings.HasPrefix(lines[0], "breaks your code: ") {
		return fmt.Errorf("%d lines, the first one is %q", len(lines), lines[0])
	}
	return nil
}

// readFullText wants lines that fit, and of those that begin an item as many as there
// are items.
func readFullText(data []byte) error {
	heads := 0
	for l := range strings.SplitSeq(string(data), "\n") {
		if columns(l) > 80 && !strings.HasPrefix(l, "        mcpgen call ") {
			return fmt.Errorf("%d columns: %q", columns(l), l)
		}
		if strings.HasPrefix(l, "    breaking security input-const-changed") {
			heads++
		}
	}
	if heads < 5 {
		return fmt.Errorf("%d changes", heads)
	}
	return nil
}

// readJSON wants the same report again, except for what is no UTF-8.
func readJSON(data []byte, text string, own *jsonschema.Schema) error {
	if err := validate(data, own); err != nil {
		return err
	}
	var got Report
	if err := json.Unmarshal(data, &got); err != nil {
		return err
	}
	if !utf8.ValidString(text) {
		return nil // how many replacements a text gets is for the encoder to say
	}
	want := poisoned(text)
	for c := range want.All() {
		c.Position = Position{}
	}
	for i := range want.Servers {
		want.Servers[i].Position = Position{}
	}
	want.Stale[0].Position = Position{}
	same := cmp.Comparer(func(a, b json.RawMessage) bool {
		var x, y any
		return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
	})
	if diff := cmp.Diff(want, &got, same); diff != "" {
		return errors.New(diff)
	}
	return nil
}

func validate(data []byte, s *jsonschema.Schema) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// readSARIF wants a valid log with every result in it, and messages without
// links and placeholders.
func readSARIF(data []byte, schema *jsonschema.Schema) error {
	if err := validate(data, schema); err != nil {
		return err
	}
	var log sarifLog
	if err := json.Unmarshal(data, &log); err != nil {
		return err
	}
	run := log.Runs[0]
	if len(run.Results) != 6 || len(run.Invocations[0].Notifications) != 2 || run.Invocations[0].ExecutionSuccessful {
		return fmt.Errorf("%d results, %+v", len(run.Results), run.Invocations)
	}
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			return fmt.Errorf("rule %d is not %s", r.RuleIndex, r.RuleID)
		}
		plain := strings.NewReplacer(`\\`, "", `\[`, "", `\]`, "", `{{`, "", `}}`, "").Replace(r.Message.Text)
		if strings.ContainsAny(plain, `\[]{}`) {
			return fmt.Errorf("the message %q has a link or a placeholder", r.Message.Text)
		}
	}
	return nil
}

// readJUnit wants well-formed XML with the suites and tests that we wrote, in the
// shape that readers of JUnit files want.
func readJUnit(data []byte) error {
	counts := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(data))
	var path []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			path = append(path, token.Name.Local)
			at := strings.Join(path, "/")
			counts[at]++
			required, known := junitElements[at]
			if !known {
				return fmt.Errorf("an element %s", at)
			}
			for _, name := range strings.Fields(required) {
				if !hasAttribute(token, name) {
					return fmt.Errorf("%s without %s", at, name)
				}
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.Directive, xml.Comment:
			return fmt.Errorf("%T in it", token)
		}
	}
	want := map[string]int{
		"testsuites/testsuite": 3, "testsuites/testsuite/testcase": 8,
		"testsuites/testsuite/testcase/failure": 6, "testsuites/testsuite/testcase/error": 2,
	}
	for at, n := range want {
		if counts[at] != n {
			return fmt.Errorf("%d × %s, want %d", counts[at], at, n)
		}
	}
	return nil
}

// junitElements are the elements and the attributes they need by the schemas of
// Jenkins and of Ant's junitreport.
var junitElements = map[string]string{
	"testsuites":                               "",
	"testsuites/testsuite":                     "name tests failures errors id hostname package time timestamp",
	"testsuites/testsuite/properties":          "",
	"testsuites/testsuite/properties/property": "name value",
	"testsuites/testsuite/testcase":            "name classname time",
	"testsuites/testsuite/testcase/failure":    "message type",
	"testsuites/testsuite/testcase/error":      "message type",
	"testsuites/testsuite/system-out":          "",
	"testsuites/testsuite/system-err":          "",
}

func hasAttribute(e xml.StartElement, name string) bool {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return true
		}
	}
	return false
}

// readGitHub wants one annotation a line, as many as there are things to say.
func readGitHub(data []byte) error {
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != 5*2+1+2 {
		return fmt.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		m := annotation.FindStringSubmatch(l)
		if m == nil {
			return fmt.Errorf("no annotation: %q", l)
		}
		for _, escaped := range m[2:] {
			if bad := regexp.MustCompile(`%(25|0D|0A|3A|2C)`).ReplaceAllString(escaped, ""); strings.Contains(bad, "%") {
				return fmt.Errorf("a %% that is no escape: %q", l)
			}
		}
	}
	return nil
}

var (
	codeElement = regexp.MustCompile(`<code>((?:[^<]|<!-- -->)*)</code>`)
	reference   = regexp.MustCompile(`&#\d+;(?:<!-- -->)?`)
)

// readMarkdown wants the page that a harmless text gives, but for what stands in
// code; and there nothing that markdown, HTML or a table reads.
func readMarkdown(data []byte, text string) error {
	var bad error
	skeleton := func(page []byte) string {
		return codeElement.ReplaceAllStringFunc(string(page), func(code string) string {
			inner := reference.ReplaceAllString(codeElement.FindStringSubmatch(code)[1], "")
			if strings.ContainsAny(inner, "<>&|`*_[]!#@:.~\\{}$\n") {
				bad = fmt.Errorf("the code %q", code)
			}
			return "<code/>"
		})
	}
	got := skeleton(data)
	if bad != nil {
		return bad
	}
	const open, end = "\n<details><summary>All changes</summary>\n", "\n</details>\n"
	shown, _, found := strings.Cut(got, open)
	if n := strings.Count(shown, "\n"); n > 14 || !found || !strings.HasSuffix(got, end) {
		return fmt.Errorf("%d lines that are not folded away, want 15 with that of the fold", n+1)
	}
	if rest := strings.NewReplacer("<code/>", "", open, "", end, "").Replace(got); strings.ContainsAny(rest, "<>`[]@") || strings.Contains(rest, "://") {
		return fmt.Errorf("outside of code: %q", rest)
	}
	// A value that the message shows already is left out.
	lines := func(page string) int {
		return strings.Count(page, "\n") - strings.Count(page, "\n  - was ") - strings.Count(page, "\n  - now ")
	}
	if a, b := lines(got), lines(skeleton(harmlessPage("x"))); a != b {
		return fmt.Errorf("%d lines, want %d", a, b)
	}
	return nil
}

func harmlessPage(text string) []byte {
	data, err := writeMarkdown(poisoned(text), &Options{})
	if err != nil {
		panic(err)
	}
	return data
}
