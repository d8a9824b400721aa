package report

// Every text that a server chooses is replaced by payloads, in every format. What is
// written is read back: it has to be the same report, and no program may take any of it as a
// command or as markup.

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
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// hostileTexts are texts that attack Go source, and those that attack reports.
func hostileTexts(t testing.TB) []string {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "golden", "hostile", "payloads.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []struct{ Text string }
	if err := json.Unmarshal(data, &all); err != nil || len(all) < 20 {
		t.Fatalf("the payloads cannot be read: %d of them, want at least 20; %v", len(all), err)
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

// reportFullOf is a report that has one text wherever a server, or an error about it, chooses
// the text.
func reportFullOf(text string) *Report {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	quoted := fmt.Sprintf("%q was here, and %s", text, text)
	var changes []Change
	for i, kind := range []schema.Kind{schema.KindTool, schema.KindPrompt, schema.KindResource, schema.KindTemplate, drift.KindServer} {
		c := Change{Position: Position{"internal/mcp/x/snapshot.json", i}, AfterHash: "sha256:" + strings.Repeat("a", 64)}
		c.Rule, _ = drift.LookupRule("input-const-changed")
		c.Severity, c.Class, c.Kind = drift.Breaking, drift.ClassSecurity, kind
		c.Name, c.Path, c.Message = "n"+text, "/properties/"+text, quoted
		c.Before, c.After = raw, json.RawMessage(`{"a":`+string(raw)+`}`)
		c.Witness = json.RawMessage(`{"b":[1,` + string(raw) + `],"c":` + string(raw) + `}`)
		c.CallSites = []drift.CallSite{{File: "a" + text, Line: 1, Symbol: "S" + text, Source: "f(" + text + ")", Error: "undefined: " + text, Kind: drift.SiteBreaks}}
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
	sarif, own := compileSchema(t, "testdata/sarif-schema-2.1.0.json"), compileSchema(t, "report.schema.json")
	for _, text := range hostileTexts(t) {
		for _, f := range Formats() {
			data := writeReport(t, f, reportFullOf(text), testOptions())
			if err := checkInert(data); err != nil {
				t.Errorf("%s of %q: %v", f, text, err)
			}
			if err := readBack(f, data, text, sarif, own); err != nil {
				t.Errorf("%s of %q: %v\n%s", f, text, err, data)
			}
		}
		o := testOptions()
		o.All = true
		data := writeReport(t, Text, reportFullOf(text), o)
		if err := errors.Join(checkInert(data), readFullText(data)); err != nil {
			t.Errorf("all of %q: %v\n%s", text, err, data)
		}
	}
}

// FuzzFormats is TestHostile with random texts.
func FuzzFormats(f *testing.F) {
	for i, text := range reportPayloads() {
		if i%6 == 0 { // TestHostile has them all
			f.Add(text)
		}
	}
	sarif, own := compileSchema(f, "testdata/sarif-schema-2.1.0.json"), compileSchema(f, "report.schema.json")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		for _, format := range Formats() {
			data := writeReport(t, format, reportFullOf(text), testOptions())
			if err := errors.Join(checkInert(data), readBack(format, data, text, sarif, own)); err != nil {
				t.Errorf("%s of %q: %v\n%s", format, text, err, data)
			}
		}
	})
}

func compileSchema(t testing.TB, path string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// checkInert returns an error if data has characters that control a terminal or are invisible,
// or a command to a program that runs mcpgen. Our own annotations are allowed.
func checkInert(data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("the output is not valid UTF-8")
	}
	for _, r := range string(data) {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || r&0xfffe == 0xfffe) {
			return fmt.Errorf("the output contains %U", r)
		}
	}
	for l := range strings.SplitSeq(string(data), "\n") {
		if trimmed := strings.TrimSpace(l); strings.HasPrefix(trimmed, "::") && !annotation.MatchString(l) {
			return fmt.Errorf("the line %q is a workflow command", l)
		}
		for _, order := range []string{"##[", "##vso[", "##teamcity["} {
			if strings.Contains(l, order) {
				return fmt.Errorf("the line %q contains the command %s", l, order)
			}
		}
	}
	return nil
}

var annotation = regexp.MustCompile(`^::(error|warning|notice) (?:file=([^:,\r\n]*),)?(?:line=(\d+),)?title=([^:,\r\n]*)::([^\r\n]*)$`)

// readBack returns an error unless data is the report poisoned(text) in a format.
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

// readText returns an error unless all lines fit into 80 columns and all of them on a
// screen, and the text begins with the lines of the user's module.
func readText(data []byte) error {
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, l := range lines {
		if columns(l) > 80 {
			return fmt.Errorf("a line has %d columns, want at most 80: %q", columns(l), l)
		}
	}
	if len(lines) > MaxLines || !strings.HasPrefix(lines[0], "breaks your code: ") {
		return fmt.Errorf("%d lines that begin with %q, want at most %d that begin with what breaks the code", len(lines), lines[0], MaxLines)
	}
	return nil
}

// readFullText returns an error unless all lines fit into 80 columns and each of the five
// changes has a heading.
func readFullText(data []byte) error {
	heads := 0
	for l := range strings.SplitSeq(string(data), "\n") {
		if columns(l) > 80 && !strings.HasPrefix(l, "        mcpgen call ") {
			return fmt.Errorf("a line has %d columns, want at most 80: %q", columns(l), l)
		}
		if strings.HasPrefix(l, "    breaking security input-const-changed") {
			heads++
		}
	}
	if heads < 5 {
		return fmt.Errorf("%d headings of changes, want 5", heads)
	}
	return nil
}

// readJSON returns an error unless the JSON is valid by its schema and the same report. Of a
// text that is not UTF-8 only the schema is checked.
func readJSON(data []byte, text string, own *jsonschema.Schema) error {
	if err := checkSchema(data, own); err != nil {
		return err
	}
	var got Report
	if err := json.Unmarshal(data, &got); err != nil {
		return err
	}
	if !utf8.ValidString(text) {
		return nil // how many replacements a text gets is for the encoder to say
	}
	want := reportFullOf(text)
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
	if diff := cmp.Diff(want, &got, same, cmpopts.EquateComparable(drift.Rule{})); diff != "" {
		return errors.New(diff)
	}
	return nil
}

func checkSchema(data []byte, s *jsonschema.Schema) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// readSARIF returns an error unless the log is valid and has every result, and no message
// has a link or a placeholder.
func readSARIF(data []byte, schema *jsonschema.Schema) error {
	if err := checkSchema(data, schema); err != nil {
		return err
	}
	var log sarifLog
	if err := json.Unmarshal(data, &log); err != nil {
		return err
	}
	run := log.Runs[0]
	if len(run.Results) != 6 || len(run.Invocations[0].Notifications) != 2 || run.Invocations[0].ExecutionSuccessful {
		return fmt.Errorf("%d results and the invocations %+v, want 6 results and a failed invocation with 2 notifications", len(run.Results), run.Invocations)
	}
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			return fmt.Errorf("the rule %d is %s, want %s", r.RuleIndex, run.Tool.Driver.Rules[r.RuleIndex].ID, r.RuleID)
		}
		plain := strings.NewReplacer(`\\`, "", `\[`, "", `\]`, "", `{{`, "", `}}`, "").Replace(r.Message.Text)
		if strings.ContainsAny(plain, `\[]{}`) {
			return fmt.Errorf("the message %q has a link or a placeholder", r.Message.Text)
		}
	}
	return nil
}

// readJUnit returns an error unless the XML is well-formed, has our suites and tests, and
// only the elements that readers of JUnit files know, with the attributes they require.
func readJUnit(data []byte) error {
	counts, err := junitCounts(data)
	if err != nil {
		return err
	}
	want := map[string]int{
		"testsuites/testsuite": 4, "testsuites/testsuite/testcase": 9,
		"testsuites/testsuite/testcase/failure": 2, "testsuites/testsuite/testcase/error": 2,
	}
	for at, n := range want {
		if counts[at] != n {
			return fmt.Errorf("%d elements %s, want %d", counts[at], at, n)
		}
	}
	return nil
}

// junitCounts counts the elements of a file. One that readers of JUnit files do not know, or
// that lacks an attribute, is an error.
func junitCounts(data []byte) (map[string]int, error) {
	counts := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(data))
	var path []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return counts, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			path = append(path, token.Name.Local)
			at := strings.Join(path, "/")
			counts[at]++
			required, known := junitElements[at]
			if !known {
				return nil, fmt.Errorf("readers of JUnit files know no element %s", at)
			}
			for _, name := range strings.Fields(required) {
				if !hasAttribute(token, name) {
					return nil, fmt.Errorf("%s has no attribute %s", at, name)
				}
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.Directive, xml.Comment:
			return nil, fmt.Errorf("the file contains a %T", token)
		}
	}
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

// readGitHub returns an error unless every line is an annotation: one for the line of code,
// and one for all the rest.
func readGitHub(data []byte) error {
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != 2 {
		return fmt.Errorf("%d lines, want 2", len(lines))
	}
	for _, l := range lines {
		m := annotation.FindStringSubmatch(l)
		if m == nil {
			return fmt.Errorf("the line %q is not an annotation", l)
		}
		for _, escaped := range m[2:] {
			if bad := regexp.MustCompile(`%(25|0D|0A|3A|2C)`).ReplaceAllString(escaped, ""); strings.Contains(bad, "%") {
				return fmt.Errorf("the line %q has a %% that is not an escape", l)
			}
		}
	}
	return nil
}

// markdownMarkup is what markdown, or a site that shows it, reads of other punctuation:
// underscores around words, addresses, references and GitLab's marks.
var markdownMarkup = regexp.MustCompile(`(?i)://|www\.|(^|[^\pL\pN_])_|_([^\pL\pN_]|$)|![\pL\pN_\[]|%[\pL\pN_"]|\{[+-]`)

var (
	changesElement = regexp.MustCompile(`(?s)<pre>\n(.*?)</pre>\n`)
	htmlReference  = regexp.MustCompile(`&(amp|lt|gt);|&#64;<!-- -->`)
	codeElement    = regexp.MustCompile(`<code>((?:[^<]|<!-- -->)*)</code>`)
	reference      = regexp.MustCompile(`&#\d+;(?:<!-- -->)?`)
)

// readMarkdown returns an error unless the page is the one of a harmless text, apart from
// the contents of code elements, and those have nothing that markdown, HTML or a table
// reads as markup.
func readMarkdown(data []byte, text string) error {
	if len(data) > maxPage {
		return fmt.Errorf("%d bytes, want at most %d", len(data), maxPage)
	}
	var bad error
	skeleton := func(page []byte) string {
		return codeElement.ReplaceAllStringFunc(string(page), func(code string) string {
			inner := reference.ReplaceAllString(codeElement.FindStringSubmatch(code)[1], " ")
			if strings.ContainsAny(inner, "<>&|`*[]#@~\\$\n") || markdownMarkup.MatchString(inner) {
				bad = fmt.Errorf("the code element %q contains markup", code)
			}
			return "<code/>"
		})
	}
	for _, changes := range changesElement.FindAllSubmatch(data, -1) {
		if inner := htmlReference.ReplaceAllString(string(changes[1]), ""); strings.ContainsAny(inner, "<>&@") {
			return fmt.Errorf("the changes have markup: %q", inner)
		}
	}
	data = changesElement.ReplaceAll(data, nil)
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
		return fmt.Errorf("outside of code elements the page has markup or a link: %q", rest)
	}
	if regexp.MustCompile(`\nand \d+ changes? more\n`).Match(data) {
		return nil // there is no room for all of it
	}
	if a, b := strings.Count(got, "\n"), strings.Count(skeleton(changesElement.ReplaceAll(harmlessPage("x"), nil)), "\n"); a != b {
		return fmt.Errorf("the page has %d lines, want %d, as with a harmless text", a, b)
	}
	return nil
}

func harmlessPage(text string) []byte {
	data, err := writeMarkdown(reportFullOf(text), &Options{})
	if err != nil {
		panic(err)
	}
	return data
}
