package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// ContentKey returns the key under which a tool is enrolled: "bk_" and the
// first 32 hexadecimal digits of the SHA-256 of {"name":"<server>__<tool>",
// "schema":<input schema, or null if there is none>} in canonical form, here
// with members in byte order. It is the same whatever naming scheme a project
// uses, and changes when the input schema does.
//
// The errors are those of [Canonical].
func ContentKey(server, tool string, inputSchema json.RawMessage) (string, error) {
	if inputSchema == nil {
		return contentKey(server, tool, nil), nil
	}
	v, err := tree.Parse(inputSchema)
	if err != nil {
		return "", err
	}
	return contentKey(server, tool, v), nil
}

// contentKey sorts the schema in place.
func contentKey(server, tool string, schema *tree.Value) string {
	if schema == nil {
		schema = &tree.Value{Kind: tree.Null}
	}
	schema.Sort(strings.Compare)
	text := append([]byte(nil), `{"name":`...)
	text = tree.AppendString(text, server+"__"+tool)
	text = append(text, `,"schema":`...)
	text = tree.AppendCanonical(text, schema)
	text = append(text, '}')
	sum := sha256.Sum256(text)
	return "bk_" + hex.EncodeToString(sum[:16])
}
