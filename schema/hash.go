package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// hashPrefix opens every hash, so that another algorithm can stand beside it.
const hashPrefix = "sha256:"

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

func hashBytes(b []byte) string {
	sum := sha256.Sum256(b)
	return hashPrefix + hex.EncodeToString(sum[:])
}

// IsHash reports whether s is a hash as this package writes them.
func IsHash(s string) bool {
	return len(s) == len(hashPrefix)+2*sha256.Size && s[:len(hashPrefix)] == hashPrefix && isHex(s[len(hashPrefix):])
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
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
