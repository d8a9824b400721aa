package cases_test

// A run against a live server, recorded, and replayed without it.

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/cases"
	"github.com/mcpgen/mcpgen/golden/cases/memory"
	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
)

// rememberName is an agent of two calls. The server answers with what it was asked.
func rememberName(ctx context.Context, inv runtime.Invoker, name string) (string, error) {
	client := memory.New(inv)
	made, err := client.CreateEntities(ctx, memory.CreateEntitiesArgs{Entities: []memory.Entity{
		{Name: name, EntityType: "person", Observations: []string{"the token is ghp_0123456789abcdefghij0123456789"}},
	}})
	if err != nil {
		return "", err
	}
	_, err = client.CreateRelations(ctx, memory.CreateRelationsArgs{Relations: []memory.Relation{
		{From: made.Entities[0].Name, To: "Go", RelationType: "writes"},
	}})
	return made.Entities[0].Name, err
}

func TestRecordAndReplay(t *testing.T) {
	handler, err := testserver.Handler("replay", filepath.FromSlash("../corpus/servers/memory.json"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	host, err := attach.Connect(t.Context(), []endpoint.Server{{Name: "memory", Launch: &endpoint.Address{URL: server.URL}}}, &attach.Options{Judge: pinned.ByHash(cases.Manifests()...)})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	defer host.Close()
	if err := host.Err(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "remember.jsonl")
	t.Run("record", func(t *testing.T) {
		if got, err := rememberName(t.Context(), runtime.Chain(host, mcptest.Record(t, file, nil)), "ada"); err != nil || got != "ada" {
			t.Fatalf("got %q, %v", got, err)
		}
	})
	host.Close()
	server.Close() // from here on there is no server

	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), "ghp_") || strings.Count(string(text), "\n") != 3 {
		t.Errorf("recorded: %v\n%s", err, text)
	}
	t.Run("replay", func(t *testing.T) {
		if got, err := rememberName(t.Context(), mcptest.Replay(t, file, nil), "ada"); err != nil || got != "ada" {
			t.Fatalf("got %q, %v", got, err)
		}
	})
	t.Run("replay another run", func(t *testing.T) {
		seen := &watched{TB: t}
		if _, err := rememberName(t.Context(), mcptest.Replay(seen, file, nil), "grace"); err == nil {
			t.Error("a call that was not recorded has no error, want one")
		}
		const want = `remember.jsonl:2: the call differs from the recorded one: at "/entities/0/name": the recording has "ada", but this call has "grace"`
		if len(seen.failures) != 1 || !strings.Contains(seen.failures[0], want) {
			t.Errorf("got %q\nwant %s", seen.failures, want)
		}
	})
}

// watched is a test whose failures are looked at.
type watched struct {
	mcptest.TB
	failures []string
}

func (w *watched) Errorf(format string, args ...any) {
	w.failures = append(w.failures, fmt.Sprintf(format, args...))
}
