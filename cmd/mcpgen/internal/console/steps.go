package console

import "github.com/mcpgen/mcpgen/internal/hint"

// Steps is [hint.Apart], with a step for the variables that an ended process asked for.
func Steps(text string, err error) (line string, steps []string) {
	return hint.Apart(text, err, variablesStep)
}
