// Annotations of GitHub's workflows: one command a line, which the runner shows
// at a line of a file.

package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/schema/drift"
)

func writeGitHub(r *Report, o *Options) ([]byte, error) {
	var b bytes.Buffer
	for i := range r.Servers {
		s := &r.Servers[i]
		if s.Verdict == drift.Unchecked {
			annotate(&b, "error", s.Position, s.Server+": could not be checked", s.reason())
		}
		for _, g := range groups(s) {
			for i := range g.changes {
				annotateChange(&b, s, &g.changes[i], o)
			}
		}
	}
	for _, f := range r.Stale {
		annotate(&b, "error", f.Position, "generated file", f.Path+": "+f.State+": run mcpgen generate and commit the result")
	}
	if r.Error != "" {
		annotate(&b, "error", Position{}, "generated files", "could not be compared: "+r.Error)
	}
	return b.Bytes(), nil
}

// reason says why a server could not be checked.
func (s *Server) reason() string {
	if s.State == StateUnlocked {
		return "not locked: run mcpgen generate"
	}
	return s.Error
}

// annotateChange marks what was locked, and each line of the user's that a
// change touches.
func annotateChange(b *bytes.Buffer, s *Server, c *Change, o *Options) {
	level := o.level(c, "notice")
	where := s.Server + ": " + title(c.Kind, c.Name)
	message := c.Rule.String() + ": " + c.Message
	if c.Path != "" {
		message += " (at " + c.Path + ")"
	}
	if isCall(c) && len(c.Witness) <= maxWitness {
		message += "\nworked, and is refused now: " + command(s.Server, c)
	}
	annotate(b, level, c.Position, where, message)
	for _, site := range c.CallSites {
		text := verb(site) + " " + site.Symbol + "; " + c.Rule.String() + ": " + c.Message
		if site.Error != "" {
			text += "\nthe compiler: " + site.Error
		}
		if c.Remedy != "" {
			text += "\n→ " + c.Remedy
		}
		annotate(b, level, Position{site.File, site.Line}, where, text)
	}
}

// annotate writes one command.
func annotate(b *bytes.Buffer, level string, at Position, title, message string) {
	fmt.Fprintf(b, "::%s ", level)
	if at.File != "" {
		fmt.Fprintf(b, "file=%s,", property(at.File))
		if at.Line > 0 {
			fmt.Fprintf(b, "line=%d,", at.Line)
		}
	}
	fmt.Fprintf(b, "title=%s::%s\n", property(title), data(message))
}

// data escapes a message for the runner. Only our own line breaks stay line breaks.
func data(text string) string {
	var lines []string
	for part := range strings.SplitSeq(text, "\n") {
		lines = append(lines, line(part))
	}
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(strings.Join(lines, "\n"))
}

// property escapes the value of a property.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(line(text)))
}
