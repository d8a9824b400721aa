// Why something is denied, for people and for programs.

package policy

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/runtime"
)

// ErrNoPrompter is a request that a person has to decide, where nobody can be
// asked. It comes with [runtime.ErrDenied].
var ErrNoPrompter = errors.New("a person has to decide, but nobody can be asked here")

// ErrNoSecret is a secret that a [SecretSource] does not have.
var ErrNoSecret = errors.New("there is no such secret")

// DeniedError is a request that the policy did not let through. Nothing of it
// reached the server. It is wrapped in a [*runtime.CallError].
type DeniedError struct {
	Server string
	Method string // one that package protocol names
	Name   string // tool, prompt or URI
	Rule   string // the rule that denies it; "" if no rule allows it
	Reason string // why, in words
	Grant  string // a rule that would allow it; "" if a rule denies it
	File   string // the agent manifest whose permissions count, see [Config.GrantFiles]; "" is the project's policy

	mcp   string // Config.MCP
	cause error  // ErrNoPrompter, or what the prompter returned, or nil
}

// GrantCommand is the command line that grants a rule to the user of a project, or
// of what --mcp has to name, such as an agent manifest; "" means none.
func GrantCommand(rule, mcp string) string {
	command := "mcpgen "
	if mcp != "" {
		command += "--mcp " + shellQuote(mcp) + " "
	}
	return command + "policy grant " + shellQuote(rule)
}

// Error says why, and what would allow it.
func (e *DeniedError) Error() string {
	text := fmt.Sprintf("%v: %s", runtime.ErrDenied, e.Reason)
	switch {
	case e.Grant != "" && e.File != "":
		capability := RuleFor(GrammarScarab, runtime.Request{Server: e.Server, Method: e.Method, Name: e.Name}, nil)
		text += fmt.Sprintf(": to allow it, add %q to the capabilities in %s, or run %s", cmp.Or(capability, e.Grant), e.File, GrantCommand(e.Grant, e.File))
	case e.Grant != "" && e.mcp != "":
		text += ": to allow it, run " + GrantCommand(e.Grant, e.mcp)
	case e.Grant != "":
		text += fmt.Sprintf(": to allow it, add %q to policy.allow, or run %s", e.Grant, GrantCommand(e.Grant, ""))
	}
	return text
}

// Is reports true for [runtime.ErrDenied].
func (e *DeniedError) Is(target error) bool { return target == runtime.ErrDenied }

// Unwrap returns [ErrNoPrompter], or the error of the prompter, or nil.
func (e *DeniedError) Unwrap() error { return e.cause }

// SecretError is a secret that a server does not get.
type SecretError struct {
	Server string
	Secret string // its name
	Reason string
	cause  error
}

// Error names the secret and the next step, and never a value.
func (e *SecretError) Error() string { return fmt.Sprintf("the secret %q: %s", e.Secret, e.Reason) }

// Is reports true for [runtime.ErrDenied] if no rule allows the secret.
func (e *SecretError) Is(target error) bool { return target == runtime.ErrDenied && e.cause == nil }

// Unwrap returns the error of the source, such as [ErrNoSecret]; nil if no rule
// allows the secret.
func (e *SecretError) Unwrap() error { return e.cause }
