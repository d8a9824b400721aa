// What a process showed that failed its handshake: lines on the wrong stream, a
// stack trace, a package cache that is not whole.

package attach

import (
	"fmt"
	"regexp"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
)

// seen adds to a failed handshake what the process showed. Skipped counts the
// lines on standard output that are no messages, of which first is the first.
func (o *opener) seen(err error, skipped int, first, stderr string) error {
	text := err.Error()
	if line := quote.Line(first, 200); skipped > 0 && line != "" {
		text += fmt.Sprintf("; %s on standard output, which is for messages alone, the first: %q", lines(skipped), line)
	}
	if cause := quote.Line(stackTrace(stderr), 300); cause != "" {
		text += fmt.Sprintf("; its stack trace is of %q", cause)
	}
	if text != err.Error() {
		err = &failure{text: text, errs: []error{err}}
	}
	if o.runner != nil {
		if why := o.runner.Repair(o.resolved.Env, o.resolved.Dir, stderr); why != nil {
			return &failure{text: err.Error() + ": " + why.Error(), errs: []error{err, why}}
		}
	}
	return err
}

func lines(n int) string {
	if n == 1 {
		return "it wrote a line"
	}
	return fmt.Sprintf("it wrote %d lines", n)
}

var (
	pythonTrace = regexp.MustCompile(`(?m)^Traceback \(most recent call last\):\r?\n(?:[ \t].*\n|\r?\n)*([^ \t\r\n].*)`)
	nodeTrace   = regexp.MustCompile(`(?m)^((?:Uncaught )?[A-Za-z]*(?:Error|Exception)(?: \[\w+\])?: .*)\n(?:.*\n){0,20}?[ \t]+at `)
	goTrace     = regexp.MustCompile(`(?m)^((?:panic|fatal error): .*)\n(?:.*\n){0,5}?goroutine `)
	rustTrace   = regexp.MustCompile(`(?m)^(thread '.*' panicked at .*(?:\n[^ \t\n].*)?)`)
)

// stackTrace returns what the last stack trace in a text is of, as Python, Node, Go
// and Rust write it; "" if there is none.
func stackTrace(stderr string) string {
	for _, trace := range []*regexp.Regexp{pythonTrace, nodeTrace, goTrace, rustTrace} {
		if found := trace.FindAllStringSubmatch(stderr, -1); len(found) > 0 {
			return found[len(found)-1][1]
		}
	}
	return ""
}
