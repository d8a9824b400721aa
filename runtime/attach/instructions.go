// What an agent's system prompt says of the servers, and what a person is shown.

package attach

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
)

// The bounds of what a server may put into a prompt, in bytes.
const (
	maxInstructions = 8 << 10 // its instructions
	maxSentence     = 200     // of a tool's description
	maxDescription  = 1 << 10 // of what its configuration says of it
	maxListed       = 60      // characters of a description in a listing
)

// Instructions returns a block for an agent's system prompt: the tools of
// [Options.Native]; for each server that is ready, or not started yet, a heading with
// the number of its tools, what its configuration says of it, what the server says of
// its use, and one line for each tool with the first sentence of its description. The
// sections of the program follow, in their order, and those of [Options.Sections]. If
// tools for looking up documentation are among the tools, and no section is about
// them, a last one says so. Without any of these it is "".
//
// The tools are those of [Host.Tools], by the same names. Texts of servers with a
// manifest are the pinned ones. All of them are made harmless to the form of the
// prompt: characters that nobody sees are left out, instructions are quoted line
// by line, sentences stay on one line, and both are cut. What they say remains
// the server's word.
func (h *Host) Instructions(sections ...Section) string { return h.prompt(sections).String() }

// prompt collects what instructions are made of.
func (h *Host) prompt(sections []Section) Prompt {
	p := Prompt{Native: promptTools(h.nativeSpecs())}
	for _, s := range h.all() {
		said, ok := h.said(s)
		if !ok {
			continue
		}
		server := PromptServer{Name: quote.Line(s.server.Name, maxSentence), Description: quote.Line(s.server.Description, maxDescription)}
		if said != "" {
			server.Instructions = blockquote(said)
		}
		server.Tools = promptTools(h.specs(s))
		p.Servers = append(p.Servers, server)
	}
	p.apply(sections)
	for _, s := range h.settings.Sections {
		if !slices.ContainsFunc(s.Tools, p.explains) {
			p.apply([]Section{s})
		}
	}
	return p
}

func promptTools(specs []runtime.Spec) []PromptTool {
	var tools []PromptTool
	for _, spec := range specs {
		tools = append(tools, PromptTool{Name: spec.Name, Tool: quote.Line(spec.Tool, maxSentence), Summary: firstSentence(spec.Description)})
	}
	return tools
}

// String is the usual form, which [Host.Instructions] has.
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
		b.WriteString("# Tools of MCP servers\n\nLines that begin with \">\" and descriptions of tools are written by the servers.\n")
	}
	for _, s := range p.Servers {
		fmt.Fprintf(&b, "\n## %s (%s)\n", s.Name, count(len(s.Tools)))
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

// lookup are the names of the tools for looking up documentation that no section is
// about.
func (p Prompt) lookup() []string {
	var names []string
	for _, tool := range p.tools() {
		if (tool.Tool == "search_docs" || tool.Tool == "get_doc") && !p.explains(tool.Tool) {
			names = append(names, tool.Name)
		}
	}
	return names
}

// said returns the instructions of a server that is ready, and the pinned ones of
// one that is not started yet.
func (h *Host) said(s *serverState) (text string, ok bool) {
	if x := s.offered(); x != nil && x.unlisted {
		return x.pinned.instructions, true
	}
	sess, err := s.get()
	if err != nil {
		return "", false
	}
	x := sess.tools.Load()
	text = sess.handshake.instructions
	if x.pinned != nil && x.mode != DriftOff {
		text = x.pinned.instructions
	}
	return sess.mask(text), true
}

// specs describes the tools of one server that may be called. Names that meet are
// for Tools to report.
func (h *Host) specs(s *serverState) []runtime.Spec {
	offers, err := h.offersOf(s)
	if err != nil {
		return nil
	}
	specs := make([]runtime.Spec, len(offers))
	for i, o := range offers {
		specs[i] = o.Spec()
	}
	return specs
}

// nativeSpecs describes the tools of [Options.Native].
func (h *Host) nativeSpecs() []runtime.Spec {
	var specs []runtime.Spec
	for _, t := range h.native {
		specs = append(specs, t.Spec())
	}
	return specs
}

// Specs describes the tools of a server that may be called, as [Host.Listing] shows
// them; those of [Options.Native] for "". Nil: no server has the name, or it has none
// now.
func (h *Host) Specs(server string) []runtime.Spec {
	if server == "" {
		return h.nativeSpecs()
	}
	for _, s := range h.all() {
		if s.server.Name == server {
			return h.specs(s)
		}
	}
	return nil
}

func count(n int) string {
	if n == 1 {
		return "1 tool"
	}
	return fmt.Sprintf("%d tools", n)
}

// blockquote is a text as lines that cannot be taken for the prompt's own.
func blockquote(text string) string {
	if len(text) > maxInstructions {
		text = quote.Cut(text, maxInstructions)
	}
	lines := strings.Split(quote.Block(text, 2*maxInstructions), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+strings.TrimRightFunc(line, unicode.IsSpace), " ")
	}
	return strings.Join(lines, "\n")
}

// firstSentence is the first sentence of a description, on one line.
func firstSentence(text string) string {
	text = quote.Line(text, 16*maxSentence)
	for i, r := range text {
		if r != '.' && r != '!' && r != '?' && r != '。' {
			continue
		}
		end := i + utf8.RuneLen(r)
		if end == len(text) || r == '。' || text[end] == ' ' && !abbreviated(text[:end]) {
			return quote.Cut(text[:end], maxSentence)
		}
	}
	return quote.Cut(text, maxSentence)
}

// abbreviated reports whether a point ends an abbreviation, and no sentence.
func abbreviated(text string) bool {
	word := strings.ToLower(text[strings.LastIndexAny(text, " (")+1:])
	switch word {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no.", "incl.":
		return true
	}
	return false
}

// Listing shows servers of a host to a person, all of them if none is named:
// state, transport and number of tools of each, and below it each tool that may be
// called with the beginning of its description. Whatever came from a server is fit
// for a terminal. Without any server it says so.
func (h *Host) Listing(servers ...string) string {
	states := h.all()
	if len(servers) > 0 {
		states = slices.DeleteFunc(states, func(s *serverState) bool { return !slices.Contains(servers, s.server.Name) })
	}
	if len(states) == 0 {
		return "No MCP servers are configured.\n"
	}
	var b strings.Builder
	for _, s := range states {
		st := s.currentStatus()
		fmt.Fprintf(&b, "%s: %s\n", quote.Line(st.Server, maxSentence), describe(st, len(h.specs(s))))
		if st.State == Failed || st.State == Closed {
			continue
		}
		for _, spec := range h.specs(s) {
			b.WriteString("  " + spec.Name + "\n")
			if text := shortened(quote.Line(spec.Description, 4*maxSentence)); text != "" {
				b.WriteString("    " + text + "\n")
			}
		}
		if x := s.offered(); x != nil {
			for _, d := range x.drift(st.Server) {
				if !d.Allowed {
					fmt.Fprintf(&b, "  %s is held back: %s\n", quote.Line(d.Tool, maxSentence), quote.Line(string(d.State)+" "+d.Rule, maxSentence))
				}
			}
		}
	}
	return b.String()
}

// describe is the state of a server in a listing.
func describe(st Status, tools int) string {
	over := string(st.Transport)
	switch st.State {
	case Ready:
		return fmt.Sprintf("● connected (%s) over %s", count(tools), over)
	case Connecting:
		return "○ connecting over " + over
	case Lost:
		return fmt.Sprintf("○ lost (%s) over %s: %s", count(tools), over, reason(st.Err))
	case Failed:
		return fmt.Sprintf("✗ failed over %s: %s", over, reason(st.Err))
	case Closed:
		return "○ closed over " + over
	}
	return "○ not started over " + over
}

func reason(err error) string {
	if err == nil {
		return "unknown"
	}
	return quote.Line(err.Error(), 4*maxSentence)
}

// shortened cuts a description to 60 characters.
func shortened(text string) string {
	runes := []rune(text)
	if len(runes) <= maxListed {
		return text
	}
	return string(runes[:maxListed-3]) + "..."
}
