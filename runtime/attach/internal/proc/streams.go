// The child's output streams: standard output, handed on, and standard error,
// of which the end is kept.

package proc

import (
	"cmp"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// tailSize is how much of standard error is kept.
const tailSize = 64 << 10

// output is standard output. After the leader has ended it does not wait for
// descendants that keep the pipe open.
type output struct {
	file    *os.File
	ended   <-chan struct{}
	drained chan struct{} // closed by the Read that finds the end
}

// Read reads; io.EOF is its only error.
func (o *output) Read(b []byte) (int, error) {
	select {
	case <-o.ended:
		o.wake() // from now on, only what is there already
	default:
	}
	n, err := o.file.Read(b)
	if err != nil {
		_ = o.file.Close() // only read from
		select {
		case <-o.drained:
		default:
			close(o.drained)
		}
		return n, io.EOF
	}
	return n, nil
}

// wake ends a Read that waits, after a moment.
func (o *output) wake() {
	_ = o.file.SetReadDeadline(time.Now().Add(quietTime)) // without deadlines, EOF comes when the group is gone
}

// tail reads standard error, always, so that the child never blocks on it, and
// keeps the end.
type tail struct {
	file *os.File
	eof  chan struct{} // nothing more will come
	mu   sync.Mutex
	kept []byte // at most twice tailSize, so that keeping costs one copy a byte
}

func (t *tail) drain() {
	defer close(t.eof)
	buf := make([]byte, 4<<10)
	for {
		n, err := t.file.Read(buf)
		t.keep(buf[:n])
		if err != nil {
			_ = t.file.Close() // only read from
			return
		}
	}
}

func (t *tail) keep(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.kept)+len(b) > 2*tailSize {
		t.kept = t.kept[:copy(t.kept, t.kept[len(t.kept)-tailSize:])]
	}
	t.kept = append(t.kept, b...)
}

// wait waits for the end of the stream and reports whether it came in time.
func (t *tail) wait(d time.Duration) bool {
	select {
	case <-t.eof:
		return true
	case <-time.After(d):
		return false
	}
}

// finish ends the stream, even if a process that was not killed keeps it open.
func (t *tail) finish(d time.Duration) {
	if t.wait(d) {
		return
	}
	if err := t.file.Close(); !errors.Is(err, os.ErrClosed) {
		t.wait(d)
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept[max(0, len(t.kept)-tailSize):])
}

// The part of standard error that an error message quotes.
const (
	quoteLines = 12
	quoteBytes = 1000
)

// beside are lines that stand beside the reason of an end: frames of stack traces, as Node,
// Python, Rust and Go write them, and npm's warnings, repeated codes and place of its log.
var beside = regexp.MustCompile(`^\s+(?:at |File "|\d+: |\S+\.go:\d+)|^goroutine \d+ \[|^created by |^[\w./]+\.[\w.()*]+\(.*\)$` +
	`|^npm (?:warn|WARN|notice)\b|^npm (?:error|ERR!)(?: 404)?(?: A complete log of this run .*)?$`)

// lastLines returns the last lines of s that are neither empty nor beside the reason, if
// there are such, joined into one and fit for a terminal.
func lastLines(s string) string {
	return cmp.Or(lastLinesOf(s, beside.MatchString), lastLinesOf(s, func(string) bool { return false }))
}

func lastLinesOf(s string, skip func(line string) bool) string {
	var lines []string
	for size := 0; len(lines) < quoteLines && size < quoteBytes && s != ""; {
		line := s
		if i := strings.LastIndexByte(s, '\n'); i >= 0 {
			s, line = s[:i], s[i+1:]
		} else {
			s = ""
		}
		if skip(strings.TrimSuffix(line, "\r")) {
			continue
		}
		if line = safetext.Words(line, 3*len(line)); line == "" {
			continue
		}
		if over := size + len(line) - quoteBytes; over > 0 {
			line = "…" + strings.ToValidUTF8(line[over:], "")
		}
		size += len(line)
		lines = append([]string{line}, lines...)
	}
	return strings.Join(lines, " | ")
}
