package attach

// What an idle session holds.

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	mcpruntime "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// remoteServer runs the test server over HTTP in a process of its own, so that what
// it needs is not counted here. The last argument is -http or -sse.
func remoteServer(t *testing.T, args ...string) endpoint.Server {
	t.Helper()
	cmd := exec.Command(testserver.Program(), append(args, "127.0.0.1:0")...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: strings.TrimSpace(url)}}
}

// heapInUse is the heap that is in use.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC() // the first one empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// An idle session holds at most 64 KiB, over each transport, and so it does after
// a large answer. It does not run beside other tests, whose heap would be counted.
func TestIdleSessionsAreSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("a load: make test-race runs it")
	}
	const (
		sessions = 8
		budget   = 64 << 10
	)
	large := `{"text":"` + strings.Repeat("x", 1<<20) + `"}`
	for name, server := range map[string]endpoint.Server{
		"stdio": processServer(t, "echo"), "http": remoteServer(t, "echo", "-http"), "sse": remoteServer(t, "echo", "-sse"),
	} {
		t.Run(name, func(t *testing.T) {
			_ = connectReady(t, server) // what all sessions share is there already
			var servers []endpoint.Server
			for i := range sessions {
				servers = append(servers, withName(server, strconv.Itoa(i)))
			}
			before := heapInUse()
			h := connectAll(t, nil, servers...)
			if err := h.Err(); err != nil {
				t.Fatal(err)
			}
			measure := func(when string) {
				t.Helper()
				each := (heapInUse() - before) / sessions
				for deadline := time.Now().Add(2 * time.Second); each > budget && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
					each = (heapInUse() - before) / sessions // something may still be on its way out
				}
				if each > budget {
					t.Errorf("%s a session holds %d bytes, the budget is %d", when, each, budget)
				}
				t.Logf("%s: %d bytes a session", when, each)
			}
			measure("idle")
			for _, s := range servers {
				req := mcpruntime.Request{Server: s.Name, Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(large)}
				if _, err := h.Invoke(t.Context(), req); err != nil {
					t.Fatal(err)
				}
			}
			measure("after a large answer")
		})
	}
}
