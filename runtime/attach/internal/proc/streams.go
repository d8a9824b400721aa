// The child's output streams: standard output, which the caller reads, and standard
// error, whose end is kept.

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

// output is standard output. After the leader has ended, it does not wait for
// descendants that keep the pipe open.
type output struct {
	file    *os.File
	ended   <-chan struct{}
	drained chan struct{} // closed by the Read that finds the end
}

// Read reads; its only error is io.EOF.
func (o *output) Read(b []byte) (int, error) {
	select {
	case <-o.ended:
		o.wake() // from now on, only read what is available
	default:
	}
	n, err := o.file.Read(b)
	if err != nil {
		_ = o.file.Close() // never written to
		select {
		case <-o.drained:
		default:
			close(o.drained)
		}
		return n, io.EOF
	}
	return n, nil
}

// wake ends a waiting Read, after quietTime.
func (o *output) wake() {
	_ = o.file.SetReadDeadline(time.Now().Add(quietTime)) // without deadlines, EOF comes when the group has ended
}

// tail reads standard error all the time, so that the child never blocks on it, and
// keeps its end.
type tail struct {
	file *os.File
	eof  chan struct{} // closed at the end of the stream
	mu   sync.Mutex
	kept []byte // at most twice tailSize, so that each byte is copied at most once
}

func (t *tail) drain() {
	defer close(t.eof)
	buf := make([]byte, 4<<10)
	for {
		n, err := t.file.Read(buf)
		t.keep(buf[:n])
		if err != nil {
			_ = t.file.Close() // never written to
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

// wait waits for the end of the stream and reports whether it was in time.
func (t *tail) wait(d time.Duration) bool {
	select {
	case <-t.eof:
		return true
	case <-time.After(d):
		return false
	}
}

// finish ends the stream, even if a surviving process keeps it open.
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

// The limits of the quote of standard error in an error message.
const (
	quoteLines = 12
	quoteBytes = 1000
)

// beside matches lines that do not give the reason of an end: stack frames of Node,
// Python, Rust and Go, and npm's warnings, repeated codes and the path of its log.
var beside = regexp.MustCompile(`^\s+(?:at |File "|\d+: |\S+\.go:\d+)|^goroutine \d+ \[|^created by |^[\w./]+\.[\w.()*]+\(.*\)$` +
	`|^npm (?:warn|WARN|notice)\b|^npm (?:error|ERR!)(?: 404)?(?: A complete log of this run .*)?$`)

// lastLines returns the last lines of s, joined into one and fit for a terminal.
// Empty lines are left out, and lines that beside matches unless there are no others.
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
