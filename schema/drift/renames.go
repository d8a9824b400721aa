package drift

// This file tells others which tools were renamed.

import "github.com/mcpgen/mcpgen/schema"

// RenamedTools returns the tools that are the same under another name, by the
// name before: those whose tool-renamed says certain or likely. What is merely
// possible is not in it. Nil means none.
func RenamedTools(before, after *schema.Snapshot) map[string]string {
	_, gone, added := split(orEmpty(before).Tools, orEmpty(after).Tools)
	var out map[string]string
	for _, r := range matchNames(gone, added, toolLikeness) {
		if r.score >= likely {
			if out == nil {
				out = map[string]string{}
			}
			out[r.before.Name] = r.after.Name
		}
	}
	return out
}
