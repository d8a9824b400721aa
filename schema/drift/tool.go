package drift

// This file compares the tools of two snapshots.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

func (c *comparer) tools() {
	both := c.pairs(schema.KindTool, toolRenamed, c.before.Tools, c.after.Tools, toolLikeness, (*scope).toolSays)
	c.changed(schema.KindTool, both, (*scope).tool)
	c.toolNames()
}

// toolNames finds tools with equal or confusingly similar names.
func (c *comparer) toolNames() {
	old := map[string]int{}
	for _, item := range c.before.Tools {
		old[item.Name]++
	}
	count := map[string]int{}
	looks, folds := map[string][]string{}, map[string][]string{}
	items := byName(c.after.Tools)
	for _, item := range c.after.Tools {
		if count[item.Name]++; count[item.Name] > 1 {
			continue
		}
		looks[skeleton(item.Name)] = append(looks[skeleton(item.Name)], item.Name)
		folds[fold(item.Name)] = append(folds[fold(item.Name)], item.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(items)) {
		s := c.scope(schema.KindTool, name, hashOf(items[name].Raw))
		if count[name] > 1 && old[name] < 2 {
			s.add(note{rule: toolNameDuplicate, path: "/name",
				message: fmt.Sprintf("%d tools have this name", count[name]), after: text(name)})
		}
		if old[name] > 0 {
			continue
		}
		s.similarName(toolConfusableAdded, "looks like", looks[skeleton(name)],
			func(other string) bool { return fold(other) != fold(name) })
		s.similarName(toolNameCollision, "differs only in case and separators from", folds[fold(name)],
			func(string) bool { return true })
	}
}

// similarName notes the first of the other names that counts.
func (s *scope) similarName(rule *row, how string, others []string, counts func(string) bool) {
	for _, other := range others {
		if other != s.name && counts(other) {
			message := "the name " + quote(s.name) + " " + how + " " + quote(other)
			s.add(note{rule: rule, path: "/name", message: message, after: text(s.name)})
			return
		}
	}
}

// tool compares one tool.
func (s *scope) tool(b, a *schema.Item) {
	was, _, errBefore := schema.ParseTool(b.Raw)
	now, _, errAfter := schema.ParseTool(a.Raw)
	if errBefore != nil || errAfter != nil {
		s.add(note{rule: definitionChanged, message: "the definition was not readable and is now",
			severity: Unknown, after: valid(a.Raw)})
		return
	}
	s.toolSays(b, a)
	if contractOf(b.Raw) != contractOf(a.Raw) {
		s.execution(b.Raw, a.Raw)
		s.schemas(Arguments, members(b.Raw)["inputSchema"], members(a.Raw)["inputSchema"], false)
		s.outputs(b.Raw, a.Raw)
		s.others(toolMemberChanged, "/", unknownMember, b.Raw, a.Raw,
			"name", "title", "description", "icons", "_meta", "annotations", "inputSchema", "outputSchema", "execution")
	} else {
		s.schemas(Arguments, was.InputSchema, now.InputSchema, true)
		s.schemas(Results, was.OutputSchema, now.OutputSchema, true)
	}
}

// toolSays compares what a tool says about itself as a whole.
func (s *scope) toolSays(b, a *schema.Item) {
	s.toolDocs(b.Raw, a.Raw)
	s.hints(members(b.Raw)["annotations"], members(a.Raw)["annotations"])
}

// contractOf returns the contract hash of a tool.
func contractOf(raw json.RawMessage) string {
	hash, err := schema.ContractHash(schema.KindTool, raw)
	if err != nil {
		return "unreadable: " + err.Error()
	}
	return hash
}

// members returns the members of an object, or nil for any other value.
func members(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// equalJSON reports whether two values are equal as JSON, regardless of formatting.
func equalJSON(a, b json.RawMessage) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	return a == nil || string(a) == string(b) || hashOf(a) == hashOf(b) && hashOf(a) != ""
}
