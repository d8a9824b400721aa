package exit

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
	finding := Fail(Finding, errors.New("finding"))
	server := Fail(Server, errors.New("server"))
	usage := Fail(Usage, errors.New("usage"))
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"nil", nil, OK},
		{"finding", finding, Finding},
		{"wrapped", fmt.Errorf("place: %w", server), Server},
		{"server beats finding", errors.Join(finding, server), Server},
		{"usage beats server", errors.Join(server, usage, finding), Usage},
		{"interrupt beats all", errors.Join(usage, Fail(Interrupted, errors.New("^C"))), Interrupted},
		{"joined twice", errors.Join(finding, errors.Join(server, finding)), Server},
		{"late", fmt.Errorf("x: %w", context.DeadlineExceeded), Server},
		{"no code", errors.New("plain"), Usage},
		{"no failure of nothing", Fail(Usage, nil), OK},
	}
	for _, tt := range tests {
		if got := Code(tt.err); got != tt.want {
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
	err := errors.Join(of("a", 3, missing), plain, Fail(Server, of("b", 4, missing)), of("c", 5, errors.New("other")), of("a", 3, missing), plain)
	got := errors.Join(Causes(err)...).Error()
	want := strings.ReplaceAll(of("a", 3, missing).Error(), `server "a"`, `servers "a", "b"`) + "\nx: y\n" + of("c", 5, errors.New("other")).Error()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Causes(nil); len(got) > 0 {
		t.Errorf("got the causes %v of no error, want none", got)
	}
}
