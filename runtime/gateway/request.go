// Requests over HTTP: read completely, counted, and answered within time limits.

package gateway

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// firstRead bounds the memory that a request gets before its body has arrived, in bytes.
const firstRead = 64 << 10

// counting counts requests over HTTP until they have been answered, and stores
// what the SDK drops. It does not limit how long an answer takes, but a caller has to
// read the answer.
func (b *busy) counting(h http.Handler, unsent *jsonrpc.Error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		out := &timedWriter{ResponseWriter: w, control: control, unsent: []byte(unsent.Message)}
		if r.Method != http.MethodPost {
			_ = control.SetReadDeadline(time.Time{}) // a stream lasts
			h.ServeHTTP(out, r)
			return
		}
		if r.Header.Get("Mcp-Method") != listening {
			b.add(1)
			defer b.add(-1)
		}
		var read bytes.Buffer
		read.Grow(int(min(max(r.ContentLength, 0), firstRead)) + bytes.MinRead)
		if _, err := read.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
			http.Error(out, "the request cannot be read, or is larger than 16 MiB", http.StatusRequestEntityTooLarge)
			return
		}
		_ = control.SetReadDeadline(time.Time{}) // it has been read
		body := bytes.TrimSpace(read.Bytes())
		m, why := refuse(body)
		if why != nil {
			why.writeTo(w, r)
			return
		}
		r.Body = &wholeBody{*bytes.NewReader(body), m}
		keepDropped(r.Header, m.params)
		h.ServeHTTP(out, r)
	})
}

// Limits of writing: a caller that reads more slowly loses its stream. The SDK
// notifies one session after the other, so a session that does not read would delay
// the notifications of all others.
const (
	writeSize = 64 << 10 // bytes
	writeTime = 5 * time.Second
)

// timedWriter gives each part of an answer its own time limit. It leaves out the answers
// to requests that were cancelled; the SDK writes each event of a stream at once. An
// error that is plain text, as of [http.Error], becomes an answer of JSON-RPC.
type timedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	unsent  []byte // text of those answers
	plain   int    // the status of an error whose text is not written yet; 0: none
}

// WriteHeader implements [http.ResponseWriter].
func (w *timedWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.plain = status
		w.Header().Set("Content-Type", "application/json")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap implements the interface that [http.ResponseController] looks for.
func (w *timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write implements [http.ResponseWriter].
func (w *timedWriter) Write(data []byte) (int, error) {
	if bytes.Contains(data, w.unsent) {
		return len(data), nil
	}
	if w.plain != 0 {
		code := int64(jsonrpc.CodeInvalidRequest)
		if w.plain >= http.StatusInternalServerError {
			code = jsonrpc.CodeInternalError
		}
		w.plain = 0
		_, err := w.Write(refused(code, nil, strings.TrimSpace(string(data))).answer())
		return len(data), err
	}
	n := 0
	for {
		part := data[n:min(n+writeSize, len(data))]
		var k int
		err := w.timed(func() (err error) { k, err = w.ResponseWriter.Write(part); return err })
		if n += k; err != nil || n == len(data) {
			return n, err
		}
	}
}

// FlushError implements the interface that [http.ResponseController] looks for.
func (w *timedWriter) FlushError() error { return w.timed(w.control.Flush) }

// timed runs a write with a time limit of writeTime.
func (w *timedWriter) timed(write func() error) error {
	_ = w.control.SetWriteDeadline(time.Now().Add(writeTime)) // some connections have no deadline
	err := write()
	_ = w.control.SetWriteDeadline(time.Time{})
	return err
}
