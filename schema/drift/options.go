package drift

// This file is what a caller may say about severities, and how it is applied.

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/glob"
	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Options say how changes are judged. The zero value judges for a caller,
// overrides and accepts nothing.
type Options struct {
	Profile Profile // "" is Caller
	// Rules are overrides; the last one that matches a change counts.
	Rules []Override
	// Ignore are changes that were accepted. Entries of other servers are passed
	// over.
	Ignore []Accept
	// Today is the day (2006-01-02) that expiry is judged by; "" expires nothing.
	Today string
	// Launch is how the server was started or reached before, and is now. It is
	// not compared if either is unknown.
	LaunchBefore, LaunchAfter lockfile.Launch
	// Artifact is what a launch ran before, and ran now. It is compared if the
	// launch is the same and both are known.
	ArtifactBefore, ArtifactAfter lockfile.Artifact
	// Others are the wire names of other servers' tools, by the names of the servers:
	// new text that speaks of one is a security finding.
	Others map[string][]string
	// Renamed are tools and prompts of which somebody says what they are called now, by
	// their names before.
	Renamed map[Kind]map[string]string
	// MaxSteps bounds the work on each schema, in the steps of [compat.Options]:
	// what is not decided by then is unknown, and what has no witness has none. The
	// same input gives the same report on every machine. 0 is DefaultSteps.
	MaxSteps int
}

// DefaultSteps is what one schema may take if [Options] says nothing else.
const DefaultSteps = compat.DefaultSteps

func (o *Options) steps() int { return cmp.Or(max(o.MaxSteps, 0), DefaultSteps) }

func (o *Options) profile() Profile {
	if o.Profile == "" {
		return Caller
	}
	return o.Profile
}

// Override gives the changes that it matches another severity. Empty selectors
// match everything. The tags are its keys in an mcpgen.yaml, and the schema of them.
type Override struct {
	// Rule is an id; * and ? are wildcards.
	Rule string `json:"rule,omitempty" jsonschema_description:"The rule; * and ? are wildcards."`
	// Server is the configured name; wildcards too.
	Server string `json:"server,omitempty" jsonschema_description:"The server's name; * and ? are wildcards."`
	// Tool is the wire name of the tool or other item; wildcards too.
	Tool string `json:"tool,omitempty" jsonschema_description:"The wire name of the tool or other item; * and ? are wildcards."`
	// Path is a JSON pointer; it matches what stands there and below. A segment
	// may be *.
	Path     string   `json:"path,omitempty" jsonschema_description:"A JSON pointer into the definition: what stands there and below. A segment may be *."`
	Severity Severity `json:"severity" jsonschema:"enum=breaking,enum=warning,enum=info,enum=off" jsonschema_description:"What the changes count as."`
}

// Check reports what is wrong with an override: a rule that is not in the
// catalogue, a severity that does not exist, and Off for a rule of class security that
// does not name one tool: such a finding is accepted one by one.
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
		return fmt.Errorf("rule %s: no rule has that id: see the catalogue", quote(o.Rule))
	case o.Severity != Off && o.Severity.rank() == 0:
		return fmt.Errorf("rule %s: %s is not a severity: want breaking, unknown, warning, info or off", quote(o.Rule), quote(string(o.Severity)))
	case security && o.Severity == Off && !o.single():
		return fmt.Errorf("rule %s: security findings cannot be switched off: accept them one by one, or name one tool", quote(o.Rule))
	}
	return nil
}

// single reports whether an override is about one item.
func (o Override) single() bool { return o.Tool != "" && !strings.ContainsAny(o.Tool, "*?[") }

func (o Override) matches(server string, c *Change) bool {
	return match(o.Rule, c.Rule.String()) && match(o.Server, server) && match(o.Tool, c.Name) && below(o.Path, c.Path)
}

// match matches a wildcard; "" is everything. A broken one matches nothing.
func match(pattern, text string) bool {
	return pattern == "" || pattern == text || glob.Match(pattern, text)
}

// below reports whether a pointer is at or below another one with wildcards.
func below(pattern, pointer string) bool {
	if pattern == "" {
		return true
	}
	want, got := strings.Split(pattern, "/"), strings.Split(pointer, "/")
	return len(got) >= len(want) && slices.EqualFunc(want, got[:len(want)], func(want, got string) bool { return want == "*" || want == got })
}

// Accept is one change that a person has seen and accepted.
type Accept struct {
	// Server is the configured name.
	Server string `json:"server" jsonschema:"required" jsonschema_description:"The server's name."`
	// Tool is the wire name of the item; "" for the server itself.
	Tool string `json:"tool,omitempty" jsonschema_description:"The wire name of the tool or other item. By default the server itself."`
	// Rule is an id.
	Rule string `json:"rule" jsonschema:"required" jsonschema_description:"The rule that found the change."`
	// After is the full hash of the definition after the change, see [Change.Hash]: a
	// further change is found again.
	After string `json:"after" jsonschema:"required,pattern=^sha256:[0-9a-f]{64}$" jsonschema_description:"The hash after the change. A further change is found again."`
	// Until is the last day (2006-01-02) on which it counts; "" is for ever.
	Until string `json:"until,omitempty" jsonschema:"format=date" jsonschema_description:"The last day on which the entry counts."`
	// Reason is for readers.
	Reason string `json:"reason" jsonschema:"required" jsonschema_description:"Why the change is accepted."`
}

// isDay matches the form of a day; there are no clocks here to ask whether it is one.
var isDay = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`)

// expired reports whether an entry does not count any more. One whose date
// cannot be read has never counted.
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

// settle makes changes what is found of a server: it applies overrides and accepts, as often
// as it is called, and separates what is off. Entries that did nothing are reported if their
// rule is one that the caller looks for.
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

// sorted puts changes in the order of a report, each once.
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
		if c.Class == ClassSecurity && r.Severity == Off && !r.single() {
			continue
		}
		severity = r.Severity
	}
	return severity
}

// accepted reports whether an entry accepts a change. Entries that have expired
// are marked, but accept nothing.
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

// leftOver makes changes of the entries that did nothing, or do nothing any more.
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
			c.Message = fmt.Sprintf("%s of %s was accepted until %s, which is over", quote(a.Rule), quote(a.Tool), quote(a.Until))
		case !used[i]:
			c.Rule = acceptUnused.about(Item)
			c.Message = fmt.Sprintf("%s of %s is accepted for %s, and there is no such change", quote(a.Rule), quote(a.Tool), quote(a.After))
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
