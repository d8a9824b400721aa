// The errors of this package, made for people: place first, next step last.

package attach

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// ErrEmpty is a server that lists no tools. It is wrapped in a [*ServerError]
// by [Host.Snapshot] unless the server is configured with AllowEmpty.
var ErrEmpty = errors.New("the server lists no tools")

// The stages at which a server can fail: [ServerError.Stage].
const (
	StageConfigure = "configure" // a variable is missing, or the result is no usable address
	StageStart     = "start"     // the process did not start, or the address cannot be reached
	StageHandshake = "handshake" // no protocol revision could be agreed on
	StageList      = "list"      // a listing is invalid, endless, late or has duplicate names
	StageSession   = "session"   // it was ready and is lost
)

// ServerError is why a server is not usable.
type ServerError struct {
	Server string          // configured name
	Source endpoint.Source // where it is configured
	Stage  string          // one of the Stage constants
	Err    error
}

// Error names the place, the server and the stage, then the cause.
func (e *ServerError) Error() string {
	return fmt.Sprintf("%sserver %q: %s: %v", place(e.Source), e.Server, e.Stage, e.Err)
}

// Unwrap returns the cause.
func (e *ServerError) Unwrap() error { return e.Err }

// ConfigError is a server configuration that cannot mean anything.
type ConfigError struct {
	Server string // configured name; "" if that is what is missing
	Source endpoint.Source
	Reason string // what is wrong, and the next step
}

// Error names the place and the server first.
func (e *ConfigError) Error() string {
	return fmt.Sprintf("%sserver %q: %s", place(e.Source), e.Server, e.Reason)
}

// DuplicateError is a listing in which one name stands more than once.
type DuplicateError struct {
	Names []string // sorted
}

// Error gives all of the names.
func (e *DuplicateError) Error() string {
	quoted := make([]string, len(e.Names))
	for i, name := range e.Names {
		quoted[i] = strconv.Quote(name)
	}
	return "the server lists more than one tool of the same name: " + strings.Join(quoted, ", ") +
		"; nobody can tell which one a call means: this has to be mended in the server"
}

// place is the beginning of an error: the file and line, if they are known.
func place(s endpoint.Source) string {
	switch {
	case s.Path == "":
		return ""
	case s.Line <= 0:
		return s.Path + ": "
	}
	return s.Path + ":" + strconv.Itoa(s.Line) + ": "
}
