// The part of a system prompt that describes a host.

package agent

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/sentence"
)

// Limits of a server's texts in a prompt, in bytes.
const (
	maxInstructions = 8 << 10 // its instructions
	maxSentence     = 200     // of a tool's description
	maxDescription  = 1 << 10 // of its description in the configuration
)

// Instructions returns a block for an agent's system prompt: the tools of
// [Options.Native]; then, for each server that is ready or not started yet, a heading
// with the number of its tools, its description in the configuration, its own
// instructions, and one line for each tool with the first sentence of the tool's
// description. The given sections follow, in their order, and then
// [Options.Sections]. If there are tools for looking up documentation, and no section
// is about them, a last section mentions them. The result is "" if all of this is
// empty.
//
// The block has the tools of [View.Tools], by the same names. Texts of servers with a
// manifest are the pinned ones. All texts of servers are made harmless to the form of
// the prompt: invisible characters are removed, instructions are quoted line by line,
// sentences stay on one line, and both are cut. Their content remains the server's.
func (v *View) Instructions(sections ...Section) string { return v.Prompt(sections...).String() }

// Prompt returns the parts of [View.Instructions], for programs that format them
// themselves.
func (v *View) Prompt(sections ...Section) Prompt {
	p := Prompt{Native: v.promptTools("")}
	for _, status := range v.host.Status() {
		about, ok := v.host.About(status.Server)
		if !ok {
			continue
		}
		server := PromptServer{Name: safetext.Words(status.Server, maxSentence), Description: safetext.Words(about.Description, maxDescription)}
		if about.Instructions != "" {
			server.Instructions = blockquote(about.Instructions)
		}
		server.Tools = v.promptTools(status.Server)
		p.Servers = append(p.Servers, server)
	}
	p.apply(sections)
	for _, s := range v.opts.Sections {
		if !slices.ContainsFunc(s.Tools, p.explains) {
			p.apply([]Section{s})
		}
	}
	return p
}

// promptTools returns the tools of a server that the model is shown.
func (v *View) promptTools(server string) []PromptTool {
	var tools []PromptTool
	for _, spec := range v.Specs(server) {
		if !v.showsTool(spec) {
			continue
		}
		tools = append(tools, PromptTool{Name: spec.Name, Tool: safetext.Words(spec.Tool, maxSentence), Summary: sentence.First(spec.Description, maxSentence)})
	}
	return tools
}

// String returns the usual format, which [View.Instructions] uses.
func (p Prompt) String() string {
	var b strings.Builder
	if len(p.Native) > 0 {
		b.WriteString("# Built-in tools\n")
		writeTools(&b, p.Native)
	}
	if len(p.Servers) > 0 {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString("# Tools of MCP servers\n\nThe servers wrote the descriptions of tools, and all lines that begin with \">\".\n")
	}
	for _, s := range p.Servers {
		fmt.Fprintf(&b, "\n## %s (%s)\n", s.Name, safetext.Count(len(s.Tools), "tool"))
		if s.Description != "" {
			b.WriteString("\nConfigured as: " + s.Description + "\n")
		}
		if s.Instructions != "" {
			b.WriteString("\n" + s.Instructions + "\n")
		}
		writeTools(&b, s.Tools)
	}
	for _, s := range p.Sections {
		s.write(&b)
	}
	if lookup := p.lookup(); len(lookup) > 0 {
		Section{
			Title: "Looking up documentation",
			Text: "Before you answer from memory how a library, a tool or a format works, look it up: " +
				strings.Join(lookup, ", ") + ".",
		}.write(&b)
	}
	return b.String()
}

// writeTools writes a line for each tool.
func writeTools(b *strings.Builder, tools []PromptTool) {
	for i, tool := range tools {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("- " + tool.Name)
		if tool.Summary != "" {
			b.WriteString(": " + tool.Summary)
		}
		b.WriteString("\n")
	}
}

// lookup returns the names of the tools for looking up documentation that no section
// is about.
func (p Prompt) lookup() []string {
	var names []string
	for _, tool := range p.tools() {
		if (tool.Tool == "search_docs" || tool.Tool == "get_doc") && !p.explains(tool.Tool) {
			names = append(names, tool.Name)
		}
	}
	return names
}

// blockquote quotes a text, so that its lines cannot be taken for the prompt's own.
func blockquote(text string) string {
	if len(text) > maxInstructions {
		text = safetext.Cut(text, maxInstructions)
	}
	lines := strings.Split(strings.TrimSpace(safetext.Strip(text)), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+strings.TrimRightFunc(line, unicode.IsSpace), " ")
	}
	return strings.Join(lines, "\n")
}
