package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Log lists the changes from one lock to another, for users of the Go packages.
type Log struct {
	*Report            // of the servers in both locks
	From, To  string   // as the user named the locks
	New, Gone []string // servers in only one of the locks
	Lost      []string // names of the Go packages that no longer compile, or changed their meaning
	Got       int      // number of new names in the Go packages
}

// Bump returns the semantic version part to increment for a module with the Go packages: major, minor or
// patch; "" if nothing changed.
func (l *Log) Bump() string {
	switch {
	case len(l.Lost)+len(l.Gone) > 0:
		return "major"
	case l.Got+len(l.New) > 0:
		return "minor"
	case slices.ContainsFunc(l.Servers, func(s Server) bool { return len(s.Changes) > 0 }):
		return "patch"
	}
	return ""
}

// Markdown returns the change log.
func (l *Log) Markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Changes from %s to %s\n", code(l.From), code(l.To))
	bump := l.Bump()
	if bump == "" {
		b.WriteString("\nNothing changed.\n")
		return b.Bytes()
	}
	fmt.Fprintf(&b, "\nBy the API of the Go packages, the next version is **%s**: %s.\n", bump, l.reasons())
	for i, lost := range l.Lost {
		if i == maxLost {
			fmt.Fprintf(&b, "- and %d more\n", len(l.Lost)-i)
			break
		}
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "- %s\n", prose(lost))
	}
	for _, name := range l.New {
		fmt.Fprintf(&b, "\n## %s\n\n- a new server\n", code(name))
	}
	for _, name := range l.Gone {
		fmt.Fprintf(&b, "\n## %s\n\n- the server is gone\n", code(name))
	}
	for i := range l.Servers {
		if s := &l.Servers[i]; len(s.Changes) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n", code(s.Server))
			s.log(&b)
		}
	}
	return b.Bytes()
}

// maxLost bounds the listed names of the API.
const maxLost = 20

func (l *Log) reasons() string {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{len(l.Gone), "server"}, {len(l.Lost), "incompatible change"}} {
		if part.n > 0 {
			parts = append(parts, safetext.Count(part.n, part.what)+map[bool]string{true: " gone"}[part.what == "server"])
		}
	}
	if n := len(l.New); n > 0 {
		parts = append(parts, safetext.Count(n, "new server"))
	}
	if l.Got > 0 {
		parts = append(parts, safetext.Count(l.Got, "new name"))
	}
	return cmp.Or(strings.Join(parts, ", "), "it did not change")
}

// log lists the changes by item, and last the items with changed texts.
func (s *Server) log(b *bytes.Buffer) {
	var reworded []string
	for i := range s.Changes {
		c := &s.Changes[i]
		title := code(c.Name)
		switch {
		case c.IsText():
			if len(reworded) == 0 || reworded[len(reworded)-1] != cmp.Or(title, "the server itself") {
				reworded = append(reworded, cmp.Or(title, "the server itself"))
			}
			continue
		case c.Kind == drift.KindServer || title == "":
			fmt.Fprintf(b, "- %s", prose(summary(c)))
		default:
			fmt.Fprintf(b, "- %s %s: %s", c.Kind, title, prose(summary(c)))
		}
		if c.Severity == drift.Breaking || c.Severity == drift.Unknown {
			fmt.Fprintf(b, " (%s)", c.Severity)
		}
		b.WriteByte('\n')
	}
	if len(reworded) > 0 {
		fmt.Fprintf(b, "- texts changed: %s\n", strings.Join(reworded, ", "))
	}
}
