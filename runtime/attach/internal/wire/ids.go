// Ids of requests, which cannot be guessed without seeing one.

package wire

import (
	"crypto/rand"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// requestIDs makes the ids and progress tokens of the requests of one connection: a
// random prefix and a number. So a server that prints foreign text in the form of an
// answer does not answer any request with it.
type requestIDs struct{ prefix string } // with the quote that begins an id

// newIDs returns ids with a new prefix.
func newIDs() requestIDs { return requestIDs{`"mcpgen-` + rand.Text() + "-"} }

// Text returns the ID number n without quotes.
func (d requestIDs) Text(n uint64) string { return d.prefix[1:] + strconv.FormatUint(n, 10) }

// Append appends the ID number n as JSON.
func (d requestIDs) Append(dst []byte, n uint64) []byte {
	return append(strconv.AppendUint(append(dst, d.prefix...), n, 10), '"')
}

// of parses an ID that Append wrote, in the server's spelling.
func (d requestIDs) of(raw []byte) (uint64, bool) {
	raw = jsontext.Plain(raw)
	from, to := len(d.prefix), len(raw)-1
	if to <= from || string(raw[:from]) != d.prefix || raw[to] != '"' || raw[from] == '0' {
		return 0, false
	}
	id, err := strconv.ParseUint(string(raw[from:to]), 10, 64)
	return id, err == nil
}
