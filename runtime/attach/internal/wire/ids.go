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
type requestIDs struct{ prefix string } // with the quote that begins an id

// newIDs returns ids with a prefix of their own.
func newIDs() requestIDs { return requestIDs{`"mcpgen-` + rand.Text() + "-"} }

// Text returns the id number n as it is without quotes.
func (d requestIDs) Text(n uint64) string { return d.prefix[1:] + strconv.FormatUint(n, 10) }

// Append appends the id number n as JSON.
func (d requestIDs) Append(dst []byte, n uint64) []byte {
	return append(strconv.AppendUint(append(dst, d.prefix...), n, 10), '"')
}

// of reads what Append wrote, as a server spelled it.
func (d requestIDs) of(raw []byte) (uint64, bool) {
	raw = jsontext.Plain(raw)
	from, to := len(d.prefix), len(raw)-1
	if to <= from || string(raw[:from]) != d.prefix || raw[to] != '"' || raw[from] == '0' {
		return 0, false
	}
	id, err := strconv.ParseUint(string(raw[from:to]), 10, 64)
	return id, err == nil
}
