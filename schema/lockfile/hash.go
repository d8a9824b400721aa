package lockfile

// This file computes the hashes of a lock.

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/contract"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// TextHash returns the hash of plain text such as a server's instructions, or "" for empty text.
func TextHash(text string) string {
	if text == "" {
		return ""
	}
	return tree.Digest([]byte(text))
}

// itemLocker hashes items one after another in the same memory.
type itemLocker struct {
	parser tree.Parser
	text   []byte // canonical
}

// lock returns the hashes of an item. It fails if [schema.ParseItem] would reject the definition, or if its
// name differs from the item's.
func (l *itemLocker) lock(server string, it schema.Item) (LockedItem, error) {
	v, err := l.parser.Parse(it.Raw)
	if err != nil {
		return LockedItem{}, err
	}
	name, err := tree.ItemName(v, string(it.Kind), it.Kind.NameMember())
	if err == nil && name != it.Name {
		err = &schema.Error{Pointer: "/" + it.Kind.NameMember(), Reason: "is " + tree.Quote(name)}
	}
	if err != nil {
		return LockedItem{}, err
	}
	locked := LockedItem{Contract: tree.Digest(contract.Of(string(it.Kind), v, nil))} // Of sorts v
	if it.Kind == schema.KindTool {
		locked.Key = keyOf(keyText(server, it.Name, v.Get("inputSchema")))
	}
	l.text = tree.AppendCanonical(l.text[:0], v)
	locked.Full = tree.Digest(l.text)
	return locked, nil
}

// ContentKey returns the key under which a tool is enrolled: "bk_" and the first 32 hexadecimal digits of the
// SHA-256 of [KeyText]. It does not depend on a project's naming scheme and changes when the input schema does.
// Its errors are those of [schema.Canonical].
func ContentKey(server, tool string, inputSchema json.RawMessage) (string, error) {
	text, err := KeyText(server, tool, inputSchema)
	if err != nil {
		return "", err
	}
	return keyOf(text), nil
}

// KeyText returns {"name":"<server>__<tool>","schema":<input schema, or null if it is nil>} in canonical form,
// the text hashed by [ContentKey].
func KeyText(server, tool string, inputSchema json.RawMessage) ([]byte, error) {
	if inputSchema == nil {
		inputSchema = json.RawMessage("null")
	}
	v, err := tree.Parse(inputSchema)
	if err != nil {
		return nil, err
	}
	v.Sort(tree.CompareUTF16)
	return keyText(server, tool, v), nil
}

// keyText is [KeyText] for a sorted schema.
func keyText(server, tool string, schema *tree.Value) []byte {
	text := append([]byte(nil), `{"name":`...)
	text = tree.AppendString(text, server+"__"+tool)
	text = append(text, `,"schema":`...)
	text = tree.AppendCanonical(text, cmp.Or(schema, &tree.Value{Kind: tree.Null}))
	return append(text, '}')
}

func keyOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "bk_" + hex.EncodeToString(sum[:16])
}
