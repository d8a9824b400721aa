// The errors of this package. A text begins with the position and ends with the next
// step.

package attach

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// ErrEmpty reports a server that lists no tools. [Host.Snapshot] wraps it in a
// [*ServerError] unless the server is configured with AllowEmpty.
var ErrEmpty = errors.New("the server lists no tools")

// ServerError reports why a server is not usable.
//
// Stage is where it failed:
//
//	"configure"  a variable is missing, or its value cannot be used: the user can fix it
//	"auth"       no token was obtained: nothing was sent
//	"start"      the process did not start, or the address cannot be reached
//	"handshake"  no protocol revision could be agreed on
//	"list"       a listing is invalid, endless, late or has duplicate names
//	"session"    the server was ready and is lost
type ServerError struct {
	Server string          // configured name
	Source endpoint.Source // where it is configured
	Stage  string
	Tried  string // the program that was started, as configured; "" if Err names what was tried
	Err    error
}

// Error names the position, the server and the stage, then the cause.
func (e *ServerError) Error() string {
	if e.Stage == stage.Configure {
		return e.Err.Error() // each line names file, line and server
	}
	tried := ""
	if e.Tried != "" {
		tried = strconv.Quote(e.Tried) + ": "
	}
	return fmt.Sprintf("%sserver %q: %s: %s%v", e.Source.Prefix(), e.Server, e.Stage, tried, e.Err)
}

// Unwrap returns the cause.
func (e *ServerError) Unwrap() error { return e.Err }

// FailedStage returns Stage. It is for packages that record errors without importing
// this one.
func (e *ServerError) FailedStage() string { return e.Stage }

// InputError reports a call that needs input which this program does not give, since
// it has no handler that answers for a person or a model; or a server that asks again
// and again.
type InputError struct {
	Asked  []string // the requested input: methods, and the messages to the person
	Rounds int      // how often the call was sent

	answered bool // the last request got an answer, and it was not a refusal
}

// Error lists the requested input.
func (e *InputError) Error() string {
	if e.answered {
		return hint.Text(fmt.Sprintf("the server still asks after %s: %s", safetext.Count(e.Rounds-1, "answer"), strings.Join(e.Asked, "; ")), e.NextSteps())
	}
	return hint.Text(fmt.Sprintf("the server needs input that this program does not give (times asked: %d): %s", e.Rounds, strings.Join(e.Asked, "; ")), e.NextSteps())
}

// NextSteps returns the steps that Error ends with.
func (e *InputError) NextSteps() []string {
	if e.answered {
		return []string{"give other answers", stepReport}
	}
	return []string{"call a tool that needs no further input", "pass the input in the arguments"}
}

// stepReport is the next step of an error that only the server can mend.
const stepReport = "report the error to the server's author"

// withDemands adds to the error of a refused call what the server demands of its client:
// capabilities, or a revision of the protocol. Client has what was declared to the server.
func withDemands(err error, client *clientHandlers) error {
	rpc, _ := errors.AsType[*runtime.RPCError](err)
	switch {
	case rpc != nil && rpc.Code == mcp.CodeMissingRequiredClientCapabilities:
		required := jsontext.Member(rpc.Data, "requiredCapabilities")
		if len(required) == 0 || required[0] != '{' {
			return hint.With(err, "declare what the tool requires with the key client: of the server")
		}
		wants, has, step := endpoint.OffersOf(required), client.declares, "update mcpgen"
		switch {
		case wants.Beyond(has) != nil:
			both := endpoint.Offers{Forms: wants.Forms || has.Forms, Pages: wants.Pages || has.Pages, Sampling: wants.Sampling || has.Sampling, Roots: wants.Roots || has.Roots}
			step = "write client: " + both.String() + " for the server, then run mcpgen update"
		case wants != endpoint.Offers{}:
			step = stepReport // it is declared
		}
		return hint.With(fmt.Errorf("%w; it requires %s", err, safetext.Words(string(jsontext.Compact(required)), 200)), step)
	case rpc != nil && rpc.Code == mcp.CodeUnsupportedProtocolVersion:
		all, common := revisionsIn(jsontext.Member(rpc.Data, "supported"))
		switch {
		case len(all) == 0:
			return hint.With(err, stepReport)
		case common == "":
			return fmt.Errorf("%w; %w", err, foreign(all...))
		}
		for i, v := range all {
			all[i] = safetext.Words(v, 40)
		}
		return hint.With(fmt.Errorf("%w; it speaks %s", err, safetext.List(all, 5)), "write protocol: "+common+" for the server")
	}
	return err
}

// failure is an error whose text is fit to print: no secrets, no control characters.
// errors.Is and errors.As find the errors that it wraps.
type failure struct {
	text string
	errs []error
}

// Error returns the text.
func (f *failure) Error() string { return f.text }

// Unwrap returns the kinds and the cause.
func (f *failure) Unwrap() []error { return f.errs }

// errClosed is the error of a call that the end of its session interrupted.
var errClosed error = &failure{text: "the session was closed during the call", errs: []error{runtime.ErrNotAttached}}
