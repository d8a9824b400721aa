package mcptest

// This file records calls.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// RecordOptions are the settings of [Record] and [NewRecorder]. Nil is the zero value.
type RecordOptions struct {
	// Secrets are texts that are kept out of the recording everywhere. Texts that merely differ from run to
	// run, such as the path of a temporary folder, can be listed here too: a replay accepts any text in their
	// place.
	Secrets []string
	// Unscrubbed records everything unchanged. The file must then be kept private.
	Unscrubbed bool
}

// Record returns a middleware that records calls, and writes them to a file when the test ends. The
// folder is created if necessary, and an existing file is replaced. Put the middleware next to the host,
// after all other middleware, so that it records what was actually sent.
//
// Each completed call becomes one line of JSON, with its arguments and the whole result or the error. By
// default, secrets are replaced by placeholders, equal secrets by the same one. Secrets are: values of
// members with secret names (password, api_key, Authorization), texts that look like a token or a private
// key, credentials in URLs and in text, the values of environment variables with secret names, the
// secrets that the host gave its servers, and the texts in the options. All of them are also found as
// hex, as base64 and with the escapes of URLs and JSON. The file is meant to be safe to commit; review it
// first.
//
// A call that cannot be recorded fails the test, but the call itself succeeds. If the test failed or was
// skipped before its end, as reported by t (Failed, Skipped), nothing is written and an existing file is
// kept.
func Record(t TB, path string, opts *RecordOptions) runtime.Middleware {
	t.Helper()
	var b bytes.Buffer
	r := NewRecorder(&b, opts)
	t.Cleanup(func() {
		t.Helper()
		err := r.close()
		if err == nil && incomplete(t) {
			t.Logf("%s: nothing was recorded, because the test failed or was skipped", path)
			return
		}
		if err == nil {
			err = replace(path, b.Bytes())
		}
		if err != nil {
			t.Errorf("%s: nothing was recorded: %v", path, err)
		}
	})
	return r.Middleware
}

// incomplete reports whether a test is known to have failed or to have been skipped.
func incomplete(t TB) bool {
	failed, ok := t.(interface{ Failed() bool })
	if ok && failed.Failed() {
		return true
	}
	skipped, ok := t.(interface{ Skipped() bool })
	return ok && skipped.Skipped()
}

// replace writes a file completely or not at all.
func replace(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	written := path + ".new"
	err := os.WriteFile(written, data, 0o666)
	if err == nil {
		err = os.Rename(written, path)
	}
	if err != nil {
		_ = os.Remove(written) // the error is reported already
	}
	return err
}

// Recorder records calls to a writer, for programs that are not tests. It is safe for concurrent use.
type Recorder struct {
	mu    sync.Mutex
	w     io.Writer
	scrub *scrubber // nil: secrets are not hidden
	size  int
	err   error
}

// NewRecorder returns a recorder that writes each completed call to w in one Write. It is [Record] for
// programs; [Replay] can replay its output.
func NewRecorder(w io.Writer, opts *RecordOptions) *Recorder {
	if opts == nil {
		opts = new(RecordOptions)
	}
	r := &Recorder{w: w}
	if !opts.Unscrubbed {
		r.scrub = newScrubber(opts.Secrets)
	}
	r.write([]byte(headerLine))
	return r
}

// Err returns why the recording is incomplete; nil if it is complete. After an error no more calls are
// recorded.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// errClosed marks the end of a recording; it is not reported as an error.
var errClosed = errors.New("the test has ended")

// close ends the recording and returns its error.
func (r *Recorder) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.err
	r.err = errClosed
	return err
}

// Middleware implements [runtime.Middleware]. The recorder also hides the secrets of the invoker that it
// wraps, if the invoker has a method Learn: an attach.Host has one, and so has the invoker that a host passes
// to its innermost middleware.
func (r *Recorder) Middleware(next runtime.Invoker) runtime.Invoker {
	if host, ok := next.(interface{ Learn(endpoint.Learner) }); ok && r.scrub != nil {
		host.Learn(&r.scrub.learned)
	}
	return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
		args := bytes.Clone(req.Args)
		res, err := next.Invoke(ctx, req)
		r.record(req, args, res, err)
		return res, err
	})
}

func (r *Recorder) record(req runtime.Request, args json.RawMessage, res *runtime.Result, err error) {
	l := &line{Server: req.Server, Method: req.Method, Name: req.Name, Args: args}
	refusal, refused := errors.AsType[*runtime.ToolError](err)
	switch {
	case refused && refusal.Result != nil:
		res = refusal.Result
	case err != nil:
		l.Error = newFailure(err)
	case res == nil:
		l.Error = newFailure(errors.New("neither a result nor an error"))
	}
	var broken error
	if l.Error == nil {
		if l.Result = res.Raw; l.Result == nil {
			l.Result, broken = encodeResult(req, res)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	var text []byte
	if broken == nil {
		text, broken = r.encode(l)
	}
	if broken != nil {
		r.err = fmt.Errorf("%s: %w", itemName(req.Server, req.Name), broken)
		return
	}
	r.write(text)
}

// encode encodes a line without its secrets.
func (r *Recorder) encode(l *line) ([]byte, error) {
	if r.scrub != nil {
		if err := l.scrub(r.scrub); err != nil {
			return nil, err
		}
	}
	text, err := jsontext.Marshal(l)
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	if len(text) > maxLine || r.size+len(text) > maxFile {
		return nil, fmt.Errorf("the recording would grow beyond %d MiB, or a line of it beyond %d MiB: record less", maxFile>>20, maxLine>>20)
	}
	return text, nil
}

func (r *Recorder) write(text []byte) {
	r.size += len(text)
	if _, err := r.w.Write(text); err != nil {
		r.err = err
	}
}

// scrub hides the secrets of a call. It takes two passes, since a secret that is detected at the end of a
// call may also occur at its beginning.
func (l *line) scrub(s *scrubber) error {
	numbers := maps.Clone(s.numbers)
	for _, part := range []json.RawMessage{l.Args, l.Result} {
		if json.Valid(part) {
			s.json(part)
		}
	}
	s.numbers = numbers // the first pass only learns
	for _, part := range []*json.RawMessage{&l.Args, &l.Result} {
		if *part == nil {
			continue
		}
		if !json.Valid(*part) {
			return errors.New("the arguments or the result are not JSON")
		}
		hidden, ok := s.json(*part)
		if !ok {
			return fmt.Errorf("nested deeper than %d levels", jsontext.MaxDepth)
		}
		*part = hidden
	}
	l.Name = s.text(l.Name)
	if l.Error == nil {
		return nil
	}
	l.Error.Message = s.text(l.Error.Message)
	if rpc := l.Error.RPC; rpc != nil {
		rpc.Message = s.text(rpc.Message)
		if hidden, ok := s.json(rpc.Data); ok || rpc.Data == nil {
			rpc.Data = hidden
		} else {
			rpc.Data = nil
		}
	}
	return nil
}
