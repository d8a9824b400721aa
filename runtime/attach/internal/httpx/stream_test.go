package httpx

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
)

// A line of a stream ends with LF, CR or both, and one byte order mark may precede the first
// line, however the bytes arrive.
func TestLineEnds(t *testing.T) {
	const text = "\ufeff: hi\n\nevent: a\nid: 1\ndata: {\"a\":\ndata: 1}\n\n\ndata:\ndata: \ufeffx\n\nevent: last"
	const want = `a 1 "{\"a\":\n1}"|  "\n\ufeffx"|last  ""|`
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for name, arriving := range map[string]func(io.Reader) io.Reader{
			"at once": func(r io.Reader) io.Reader { return r }, "in bytes": iotest.OneByteReader, "in halves": iotest.HalfReader, "with the end": iotest.DataErrReader,
		} {
			l := newLink(t, Options{URL: "http://h/"})
			s := l.newStream(&reply{
				Response: &http.Response{Body: io.NopCloser(arriving(strings.NewReader(strings.ReplaceAll(text, "\n", end))))},
				ctx:      t.Context(), cancel: func() {}, unlink: func() bool { return true },
			}, 16)
			var got strings.Builder
			for {
				ev, err := s.next()
				if err != nil {
					break
				}
				fmt.Fprintf(&got, "%s %s %q|", ev.name, ev.id, ev.data)
			}
			if got.String() != want {
				t.Errorf("%q, %s: events %s, want %s", end, name, got.String(), want)
			}
		}
	}
}

// An event that ends with CR does not wait for what follows.
func TestLineEndAtOnce(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", mediaStream)
			_, _ = w.Write(bytes.ReplaceAll([]byte("\ufeffdata: {\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{}}"+end+end), []byte("$"), idOf(r)))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		l := newLink(t, Options{URL: url})
		if o := l.call(t.Context()); o.err != nil || o.result != "{}" {
			t.Errorf("%q: %+v", end, o)
		}
	}
}
