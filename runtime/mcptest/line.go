package mcptest

// This file defines the format of recordings: JSON lines, a header followed by one line for each call.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/conflict"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
)

// The bounds of a recording.
const (
	maxLine  = 64 << 20
	maxFile  = 256 << 20
	maxLines = 100_000
)

// header is the first line of a recording.
type header struct {
	Mcpgen int    `json:"mcpgen"` // version of the format
	Kind   string `json:"kind"`
}

const headerLine = `{"mcpgen":1,"kind":"recording"}` + "\n"

// line is one recorded call.
type line struct {
	Server string          `json:"server"`
	Method string          `json:"method"`
	Name   string          `json:"name"`
	Args   json.RawMessage `json:"args,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *failure        `json:"error,omitempty"`

	number int // in its file, from 1
}

// failure is a call that failed.
type failure struct {
	Stage   string    `json:"stage"`
	Sent    bool      `json:"sent,omitempty"`
	Is      []string  `json:"is,omitempty"` // names in kinds
	Message string    `json:"message"`
	RPC     *rpcError `json:"rpc,omitempty"`
}

type rpcError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// kinds are the errors that a program may test for. Other errors cannot be distinguished from a text.
var kinds = []struct {
	name string
	err  error
}{
	{"canceled", context.Canceled}, {"deadline", context.DeadlineExceeded}, {"timeout", runtime.ErrTimeout},
	{"no-invoker", runtime.ErrNoInvoker}, {"invalid-args", runtime.ErrInvalidArgs}, {"decode", runtime.ErrDecode},
	{"auth", runtime.ErrAuth}, {"denied", runtime.ErrDenied}, {"drift", runtime.ErrDrift},
	{"unavailable", runtime.ErrUnavailable}, {"not-attached", runtime.ErrNotAttached},
}

// newFailure splits an error into its parts.
func newFailure(err error) *failure {
	f := &failure{Stage: stage.Receive, Sent: true}
	if call, ok := errors.AsType[*runtime.CallError](err); ok {
		f.Stage, f.Sent, err = call.Stage, call.Sent, call.Err
	}
	if err == nil {
		err = errors.New("no reason was given")
	}
	f.Message = err.Error()
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			f.Is = append(f.Is, k.name)
		}
	}
	if rpc, ok := errors.AsType[*runtime.RPCError](err); ok {
		f.RPC = &rpcError{rpc.Code, rpc.Message, nil}
		if json.Valid(rpc.Data) {
			f.RPC.Data = rpc.Data
		}
	}
	return f
}

// replayed is an error from a recording.
type replayed struct {
	message string
	is      []error
}

func (e *replayed) Error() string   { return e.message }
func (e *replayed) Unwrap() []error { return e.is }

// error rebuilds the error.
func (f *failure) error(req runtime.Request) error {
	err := &replayed{message: f.Message}
	for _, name := range f.Is {
		for _, k := range kinds {
			if k.name == name {
				err.is = append(err.is, k.err)
			}
		}
	}
	if f.RPC != nil {
		err.is = append(err.is, &runtime.RPCError{Code: f.RPC.Code, Message: f.RPC.Message, Data: f.RPC.Data})
	}
	return callError(req, f.Stage, f.Sent, err)
}

// String returns the call for messages.
func (l *line) String() string { return itemName(l.Server, l.Name) + " " + shown(l.Args) }

// readLines reads a recording. Errors begin with the name of the file and the number of the line.
func readLines(name string, data []byte) ([]*line, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: a recording of more than %d MiB: record less", name, maxFile>>20)
	}
	if at := conflict.Line(data); at > 0 {
		return nil, fmt.Errorf("%s:%d: git conflict markers: take either side of the recording (git checkout --ours or --theirs), or record again", name, at)
	}
	var lines []*line
	number, begun := 0, false
	for text := range bytes.Lines(data) {
		number++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		if len(lines) == maxLines || len(text) > maxLine {
			return nil, fmt.Errorf("%s:%d: a recording can have at most %d lines of %d MiB: record less", name, number, maxLines, maxLine>>20)
		}
		if !begun {
			if err := readHeader(text); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, err)
			}
			begun = true
			continue
		}
		l, err := readLine(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w: record again", name, number, err)
		}
		l.number = number
		lines = append(lines, l)
	}
	if !begun {
		return nil, fmt.Errorf("%s: an empty file is not a recording: record again", name)
	}
	return lines, nil
}

func readHeader(text []byte) error {
	var h header
	if err := json.Unmarshal(text, &h); err != nil || h.Mcpgen == 0 || h.Kind != "recording" {
		return fmt.Errorf("not a recording: the first line of a recording is %s", bytes.TrimSpace([]byte(headerLine)))
	}
	if h.Mcpgen != 1 {
		return fmt.Errorf("a recording of format %d, but this mcpgen reads format 1: update github.com/mcpgen/mcpgen", h.Mcpgen)
	}
	return nil
}

func readLine(text []byte) (*line, error) {
	l := new(line)
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("not a recorded call: %w", err)
	}
	switch {
	case l.Method == "":
		return nil, errors.New("a call without a method")
	case (l.Result == nil) == (l.Error == nil):
		return nil, errors.New("a call needs either a result or an error")
	case l.Args != nil && l.Args[0] != '{':
		return nil, errors.New("the arguments are not an object")
	}
	if l.Result == nil {
		return l, nil
	}
	_, err := runtime.Request{Method: l.Method}.ParseResult(l.Result)
	return l, err
}
