// The reasons of denials, for people and for programs.

package policy

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
)

// ErrNoPrompter reports a request that a person has to decide, while no person can be
// asked. It comes with [runtime.ErrDenied].
var ErrNoPrompter = errors.New("a person must decide, but this program cannot ask anybody")

// ErrNoSecret reports a secret that a [SecretSource] does not have.
var ErrNoSecret = errors.New("there is no such secret")

// DeniedError reports a request that the policy denied. Nothing of it reached the
// server. It is wrapped in a [*runtime.CallError].
type DeniedError struct {
	Server string
	Method string // a method of package protocol
	Name   string // tool, prompt or URI
	Rule   string // the rule that denies it; "" if no rule allows it
	Reason string // in words
	Grant  string // a rule that would allow it; "" if a rule denies it
	File   string // the agent manifest whose permissions apply, see [Config.GrantFiles]; "" is the project's policy

	caller string // of the request
	in     string // Config.AllowIn
	mcp    string // Config.MCP
	cause  error  // ErrNoPrompter, the error of the prompter, stage.ErrWait, or nil
}

// ownList is where the rules of an mcpgen.yaml are.
const ownList = "policy.allow"

// GrantCommand returns the command line that grants a rule to the user of a project, or
// to the one caller of a request: see [runtime.Options.Caller]. Mcp is the value of --mcp,
// such as an agent manifest; "" means none. A rule of Covenant is granted by Covenant's
// own command.
func GrantCommand(rule, mcp, caller string) string {
	if caller != "" && caller != localCaller {
		caller = " --caller " + shellQuote(exactly(caller))
	} else {
		caller = ""
	}
	command := "mcpgen "
	if mcp != "" {
		command += "--mcp " + shellQuote(mcp) + " "
	}
	if strings.HasPrefix(rule, "tool.call.") {
		return command + "capabilities grant" + caller + " " + shellQuote(rule)
	}
	return command + "policy grant" + caller + " " + shellQuote(rule)
}

// Error gives the reason, and the steps that would allow the request.
func (e *DeniedError) Error() string {
	return hint.Text(fmt.Sprintf("%v: %s", runtime.ErrDenied, e.Reason), e.NextSteps())
}

// NextSteps returns the steps that would allow the request, which Error ends with;
// nil if a rule denies it.
func (e *DeniedError) NextSteps() []string {
	switch {
	case e.Grant == "":
		return nil
	case e.File != "":
		capability := RuleFor(GrammarScarab, runtime.Request{Server: e.Server, Method: e.Method, Name: e.Name}, nil)
		grant := cmp.Or(capability, e.Grant)
		return []string{fmt.Sprintf("add %q to the capabilities in %s", grant, e.File),
			"run " + GrantCommand(e.Grant, e.File, e.caller)}
	case e.in == "":
		return []string{"run " + GrantCommand(e.Grant, e.mcp, e.caller)}
	}
	return []string{fmt.Sprintf("add %q to %s", e.Grant, e.in), "run " + GrantCommand(e.Grant, e.mcp, e.caller)}
}

// Is reports true for [runtime.ErrDenied].
func (e *DeniedError) Is(target error) bool { return target == runtime.ErrDenied }

// Unwrap returns [ErrNoPrompter], the error of the prompter, an error that says that a limit is
// reached, or nil.
func (e *DeniedError) Unwrap() error { return e.cause }

// SecretError reports a secret that a server does not get.
type SecretError struct {
	Server string
	Secret string // its name
	Reason string
	steps  []string
	cause  error
}

// Error names the secret and the next steps, and never a value.
func (e *SecretError) Error() string {
	return hint.Text(fmt.Sprintf("the secret %q: %s", e.Secret, e.Reason), e.steps)
}

// NextSteps returns the steps that Error ends with.
func (e *SecretError) NextSteps() []string { return e.steps }

// Is reports true for [runtime.ErrDenied] if no rule allows the secret.
func (e *SecretError) Is(target error) bool { return target == runtime.ErrDenied && e.cause == nil }

// Unwrap returns the error of the source, such as [ErrNoSecret]; nil if no rule
// allows the secret.
func (e *SecretError) Unwrap() error { return e.cause }
