package ledger

// This file reads ledgers on disk.

import (
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/runtime/internal/linefile"
)

// A Run holds what one host wrote to a [File].
type Run struct {
	ID     string // see [File.Run]
	PID    int    // of the process; 0 if the lines do not have it
	Ledger Ledger
}

// Damage is a line of a file without a valid entry.
type Damage struct {
	Line   int // from 1
	Reason string
}

// Read returns the runs in a file, the oldest first, and the lines without a valid
// entry, which are skipped. The order of lines does not matter, and repeated lines
// count once: the files of several writers may be joined. Anything but a regular file
// is an error.
func Read(path string) ([]Run, []Damage, error) {
	in, err := regular.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	return read(in)
}

func read(in io.Reader) ([]Run, []Damage, error) {
	type log struct {
		pid     int
		entries []Entry
	}
	logs := map[string]*log{}
	var damaged []Damage
	for line, err := range linefile.Lines(in, maxLine) {
		if err != nil {
			return nil, nil, err
		}
		l, err := parseLine(line.Text)
		if line.Long {
			err = errors.New("the entry is too long")
		}
		if err != nil {
			damaged = append(damaged, Damage{line.Number, err.Error()})
			continue
		}
		of := logs[l.Run]
		if of == nil {
			of = &log{}
			logs[l.Run] = of
		}
		of.pid = max(of.pid, l.PID)
		of.entries = append(of.entries, l.Entry)
	}
	runs := make([]Run, 0, len(logs))
	for _, id := range slices.Sorted(maps.Keys(logs)) {
		runs = append(runs, Run{ID: id, PID: logs[id].pid, Ledger: FromLog(logs[id].entries)})
	}
	return runs, damaged, nil
}
