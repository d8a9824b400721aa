package ledger

import "io"

// AtStep has f called before each step of writing.
func (o *FileOptions) AtStep(f func(string)) { o.step = f }

// ReadFrom reads a file's content.
func ReadFrom(in io.Reader) ([]Run, []Damage, error) { return read(in) }

// MaxSeq is the highest sequence number.
const MaxSeq = maxSeq
