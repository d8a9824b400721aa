package console

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/policy"
)

// Prompter asks the person at the terminal about calls. It is nil where nobody
// can be asked: standard input and Err have to be terminals.
func (c *Console) Prompter() policy.Prompter {
	if !IsTerminal(c.Err) || !IsTerminal(os.Stdin) {
		return nil
	}
	return &prompter{con: c, in: bufio.NewReader(os.Stdin)}
}

type prompter struct {
	con *Console
	in  *bufio.Reader
}

// Ask shows a call and reads a word. Everything but a clear yes is no.
func (p *prompter) Ask(ctx context.Context, q policy.Question) (policy.Answer, error) {
	p.con.line("", "%s wants to be called on the server %q:\n  %s", Clean(q.Name), q.Server, Clean(q.Detail))
	for range 3 {
		fmt.Fprint(p.con.Err, "allow it? [o]nce, this [c]all or this [t]ool until the end, [a]lways, [n]o: ")
		text, err := p.line(ctx)
		if err != nil {
			return policy.Answer{}, err
		}
		if d, ok := decision(text); ok {
			return policy.Answer{Decision: d, By: userName()}, nil
		}
	}
	return policy.Answer{}, nil
}

// line reads a line, or until the context ends: the read itself cannot be ended.
func (p *prompter) line(ctx context.Context) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := p.in.ReadString('\n')
		answers <- answer{text, err}
	}()
	select {
	case a := <-answers:
		if a.err == io.EOF {
			return "", fmt.Errorf("%w: standard input ended", policy.ErrNoPrompter)
		}
		return a.text, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// decision reads an answer; an empty one is no.
func decision(text string) (policy.Decision, bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "n", "no":
		return policy.No, true
	case "o", "once", "y", "yes":
		return policy.Once, true
	case "c", "call":
		return policy.Session, true
	case "t", "tool":
		return policy.SessionTool, true
	case "a", "always":
		return policy.Always, true
	}
	return policy.No, false
}

// userName is who answers; "" if the system does not tell.
func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}
