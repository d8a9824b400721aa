package calling

// This file completes command lines with names and values from the lock. It starts no server.

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// Word is a possible next word of a command line.
type Word struct {
	Text  string
	About string // one line; "" means none
}

// ToolWords returns the locked tools as server/tool, sorted.
func ToolWords(in *inputs.Servers) []Word {
	var words []Word
	for _, server := range slices.Sorted(maps.Keys(in.Lock.Servers)) {
		s, err := in.Snapshot(server)
		if err != nil {
			continue // reported where it is needed
		}
		for _, t := range s.Tools {
			definition, _, err := schema.ParseTool(t.Raw)
			if err == nil {
				words = append(words, Word{server + "/" + t.Name, console.FirstSentence(definition.Description, 60)})
			}
		}
	}
	return words
}

// ArgumentWords returns the arguments of a locked tool as key=, in the order of its definition. If begun
// already contains the key, it returns the values as key=value.
func ArgumentWords(in *inputs.Servers, name, begun string) []Word {
	_, definition := lockedDefinition(in, name)
	if definition == nil || definition.InputSchema == nil {
		return nil
	}
	doc, err := jsonschema.Parse(definition.InputSchema)
	if err != nil {
		return nil
	}
	var words []Word
	key, _, valued := strings.Cut(begun, "=")
	for _, p := range doc.Root.Properties {
		s, err := doc.Follow(p.Schema)
		if err != nil {
			continue
		}
		if !valued {
			about := console.FirstSentence(s.Description, 60)
			if slices.Contains(doc.Root.Required, p.Name) {
				about = strings.TrimSpace("required: " + about)
			}
			words = append(words, Word{p.Name + "=", about})
			continue
		}
		if p.Name != key {
			continue
		}
		for _, value := range valuesOf(s) {
			words = append(words, Word{Text: key + "=" + value})
		}
	}
	return words
}

// valuesOf returns the values of a schema with few values, as they are typed.
func valuesOf(s *jsonschema.Schema) []string {
	var values []string
	for _, raw := range slices.Concat(s.Enum, []json.RawMessage{s.Const}) {
		var text string
		switch err := json.Unmarshal(raw, &text); {
		case len(raw) == 0:
		case err == nil:
			values = append(values, text)
		default:
			values = append(values, string(raw))
		}
	}
	if values == nil && slices.Contains(s.Types, "boolean") {
		return []string{"true", "false"}
	}
	return values
}
