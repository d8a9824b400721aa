package runtime

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// The kinds of failure. Use [errors.Is]; each may be wrapped in a [*CallError].
var (
	ErrNoInvoker   = errors.New("no invoker: pass one to New, or put one into the context with runtime.NewContext, or call runtime.SetDefault")
	ErrInvalidArgs = errors.New("invalid arguments")
	ErrDecode      = errors.New("the result does not fit its type")
	ErrRPC         = errors.New("the server answered with an error")
	ErrAuth        = errors.New("not authorized")
	ErrDenied      = errors.New("denied")
	ErrDrift       = errors.New("the server's definition differs from the one this code was generated against")
	ErrUnavailable = errors.New("server unavailable")
	ErrNotAttached = errors.New("server not attached")
	ErrUnknownTool = errors.New("no attached server has this tool")
	ErrTimeout     = errors.New("timed out")
)

// CallError is every failure of a call except an error that the tool itself reports.
//
// Stage is where it failed:
//
//	"encode"   the arguments could not be written as JSON
//	"route"    there is no session for the server
//	"gate"     middleware refused
//	"drift"    the live definition is not the pinned one
//	"connect"  the session could not be established, or not again
//	"send"     the request was not, or not wholly, sent
//	"receive"  no usable answer arrived
//	"decode"   the answer does not fit the generated type
type CallError struct {
	Server string // configured name
	Name   string // tool, prompt or URI
	Stage  string
	Sent   bool // the server may have seen the request, so it may have acted
	Err    error
}

// Error names the server and the tool first.
func (e *CallError) Error() string {
	if e.Server == "" && e.Name == "" {
		return fmt.Sprintf("%s: %v", e.Stage, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", itemName(e.Server, e.Name), e.Stage, e.Err)
}

// Unwrap returns the cause.
func (e *CallError) Unwrap() error { return e.Err }

// ToolError is an error that the tool itself reports: the call arrived, and the
// server's answer is marked as an error.
type ToolError struct {
	Server string
	Name   string
	Result *Result
}

// Error quotes the result's text on one line, cut at 500 bytes and without control
// characters. Result has the whole text.
func (e *ToolError) Error() string {
	text := ""
	if e.Result != nil {
		text = e.Result.Text()
	}
	if text == "" {
		text = "(no text)"
	}
	return fmt.Sprintf("%s: the tool reported an error: %s", itemName(e.Server, e.Name), oneLine(text))
}

// RPCError is a JSON-RPC error object from the server.
type RPCError struct {
	Code    int64
	Message string
	Data    []byte // raw JSON; nil if absent
}

// Error gives the message on one line, cut at 500 bytes and without control
// characters, and the code.
func (e *RPCError) Error() string {
	return fmt.Sprintf("%s (code %d)", oneLine(e.Message), e.Code)
}

// Is reports true for [ErrRPC].
func (e *RPCError) Is(target error) bool { return target == ErrRPC }

// InvalidArgsError reports an argument that does not match the schema.
type InvalidArgsError struct {
	Pointer string // JSON pointer into the arguments
	Reason  string
}

// Error gives pointer and reason.
func (e *InvalidArgsError) Error() string {
	if e.Pointer == "" { // the arguments as a whole
		return fmt.Sprintf("%v: %s", ErrInvalidArgs, e.Reason)
	}
	return fmt.Sprintf("%v: at %q: %s", ErrInvalidArgs, e.Pointer, e.Reason)
}

// Is reports true for [ErrInvalidArgs].
func (e *InvalidArgsError) Is(target error) bool { return target == ErrInvalidArgs }

// DecodeError reports a result that does not match the generated type. Result holds
// the actual result.
type DecodeError struct {
	Pointer string // JSON pointer into the structured result; "" is the whole result
	Result  *Result
	Err     error // begins with the pointer, if any
}

// Error names the position and the mismatch.
func (e *DecodeError) Error() string { return fmt.Sprintf("%v: %v", ErrDecode, e.Err) }

// Unwrap returns the decoder's error.
func (e *DecodeError) Unwrap() error { return e.Err }

// Is reports true for [ErrDecode].
func (e *DecodeError) Is(target error) bool { return target == ErrDecode }

// DriftError reports a call of a tool, prompt or resource whose live definition
// differs from the definition that the caller was generated against.
type DriftError struct {
	Server  string
	Tool    string // or prompt, or URI of a resource
	Rule    string // rule id, such as "tool-removed"; "contract-changed" if unclassified
	Path    string // JSON pointer into the definition; "" is the whole
	Witness []byte // a JSON value that was valid and no longer is; nil if unknown
}

// Error names the rule and the next step.
func (e *DriftError) Error() string {
	at := ""
	if e.Path != "" {
		at = fmt.Sprintf(" at %q", safetext.Cut(e.Path, 200)) // a server chose the names in it
	}
	return fmt.Sprintf("%v (%s%s): %s", ErrDrift, e.Rule, at, e.NextSteps()[0])
}

// NextSteps returns the steps that Error ends with.
func (e *DriftError) NextSteps() []string {
	return []string{"run mcpgen check, then mcpgen update " + e.Server}
}

// Is reports true for [ErrDrift].
func (e *DriftError) Is(target error) bool { return target == ErrDrift }

// itemName returns the name of a server and one of its tools, prompts or resources. A
// server may have chosen the names.
func itemName(server, name string) string {
	switch {
	case server == "":
		return oneLine(name)
	case name == "":
		return oneLine(server)
	}
	return oneLine(server + "/" + name)
}

// oneLine makes a text of a server printable. A program logs its errors, and no line
// of the log may be one that a server wrote.
func oneLine(text string) string { return safetext.Line(safetext.Cut(text, 500)) }
