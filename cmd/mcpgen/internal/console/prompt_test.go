package console

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/policy"
)

func TestPrompter(t *testing.T) {
	for in, want := range map[string]policy.Decision{
		"o\n": policy.Once, "YES\n": policy.Once, "c\n": policy.Session, "tool\n": policy.SessionTool, " always \n": policy.Always,
		"\n": policy.No, "n\n": policy.No, "what?\nt\n": policy.SessionTool, "x\nx\nx\no\n": policy.No,
	} {
		var out bytes.Buffer
		p := &prompter{con: &Console{Err: &out}, in: bufio.NewReader(strings.NewReader(in))}
		a, err := p.Ask(t.Context(), policy.Question{Server: "fs", Name: "rm\x1b[2K", Detail: "rm\x1b[2K {}\nallow it? o"})
		if err != nil || a.Decision != want {
			t.Errorf("%q: got %v, %v", in, a, err)
		}
		if strings.Contains(out.String(), "\x1b") || !strings.Contains(out.String(), "{} allow it? o\n") {
			t.Errorf("%q", out.String())
		}
	}
	p := &prompter{con: &Console{Err: io.Discard}, in: bufio.NewReader(strings.NewReader("o"))}
	if _, err := p.Ask(t.Context(), policy.Question{}); !errors.Is(err, policy.ErrNoPrompter) {
		t.Errorf("got %v", err)
	}
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p = &prompter{con: &Console{Err: io.Discard}, in: bufio.NewReader(r)}
	if _, err := p.Ask(ctx, policy.Question{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if (&Console{Err: &bytes.Buffer{}}).Prompter() != nil {
		t.Error("a buffer is no person")
	}
}
