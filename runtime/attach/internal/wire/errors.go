// The errors of a connection, and of calls on it.

package wire

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// ErrClosed is the end of a connection that the client closed.
var ErrClosed = errors.New("connection closed")

// ErrStalled reports a peer that stopped reading in the middle of an abandoned
// message.
var ErrStalled = errors.New("the server does not read its input")

// Errors of calls although an answer with their ID arrived.
var (
	errEmpty  = errors.New("the server's answer has neither a result nor an error")
	errBoth   = errors.New("the server's answer has both a result and an error")
	errTwice  = errors.New("the server's answer has a duplicate member")
	errUnread = errors.New("the server does not read mcpgen's answers to its requests, so mcpgen drops further answers")
)

// Error reports a call that got no usable answer.
type Error struct {
	Sent bool  // the request, or a part of it, may have reached the server
	Err  error // the context's error, the error of [Conn.Err], or another reason
}

// Error gives the cause.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// LostError reports a connection whose peer has ended.
type LostError struct {
	Err error // why, such as an exit status; nil if unknown
}

// Error says that the connection is lost, and why.
func (e *LostError) Error() string {
	if e.Err == nil {
		return "connection lost: the server closed its output"
	}
	return fmt.Sprintf("connection lost: %v", e.Err)
}

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Err }

// errMixed returns the error of an answer that followed other text on its line.
func errMixed(line []byte) error {
	return hint.With(fmt.Errorf("the server printed other text before its answer on the same line, so the answer was not used: %q", safetext.Words(string(line[:min(len(line), maxQuote)]), maxQuote)), "end each printed line with a newline, or write logs to stderr")
}

// ErrTooLarge is wrapped in the error of a message above the limit.
var ErrTooLarge = errors.New("a message of the server is larger than the limit")
