// What a test can see afterwards: starts, messages and child processes, as JSON
// lines in one file that several processes may share.

package testserver

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// tracer appends to a file; without a path it does nothing.
type tracer struct {
	path string
	mu   sync.Mutex
}

// message records what arrived, byte for byte if it is JSON.
func (t *tracer) message(raw []byte) {
	if t.path == "" {
		return
	}
	if !json.Valid(raw) {
		raw = encode(string(raw))
	}
	t.event("message", map[string]any{"message": json.RawMessage(raw)})
}

// event records anything else.
func (t *tracer) event(name string, members map[string]any) {
	if t.path == "" {
		return
	}
	e := map[string]any{"event": name, "pid": os.Getpid()}
	maps.Copy(e, members)
	t.mu.Lock()
	defer t.mu.Unlock()
	appendFile(t.path, append(encode(e), '\n'))
}

// appendFile adds to a file with one write, so that lines of several processes
// do not mix.
func appendFile(path string, data []byte) {
	f, err := os.OpenFile(filepath.Clean(path), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(data) // a full disk shows in the test that reads the file
}

// countStart adds one start to a file and returns how many there are.
func countStart(path string) int {
	appendFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"))
	data, err := os.ReadFile(path)
	if err != nil {
		return 1
	}
	n := 0
	for _, b := range data {
		if b == '\n' {
			n++
		}
	}
	return n
}
