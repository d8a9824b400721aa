// Sections that a program adds to the instructions, and the parts of a prompt.

package agent

import (
	"slices"
	"strings"
)

// A Section is a part of the instructions that the program itself writes. Its text is
// used verbatim, since it does not come from a server.
type Section struct {
	Title string // its heading; "" means none
	Text  string // markdown; names of Tools in backquotes are replaced by the names for the model

	// Tools are the tools that the text is about, in the spelling of their servers.
	// The section is left out unless each of them is built in or offered by a server;
	// the first such tool is used. If nil, the section is never left out.
	Tools []string
}

// DocumentationWorkflow returns tallow's own section on looking up documentation:
// four steps, for the tools search_docs, get_doc and add_doc. It replaces the shorter
// section that [View.Instructions] adds by itself. Hosts that package live makes from
// tallow's files have it.
func DocumentationWorkflow() Section {
	return Section{
		Title: "Documentation Lookup",
		Text: "Mandatory workflow for looking up documentation:\n\n" +
			"1. Check local docs first with `search_docs`\n" +
			"2. If found, read with `get_doc`\n" +
			"3. If not found, add with `add_doc`, then read with `get_doc`\n" +
			"4. Never use `web_fetch` for documentation\n\n" +
			"This applies to all official documentation but not general web content.",
		Tools: []string{"search_docs", "get_doc", "add_doc"},
	}
}

// A Prompt holds the parts of instructions. Texts of servers are made harmless as
// [View.Instructions] describes.
type Prompt struct {
	Native   []PromptTool   // from [Options.Native]
	Servers  []PromptServer // the servers that are ready, or not started yet
	Sections []Section      // sections of the program that apply, with the names for the model
}

// A PromptServer is one server of a [Prompt].
type PromptServer struct {
	Name         string
	Description  string // from its configuration, on one line; may be ""
	Instructions string // quoted line by line with "> "; "" if it has none
	Tools        []PromptTool
}

// A PromptTool is one tool of a [PromptServer].
type PromptTool struct {
	Name    string // the name for the model
	Tool    string // in the server's spelling
	Summary string // the first sentence of its description; may be ""
}

// apply keeps the sections whose tools exist, and replaces the names in them.
func (p *Prompt) apply(sections []Section) {
	names := map[string]string{}
	for _, tool := range p.tools() {
		if _, ok := names[tool.Tool]; !ok {
			names[tool.Tool] = tool.Name
		}
	}
	for _, s := range sections {
		missing := slices.ContainsFunc(s.Tools, func(tool string) bool { return names[tool] == "" })
		if missing {
			continue
		}
		var pairs []string
		for _, tool := range s.Tools {
			pairs = append(pairs, "`"+tool+"`", "`"+names[tool]+"`")
		}
		s.Text = strings.NewReplacer(pairs...).Replace(s.Text)
		p.Sections = append(p.Sections, s)
	}
}

// tools returns all tools, the built-in ones first.
func (p Prompt) tools() []PromptTool {
	all := slices.Clone(p.Native)
	for _, server := range p.Servers {
		all = append(all, server.Tools...)
	}
	return all
}

// explains reports whether a section of the program is about a tool.
func (p *Prompt) explains(tool string) bool {
	return slices.ContainsFunc(p.Sections, func(s Section) bool { return slices.Contains(s.Tools, tool) })
}

// write appends a section to a text.
func (s Section) write(b *strings.Builder) {
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	if s.Title != "" {
		b.WriteString("## " + s.Title + "\n\n")
	}
	b.WriteString(strings.TrimRight(s.Text, "\n") + "\n")
}
