package live

import (
	"log/slog"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
)

// The memory for all servers is what the program says, else what the configuration
// says, else attach's own default.
func TestMemory(t *testing.T) {
	for text, want := range map[string]map[int64]int64{ // by what the program says
		"version: 1\n":                                {0: 0, 1 << 20: 1 << 20},
		"version: 1\nlimits: {}\n":                    {0: 0},
		"version: 1\nlimits: {memory: 32MiB}\n":       {0: 32 << 20, 1 << 20: 1 << 20},
		`{"version": 1, "limits": {"memory": "1GB"}}`: {0: 1_000_000_000},
	} {
		project, err := config.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for given, want := range want {
			s, err := newSetup(&Options{Attach: attach.Options{Memory: given}}, project, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			if got := s.options().Memory; got != want {
				t.Errorf("%s, and %d from the program: %d, want %d", text, given, got, want)
			}
		}
	}
}
