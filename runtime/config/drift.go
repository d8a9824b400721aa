// The key drift: it is checked, and converted to the options of package drift.

package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Judgement says how changes to a server are judged. The zero value is that of a file without the key
// drift.
type Judgement struct {
	Profile drift.Profile // "" is [drift.Caller]
	// FailOn is the mildest severity that fails a check. "" is [drift.Breaking], which also fails on
	// [drift.Unknown].
	FailOn drift.Severity
	// Rules are the overrides: first from the key rules, then from the key overrides, each in file
	// order. The last one that matches a change counts. Each passes [drift.Override.Check].
	Rules  []drift.Override
	Ignore []drift.Accept // changes that live servers may have, in file order
	// IgnoreLines are the lines of Ignore in the file.
	IgnoreLines []int
}

// Fails reports whether a change of severity s fails a check.
func (j Judgement) Fails(s drift.Severity) bool {
	if j.FailOn == "" || j.FailOn == drift.Breaking {
		return s.AtLeast(drift.Unknown)
	}
	return s.AtLeast(j.FailOn)
}

// Options returns the options for [drift.Compare] and for judge.New of runtime/judge. Entries of Ignore
// are expired if their day is over, in UTC, when Options is called. The profile source becomes caller:
// there is no Go code to compare.
func (j Judgement) Options() *drift.Options {
	o := &drift.Options{Profile: j.Profile, Rules: j.Rules, Ignore: j.Ignore,
		Today: time.Now().UTC().Format(time.DateOnly)}
	if o.Profile == drift.Source {
		o.Profile = drift.Caller
	}
	return o
}

var fullHash = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// judgement returns the judgement of a checked file.
func judgement(d *driftKeys, n *tree.Node) Judgement {
	if d == nil {
		return Judgement{}
	}
	j := Judgement{Profile: drift.Profile(d.Profile), FailOn: drift.Severity(d.FailOn)}
	for _, m := range n.Value("rules").Entries() {
		j.Rules = append(j.Rules, drift.Override{Rule: m.Name, Severity: drift.Severity(d.Rules[m.Name])})
	}
	j.Rules = append(j.Rules, d.Overrides...)
	j.Ignore = append(j.Ignore, d.Ignore...)
	for i := range d.Ignore {
		j.IgnoreLines = append(j.IgnoreLines, n.Value("ignore").List[i].Pos.Line)
	}
	return j
}

// severities returns the severities that a file may give to a rule.
func severities() []string { return []string{"breaking", "warning", "info", "off"} }

// checkDrift checks the values of the key drift; their types are checked before.
func (k *checker) checkDrift(file *File, n *tree.Node, at tree.Path) {
	k.oneOf(n, at, "profile", "caller", "strict", "source", "model", "pin")
	k.oneOf(n, at, "fail_on", "breaking", "warning", "info")
	rules := n.Value("rules")
	for _, m := range rules.Entries() {
		override := drift.Override{Rule: m.Name, Severity: drift.Severity(m.Value.Text)}
		k.checkOverride(m.Pos, at.Key("rules").Key(m.Name), override)
		k.oneOf(rules, at.Key("rules"), m.Name, severities()...)
	}
	if file.Drift == nil {
		return
	}
	for i, o := range file.Drift.Overrides {
		entry, at := n.Value("overrides").List[i], at.Key("overrides").Index(i)
		k.oneOf(entry, at, "severity", severities()...)
		if rule := entry.Value("rule"); rule != nil && rule.Kind == tree.String {
			k.checkOverride(rule.Pos, at.Key("rule"), o)
		}
		k.checkKnown(file, entry, at)
	}
	for i := range file.Drift.Ignore {
		k.checkIgnore(file, n.Value("ignore").List[i], at.Key("ignore").Index(i))
	}
}

// checkOverride reports unknown rules, with the nearest known one, and security rules that are switched
// off as a whole. Unknown severities are reported elsewhere.
func (k *checker) checkOverride(pos tree.Pos, at tree.Path, o drift.Override) {
	if !slices.Contains(severities(), string(o.Severity)) {
		o.Severity = drift.Info
	}
	probe := o
	probe.Severity = drift.Info
	switch {
	case probe.Check() != nil:
		k.Fail(pos, at, "no rule is called "+tree.Quote(o.Rule), nearestRule(o.Rule))
	case o.Check() != nil:
		k.Fail(pos, at, "a rule about security cannot be off for more than one tool",
			"accept the findings one by one under ignore", "write an override that names server and tool")
	}
}

// nearestRule returns the hint for an unknown rule.
func nearestRule(id string) string {
	var known []string
	for _, r := range drift.Rules() {
		known = append(known, r.String())
	}
	if near := nearest.Of(id, known); near != "" {
		return "did you mean " + tree.Quote(near) + "?"
	}
	return "list the rules: mcpgen check --rules"
}

// checkIgnore checks one entry of ignore.
func (k *checker) checkIgnore(file *File, entry *tree.Node, at tree.Path) {
	k.checkValue(entry, at, "after", func(text string) string {
		if !fullHash.MatchString(text) {
			return "want a hash: sha256: and 64 hexadecimal digits"
		}
		return ""
	})
	k.checkValue(entry, at, "until", func(text string) string {
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return "want a date such as 2027-01-31"
		}
		return ""
	})
	for _, key := range [...]string{"server", "rule", "reason"} {
		k.checkValue(entry, at, key, func(text string) string {
			if text == "" {
				return "the text is empty"
			}
			return ""
		})
	}
	rule := entry.Value("rule")
	if rule != nil && rule.Kind == tree.String && rule.Text != "" {
		if _, ok := drift.LookupRule(rule.Text); !ok {
			k.Fail(rule.Pos, at.Key("rule"), "no rule is called "+tree.Quote(rule.Text), nearestRule(rule.Text))
		}
	}
	k.checkKnown(file, entry, at)
}

// checkKnown reports a server that cannot exist: the file imports nothing and does not define it.
func (k *checker) checkKnown(file *File, entry *tree.Node, at tree.Path) {
	server := entry.Value("server")
	if server == nil || server.Kind != tree.String || server.Text == "" || len(file.Import) > 0 {
		return
	}
	names := slices.Sorted(maps.Keys(file.Servers))
	if !slices.Contains(names, server.Text) && !strings.ContainsAny(server.Text, "*?[") {
		k.Note(server.Pos, at.Key("server"),
			"no server is called "+tree.Quote(server.Text)+", so the entry has no effect",
			tree.Suggest(server.Text, names))
	}
}
