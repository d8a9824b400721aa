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
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/internal/linefile"
	"github.com/mcpgen/mcpgen/runtime/internal/statefile"
)

// maxLine bounds one entry in a file, in bytes.
const maxLine = 64 << 20

// File is a ledger on disk, open for one run: the life of one host. Several
// processes and several Files of a process may write to one path at the same time;
// their runs do not mix. Its methods are safe for concurrent use.
//
// Each line is one entry with its run. A line is written whole, under a lock that
// the system releases when a process dies (the file beside it that ends in .lock).
// When the file is moved or removed, as log rotation does, the next entry begins a
// new one.
type File struct {
	path string
	run  string
	opts FileOptions

	mu     sync.Mutex
	lines  *linefile.File
	closed bool
}

// FileOptions are the settings of a [File]. Nil, like the zero value, is usable.
type FileOptions struct {
	// OnRepair is called for an unfinished last line that was set aside: a process
	// was stopped while it wrote. Nil warns in slog.Default().
	OnRepair func(error)

	step func(string) // tests stop the process here
}

// ErrClosed is a ledger that is not open any more.
var ErrClosed = errors.New("the ledger is closed")

// Open opens a ledger to append to, under a new run. It makes the file with mode
// 0600 and its folder with 0700 if they are missing, and takes from others the right
// to read a file that is there. A last line that is not finished is appended to the
// file beside it that ends in .torn, and reported. Anything but a regular file is an
// error, and so is a lock that another process keeps for ten seconds. Close it.
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

// Run returns the name of the run: a ULID. Runs that begin later have a higher one.
func (f *File) Run() string { return f.run }

// Close closes the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return f.lines.Close()
}

// Recorder returns a recorder that begins empty and also appends what it records to
// the file, under its run. There must be only one: the sequence numbers are its own.
// What cannot be written is written with the next change. The caller closes the
// file.
func (f *File) Recorder(tools func() ([]runtime.Tool, error)) *Recorder {
	r := NewRecorder(Empty(), tools)
	r.file = f
	return r
}

// wireLine is one line of a file.
type wireLine struct {
	Run   string `json:"run"`
	PID   int    `json:"pid,omitempty"` // of the process that wrote it
	Entry Entry  `json:"entry"`
}

// Append writes entries to the end of the file. An entry that [Entry.UnmarshalJSON]
// would refuse, or that is too long, is an error; nothing has been written then. An
// entry that stands in the file already, under the same run, counts once. After Close
// the error is [ErrClosed].
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

// line is an entry as it is written.
func (f *File) line(e Entry) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(wireLine{f.run, os.Getpid(), e})
	if err == nil && len(line) > maxLine {
		err = fmt.Errorf("%d bytes are more than the %d that one may have", len(line), maxLine)
	}
	return append(line, '\n'), err
}

// repair sets an unfinished last line aside. The program that wrote it has ended: the lock is
// ours. A line that lacks nothing but its end is left, and ended by the next one.
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
	f.opts.OnRepair(fmt.Errorf("%s: the last line was not finished: its %d bytes were moved to %s.torn: a process was stopped while it wrote them", f.path, n, f.path))
	return nil
}

// setAside keeps what is not a whole line.
func setAside(path string, tail []byte) error {
	torn, err := linefile.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(torn.Append(append(tail, '\n')), torn.Close())
}

// parseLine reads the entry of a line. Members that are not known here are ignored.
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
