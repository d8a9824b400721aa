package hint

import (
	"slices"
	"strings"
)

// Apart returns a text that shows err without the next steps in it, and those of err and
// of all that it wraps or joins, each once. Nil has none. Several lines that err quotes of
// another program stand below the text, and what quoted returns about them is a step, too;
// if quoted is nil, they stay where they are.
func Apart(text string, err error, quoted func(lines []string) (step string)) (line string, steps []string) {
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		text, steps = Apart(text, e.Unwrap(), quoted)
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			var more []string
			text, more = Apart(text, inner, quoted)
			steps = append(steps, more...)
		}
	}
	if e, ok := err.(Quoter); ok && quoted != nil {
		inText, lines := e.Quoted()
		if i := strings.LastIndex(text, inText); i >= 0 && len(lines) > 1 {
			text = text[:i] + text[i+len(inText):] + "\n" + strings.Join(lines, "\n")
		}
		if step := quoted(lines); step != "" {
			steps = append(steps, step)
		}
	}
	if e, ok := err.(Stepper); ok {
		own := e.NextSteps()
		steps = append(steps, own...)
		joined := Join(own)
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
