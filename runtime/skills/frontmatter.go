package skills

// This file compares the frontmatter of a file with that of its entry: a model must
// get what a person accepted.

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// sameFrontmatter returns how the YAML at the beginning of a SKILL.md differs from
// the JSON of its entry; nil if it does not. Scalars are compared as YAML parses
// them, dates as they are written, and numbers by value.
func sameFrontmatter(file []byte, entry json.RawMessage) error {
	text := front.FindSubmatch(file)
	if text == nil {
		return errors.New("its SKILL.md does not begin with a frontmatter between lines of ---")
	}
	var node yaml.Node
	if err := yaml.Unmarshal(text[1], &node); err != nil {
		return fmt.Errorf("its frontmatter: %w", err)
	}
	want, err := jsontext.Decode(entry)
	if err != nil {
		return err
	}
	if len(node.Content) != 1 || !same(node.Content[0], want) {
		return errors.New("its frontmatter differs from the one in the server's listing")
	}
	return nil
}

// front matches the text between a first line and the next line of ---.
var front = regexp.MustCompile(`(?ms)\A---[ \t\r]*\n(.*?)^---[ \t\r]*$`)

// same reports whether a YAML node and a JSON value are equal. An alias is refused,
// since frontmatter does not need aliases.
func same(n *yaml.Node, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		if n.Kind != yaml.MappingNode || len(n.Content) != 2*len(want) {
			return false
		}
		seen := map[string]bool{}
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			value, ok := want[key.Value]
			if !ok || seen[key.Value] || key.Kind != yaml.ScalarNode || !same(n.Content[i+1], value) {
				return false
			}
			seen[key.Value] = true
		}
		return true
	case []any:
		if n.Kind != yaml.SequenceNode || len(n.Content) != len(want) {
			return false
		}
		for i, value := range want {
			if !same(n.Content[i], value) {
				return false
			}
		}
		return true
	}
	return n.Kind == yaml.ScalarNode && sameScalar(n, want)
}

func sameScalar(n *yaml.Node, want any) bool {
	switch want := want.(type) {
	case string:
		return n.Value == want && (n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp")
	case bool:
		var got bool
		return n.ShortTag() == "!!bool" && n.Decode(&got) == nil && got == want
	case json.Number:
		return (n.ShortTag() == "!!int" || n.ShortTag() == "!!float") && sameNumber(n, want)
	}
	return n.ShortTag() == "!!null"
}

func sameNumber(n *yaml.Node, want json.Number) bool {
	var v any // a Go number, since YAML has more spellings of numbers than JSON
	return n.Value == want.String() || n.Decode(&v) == nil && jsontext.SameNumber(fmt.Sprint(v), want.String())
}
