// Annotations for GitHub workflows: one workflow command per line, which the runner shows at a line of a
// file. It shows ten of each level.

package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/schema/drift"
)

// maxAnnotations bounds the annotated lines of code. One annotation is left for the rest.
const maxAnnotations = 9

// maxBeside bounds the lines of the annotation about the rest.
const maxBeside = 20

func writeGitHub(r *Report, o *Options) ([]byte, error) {
	var b bytes.Buffer
	lines := r.ownLines()
	shown := min(len(lines), maxAnnotations)
	for _, l := range lines[:shown] {
		level := "warning"
		if l.fails(o) {
			level = "error"
		}
		annotate(&b, level, l.at(), l.found[0].item(), l.says())
	}
	left := maxAnnotations - shown
	for i := range r.Servers {
		if left -= r.Servers[i].annotate(&b, o, left); left == 0 {
			break
		}
	}
	text, fails := r.beside(o, lines[shown:])
	if n := len(text) - maxBeside; n > 0 {
		text = append(text[:maxBeside:maxBeside], fmt.Sprintf("and %d more", n))
	}
	level := "notice"
	switch warns := func(c *Change) bool { return !touched(c) && o.level(c, "") == "warning" }; {
	case fails:
		level = "error"
	case r.Any(warns):
		level = "warning"
	}
	if text != nil {
		annotate(&b, level, Position{}, "mcpgen", strings.Join(text, "\n"))
	}
	return b.Bytes(), nil
}

// annotate annotates the configuration of a server, if the server could not be checked or the
// configuration has findings. It writes at most room annotations and returns their number.
func (s *Server) annotate(b *bytes.Buffer, o *Options, room int) int {
	if room == 0 || s.Position.File == "" {
		return 0
	}
	if s.Verdict == drift.Unchecked && s.State != StateRefused {
		annotate(b, "error", s.Position, s.Server+": could not be checked", s.reason())
		return 1
	}
	for i := range s.Changes {
		c := &s.Changes[i]
		if level := o.level(c, ""); level != "" && c.Position.File == s.Position.File && c.Kind == drift.KindServer {
			annotate(b, level, c.Position, s.Server+": server", c.Rule.String()+": "+c.Message)
			return 1
		}
	}
	return 0
}

// reason returns why a server could not be checked.
func (s *Server) reason() string {
	if s.State == StateUnlocked {
		return "not locked: run mcpgen generate"
	}
	return s.Error
}

// annotate writes one workflow command.
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

// data escapes a message for the runner. Only mcpgen's own line breaks are kept.
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
