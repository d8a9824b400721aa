package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema/internal/contract"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// The hashes, the form that they are of, and the content key of package lockfile are
// specified in SPEC.md, with vectors in testdata.

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

// ContractRevision is the revision of the rules that [ContractHash] follows. A
// change that gives any definition another hash raises it, so that a lock of an
// older version can be distinguished from one that was edited.
const ContractRevision = 1

// ContractHash returns "sha256:" and the hexadecimal SHA-256 of what a
// definition means. It stays the same when only texts for people change
// (titles, descriptions, icons, examples, comments, _meta), when sets are
// written in another order, when a default of the protocol is written out, and
// when a schema is spelled in an equivalent way; local references count as
// what they refer to. Names, constants and defaults are never touched: keywords
// are recognised by their position, so a property called "description" stays.
//
// The errors are those of [Canonical]. A kind that is not an item is hashed as it
// is.
func ContractHash(kind Kind, raw json.RawMessage) (string, error) {
	text, err := Contract(kind, raw, nil)
	if err != nil {
		return "", err
	}
	return hashBytes(text), nil
}

// Contract returns the text that [ContractHash] is of. Long parts of schemas stand in it as
// their hashes between < and >. If part is not nil, it is called with the text of each of
// those that stand in the contract, or in another part, and perhaps with others.
func Contract(kind Kind, raw json.RawMessage, part func(text string)) ([]byte, error) {
	v, err := tree.Parse(raw)
	if err != nil {
		return nil, err
	}
	return contract.Of(string(kind), v, part), nil
}

// hashBytes returns a hash. Its prefix leaves room for another algorithm beside it.
func hashBytes(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
