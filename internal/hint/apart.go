package hint

import (
	"slices"
	"strings"
)

// Apart separates text, which shows err, from the next steps of err and of all errors that it wraps or
// joins. Each step is returned once; a nil err has none. Several lines of another program that err quotes
// are moved below the text. The step that quoted returns for such lines is added; if quoted is nil, the
// lines stay in the text.
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
