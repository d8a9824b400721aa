package trust

// This file reads agent manifests, which are YAML: it makes JSON of them, so that
// what they start and name is found as in other files.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"

	"go.yaml.in/yaml/v3"
)

// isYAML reports whether a file is YAML, by its name.
func isYAML(file string) bool { return path.Ext(file) == ".yaml" || path.Ext(file) == ".yml" }

// fromYAML is the first document of a file as JSON: members that are duplicated stay so
// there, too, and every scalar is a text. Nil: it is not YAML, or too large for a
// configuration.
func fromYAML(data []byte) []byte {
	var doc yaml.Node
	if decodeYAML(data, &doc) != nil || len(doc.Content) != 1 {
		return nil
	}
	w := yamlWriter{}
	w.write(doc.Content[0], 0)
	if w.nodes > maxNames {
		return nil
	}
	return w.out.Bytes()
}

// decodeYAML reads a document. The parser panics on a few broken inputs; a file must
// not be able to end the program.
func decodeYAML(data []byte, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	return yaml.Unmarshal(data, into)
}

// yamlWriter writes nodes as JSON. An alias counts each time that it is used.
type yamlWriter struct {
	out   bytes.Buffer
	nodes int
}

func (w *yamlWriter) write(n *yaml.Node, depth int) {
	if w.nodes++; w.nodes > maxNames || depth > maxNesting {
		w.nodes = maxNames + 1
		return
	}
	switch n.Kind {
	case yaml.AliasNode:
		w.write(n.Alias, depth+1)
	case yaml.MappingNode:
		w.out.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				w.out.WriteByte(',')
			}
			w.text(n.Content[i].Value)
			w.out.WriteByte(':')
			w.write(n.Content[i+1], depth+1)
		}
		w.out.WriteByte('}')
	case yaml.SequenceNode:
		w.out.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				w.out.WriteByte(',')
			}
			w.write(item, depth+1)
		}
		w.out.WriteByte(']')
	default:
		w.text(n.Value)
	}
}

func (w *yamlWriter) text(s string) {
	quoted, _ := json.Marshal(s) // a string can always be encoded
	w.out.Write(quoted)
}
