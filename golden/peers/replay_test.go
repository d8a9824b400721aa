//go:build peers

package peers

// A run against a real server, recorded and replayed.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/cases/everything"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
)

// weather is a run of an agent: numbers, a typed result, an image, a refusal.
func weather(ctx context.Context, inv runtime.Invoker, city everything.Location) (string, error) {
	client := everything.New(inv)
	sum, err1 := client.GetSum(ctx, everything.GetSumArgs{A: 2, B: 3})
	image, err2 := client.GetTinyImage(ctx, everything.GetTinyImageArgs{})
	report, err3 := client.GetStructuredContent(ctx, everything.GetStructuredContentArgs{Location: city})
	if err := errors.Join(err1, err2, err3); err != nil {
		return "", err
	}
	_, err := client.GetStructuredContent(ctx, everything.GetStructuredContentArgs{Location: "Zug"})
	refused, ok := errors.AsType[*runtime.ToolError](err)
	if !ok {
		return "", fmt.Errorf("a city that the server does not know: %w", err)
	}
	return fmt.Sprintf("%s, %d bytes, %+v, %s", sum.Text(), len(image.Images()[0].Data), *report, refused.Result.Text()), nil
}

func TestReplayEverything(t *testing.T) {
	host, err := attach.Connect(t.Context(), []endpoint.Server{
		{Name: "everything", Launch: &endpoint.Process{Command: bin("mcp-server-everything"), Args: []string{"stdio"}}},
	}, &attach.Options{Judge: pinned.ByHash([]*codec.Manifest{everything.Manifest()}...)})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "weather.jsonl")
	var live string
	t.Run("record", func(t *testing.T) {
		if live, err = weather(t.Context(), runtime.Chain(host, mcptest.Record(t, file, nil)), "Chicago"); err != nil {
			t.Fatal(err)
		}
	})
	host.Close() // from here on there is no server

	t.Run("replay", func(t *testing.T) {
		if again, err := weather(t.Context(), mcptest.Replay(t, file, nil), "Chicago"); err != nil || again != live {
			t.Errorf("%v\nlive   %s\nreplay %s", err, live, again)
		}
	})
	t.Run("another argument", func(t *testing.T) {
		seen := &watched{TB: t}
		if _, err := weather(t.Context(), mcptest.Replay(seen, file, nil), "New York"); err == nil {
			t.Error("a call that was not recorded has no error, want one")
		}
		want := `weather.jsonl:4: the call differs from the recorded one: at "/location": the recording has "Chicago", but this call has "New York"`
		if len(seen.failures) != 1 || !strings.Contains(seen.failures[0], want) {
			t.Errorf("got %q\nwant %s", seen.failures, want)
		}
	})
	if t.Failed() {
		text, _ := os.ReadFile(file)
		t.Logf("%s", text)
	}
}

// watched is a test whose failures are looked at.
type watched struct {
	mcptest.TB
	failures []string
}

func (w *watched) Errorf(format string, args ...any) {
	w.failures = append(w.failures, fmt.Sprintf(format, args...))
}
