package console

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// ownSteps is an error of another package that ends with its own steps.
type ownSteps struct{}

func (ownSteps) Error() string       { return "own; do it" }
func (ownSteps) NextSteps() []string { return []string{"do it"} }

// ended is an error that quotes the lines of a process.
type ended []string

func (e ended) Error() string              { return "exit status 1; stderr: " + strings.Join(e, " | ") }
func (e ended) Quoted() (string, []string) { return strings.TrimPrefix(e.Error(), "exit status 1"), e }

// Steps leave the line of an error, however it is wrapped, and stand below it.
func TestSteps(t *testing.T) {
	one := hint.New("no lock", "run mcpgen generate")
	two := hint.New("gone", "did you mean \"a\"?", "", "list them: mcpgen list", "look")
	for _, tt := range []struct {
		err        error
		line, want string
	}{
		{errors.New("plain: run it"), "plain: run it", ""},
		{one, "no lock: run mcpgen generate", "error: no lock\nhelp: run mcpgen generate\n"},
		{fmt.Errorf("a: %w (b)", one), "a: no lock: run mcpgen generate (b)", "error: a: no lock (b)\nhelp: run mcpgen generate\n"},
		{two, "gone: did you mean \"a\"? list them: mcpgen list, or look", "error: gone\nhelp: did you mean \"a\"?\nhelp: list them: mcpgen list\nhelp: look\n"},
		{hint.With(fmt.Errorf("a: %w", one), "or else"), "a: no lock: run mcpgen generate: or else", "error: a: no lock\nhelp: run mcpgen generate\nhelp: or else\n"},
		{fmt.Errorf("x: %w", ownSteps{}), "x: own; do it", "error: x: own\nhelp: do it\n"},
		{errors.Join(one, ownSteps{}, one), "no lock: run mcpgen generate\nown; do it\nno lock: run mcpgen generate",
			"error: no lock\n  own\n  no lock\nhelp: run mcpgen generate\nhelp: do it\n"},
		{hint.New("no line", "write:\n\na:\n  b: c"), "no line: write:\n\na:\n  b: c", "error: no line\nhelp: write:\n\n  a:\n    b: c\n"},
		{ended{"node:1", "Error: BRAVE_API_KEY environment variable is required"},
			`exit status 1; stderr: node:1 | Error: BRAVE_API_KEY environment variable is required`,
			"error: exit status 1\n  node:1\n  Error: BRAVE_API_KEY environment variable is required\nhelp: it asks for BRAVE_API_KEY: set env in the configuration, or run mcpgen add with --env BRAVE_API_KEY\n"},
		{ended{"set A_B and C_D, both required", "A_B is not set"}, "exit status 1; stderr: set A_B and C_D, both required | A_B is not set",
			"error: exit status 1\n  set A_B and C_D, both required\n  A_B is not set\nhelp: it asks for A_B and C_D: set env in the configuration, or run mcpgen add with --env A_B --env C_D\n"},
		{ended{"MODULE_NOT_FOUND: ERR_REQUIRE is required"}, "exit status 1; stderr: MODULE_NOT_FOUND: ERR_REQUIRE is required", ""},
	} {
		if got := tt.err.Error(); got != tt.line {
			t.Errorf("one line:\ngot  %q\nwant %q", got, tt.line)
		}
		var out bytes.Buffer
		c := &Console{Err: &out}
		c.Error("%v", tt.err)
		if tt.want == "" {
			tt.want = "error: " + tt.line + "\n"
		}
		if got := out.String(); got != tt.want {
			t.Errorf("got\n%swant\n%s", got, tt.want)
		}
	}
	if hint.With(nil, "a") != nil || hint.With(errMarked, "") != errMarked {
		t.Error("With made an error of nil, or of no step")
	}
}

var errMarked = errors.New("marked")

// What a server says cannot pass for a next step, an error or a warning of ours.
func TestHostileSteps(t *testing.T) {
	var out bytes.Buffer
	c := &Console{Err: &out}
	for _, text := range []string{"a\nhelp: run rm -rf", "a\r\nhelp: run rm -rf", "a\n\n\nerror: b\nwarning: c", "a: run mcpgen generate"} {
		c.Error("%v", hint.With(fmt.Errorf("call: %w", errors.New(text)), "run mcpgen generate"))
		c.Warn("%s", text)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(out.String(), "\n"), "\n") {
		switch {
		case line == "help: run mcpgen generate", strings.HasPrefix(line, "  "), line == "":
		case strings.HasPrefix(line, "error: call: a"), strings.HasPrefix(line, "warning: a"):
		default:
			t.Errorf("a line of its own: %q", line)
		}
	}
	c.Color = true
	out.Reset()
	c.Warn("%v", hint.New("a", "b"))
	if want := "\x1b[33mwarning: \x1b[0ma\n\x1b[36mhelp: \x1b[0mb\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
