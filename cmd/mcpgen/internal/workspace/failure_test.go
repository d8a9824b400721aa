package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func TestExitCode(t *testing.T) {
	finding := fail(ExitFinding, errors.New("finding"))
	server := fail(ExitServer, errors.New("server"))
	usage := fail(ExitUsage, errors.New("usage"))
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"nil", nil, ExitOK},
		{"finding", finding, ExitFinding},
		{"wrapped", fmt.Errorf("place: %w", server), ExitServer},
		{"server beats finding", errors.Join(finding, server), ExitServer},
		{"usage beats server", errors.Join(server, usage, finding), ExitUsage},
		{"interrupt beats all", errors.Join(usage, fail(ExitInterrupted, errors.New("^C"))), ExitInterrupted},
		{"joined twice", errors.Join(finding, errors.Join(server, finding)), ExitServer},
		{"late", fmt.Errorf("x: %w", context.DeadlineExceeded), ExitServer},
		{"no code", errors.New("plain"), ExitUsage},
		{"no failure of nothing", fail(ExitUsage, nil), ExitOK},
	}
	for _, tt := range tests {
		if got := ExitCode(tt.err); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestCauses shows each cause once, with all servers that it is about.
func TestCauses(t *testing.T) {
	missing := errors.New("start: \"npx\" not found")
	of := func(server string, line int, err error) error {
		return &attach.ServerError{Server: server, Source: endpoint.Source{Path: "mcpgen.yaml", Line: line}, Stage: stage.Start, Err: err}
	}
	plain := errors.New("x: y")
	err := errors.Join(of("a", 3, missing), plain, fail(ExitServer, of("b", 4, missing)), of("c", 5, errors.New("other")), of("a", 3, missing), plain)
	got := errors.Join(Causes(err)...).Error()
	want := strings.ReplaceAll(of("a", 3, missing).Error(), `server "a"`, `servers "a", "b"`) + "\nx: y\n" + of("c", 5, errors.New("other")).Error()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Causes(nil); len(got) > 0 {
		t.Errorf("got the causes %v of no error, want none", got)
	}
}
