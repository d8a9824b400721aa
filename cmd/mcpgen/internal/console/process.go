package console

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// variablesLine matches a line in which a program asks for environment variables.
	variablesLine = regexp.MustCompile(
		`(?i)\b(?:environment|env|variables?|required|missing|must be set|not set|please set)\b`)
	variable  = regexp.MustCompile(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`)
	errorCode = regexp.MustCompile(`^ERR_|_NOT_FOUND$`)
)

// missingVariables returns up to three variables that a process asked for before it ended. Node's error
// codes are excluded.
func missingVariables(lines []string) []string {
	var names []string
	for _, line := range lines {
		if !variablesLine.MatchString(line) {
			continue
		}
		for _, name := range variable.FindAllString(line, -1) {
			if len(names) < 3 && len(name) <= 64 && !errorCode.MatchString(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// variablesStep returns the next step after a process that ended with these lines; "" if they ask for no
// variable.
func variablesStep(lines []string) string {
	names := missingVariables(lines)
	if len(names) == 0 {
		return ""
	}
	return "it asks for " + strings.Join(names, " and ") + ": set env in the configuration, " +
		"or run mcpgen add with --env " + strings.Join(names, " --env ")
}
