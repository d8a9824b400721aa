package attach

// Servers that send more without being asked than a program handles, over each
// transport.

import (
	"context"
	"log/slog"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// stuckLog is a log that takes no line of a server until it is let go.
type stuckLog struct {
	slog.Handler
	free chan struct{}
}

func (s stuckLog) Handle(ctx context.Context, r slog.Record) error {
	if r.Level == slog.LevelInfo {
		<-s.free
	}
	return s.Handler.Handle(ctx, r)
}

// What a server sends is bounded by limits.queue while the program does not handle
// it, also what no counter of ours sees; calls are answered meanwhile, and all that
// was dropped is counted. It does not run beside other tests, whose heap would be
// counted.
func TestFloodOfStuckProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("a load: make test-race runs it")
	}
	const n, size, queue = 60, 1 << 20, 4 << 20
	args := []string{"idle-flood", "-n", "60", "-size", "1MiB"}
	for name, server := range map[string]endpoint.Server{
		"stdio":                  processServer(t, args...),
		"http":                   remoteServer(t, append(args, "-http")...),
		"sse":                    remoteServer(t, append(args, "-sse")...),
		"http, beside an answer": remoteServer(t, "call-flood", "-n", "60", "-size", "1MiB", "-http"),
		"sse, beside an answer":  remoteServer(t, "call-flood", "-n", "60", "-size", "1MiB", "-sse"),
	} {
		t.Run(name, func(t *testing.T) {
			server.Limits.Queue, server.Limits.Log = queue, 10*n
			log, free := new(logged), make(chan struct{})
			before := heapInUse()
			h := connectAll(t, &Options{Logger: slog.New(stuckLog{slog.NewTextHandler(log, nil), free})}, server)
			t.Cleanup(func() { // before the host is closed, also when the test fails
				select {
				case <-free:
				default:
					close(free)
				}
			})
			if err := echo(t.Context(), h); err != nil {
				t.Error(err)
			}
			eventually(t, "what there is no room for is dropped", func() bool { return h.Status()[0].Dropped.Unasked >= n-queue/size-1 })
			grown := heapInUse() - before
			for range 4 { // what arrives meanwhile is counted, and let go
				grown = min(grown, heapInUse()-before)
			}
			if grown > 4*queue {
				t.Errorf("%d bytes are held", grown)
			}
			if log.count("limits.queue") != 1 {
				t.Errorf("told %d times", log.count("limits.queue"))
			}
			close(free)
			eventually(t, "each is handled or counted", func() bool {
				handled := log.count("level=INFO")
				return handled > 0 && handled+h.Status()[0].Dropped.Unasked == n
			})
		})
	}
}
