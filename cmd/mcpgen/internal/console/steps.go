package console

import "github.com/mcpgen/mcpgen/internal/hint"

// Steps is [hint.Apart], with a step for the variables that a process which ended asks for.
func Steps(text string, err error) (line string, steps []string) {
	return hint.Apart(text, err, variablesStep)
}
