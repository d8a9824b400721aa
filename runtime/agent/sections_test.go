package agent

import (
	"strings"
	"testing"
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
	if got := h.Instructions(DocumentationWorkflow()); got != "" {
		t.Errorf("got\n%s", got)
	}
	if got := h.Instructions(Section{Title: "House rules", Text: "Be brief."}); got != "## House rules\n\nBe brief.\n" {
		t.Errorf("got\n%s", got)
	}
}
