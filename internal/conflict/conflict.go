// Package conflict finds the conflict markers that git writes into a file that it could not merge.
package conflict

import "bytes"

// Line returns the 1-based line of the first marker, or 0. A marker begins its line; no line of a
// configuration, a lock or a snapshot begins so.
func Line(data []byte) int {
	first := 0
	for _, mark := range []string{"<<<<<<< ", ">>>>>>> ", "||||||| "} {
		line := 0
		if bytes.HasPrefix(data, []byte(mark)) {
			line = 1
		} else if i := bytes.Index(data, []byte("\n"+mark)); i >= 0 {
			line = bytes.Count(data[:i+1], []byte{'\n'}) + 1
		}
		if line > 0 && (first == 0 || line < first) {
			first = line
		}
	}
	return first
}
