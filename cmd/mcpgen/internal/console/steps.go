package console

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// Steps returns a text that shows err without the next steps in it, and those of err and
// of all that it wraps or joins, each once. Nil has none. Several lines that err quotes of
// another program stand below the text.
func Steps(text string, err error) (line string, steps []string) {
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		text, steps = Steps(text, e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			var more []string
			text, more = Steps(text, inner)
			steps = append(steps, more...)
		}
	}
	if e, ok := err.(hint.Quoter); ok {
		inText, lines := e.Quoted()
		if i := strings.LastIndex(text, inText); i >= 0 && len(lines) > 1 {
			text = text[:i] + text[i+len(inText):] + "\n" + strings.Join(lines, "\n")
		}
		if step := variablesStep(lines); step != "" {
			steps = append(steps, step)
		}
	}
	if e, ok := err.(hint.Stepper); ok {
		own := e.NextSteps()
		steps = append(steps, own...)
		joined := hint.Join(own)
		for _, separator := range [...]string{": ", "; "} {
			if i := strings.LastIndex(text, separator+joined); i >= 0 && joined != "" {
				text = text[:i] + text[i+len(separator+joined):]
				break
			}
		}
	}
	seen := steps[:0]
	for _, s := range steps {
		if !slices.Contains(seen, s) {
			seen = append(seen, s)
		}
	}
	return text, seen
}
