// Messages as lines: what is not one is left out, as it is of servers.

package gateway

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// maxLeftOut is how many lines that are left out are logged.
const maxLeftOut = 5

// lines reads the lines that are messages. The SDK ends a session at the first line that is
// not one, such as what a shell prints before it starts the program.
type lines struct {
	in   *bufio.Reader
	log  *slog.Logger
	rest []byte // of a message
	out  int    // lines that were left out
}

func newLines(in io.Reader, log *slog.Logger) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), log: log}
}

// Read implements [io.Reader].
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, whole, err := l.next()
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		switch {
		case !whole:
			l.leaveOut("it is longer than 16 MiB")
		case len(line) == 0:
		case isMessage(line):
			l.rest = append(line, '\n')
		default:
			l.leaveOut("it is not a message")
		}
		if err != nil && len(l.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next reads a line. It is not whole if it is longer than a message may be.
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

func (l *lines) leaveOut(why string) {
	if l.out++; l.out <= maxLeftOut {
		l.log.Warn("gateway: a line of the client is left out: " + why)
	}
}

// isMessage reports whether a line is one message of JSON-RPC, or a batch of them.
func isMessage(line []byte) bool {
	whole, err := jsontext.Whole(line)
	if err != nil {
		return false
	}
	if whole[0] != '[' {
		_, err := jsonrpc.DecodeMessage(whole)
		return err == nil
	}
	n, all, ids := 0, true, map[jsonrpc.ID]bool{}
	jsontext.Each(whole, func(item []byte) {
		m, err := jsonrpc.DecodeMessage(item)
		if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
			all, ids[r.ID] = all && !ids[r.ID], true // two calls of one id have one answer
		}
		n, all = n+1, all && err == nil
	})
	return all && n > 0
}
