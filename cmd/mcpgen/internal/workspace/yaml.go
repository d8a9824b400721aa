package workspace

// This file turns YAML into JSON with its order and its digits.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// maxYAML bounds the JSON that YAML becomes: aliases can make it grow.
const maxYAML = 64 << 20

// yamlAsJSON returns the one document of data as JSON.
func yamlAsJSON(data []byte) (out []byte, err error) {
	defer func() { // the parser panics on a few broken inputs
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: the parser failed on this text: %v", p)
		}
	}()
	var doc, next yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	if d.Decode(&next) != io.EOF {
		return nil, errors.New("yaml: want one document")
	}
	return appendYAML(nil, &doc, 0)
}

// appendYAML appends a node as JSON. A mapping that holds itself is nested too deep.
func appendYAML(b []byte, n *yaml.Node, depth int) ([]byte, error) {
	at := func(format string, args ...any) error {
		return fmt.Errorf("yaml: line %d: "+format, append([]any{n.Line}, args...)...)
	}
	if depth > 500 || len(b) > maxYAML {
		return nil, at("nested too deep, or too large with its aliases")
	}
	var err error
	switch n.Kind {
	case yaml.DocumentNode:
		return appendYAML(b, n.Content[0], depth)
	case yaml.AliasNode:
		return appendYAML(b, n.Alias, depth+1)
	case yaml.SequenceNode:
		b = append(b, '[')
		for i, item := range n.Content {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendYAML(b, item, depth+1); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case yaml.MappingNode:
		b = append(b, '{')
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" || seen[key.Value] {
				n = key
				return nil, at("%q: a key that is there twice, merges, or is no scalar", key.Value)
			}
			seen[key.Value] = true
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendYAML(append(jsontext.AppendString(b, key.Value), ':'), n.Content[i+1], depth+1); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	}
	switch n.ShortTag() {
	case "!!null", "!!bool", "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return append(b, n.Value...), nil
		}
		var v any
		if err := n.Decode(&v); err != nil {
			return nil, at("%w", err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			return nil, at("%w", err)
		}
		return append(b, text...), nil
	}
	return jsontext.AppendString(b, n.Value), nil
}
