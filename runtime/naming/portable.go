package naming

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// MaxLen is the length of the longest portable name.
const MaxLen = 64

// shortHash is the number of hex digits that distinguish shortened names.
const shortHash = 8

// Portable returns name in the form that all known model providers accept:
// ^[A-Za-z_][A-Za-z0-9_-]{0,63}$. A portable name is returned unchanged.
//
// Each rune outside [A-Za-z0-9_-] becomes an underscore, and a name that then does
// not begin with a letter or an underscore gets one in front. A name that is too long
// is cut, and ends with an underscore and 8 hex digits of the hash of the original
// name: the same name always has the same short form, and long names with the same
// beginning have different ones.
//
// Different names may have the same portable name, as "a b" and "a_b" do; [Assign]
// detects that.
func Portable(name string) string {
	if isPortable(name) {
		return name
	}
	portable := strings.Map(func(r rune) rune {
		if isWord(r) || r == '-' {
			return r
		}
		return '_'
	}, name)
	if portable == "" || !isStart(portable[0]) {
		portable = "_" + portable
	}
	if len(portable) <= MaxLen {
		return portable
	}
	sum := sha256.Sum256([]byte(name))
	return portable[:MaxLen-shortHash-1] + "_" + hex.EncodeToString(sum[:])[:shortHash]
}

func isPortable(name string) bool {
	return name != "" && len(name) <= MaxLen && isStart(name[0]) && !strings.ContainsFunc(name, func(r rune) bool { return !isWord(r) && r != '-' })
}

// isStart reports whether a portable name may begin with c.
func isStart(c byte) bool { return isWord(rune(c)) && (c < '0' || c > '9') }
