// Reading a log.

package audit

import (
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

// Filter says which records are wanted. The zero value is all of them.
type Filter struct {
	Servers   []string // names, or patterns of [path.Match]
	Tools     []string // wire names, or patterns
	Kinds     []string
	Decisions []string
	Since     time.Time // not before
	Until     time.Time // before
}

// Match reports whether a record is wanted.
func (f Filter) Match(r Record) bool {
	return matches(f.Servers, r.Server) && matches(f.Tools, r.Tool) &&
		(len(f.Kinds) == 0 || slices.Contains(f.Kinds, r.Kind)) &&
		(len(f.Decisions) == 0 || slices.Contains(f.Decisions, r.Decision)) &&
		(f.Since.IsZero() || !r.Time.Before(f.Since)) &&
		(f.Until.IsZero() || r.Time.Before(f.Until))
}

func matches(patterns []string, text string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, text)
		return ok || err != nil && p == text || p == text
	})
}

// Check says which pattern of the filter cannot mean anything.
func (f Filter) Check() error {
	for _, p := range slices.Concat(f.Servers, f.Tools) {
		if _, err := path.Match(p, ""); err != nil {
			return errors.New("the pattern " + p + " is not closed: a [ needs a ], a \\ a character")
		}
	}
	return nil
}

// Read yields the records of a log that the filter wants, the oldest first. A
// line that is not a record, such as one that a crash cut off, is skipped;
// [Damaged] counts them. Anything but a regular file is an error. The error is the
// last thing it yields.
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

// Damaged counts the lines of a log that hold no record.
func Damaged(file string) (int, error) {
	n := 0
	for _, err := range read(file, func() { n++ }) {
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// read yields the records of all lines. Skipped, if not nil, is called for each
// line without one.
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

// parse reads the record of a line: the whole line, since what stands inside an
// unfinished one may be text of a server or of a caller.
func parse(line []byte) (Record, bool) {
	var r Record
	if json.Unmarshal(line, &r) != nil || r.Kind == "" {
		return Record{}, false
	}
	return r, true
}
