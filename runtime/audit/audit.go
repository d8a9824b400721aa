// Package audit writes down who called what: one JSON object a line, in a file
// that only its user can read. It tells of servers that came and went, of
// permissions that were asked for, of calls and of drift, in the order in which
// they happened.
//
// Values of arguments are not written unless [Options.Arguments] asks for them,
// and results never are. A log is about calls, not about what a server does with
// its own rights: a server is a program that runs with the rights of the user who
// started it, which is why the line of its start holds its command.
//
// Several processes may write one file. A line is written as a whole; one that a
// crash cut off is skipped by readers, and never joined with the next. When the
// file is moved or removed, as the system's log rotation does, the next line
// begins a new one.
package audit

import (
	"log/slog"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/internal/linefile"
	"github.com/mcpgen/mcpgen/runtime/mask"
)

// Options are the settings of a [Log]. Nil, like the zero value, is usable.
type Options struct {
	// Arguments writes the arguments of calls, up to 64 KiB each. They may hold
	// what should not be kept.
	Arguments bool
	// Key returns the content key of a tool, or "". Nil writes none.
	Key func(server, tool string) string
	// Launch returns how a server is started, as it is configured: its command
	// and arguments or its URL, before variables are replaced. Nil writes none.
	Launch func(server string) string
	// Position is asked when a call begins, for the run and the last sequence
	// number of the host's ledger: see ledger.File.Run. Nil writes none.
	Position func() (run string, seq int64)
	// Mask knows what must not be written. Nil masks tokens that are told by their
	// form alone: errors of attach are masked already.
	Mask *mask.Set
	// OnError is called when a line could not be written. Nil logs it
	// with slog.Default(), once until a line can be written again.
	OnError func(error)
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// Log appends to one file. Its methods are safe for concurrent use. A nil Log
// writes nothing.
type Log struct {
	path string
	opts Options
	now  func() time.Time

	mu     sync.Mutex
	file   *linefile.File
	failed bool // the last line could not be written, and that was reported
	closed bool
}

// Open opens the log, and makes it with mode 0600 and its folder with 0700 if
// they are not there. Others lose the right to read a log that is there. Close
// it.
func Open(path string, opts *Options) (*Log, error) {
	l := &Log{path: path, now: time.Now}
	if opts != nil {
		l.opts = *opts
	}
	if l.opts.Now != nil {
		l.now = l.opts.Now
	}
	var err error
	if l.file, err = linefile.Open(path); err != nil {
		return nil, err
	}
	return l, nil
}

// Close closes the file. Nothing is written after it.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	return l.file.Close()
}

// write appends one line.
func (l *Log) write(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	err := l.file.Append(line)
	if err == nil {
		l.failed = false
		return
	}
	if l.opts.OnError != nil {
		l.opts.OnError(err)
	} else if !l.failed {
		slog.Default().Error("the audit log cannot be written; calls go on without it", slog.String("file", l.path), slog.Any("error", err))
	}
	l.failed = true
}
