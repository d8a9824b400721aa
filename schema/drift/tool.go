package drift

// This file compares the tools of two snapshots.

import (
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/schema"
)

func (c *comparer) tools() {
	both, gone, added := split(c.before.Tools, c.after.Tools)
	if c.first {
		gone = nil
	}
	for _, r := range matchNames(gone, added, toolLikeness) {
		c.renamedTool(r)
		gone, added = drop(gone, r.before), drop(added, r.after)
		if r.score >= likely {
			both = append(both, [2]*schema.Item{r.before, r.after})
		} else {
			c.newText(KindTool, r.after)
		}
	}
	for _, b := range gone {
		c.scope(KindTool, b.Name, nothing()).add(note{rule: "tool-removed", message: "the tool is gone", before: valid(b.Raw)})
	}
	for _, a := range added {
		if !c.ended() {
			c.newTool(a)
		}
	}
	for _, pair := range both {
		if !c.ended() {
			c.tool(pair[0], pair[1])
		}
	}
	c.toolNames()
}

func (c *comparer) newTool(a *schema.Item) {
	s := c.scope(KindTool, a.Name, hashOf(a.Raw))
	if !c.first {
		s.add(note{rule: "tool-added", message: "a new tool", after: valid(a.Raw)})
	}
	if !s.readable(nil, a.Raw) {
		return
	}
	c.newText(KindTool, a)
	if now, _, err := schema.ParseTool(a.Raw); err == nil {
		s.firstSchema("input", now.InputSchema)
		s.firstSchema("output", now.OutputSchema)
	}
}

// newText looks at the text of an item that was not there before.
func (c *comparer) newText(kind Kind, a *schema.Item) {
	s := c.scope(kind, a.Name, hashOf(a.Raw))
	s.texts(stringsOf(nil), stringsOf(a.Raw))
}

func (c *comparer) renamedTool(r rename) {
	n := note{
		rule: "tool-renamed", message: fmt.Sprintf("renamed to %s (%s)", quote(r.after.Name), r.confidence()),
		before: text(r.before.Name), after: text(r.after.Name), path: "/name",
	}
	c.scope(KindTool, r.before.Name, hashOf(r.after.Raw)).add(n)
}

// tool compares one tool. Its changes stand under the name that callers use.
func (c *comparer) tool(b, a *schema.Item) {
	s := c.scope(KindTool, b.Name, hashOf(a.Raw))
	if !s.readable(b.Raw, a.Raw) || s.hash == hashOf(b.Raw) {
		return
	}
	start := len(c.changes)
	was, _, errBefore := schema.ParseTool(b.Raw)
	now, _, errAfter := schema.ParseTool(a.Raw)
	if errBefore != nil || errAfter != nil {
		s.add(note{rule: "definition-changed", message: "the definition was not readable and is now", severity: Unknown, after: valid(a.Raw)})
		s.texts(stringsOf(b.Raw), stringsOf(a.Raw))
		return
	}
	s.toolDocs(b.Raw, a.Raw)
	if contractOf(schema.KindTool, b.Raw) != contractOf(schema.KindTool, a.Raw) {
		s.hints(was.Annotations, now.Annotations)
		s.execution(b.Raw, a.Raw)
		s.inputs(b.Raw, a.Raw)
		s.outputs(b.Raw, a.Raw)
		s.otherMembers(b.Raw, a.Raw)
	} else {
		s.quietHints(was.Annotations, now.Annotations)
		s.docs("input", was.InputSchema, now.InputSchema)
		s.docs("output", was.OutputSchema, now.OutputSchema)
	}
	s.texts(stringsOf(b.Raw), stringsOf(a.Raw))
	if len(c.changes) == start {
		s.add(note{rule: "definition-changed", message: "the definition is written in another way and means the same"})
	}
}

func contractOf(kind schema.Kind, raw json.RawMessage) string {
	hash, err := schema.ContractHash(kind, raw)
	if err != nil {
		return "unreadable: " + err.Error()
	}
	return hash
}

// members reads the members of an object; nil of any other value.
func members(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// textOf reads a string; "" of any other value.
func textOf(raw json.RawMessage) string {
	var s string
	if raw == nil || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// equalJSON reports whether two values are the same but for their spelling.
func equalJSON(a, b json.RawMessage) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	return a == nil || string(a) == string(b) || hashOf(a) == hashOf(b) && hashOf(a) != ""
}
