// The stdio transport.

package testserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// stdio serves one client until its input ends.
func (s *server) stdio(in io.Reader, out io.Writer) error {
	var mu sync.Mutex
	gone := make(chan struct{})
	defer close(gone)
	raw := func(b []byte) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = out.Write(b) // a client that has gone is not a fault of ours
	}
	c := &client{srv: s, raw: raw, gone: gone}
	c.write = func(line []byte) { raw(append(line, '\n')) }
	if s.start != nil {
		s.start()
	}
	if s.greet != nil {
		s.greet(c)
	}
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			m := message{raw: line}
			if json.Unmarshal(line, &m) != nil {
				c.write([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`))
				continue
			}
			s.handle(c, m)
		}
		if errors.Is(err, io.EOF) {
			s.end()
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// end is what happens at the end of the input: the server stops, or it does not.
func (s *server) end() {
	if s.atEOF != nil {
		s.atEOF()
	}
}
