package ledger

// This file appends to ledgers on disk.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/internal/linefile"
)

// maxLine bounds one entry in a file, in bytes.
const maxLine = 64 << 20

// File is a ledger on disk, open for one run, which is the life of one host. Several
// processes, and several Files of one process, may write to one path at the same
// time; their runs stay separate. Its methods are safe for concurrent use.
//
// Each line is one entry with its run. A line is written as a whole, under a lock
// that the system releases when a process dies: a file with the added extension
// .lock. When the file is moved or removed, as by log rotation, the next entry begins
// a new file.
type File struct {
	path string
	run  string
	opts FileOptions

	mu     sync.Mutex
	lines  *linefile.File
	closed bool
}

// FileOptions are the settings of a [File]. Nil and the zero value are usable.
type FileOptions struct {
	// OnRepair is called when an unfinished last line was set aside: a process was
	// stopped while it wrote. Nil warns in slog.Default().
	OnRepair func(error)

	step func(string) // tests stop the process here
}

// ErrClosed reports that the ledger has been closed.
var ErrClosed = errors.New("the ledger is closed")

// Open opens a ledger to append to, under a new run. It makes the file with mode 0600
// and its folder with 0700 if they are missing, and makes an existing file unreadable
// for others. An unfinished last line is moved to a file with the added extension
// .torn, and reported. Anything but a regular file is an error, and so is a lock that
// another process holds for ten seconds. The caller must close it.
func Open(path string, opts *FileOptions) (*File, error) {
	f := &File{path: path}
	if opts != nil {
		f.opts = *opts
	}
	if f.opts.OnRepair == nil {
		f.opts.OnRepair = func(err error) { slog.Default().Warn(err.Error()) }
	}
	if f.opts.step == nil {
		f.opts.step = func(string) {}
	}
	var err error
	if f.run, err = NewULID(time.Now()); err != nil {
		return nil, err
	}
	if f.lines, err = linefile.Open(path); err != nil {
		return nil, err
	}
	if err := f.Append(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Run returns the ID of the run: a ULID. Later runs have higher ids.
func (f *File) Run() string { return f.run }

// Close closes the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return f.lines.Close()
}

// Recorder returns a recorder that begins empty and also appends its records to the
// file, under the file's run. There must be only one, since it assigns the sequence
// numbers. Entries that cannot be written are written with the next change. The
// caller closes the file.
func (f *File) Recorder(tools func() ([]runtime.Tool, error)) *Recorder {
	r := NewRecorder(Ledger{}, tools)
	r.file = f
	return r
}

// wireLine is one line of a file.
type wireLine struct {
	Run   string `json:"run"`
	PID   int    `json:"pid,omitempty"` // of the process that wrote it
	Entry Entry  `json:"entry"`
}

// Append writes entries to the end of the file. If [Entry.UnmarshalJSON] would refuse
// an entry, or it is too long, Append returns an error and writes nothing. A repeated
// entry of the same run counts once. After Close the error is [ErrClosed].
func (f *File) Append(entries ...Entry) error {
	var lines bytes.Buffer
	for _, e := range entries {
		line, err := f.line(e)
		if err != nil {
			return fmt.Errorf("%s: entry %d: %w", f.path, e.Seq, err)
		}
		lines.Write(line)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return fmt.Errorf("%s: %w", f.path, ErrClosed)
	}
	unlock, err := statefile.Lock(context.Background(), f.path)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	defer unlock()
	f.opts.step("locked")
	if err := f.repair(); err != nil || lines.Len() == 0 {
		return err
	}
	f.opts.step("write")
	if err := f.lines.Append(lines.Bytes()); err != nil {
		return err
	}
	f.opts.step("written")
	return nil
}

// line returns the line of an entry.
func (f *File) line(e Entry) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(wireLine{f.run, os.Getpid(), e})
	if err == nil && len(line) > maxLine {
		err = fmt.Errorf("the line has %d bytes, more than %d", len(line), maxLine)
	}
	return append(safetext.JSON(line), '\n'), err
}

// repair sets an unfinished last line aside. Its writer has ended, since this process
// holds the lock. A complete entry that only lacks its newline is kept; the next
// entry adds the newline.
func (f *File) repair() error {
	n, err := f.lines.Unfinished()
	if err != nil || n == 0 {
		return err
	}
	in, err := regular.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	start := info.Size() - n
	tail, err := io.ReadAll(io.NewSectionReader(in, start, n))
	if err != nil {
		return err
	}
	if _, err := parseLine(bytes.TrimSpace(tail)); err == nil {
		return nil
	}
	if err := setAside(f.path+".torn", tail); err != nil {
		return err
	}
	f.opts.step("aside")
	if err := os.Truncate(f.path, start); err != nil {
		return err
	}
	f.opts.step("cut")
	f.opts.OnRepair(fmt.Errorf("%s: the last line is incomplete, because a process was stopped while it wrote the line; its %d bytes were moved to %s.torn", f.path, n, f.path))
	return nil
}

// setAside saves an unfinished line.
func setAside(path string, tail []byte) error {
	torn, err := linefile.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(torn.Append(append(tail, '\n')), torn.Close())
}

// parseLine parses the entry of a line. Unknown members are ignored.
func parseLine(text []byte) (wireLine, error) {
	var l wireLine
	if err := json.Unmarshal(text, &l); err != nil {
		return l, err
	}
	if l.Run == "" {
		return l, errors.New("run: missing")
	}
	return l, l.Entry.check()
}
