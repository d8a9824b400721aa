// The listing of a host for a person.

package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/schema"
)

// maxListed is how many characters of a description a listing shows.
const maxListed = 60

// Listing describes the named servers of a host to a person, or all servers without a
// name: state, transport and number of tools of each, and below it each tool that may
// be called with the beginning of its description. Texts of servers are made fit for
// a terminal. A host without servers has a text, too.
func (v *View) Listing(servers ...string) string {
	all := v.host.Status()
	if len(servers) > 0 {
		all = slices.DeleteFunc(all, func(s attach.Status) bool { return !slices.Contains(servers, s.Server) })
	}
	if len(all) == 0 {
		return "No MCP servers are configured.\n"
	}
	drift := v.host.Drift()
	var b strings.Builder
	for _, st := range all {
		specs := v.Specs(st.Server)
		fmt.Fprintf(&b, "%s: %s\n", safetext.Words(st.Server, maxSentence), describe(st, len(specs)))
		if st.State == attach.Failed || st.State == attach.Closed {
			continue
		}
		for _, spec := range specs {
			b.WriteString("  " + spec.Name + "\n")
			if text := shortened(safetext.Words(spec.Description, 4*maxSentence)); text != "" {
				b.WriteString("    " + text + "\n")
			}
		}
		for _, d := range drift {
			if d.Server == st.Server && d.Kind == schema.KindTool && !d.Allowed {
				fmt.Fprintf(&b, "  %s is held back: %s\n", safetext.Words(d.Name, maxSentence), safetext.Words(string(d.State)+" "+d.Rule, maxSentence))
			}
		}
	}
	return b.String()
}

// describe returns the state of a server in a listing.
func describe(st attach.Status, tools int) string {
	over := string(st.Transport)
	switch st.State {
	case attach.Ready:
		return fmt.Sprintf("● connected (%s) over %s", safetext.Count(tools, "tool"), over)
	case attach.Connecting:
		return "○ connecting over " + over
	case attach.Lost:
		return fmt.Sprintf("○ lost (%s) over %s: %s", safetext.Count(tools, "tool"), over, reason(st.Err))
	case attach.Failed:
		return fmt.Sprintf("✗ failed over %s: %s", over, reason(st.Err))
	case attach.Closed:
		return "○ closed over " + over
	}
	return "○ not started over " + over
}

func reason(err error) string {
	if err == nil {
		return "unknown"
	}
	return safetext.Words(err.Error(), 4*maxSentence)
}

// shortened cuts a description to 60 characters.
func shortened(text string) string {
	runes := []rune(text)
	if len(runes) <= maxListed {
		return text
	}
	return string(runes[:maxListed-3]) + "..."
}
