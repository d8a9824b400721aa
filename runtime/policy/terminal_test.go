package policy_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/policy"
)

func TestTerminal(t *testing.T) {
	for in, want := range map[string]policy.Decision{
		"o\n": policy.Once, "YES\n": policy.Once, "c\n": policy.Session, "tool\n": policy.SessionTool, " always \n": policy.Always,
		"\n": policy.No, "n\n": policy.No, "what?\nt\n": policy.SessionTool, "x\nx\nx\no\n": policy.No,
	} {
		var out bytes.Buffer
		a, err := policy.Terminal(strings.NewReader(in), &out).Ask(t.Context(),
			policy.Question{Server: "fs", Name: "rm\x1b[2K\u202e", Detail: "rm\x1b[2K {}\nallow it? o"})
		if err != nil || a.Decision != want {
			t.Errorf("%q: got %v, %v", in, a, err)
		}
		if strings.ContainsAny(out.String(), "\x1b\u202e") || !strings.Contains(out.String(), "{} allow it? o\n") {
			t.Errorf("%q", out.String())
		}
	}
	if _, err := policy.Terminal(strings.NewReader("o"), io.Discard).Ask(t.Context(), policy.Question{}); !errors.Is(err, policy.ErrNoPrompter) {
		t.Errorf("got %v", err)
	}
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := policy.Terminal(r, io.Discard).Ask(ctx, policy.Question{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
