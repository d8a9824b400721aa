package trust

// This file makes JSON of all files, so that what they start and name is found in one
// way.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// asJSON is a file of JSON with comments, TOML or YAML, by its name, as JSON. Nil: it is
// not that, so that no reader takes servers from it.
func asJSON(file string, data []byte) []byte {
	switch path.Ext(file) {
	case ".yaml", ".yml":
		return fromYAML(data)
	case ".toml":
		var table map[string]any
		if toml.Unmarshal(data, &table) != nil {
			return nil
		}
		plain, _ := json.Marshal(finite(table)) // all of TOML has a JSON form then
		return plain
	}
	plain, err := hujson.Standardize(bytes.Clone(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if err != nil {
		return nil
	}
	return plain
}

// finite is a value of TOML whose infinite numbers, which JSON has not, are texts.
func finite(value any) any {
	switch v := value.(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Sprint(v)
		}
	case []any:
		for i, e := range v {
			v[i] = finite(e)
		}
	case map[string]any:
		for name, e := range v {
			v[name] = finite(e)
		}
	}
	return value
}

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
