// Remedies: what to do about a change, in one clause.

package report

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// remedy returns what to do about code that a change breaks, or how to accept a change that does not
// concern code. "" means that the message says enough.
func remedy(server string, c *Change) string {
	if c.Class == drift.ClassSecurity && c.Severity.AtLeast(drift.Unknown) && c.Rule != drift.LaunchChanged {
		return "review the change, then run mcpgen update --accept " + hint.Word(Selector(server, &c.Change))
	}
	steps, way := stepsOf(c.CallSites), wayOf(server, c)
	allowed := !c.Rule.Severity(drift.Caller).AtLeast(drift.Unknown) // only the lines need steps
	if len(steps) == 0 || c.Possible {
		return way
	}
	if way != "" && !allowed {
		steps = append(steps, way)
	}
	return strings.Join(steps, "; ")
}

// wayOf returns what the rule of a change says about it.
func wayOf(server string, c *Change) string {
	way := c.Change.Remedy()
	_, name := member(c.Path)
	if c.Kind == schema.KindPrompt {
		name = argument(c)
	}
	if name == "" && strings.Contains(way, "{member}") {
		return ""
	}
	return strings.NewReplacer(
		"{member}", strconv.Quote(line(name)),
		"{to}", text(c.After),
		"{rename}", PossibleRename(server, c),
		"{values}", console.Cut(compact(c.After), 60),
	).Replace(way)
}

// stepsOf returns what to write in the lines that do not compile; nil if a line has no step.
func stepsOf(sites []drift.CallSite) []string {
	var steps []string
	for _, s := range sites {
		switch {
		case s.Error == "" || slices.Contains(steps, s.Step):
		case s.Step == "":
			return nil
		default:
			steps = append(steps, s.Step)
		}
	}
	return steps
}

// afterUpdate returns a remedy for a lock that was updated.
func afterUpdate(way string) string {
	return strings.NewReplacer("run mcpgen update, then ", "", "mcpgen update, then ", "").Replace(way)
}

// argument returns the name of the argument of a prompt that a change is about; "" if there is none.
func argument(c *Change) string {
	raw := c.Before
	if raw == nil {
		raw = c.After
	}
	var arg struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(raw, &arg) != nil {
		return ""
	}
	return arg.Name
}

// PossibleRename returns the value of fix --rename for a possible rename of an item or a member; "" if there
// is none.
func PossibleRename(server string, c *Change) string {
	var was, is string
	if !c.Possible || json.Unmarshal(c.Before, &was) != nil || json.Unmarshal(c.After, &is) != nil {
		return ""
	}
	holder := server + "/"
	if c.Rule.Part() != drift.Item {
		holder += c.Name + "/"
	}
	return hint.Word(holder + was + "=" + is)
}

// text returns a JSON string in quotes, safe to show.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return compact(raw)
	}
	return strconv.Quote(line(s))
}
