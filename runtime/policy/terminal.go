// Asking the person at a terminal.

package policy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/user"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Terminal asks a person who reads out and types into in. The caller must ensure that
// there is such a person. Text of a model or a server is shown without control
// characters and invisible characters. Everything except a clear yes is no; at the
// end of in the error wraps [ErrNoPrompter].
func Terminal(in io.Reader, out io.Writer) Prompter {
	return &terminal{in: bufio.NewReader(in), out: out}
}

type terminal struct {
	in  *bufio.Reader
	out io.Writer
}

// Ask shows a call and reads the answer.
func (t *terminal) Ask(ctx context.Context, q Question) (Answer, error) {
	by := ""
	if q.Caller != "" {
		by = fmt.Sprintf(" by %q", q.Caller)
	}
	fmt.Fprintf(t.out, "a call of %s%s on the server %q:\n  %s\n",
		safetext.Line(q.Name), by, q.Server, safetext.Line(q.Detail))
	for range 3 {
		fmt.Fprint(t.out, "allow it? [o]nce, [a]lways, [n]o; until the program ends: this [c]all again, or this [t]ool: ")
		text, err := t.line(ctx)
		if err != nil {
			return Answer{}, err
		}
		if d, ok := decisionOf(text); ok {
			return Answer{Decision: d, By: userName()}, nil
		}
	}
	return Answer{}, nil
}

// line reads a line, or returns when the context ends: the read itself cannot be
// ended.
func (t *terminal) line(ctx context.Context) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := t.in.ReadString('\n')
		answers <- answer{text, err}
	}()
	select {
	case a := <-answers:
		if a.err == io.EOF {
			return "", fmt.Errorf("%w: standard input ended", ErrNoPrompter)
		}
		return a.text, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// decisionOf parses an answer; an empty one is no.
func decisionOf(text string) (Decision, bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "n", "no":
		return No, true
	case "o", "once", "y", "yes":
		return Once, true
	case "c", "call":
		return Session, true
	case "t", "tool":
		return SessionTool, true
	case "a", "always":
		return Always, true
	}
	return No, false
}

// userName returns the name of this program's user; "" if unknown.
func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}
