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
	if c.Class == drift.ClassSecurity && c.Severity.AtLeast(drift.Unknown) && c.Rule != "server-launch-changed" {
		return "look at it, then run mcpgen update --accept " + ShellWord(Selector(server, &c.Change))
	}
	if suffix, ok := strings.CutPrefix(c.Rule, "input-"); ok {
		return argumentRemedy(suffix, c)
	}
	if suffix, ok := strings.CutPrefix(c.Rule, "output-"); ok {
		return resultRemedy(suffix, c)
	}
	switch suffix := c.Rule[strings.LastIndexByte(c.Rule, '-')+1:]; {
	case strings.HasPrefix(c.Rule, "prompt-arg-"):
		return argumentRemedy("property-"+strings.TrimPrefix(c.Rule, "prompt-arg-"), c)
	case suffix == "removed":
		return "remove the call, or stay with the version of the server that has it"
	case suffix == "renamed" && strings.Contains(c.Message, "(possible: "):
		return "see whether " + text(c.After) + " does the same, and call it in its place"
	case suffix == "renamed":
		return "mcpgen update, then mcpgen fix: it calls " + text(c.After)
	case c.Rule == "accept-expired":
		return "look at it again, then accept it anew or run mcpgen update"
	case c.Rule == "accept-unused":
		return "remove the entry under drift.ignore"
	case c.Rule == drift.SourceIncompatible:
		return "run mcpgen update, then change what does not compile"
	}
	return ""
}

// argumentRemedy is about a change of what is sent.
func argumentRemedy(rule string, c *Change) string {
	_, name := member(c.Path)
	quoted := strconv.Quote(line(name))
	switch {
	case name != "" && (strings.HasPrefix(rule, "property-added-required") || rule == "property-became-required"):
		return "give " + quoted + " a value in every call"
	case name != "" && rule == "property-removed":
		return "leave " + quoted + " out"
	case name != "" && rule == "property-became-optional":
		return "pass " + quoted + " as new(value)"
	case rule == "property-renamed":
		return "mcpgen update, then mcpgen fix: it writes " + text(c.After)
	case rule == "enum-value-removed":
		return "send another value of the enumeration"
	case rule == "enum-constraint-added", rule == "const-changed":
		return "send one of " + console.Cut(compact(c.After), 60)
	case strings.HasPrefix(rule, "default-"):
		return "send the value that the code relies on"
	case strings.HasPrefix(rule, "type-"), strings.HasPrefix(rule, "union-"), strings.HasPrefix(rule, "oneof-"), rule == "nullable-removed":
		return "send a value of a type that is still allowed"
	case strings.HasSuffix(rule, "-tightened"), strings.HasPrefix(rule, "pattern-"):
		return "check the value before the call"
	}
	return ""
}

// resultRemedy is about a change of what comes back.
func resultRemedy(rule string, c *Change) string {
	_, name := member(c.Path)
	switch {
	case rule == "schema-added":
		return "run mcpgen update, then read the fields of the typed result"
	case rule == "schema-removed":
		return "run mcpgen update, then read the text of the result, or decode it"
	case name != "" && rule == "property-removed":
		return "do not read " + strconv.Quote(line(name))
	case rule == "property-renamed":
		return "mcpgen update, then mcpgen fix: it reads " + text(c.After)
	case rule == "property-became-optional", rule == "nullable-added":
		return "handle that it may be missing"
	case strings.HasPrefix(rule, "enum-"):
		return "handle values that are not known yet"
	case strings.HasPrefix(rule, "type-"), strings.HasPrefix(rule, "union-"):
		return "handle values of the new type"
	}
	return ""
}

// text is a JSON string in quotes, as it may be shown.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return compact(raw)
	}
	return strconv.Quote(line(s))
}
