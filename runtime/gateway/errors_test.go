package gateway

// What a caller is told of a server that fails: nothing that it printed for another one.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// lockedBuffer is a log that several write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(data)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Callers over HTTP get kind, stage and the number under which the operator's log has the
// reason: a server's standard error may hold what belongs to another caller. A client in
// this process, and the one that started it, are told all of it.
func TestReports(t *testing.T) {
	m := manifestOf("down", `{"name":"pinned","inputSchema":{"type":"object"}}`, "sha256:1")
	crashing, down := processServer(t, "s", "crash-on-call"), processServer(t, "down", "crash-on-start")
	down.Source = endpoint.Source{Path: "secret-folder/mcpgen.yaml", Line: 7}
	log := &lockedBuffer{}
	g := openGateway(t, &attach.Options{Judge: pinned.ByHash([]*codec.Manifest{m}...)}, &Options{Logger: slog.New(slog.NewTextHandler(log, nil))}, crashing, down)
	url, _ := serveHTTP(t, g, nil)
	hidden := []string{"evil", testserver.Program(), "stderr", "secret-folder", "mcpgen.yaml"}
	seen := map[int]string{}
	for range 3 {
		for _, tool := range []string{"s__echo", "down__pinned"} {
			body, header := modernCall(tool, `{}`)
			_, got, _ := postJSON(t, url+Path, body, header...)
			var answer struct {
				Error struct {
					Message string
					Data    failureDetail
				}
			}
			if i := strings.Index(got, "{"); i < 0 || json.Unmarshal([]byte(got[i:strings.LastIndex(got, "}")+1]), &answer) != nil {
				t.Fatalf("%s: %s", tool, got)
			}
			f := answer.Error.Data
			server, _, _ := strings.Cut(tool, "__")
			if f.Kind != kindUnavailable || f.Server != server || f.Stage == "" || f.Report == 0 || !strings.Contains(answer.Error.Message, fmt.Sprint("report ", f.Report, " in the log")) {
				t.Errorf("%s: %s", tool, got)
			}
			for _, word := range hidden {
				if strings.Contains(strings.ToLower(got), word) {
					t.Errorf("%s: a caller over HTTP is told %q: %s", tool, word, got)
				}
			}
			seen[f.Report] = tool
		}
	}
	for number, tool := range seen {
		line := ""
		for l := range strings.Lines(log.String()) {
			if strings.Contains(l, fmt.Sprintf("report=%d ", number)) {
				line += l
			}
		}
		if strings.Count(line, "\n") != 1 || !strings.Contains(line, "stderr") {
			t.Errorf("report %d about %s is in the log as %q, want one line with what the server printed", number, tool, line)
		}
	}
	c := dialClient(t, g, legacy)
	for tool, want := range map[string]string{"s__echo": "evil", "down__pinned": "mcpgen.yaml:7"} {
		if _, err := c.call(tool, `{}`); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, of a client in this process: %v, want %s", tool, err, want)
		}
	}
}

// A name that is no tool's is unknown, and not denied, in the answer, for the host's
// middleware and for the gate's log: a model corrects a wrong name, and no person is asked.
func TestUnknownBehindGate(t *testing.T) {
	var checked []string
	gate, err := policy.New(policy.Config{Mode: policy.Ask, Allow: []string{"tool:s/other"}}, &policy.Options{
		OnEvent: func(e event.Event) { checked = append(checked, e.Tool) },
	})
	if err != nil {
		t.Fatal(err)
	}
	unknown := 0
	seen := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			res, err := next.Invoke(ctx, req)
			if errors.Is(err, runtime.ErrUnknownTool) && !errors.Is(err, runtime.ErrDenied) {
				unknown++
			}
			return res, err
		})
	}
	g := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{seen, gate.Middleware()}}, nil, processServer(t, "s", "echo"))
	eachEra(t, func(t *testing.T, protocol string) {
		c := dialClient(t, g, protocol)
		if _, err := c.call("s__ecko", `{}`); err == nil || !strings.Contains(err.Error(), "unknown tool s__ecko") {
			t.Errorf("an unknown name: %v", err)
		}
		got, err := c.call("s__echo", `{}`)
		if err != nil {
			t.Fatal(err)
		}
		checkContains(t, got, `"isError":true`, "denied")
	})
	url, _ := serveHTTP(t, g, nil)
	for name, want := range map[string]string{"s__ecko": "unknown tool s__ecko", "s__echo": "denied"} {
		body, header := modernCall(name, `{}`)
		_, got, _ := postJSON(t, url+Path, body, header...)
		checkContains(t, got, want)
	}
	if unknown != 3 || len(checked) != 3 || slices.Contains(checked, "s__ecko") {
		t.Errorf("%d calls failed as unknown, and the gate checked %q; want 3, and s__echo three times", unknown, checked)
	}
}

// The number of a reason stays, and how many are remembered is bounded.
func TestReportNumbers(t *testing.T) {
	var r failures
	for range 3 {
		for i := 1; i <= mostReports; i++ {
			if n, _ := r.numberOf(fmt.Sprint(i)); n != i {
				t.Fatalf("reason %d has the number %d", i, n)
			}
		}
	}
	n, fresh := r.numberOf("more")
	if again, _ := r.numberOf("1"); n != mostReports+1 || !fresh || again != n+1 || len(r.number) != 2 {
		t.Errorf("%d, %v, then %d, of %d", n, fresh, again, len(r.number))
	}
}
