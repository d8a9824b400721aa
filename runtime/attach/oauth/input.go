// The input of a person during a sign-in.

package oauth

import (
	"bufio"
	"context"
	"io"
	"strings"
)

// maxLine bounds one line that a person types or pastes, in bytes.
const maxLine = 64 << 10

// input reads a line only when a caller waits for one: other readers of the same
// terminal get the other lines.
type input struct {
	in    io.Reader
	turn  chan struct{} // holds one: a line answers one question
	typed chan typed    // the line of a wait that ended early; nil: no read is in progress
}

func newInput(in io.Reader) *input { return &input{in: in, turn: make(chan struct{}, 1)} }

type typed struct {
	text string
	err  error
}

// line waits for a line, or until the context ends. The read itself cannot be ended.
// A line that was typed between two waits answers neither.
func (i *input) line(ctx context.Context) (string, error) {
	select {
	case i.turn <- struct{}{}:
		defer func() { <-i.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	select {
	case <-i.typed:
		i.typed = nil
	default:
	}
	if i.typed == nil {
		next := make(chan typed, 1)
		i.typed = next
		go func() {
			text, err := readLine(i.in)
			next <- typed{text, err}
		}()
	}
	select {
	case t := <-i.typed:
		i.typed = nil
		return t.text, t.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// readLine reads one line and nothing after it.
func readLine(in io.Reader) (string, error) {
	var line strings.Builder
	for b := make([]byte, 1); line.Len() < maxLine; {
		n, err := in.Read(b)
		switch {
		case n == 1 && b[0] == '\n':
			return line.String(), nil
		case n == 1:
			line.WriteByte(b[0])
		}
		switch {
		case err == io.EOF && line.Len() > 0:
			return line.String(), nil
		case err != nil:
			return "", err
		}
	}
	return "", bufio.ErrTooLong
}
