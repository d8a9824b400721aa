// The failures of a process, in words.

package proc

import (
	"fmt"
	"os"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// StartError reports a process that could not be started.
type StartError struct {
	Command string
	Dir     string   // "" is this program's working directory
	Reason  string   // the cause
	Steps   []string // what can be done about it, in texts without data; nil if Reason has it
	Err     error    // the operating system's error; nil where there is none
}

// Error names the command, the directory and the cause.
func (e *StartError) Error() string {
	dir := e.Dir
	if dir == "" {
		dir = "."
	}
	return hint.Text(fmt.Sprintf("%q in %q: %s", e.Command, dir, e.Reason), e.Steps)
}

// NextSteps returns Steps, which Error ends with.
func (e *StartError) NextSteps() []string { return e.Steps }

// Unwrap returns the operating system's error.
func (e *StartError) Unwrap() error { return e.Err }

// ExitError reports the end of a process.
type ExitError struct {
	Code   int    // exit status; -1 if a signal ended it
	Status string // such as "exit status 3" or "signal: killed"
	Stderr string // the last lines of standard error, cleaned; "" if there are none
}

// Error gives the status and the last lines of standard error.
func (e *ExitError) Error() string {
	if e.Stderr == "" {
		return e.Status
	}
	return e.Status + "; stderr: " + e.Stderr
}

// Quoted returns the part of the error's text that quotes standard error, and its lines.
func (e *ExitError) Quoted() (inText string, lines []string) {
	if e.Stderr == "" {
		return "", nil
	}
	return "; stderr: " + e.Stderr, strings.Split(e.Stderr, " | ")
}

func exitError(state *os.ProcessState, stderr string) error {
	e := &ExitError{Code: -1, Status: "ended for an unknown reason", Stderr: lastLines(stderr)}
	if state != nil {
		e.Code, e.Status = state.ExitCode(), state.String()
	}
	return e
}
