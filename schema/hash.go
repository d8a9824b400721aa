package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// FullHash returns "sha256:" and the hexadecimal SHA-256 of the [Canonical]
// form of raw: it changes with every change but those of spacing, member order
// and escapes. The errors are Canonical's.
func FullHash(raw json.RawMessage) (string, error) {
	text, err := Canonical(raw)
	if err != nil {
		return "", err
	}
	return hashBytes(text), nil
}

// TextHash returns the hash of plain text such as a server's instructions; ""
// for the empty text.
func TextHash(text string) string {
	if text == "" {
		return ""
	}
	return hashBytes([]byte(text))
}

// hashBytes returns a hash. Its prefix leaves room for another algorithm beside it.
func hashBytes(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Hashes are what a lock has of an item.
type Hashes struct {
	Full     string // see [FullHash]
	Contract string // see [ContractHash]
	Key      string // see [ContentKey]; "" but for tools
}

// HashItem returns the hashes of an item of that server. It fails if the definition
// is not one that [ParseItem] accepts, or is of another name.
func HashItem(server string, it Item) (Hashes, error) {
	v, err := tree.Parse(it.Raw)
	if err != nil {
		return Hashes{}, err
	}
	name, err := itemName(it.Kind, v)
	if err != nil {
		return Hashes{}, err
	}
	if name != it.Name {
		return Hashes{}, &Error{Pointer: "/" + it.Kind.nameMember(), Reason: "is " + tree.Quote(name)}
	}
	var h Hashes
	if it.Kind == KindTool {
		h.Key = contentKey(server, name, v.Get("inputSchema"))
	}
	h.Contract = hashBytes(contract(it.Kind, v))
	v.Sort(tree.CompareUTF16)
	h.Full = hashBytes(tree.AppendCanonical(make([]byte, 0, len(it.Raw)), v))
	return h, nil
}

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
