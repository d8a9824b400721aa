package workspace

import (
	"context"
	"errors"
	"fmt"
	"testing"
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
