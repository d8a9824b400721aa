// What to do about a change: the way out, in one clause.

package report

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// remedy says what to do to code that a change breaks, or how to accept what is
// no matter of code. "" is nothing that the change itself does not say.
func remedy(server string, c *Change) string {
	if c.Class == drift.ClassSecurity && c.Severity.AtLeast(drift.Unknown) && c.Rule != drift.LaunchChanged {
		return "look at it, then run mcpgen update --accept " + ShellWord(Selector(server, &c.Change))
	}
	way := c.Change.Remedy()
	_, name := member(c.Path)
	if name == "" && strings.Contains(way, "{member}") {
		return ""
	}
	return strings.NewReplacer(
		"{member}", strconv.Quote(line(name)),
		"{to}", text(c.After),
		"{rename}", perhaps(server, c),
		"{values}", console.Cut(compact(c.After), 60),
	).Replace(way)
}

// perhaps writes for fix that an item or a member has another name.
func perhaps(server string, c *Change) string {
	var was, is string
	if !c.Possible || json.Unmarshal(c.Before, &was) != nil || json.Unmarshal(c.After, &is) != nil {
		return ""
	}
	holder := server + "/"
	if c.Rule.Part() != drift.Item {
		holder += c.Name + "/"
	}
	return ShellWord(holder + was + "=" + is)
}

// text is a JSON string in quotes, as it may be shown.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return compact(raw)
	}
	return strconv.Quote(line(s))
}
