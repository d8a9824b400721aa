package attach

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// markOf returns the entry by which the descendants of a process are known.
func markOf(t *testing.T, pid int) []byte {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		t.Fatal(err)
	}
	for entry := range bytes.SplitSeq(data, []byte{0}) {
		if bytes.HasPrefix(entry, []byte("MCPGEN_SERVER_MARK=")) {
			return entry
		}
	}
	t.Fatalf("process %d has no mark", pid)
	return nil
}

// markedBy lists the processes with one of the marks.
func markedBy(t *testing.T, marks [][]byte) []int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for _, mark := range marks {
			if bytes.Contains(data, mark) {
				pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
				if err != nil {
					t.Fatal(err)
				}
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// nothingLeft waits until no process has one of the marks: one that was killed is
// still seen until the kernel has let it go.
func nothingLeft(t *testing.T, marks [][]byte) {
	t.Helper()
	var left []int
	for deadline := time.Now().Add(testTimeout); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if left = markedBy(t, marks); len(left) == 0 {
			return
		}
	}
	for _, pid := range left {
		t.Errorf("process %d is left", pid)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// A server that starts a daemon and crashes, again and again: nothing of it is
// left after each crash, and nothing after Close.
func TestCrashesLeaveNothing(t *testing.T) {
	t.Parallel()
	server := processServer(t, "double-fork-crash")
	h := connectAll(t, nil, server)
	var marks [][]byte
	for range 5 {
		st := h.Status()[0]
		if st.State != Ready {
			t.Fatalf("%s: %v", st.State, st.Err)
		}
		marks = append(marks, markOf(t, st.PID))
		if n := len(markedBy(t, marks[len(marks)-1:])); n != 2 {
			t.Fatalf("%d processes have the mark, want the server and its daemon", n)
		}
		_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"x"}`)})
		if err == nil {
			t.Fatal("the call has no error, want that of a server that crashes")
		}
		for h.Status()[0].State == Ready { // until the loss is noticed
			time.Sleep(time.Millisecond)
		}
		if err := h.Attach(t.Context(), server); err != nil {
			t.Fatal(err)
		}
		nothingLeft(t, marks)
	}
	_ = h.Close()
	nothingLeft(t, marks)
}
