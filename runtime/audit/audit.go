// Package audit logs who called what: one JSON object a line, in a file that only its
// user can read. It records servers that come and go, requested permissions, calls,
// and drift, in the order in which they happened.
//
// Values of arguments are logged only with [Options.Arguments], and results never.
// The log covers calls, not what a server does with its own rights: a server runs
// with the rights of the user who started it, so the record of its start contains its
// command.
//
// Several processes may write one file. A line is written as a whole; a line that a
// crash cut off is skipped by readers, and never joined with the next. When the file
// is moved or removed, as by log rotation, the next line begins a new file.
package audit

import (
	"log/slog"
	"sync"

	"github.com/mcpgen/mcpgen/runtime/internal/linefile"
	"github.com/mcpgen/mcpgen/runtime/mask"
)

// Options are the settings of a [Log]. Nil and the zero value are usable.
type Options struct {
	// Arguments logs the arguments of calls, up to 64 KiB each. They may contain
	// values that should not be kept.
	Arguments bool
	// Key returns the content key of a tool, or "". If nil, no keys are logged.
	Key func(server, tool string) string
	// Launch returns how a server is configured to start: its command and arguments
	// or its URL, before variables are replaced. If nil, no launches are logged.
	Launch func(server string) string
	// Position is called when a call begins. It returns the run and the last sequence
	// number of the host's ledger: see ledger.File.Run. If nil, no positions are
	// logged.
	Position func() (run string, seq int64)
	// Mask has the secrets that must not be logged. If nil, only tokens with a
	// well-known form are masked; errors of attach are masked already.
	Mask *mask.Set
	// OnError is called when a line could not be written, once until a line can be
	// written again. Nil logs the error with slog.Default().
	OnError func(error)
}

// Log appends to one file. Its methods are safe for concurrent use. A nil Log logs
// nothing.
type Log struct {
	path string
	opts Options

	mu     sync.Mutex
	file   *linefile.File
	failed bool // the last line could not be written, and the error was reported
	closed bool
}

// Open opens the log. It makes the file with mode 0600 and its folder with 0700 if
// they are missing, and makes an existing log unreadable for others. The caller must
// close it.
func Open(path string, opts *Options) (*Log, error) {
	l := &Log{path: path}
	if opts != nil {
		l.opts = *opts
	}
	var err error
	if l.file, err = linefile.Open(path); err != nil {
		return nil, err
	}
	return l, nil
}

// Close closes the file. Later records are dropped.
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
	switch {
	case l.failed:
	case l.opts.OnError != nil:
		l.opts.OnError(err)
	default:
		slog.Default().Error("the audit log cannot be written; calls go on without it", slog.String("file", l.path), slog.Any("error", err))
	}
	l.failed = true
}
