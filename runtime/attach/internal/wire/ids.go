// Ids of requests, which nobody can guess who has not seen one.

package wire

import (
	"crypto/rand"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// requestIDs makes the ids and progress tokens of the requests of one connection: a
// random prefix and a number. A server that prints what others sent it, in the
// shape of an answer, therefore answers no request with it.
type requestIDs struct{ prefix string }

// newIDs returns ids with a prefix of their own.
func newIDs() requestIDs { return requestIDs{"mcpgen-" + rand.Text() + "-"} }

// Text returns the id number n as it is without quotes.
func (d requestIDs) Text(n uint64) string { return d.prefix + strconv.FormatUint(n, 10) }

// Append appends the id number n as JSON.
func (d requestIDs) Append(dst []byte, n uint64) []byte {
	dst = append(dst, '"')
	dst = append(dst, d.prefix...)
	dst = strconv.AppendUint(dst, n, 10)
	return append(dst, '"')
}

// of reads what Append wrote, as a server spelled it.
func (d requestIDs) of(raw []byte) (uint64, bool) {
	raw = jsontext.Plain(raw)
	before, n := 1+len(d.prefix), len(raw)-1
	if n <= before || n > before+20 || raw[0] != '"' || string(raw[1:before]) != d.prefix || raw[n] != '"' || raw[before] == '0' {
		return 0, false
	}
	id := uint64(0)
	for _, b := range raw[before:n] {
		if b < '0' || b > '9' {
			return 0, false
		}
		id = id*10 + uint64(b-'0')
	}
	return id, true
}
