// Reading a log.

package audit

import (
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"path"
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/runtime/internal/linefile"
)

// maxLine bounds a line that is read, in bytes. A longer one is skipped.
const maxLine = 1 << 20

// Filter selects records. The zero value selects all of them.
type Filter struct {
	Servers   []string // names, or patterns of [path.Match]
	Tools     []string // wire names, or patterns
	Callers   []string // of calls and checks: names, or patterns
	Kinds     []string
	Decisions []string
	Since     time.Time // not earlier than
	Until     time.Time // earlier than
}

// Match reports whether the filter selects a record.
func (f Filter) Match(r Record) bool {
	return matches(f.Servers, r.Server) && matches(f.Tools, r.Tool) &&
		(len(f.Kinds) == 0 || slices.Contains(f.Kinds, r.Kind)) &&
		(len(f.Decisions) == 0 || slices.Contains(f.Decisions, r.Decision)) &&
		(len(f.Callers) == 0 || (r.Kind == KindCall || r.Kind == KindCheck) && matches(f.Callers, cmp.Or(r.Caller, LocalCaller))) &&
		(f.Since.IsZero() || !r.Time.Before(f.Since)) &&
		(f.Until.IsZero() || r.Time.Before(f.Until))
}

func matches(patterns []string, text string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, text)
		return ok || err != nil && p == text || p == text
	})
}

// Check returns an error if a pattern of the filter is invalid.
func (f Filter) Check() error {
	for _, p := range slices.Concat(f.Servers, f.Tools, f.Callers) {
		if _, err := path.Match(p, ""); err != nil {
			return errors.New("the pattern " + p + " is incomplete: close each [ with ], and write a character after each \\")
		}
	}
	return nil
}

// Read yields the records of a log that the filter selects, the oldest first. A line
// without a record, such as one that a crash cut off, is skipped; [Damaged] counts
// them. Anything but a regular file is an error. An error ends the sequence.
func Read(file string, f Filter) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for r, err := range read(file, nil) {
			if err == nil && !f.Match(r) {
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// Damaged returns how many lines of a log have no record.
func Damaged(file string) (int, error) {
	n := 0
	for _, err := range read(file, func() { n++ }) {
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// read yields the records of all lines. Skipped, if not nil, is called for each line
// without one.
func read(file string, skipped func()) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		in, err := regular.Open(file)
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer in.Close()
		for line, err := range linefile.Lines(in, maxLine) {
			if err != nil {
				yield(Record{}, err)
				return
			}
			r, ok := parse(line.Text)
			ok = ok && !line.Long
			if !ok && skipped != nil {
				skipped()
			}
			if ok && !yield(r, nil) {
				return
			}
		}
	}
}

// parse parses the record of a line. It requires the whole line, since the inside of
// an unfinished one may be text of a server or a caller.
func parse(line []byte) (Record, bool) {
	var r Record
	if json.Unmarshal(line, &r) != nil || r.Kind == "" {
		return Record{}, false
	}
	return r, true
}
