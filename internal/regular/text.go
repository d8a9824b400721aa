package regular

import "bytes"

// WithLF returns a text file as it was committed: git may have changed the line endings on checkout.
func WithLF(data []byte) []byte {
	if bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}
