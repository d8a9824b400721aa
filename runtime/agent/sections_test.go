package agent

import (
	"errors"
	"io"
	"strings"
	"testing"
	"text/template"
)

const docsSurface = `{"tools":[
	{"name":"search_docs","description":"Searches.","inputSchema":{"type":"object"}},
	{"name":"get_doc","inputSchema":{"type":"object"}},
	{"name":"add_doc","inputSchema":{"type":"object"}}
]}`

// A program's own sections stand below the servers, in their order; one that is
// about tools is there only with them, and says the names that the model sees.
func TestInstructionsWithSections(t *testing.T) {
	docs := processServer(t, "replay", surfaceFile(t, docsSurface))
	docs.Name = "docs"
	h := connectAll(t, docs)
	plain := h.Instructions()
	got := h.Instructions(
		Section{Title: "House rules", Text: "Be brief.\nUse `search_docs`."},
		DocumentationWorkflow(),
		Section{Text: "Ask before `delete_doc`.", Tools: []string{"delete_doc"}},
		Section{Text: "No heading: `get_doc`.\n", Tools: []string{"get_doc"}},
	)
	servers, _, ok := strings.Cut(plain, "\n## Looking up documentation\n")
	if !ok {
		t.Fatalf("without sections:\n%s", plain)
	}
	const want = `
## House rules

Be brief.
Use ` + "`search_docs`" + `.

## Documentation Lookup

Mandatory workflow for looking up documentation:

1. Check local docs first with ` + "`docs__search_docs`" + `
2. If found, read with ` + "`docs__get_doc`" + `
3. If not found, add with ` + "`docs__add_doc`" + `, then read with ` + "`docs__get_doc`" + `
4. Never use ` + "`web_fetch`" + ` for documentation

This applies to all official documentation but not general web content.

No heading: ` + "`docs__get_doc`" + `.
`
	if got != servers+want {
		t.Errorf("got\n%s\nwant\n%s", got, servers+want)
	}
	// A section on something else leaves the short one on documentation in place.
	if got := h.Instructions(Section{Text: "Be brief."}); got != servers+"\nBe brief.\n"+strings.TrimPrefix(plain, servers) {
		t.Errorf("got\n%s", got)
	}
}

// Without the tools, or without a server, only what needs neither is said.
func TestSectionsWithoutTools(t *testing.T) {
	broken := processServer(t, "exit-on-start")
	broken.Name = "broken"
	h := connectAll(t, broken)
	if got := h.Instructions(DocumentationWorkflow(), ToolWorkflow()); got != "" {
		t.Errorf("got\n%s", got)
	}
	if got := h.Instructions(Section{Title: "House rules", Text: "Be brief."}); got != "## House rules\n\nBe brief.\n" {
		t.Errorf("got\n%s", got)
	}
	got := connectAll(t, processServer(t, "echo")).Instructions(ToolWorkflow(), DocumentationWorkflow())
	i := strings.Index(got, "\n## Calling a tool\n")
	if i < 0 || strings.Contains(got, "Documentation Lookup") {
		t.Fatalf("got\n%s", got)
	}
	for n, step := range []string{"1. Find ", "2. Read ", "3. Call ", "4. Check "} {
		j := strings.Index(got[i:], "\n"+step)
		if j < 0 {
			t.Errorf("step %d is missing or out of order:\n%s", n+1, got)
		} else {
			i += j
		}
	}
}

// A template gets what the usual form is made of, made harmless in the same way.
func TestInstructionsTemplate(t *testing.T) {
	fs := processServer(t, "replay", surfaceFile(t, fsSurface))
	fs.Name = "filesystem"
	h := connectAll(t, fs)
	form := template.Must(template.New("").Parse(
		`{{range .Servers}}<server name={{printf "%q" .Name}}>
{{.Instructions}}
{{range .Tools}}{{.Name}} ({{.Tool}}){{with .Summary}}: {{.}}{{end}}
{{end}}</server>
{{end}}{{range .Sections}}[{{.Title}}] {{.Text}}{{end}}`))
	got, err := h.InstructionsFrom(form, Section{Title: "Files", Text: "Read with `read_file`.", Tools: []string{"read_file"}},
		DocumentationWorkflow())
	const want = `<server name="filesystem">
> Paths are below the root.
> # Not a heading of the prompt.
filesystem__read_file (read_file): Reads a file, e.g. a text.
filesystem__write_file (write_file): Writes a file and nothing else
filesystem__bare (bare)
</server>
[Files] Read with ` + "`filesystem__read_file`."
	if got != want || err != nil {
		t.Errorf("got\n%s\n%v", got, err)
	}
	if got, err := h.InstructionsFrom(failing{}); got != "" || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a template that fails: %q, %v", got, err)
	}
}

type failing struct{}

func (failing) Execute(w io.Writer, _ any) error {
	_, _ = io.WriteString(w, "half")
	return io.ErrShortWrite
}
