package drift

// This file compares the tools of two snapshots.

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema"
)

func (c *comparer) tools() {
	both := c.pairs(schema.KindTool, toolRenamed, c.before.Tools, c.after.Tools, toolLikeness)
	c.changed(schema.KindTool, both, (*scope).tool)
	c.toolNames()
}

// tool compares one tool.
func (s *scope) tool(b, a *schema.Item) {
	was, _, errBefore := schema.ParseTool(b.Raw)
	now, _, errAfter := schema.ParseTool(a.Raw)
	if errBefore != nil || errAfter != nil {
		s.add(note{rule: definitionChanged, message: "the definition was not readable and is now", severity: Unknown, after: valid(a.Raw)})
		return
	}
	s.toolDocs(b.Raw, a.Raw)
	s.hints(was.Annotations, now.Annotations)
	if contractOf(b.Raw) != contractOf(a.Raw) {
		s.execution(b.Raw, a.Raw)
		s.inputs(b.Raw, a.Raw)
		s.outputs(b.Raw, a.Raw)
		s.otherMembers(b.Raw, a.Raw)
	} else {
		s.schemas(Arguments, was.InputSchema, now.InputSchema, true)
		s.schemas(Results, was.OutputSchema, now.OutputSchema, true)
	}
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
