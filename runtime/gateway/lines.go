// Messages as lines: a line that is not a message is skipped, as it is for servers,
// and an invalid message is refused.

package gateway

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log/slog"
	"sync"
)

// maxLeftOut is how many skipped lines are logged.
const maxLeftOut = 5

// lines reads the lines that are messages. The SDK alone would end a session at the
// first other line, such as the output of a shell before it starts the program.
type lines struct {
	in      *bufio.Reader
	answers io.Writer // for refusals
	log     *slog.Logger
	rest    []byte // of a message
	out     int    // skipped lines
}

func newLines(in io.Reader, answers io.Writer, log *slog.Logger) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), answers: answers, log: log}
}

// Read implements [io.Reader].
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, whole, err := l.next()
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		switch {
		case !whole:
			l.leaveOut(invalidMessage(nil, "it is longer than 16 MiB"), true)
		case len(line) == 0:
		default:
			if _, why := refuse(line); why != nil {
				l.leaveOut(why, line[0] == '{' || line[0] == '[')
			} else {
				l.rest = append(line, '\n')
			}
		}
		if err != nil && len(l.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next reads a line. Whole is false if the line is longer than a message may be.
func (l *lines) next() (line []byte, whole bool, err error) {
	for whole = true; ; {
		part, err := l.in.ReadSlice('\n')
		if len(line)+len(part) > maxBody {
			line, whole = nil, false
		}
		if whole {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}

// leaveOut logs a skipped line, and answers one that looks like a message.
func (l *lines) leaveOut(why *refusal, answer bool) {
	if l.out++; l.out <= maxLeftOut {
		l.log.Warn("gateway: a line of the client is left out: " + why.fault.Message)
	}
	if answer {
		_, _ = l.answers.Write(append(why.answer(), '\n')) // a client that has ended needs no answer
	}
}

// oneWriter lets several goroutines write whole lines.
type oneWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements [io.Writer].
func (w *oneWriter) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(data)
}

// Close implements [io.Closer]. It does not close w, which belongs to the caller.
func (w *oneWriter) Close() error { return nil }
