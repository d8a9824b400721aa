package schema

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema/internal/contract"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// SPEC.md specifies the hashes, the hashed form, and the content key of package lockfile; testdata has test
// vectors.

// FullHash returns "sha256:" and the hexadecimal SHA-256 of the [Canonical] form of raw. Every change affects
// it, except to whitespace, member order and escapes. Its errors are those of Canonical.
func FullHash(raw json.RawMessage) (string, error) {
	text, err := Canonical(raw)
	if err != nil {
		return "", err
	}
	return tree.Digest(text), nil
}

// ContractRevision is the revision of the rules of [ContractHash]. It is raised by every change that gives some
// definition another hash, so that a lock of an older version can be distinguished from an edited one.
const ContractRevision = 1

// ContractHash returns "sha256:" and the hexadecimal SHA-256 of the meaning of a definition. It stays the same
// when only texts for people change (titles, descriptions, icons, examples, comments, _meta), when sets are
// reordered, when a protocol default is written out, and when a schema is spelled in an equivalent way; local
// references count as their targets. Names, constants and defaults are never touched: keywords are recognised
// by their position, so a property called "description" stays.
//
// Its errors are those of [Canonical]. If kind is not an item, raw is hashed unchanged.
func ContractHash(kind Kind, raw json.RawMessage) (string, error) {
	text, err := Contract(kind, raw, nil)
	if err != nil {
		return "", err
	}
	return tree.Digest(text), nil
}

// Contract returns the text hashed by [ContractHash]. In it, long parts of schemas are replaced by their hashes
// between < and >. If part is not nil, it is called with the text of each replaced part, including nested ones,
// and possibly with other texts.
func Contract(kind Kind, raw json.RawMessage, part func(text string)) ([]byte, error) {
	v, err := tree.Parse(raw)
	if err != nil {
		return nil, err
	}
	return contract.Of(string(kind), v, part), nil
}
