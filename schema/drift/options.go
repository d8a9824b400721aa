package drift

// This file applies the severities that callers configure.

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/glob"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Options configure how changes are judged. The zero value judges by the profile Caller, without overrides and
// accepts.
type Options struct {
	Profile Profile // "" is Caller
	// Rules are overrides; the last matching override wins.
	Rules []Override
	// Ignore are accepted changes. Entries of other servers are ignored.
	Ignore []Accept
	// Today is the day (2006-01-02) for expiry; with "" nothing expires.
	Today string
	// LaunchBefore and LaunchAfter are how the server is started or reached. They are not compared if the latter
	// is unknown, or for a first look.
	LaunchBefore, LaunchAfter lockfile.Launch
	// ArtifactBefore and ArtifactAfter are what the launch ran. They are compared if the launch is the same and
	// both are known.
	ArtifactBefore, ArtifactAfter lockfile.Artifact
	// Others are the wire names of other servers' tools, by server name. New text that mentions one of them is a
	// security finding.
	Others map[string][]string
	// Renamed are the new names of tools and prompts according to the user, by old name.
	Renamed map[schema.Kind]map[string]string
	// MaxSteps bounds the work on each schema, in the steps of [compat.Options]. Undecided changes are then
	// unknown, and unproven ones have no witness. The same input gives the same report on every machine. 0 is
	// [compat.DefaultSteps].
	MaxSteps int
}

// defaultSteps is the limit for one schema if [Options] sets none.
const defaultSteps = compat.DefaultSteps

func (o *Options) steps() int { return cmp.Or(max(o.MaxSteps, 0), defaultSteps) }

func (o *Options) profile() Profile {
	if o.Profile == "" {
		return Caller
	}
	return o.Profile
}

// Override sets the severity of matching changes. Empty selectors match everything. The tags define its keys in
// mcpgen.yaml and their JSON schema.
type Override struct {
	// Rule is a rule id with wildcards * and ?.
	Rule string `json:"rule,omitempty" jsonschema_description:"The rule; * and ? are wildcards."`
	// Server is the configured name, with wildcards.
	Server string `json:"server,omitempty" jsonschema_description:"The server's name; * and ? are wildcards."`
	// Tool is the wire name of the tool or other item, with wildcards.
	Tool string `json:"tool,omitempty" jsonschema_description:"The wire name of the tool or other item; * and ? are wildcards."`
	// Path is a JSON pointer; it matches the value at the pointer and everything in it. A segment may be *.
	Path     string   `json:"path,omitempty" jsonschema_description:"A JSON pointer into the definition. The entry covers everything below this pointer. As a segment of the pointer, * matches every segment."`
	Severity Severity `json:"severity" jsonschema:"enum=breaking,enum=warning,enum=info,enum=off" jsonschema_description:"The severity of these changes."`
}

// Check returns an error for an invalid override: an unknown rule, an unknown severity, or Off for a security
// rule without a single tool. Security findings are accepted one by one: an override that switches off all
// rules of a tool, or all rules that match a wildcard, does not apply to them.
func (o Override) Check() error {
	matched, security := false, false
	for _, r := range catalogue() {
		if match(o.Rule, r.String()) {
			matched = true
			security = security || r.Class() == ClassSecurity
		}
	}
	switch {
	case !matched:
		return fmt.Errorf("rule %s: no rule has that id: list them with mcpgen check --rules", quote(o.Rule))
	case o.Severity != Off && o.Severity.rank() == 0:
		return fmt.Errorf("rule %s: %s is not a severity: want breaking, unknown, warning, info or off",
			quote(o.Rule), quote(string(o.Severity)))
	case security && o.Severity == Off && !o.single():
		return fmt.Errorf(
			"rule %s: a security rule cannot be switched off for several tools: accept its findings one by one, or name one tool",
			quote(o.Rule))
	}
	return nil
}

// single reports whether an override names a single item.
func (o Override) single() bool { return o.Tool != "" && !strings.ContainsAny(o.Tool, "*?[") }

func (o Override) matches(server string, c *Change) bool {
	return match(o.Rule, c.Rule.String()) && match(o.Server, server) && match(o.Tool, c.Name) && below(o.Path, c.Path)
}

// match matches a wildcard pattern; "" matches everything, a malformed pattern nothing.
func match(pattern, text string) bool {
	return pattern == "" || pattern == text || glob.Match(pattern, text)
}

// below reports whether a pointer is at or below another pointer, which may have wildcards.
func below(pattern, pointer string) bool {
	if pattern == "" {
		return true
	}
	want, got := strings.Split(pattern, "/"), strings.Split(pointer, "/")
	return len(got) >= len(want) &&
		slices.EqualFunc(want, got[:len(want)], func(want, got string) bool { return want == "*" || want == got })
}

// Accept is one change that a person has reviewed and accepted.
type Accept struct {
	// Server is the configured name.
	Server string `json:"server" jsonschema:"required" jsonschema_description:"The server's name."`
	// Tool is the wire name of the item, or "" for the server itself.
	Tool string `json:"tool,omitempty" jsonschema_description:"The wire name of the tool or other item. By default, the entry is about the server itself."`
	// Rule is a rule id.
	Rule string `json:"rule" jsonschema:"required" jsonschema_description:"The rule that found the change."`
	// After is the full hash of the definition after the change, see [Change.Hash]. A further change is reported
	// again.
	After string `json:"after" jsonschema:"required,pattern=^sha256:[0-9a-f]{64}$" jsonschema_description:"The hash of the item after the change. mcpgen still reports later changes."`
	// Until is the last day (2006-01-02) on which the entry applies; "" means no end.
	Until string `json:"until,omitempty" jsonschema:"format=date" jsonschema_description:"The last day on which the entry is in force."`
	// Reason is documentation for readers.
	Reason string `json:"reason" jsonschema:"required" jsonschema_description:"Why the change is accepted."`
}

// isDay matches the form of a day; this package uses no clock to validate it.
var isDay = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`)

// expired reports whether an entry no longer applies. An entry with an invalid date never applies.
func (a Accept) expired(today string) bool {
	if a.Until == "" {
		return false
	}
	if !isDay.MatchString(a.Until) {
		return true
	}
	return today != "" && a.Until < today
}

func (a Accept) matches(c *Change) bool {
	return a.Rule == c.Rule.String() && a.Tool == c.Name && a.After != "" && a.After == c.Hash
}

// settle sets the changes of a server: it applies overrides and accepts and moves changes that are off to Off.
// It may be called repeatedly. Accept entries without effect are reported if their rule satisfies looked.
func (s *ServerReport) settle(changes []Change, o *Options, looked func(Rule) bool) {
	kept := []Change{}
	used := make([]bool, len(o.Ignore))
	for _, c := range changes {
		c.Severity = o.override(s.Server, &c)
		if c.Severity.rank() > 0 && !o.accepted(s.Server, &c, used) {
			kept = append(kept, c)
		} else {
			c.Severity = Off
			s.Off = append(s.Off, c)
		}
	}
	s.Changes, s.Off = sorted(append(kept, o.leftOver(s.Server, used, looked)...)), sorted(s.Off)
	s.Verdict = verdict(s.Changes)
}

// sorted sorts changes in the order of a report and removes duplicates.
func sorted(changes []Change) []Change {
	slices.SortStableFunc(changes, order)
	return slices.CompactFunc(changes, same)
}

func (o *Options) override(server string, c *Change) Severity {
	severity := c.Severity
	for _, r := range o.Rules {
		if !r.matches(server, c) || r.Severity != Off && r.Severity.rank() == 0 {
			continue
		}
		if c.Class == ClassSecurity && r.Severity == Off && !(r.single() && r.Rule == c.Rule.String()) {
			continue
		}
		severity = r.Severity
	}
	return severity
}

// accepted reports whether an entry accepts a change. Expired entries are marked as used but accept nothing.
func (o *Options) accepted(server string, c *Change, used []bool) bool {
	found := false
	for i, a := range o.Ignore {
		if a.Server != server || !a.matches(c) {
			continue
		}
		used[i] = true
		found = found || !a.expired(o.Today)
	}
	return found
}

// target names the rule and the item of an entry, for a message.
func (a *Accept) target() string {
	if a.Tool == "" {
		return "the rule " + quote(a.Rule)
	}
	return "the rule " + quote(a.Rule) + " and the item " + quote(a.Tool)
}

// leftOver returns changes for the entries that are unused or expired.
func (o *Options) leftOver(server string, used []bool, looked func(Rule) bool) []Change {
	var out []Change
	for i, a := range o.Ignore {
		if rule, _ := LookupRule(a.Rule); a.Server != server || !looked(rule) {
			continue
		}
		c := Change{Kind: KindServer, Accept: &o.Ignore[i]}
		switch {
		case used[i] && a.expired(o.Today):
			c.Rule = acceptExpired.about(Item)
			c.Message = fmt.Sprintf("the entry of drift.ignore for %s expired after the day %s", a.target(), quote(a.Until))
		case !used[i]:
			c.Rule = acceptUnused.about(Item)
			c.Message = fmt.Sprintf("the entry of drift.ignore for %s matches no change to the definition with the hash %s",
				a.target(), quote(a.After))
		default:
			continue
		}
		c.Class, c.Severity = c.Rule.Class(), c.Rule.Severity(Caller)
		c.Severity = o.override(server, &c)
		if c.Severity.rank() > 0 {
			out = append(out, c)
		}
	}
	return out
}
