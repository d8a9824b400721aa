package drift

// The page of the guide that lists the rules is printed here: make docs writes it, and the
// test compares it.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

var updatePages = flag.Bool("update", false, "write the page of the guide that lists the rules")

// example is one change that a rule finds.
type example struct {
	before, after string // of a schema; "" else
	change        Change
}

// Each rule has a row, with a change that it finds and what to do about it.
func TestReferenceRules(t *testing.T) {
	examples := ruleExamples(t)
	row := func(text string) string {
		return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "…", "...").Replace(text)
	}
	var b strings.Builder
	b.WriteString("<!-- Written by make docs. DO NOT EDIT. -->\n# Drift rules\n\n" +
		"`mcpgen check --rules` prints the list. [How to accept a change, or change a severity](../accept-a-change.md).\n\n" +
		"- **Severity** applies to the profile `caller`. A `?` means that mcpgen compares the values that the two schemas allow. A change that is proven safe is at most `info`. A change that is proven to break is `breaking`.\n" +
		"- **Gates** names the other profiles in which the rule is `breaking`. In the profile `pin`, every rule is `breaking`.\n" +
		"- **Example** has the old schema, the new schema and the message of `check`, or only the message.\n\n")
	section := ""
	for _, r := range Rules() {
		if group, _, _ := strings.Cut(r.String(), "-"); group != section {
			section = group
			fmt.Fprintf(&b, "\n## %s\n\n| rule | severity | class | gates | finds | example | way out |\n|---|---|---|---|---|---|---|\n", section)
		}
		severity := string(r.Severity(Caller))
		if r.Decides() {
			severity += "?"
		}
		var gates []string
		for _, p := range []Profile{Strict, Source, Model} {
			if r.Severity(p) == Breaking && r.Severity(Caller) != Breaking {
				gates = append(gates, string(p))
			}
		}
		e, ok := examples[r.String()]
		if !ok && !strings.HasSuffix(r.String(), "-schema-changed") && !strings.HasSuffix(r.String(), "-schema-undecided") && r.Class() != ClassSource && r != SurfaceBudgetExceeded {
			t.Errorf("%s: no example", r)
		}
		shown := row(e.change.Message)
		if e.before != "" && len(e.before)+len(e.after) < 200 {
			shown = fmt.Sprintf("`%s` → `%s`: %s", row(e.before), row(e.after), shown)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", r, severity, r.Class(), strings.Join(gates, ", "), row(r.Doc()), shown, row(wayOut(r, &e.change)))
	}
	path, text := filepath.Join("..", "..", "examples", "guide", "reference", "rules.md"), b.String()
	if *updatePages {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page, err := os.ReadFile(path); err != nil || strings.ReplaceAll(string(page), "\r\n", "\n") != text {
		t.Errorf("%s: run make docs and read the diff (%v)", path, err)
	}
}

// wayOut is what to do about changes of a rule.
func wayOut(r Rule, c *Change) string {
	found := *c
	if c.Rule != r {
		found = Change{Rule: r}
	}
	accept := "run `mcpgen update`"
	if r.Class() == ClassSecurity {
		accept = "review the change, then run `mcpgen update --accept`"
	}
	if clause := strings.NewReplacer("{member}", "the member", "{to}", "the new name", "{values}", "the values that are left", "{rename}", "OLD=NEW").Replace(found.Remedy()); clause != "" {
		return clause
	}
	if r.Severity(Caller) == Off {
		return "nothing to do"
	}
	return accept
}

// ruleExamples are the first changes of the tables of this package that the rules find.
func ruleExamples(t *testing.T) map[string]example {
	t.Helper()
	found := map[string]example{}
	add := func(rule, before, after string, from, to *schema.Snapshot, opts Options) {
		opts.Profile = Pin
		for _, c := range changesOfRule(mustCompare(t, from, to, &opts), rule) {
			if _, ok := found[rule]; !ok {
				found[rule] = example{before, after, c}
			}
		}
	}
	for _, c := range schemaCases() {
		for _, side := range []string{"input", "output"} {
			add(side+"-"+c.suffix, strings.TrimPrefix(c.before, "="), strings.TrimPrefix(c.after, "="),
				snapshotOf(c.tool(side, c.before)), snapshotOf(c.tool(side, c.after)), Options{})
		}
	}
	for _, c := range itemCases() {
		add(c.rule, "", "", c.before, c.after, c.opts)
	}
	return found
}
