// Package endpoint defines the description of a server that every configuration format becomes. Package
// attach connects to it.
//
// The texts of a [Server] are as written: [Server.Resolve] expands their variables when a session starts,
// and the result is never stored.
package endpoint

import (
	"cmp"
	"errors"
	"strconv"
	"time"
)

// Server is one configured MCP server.
type Server struct {
	Name        string
	Source      Source
	Description string // the description in its file; "" means none
	Launch      Launch
	// LoadEnv reads the variables of [Process.EnvFile] in their order; required if that is set. Its errors
	// begin with the place in the file and contain no values.
	LoadEnv func(path string) ([]Var, error)

	// Expand expands the variables in a text by the rules of the file that it came from. Nil leaves every
	// text as it is.
	Expand Expander
	// Secret returns the value of a secret or an input that a text refers to. Its error says why the server
	// does not get the value, with the next step. Values are never stored or printed. If it is nil, a server
	// that needs one fails to start, with an error that names it.
	Secret func(server string, r Reference) (string, error)
	// LoadText reads a file whose text is one value, without the line break at its end. Its errors do not
	// name the file. If it is nil, such values are not found.
	LoadText func(path string) (string, error)

	// ReadOnly is the operator's statement that the tools change nothing. It applies to tools without a hint
	// of their own: see [Server.OnlyReads]. It grants no permission.
	ReadOnly bool
	// Required says that a program must not run without this server.
	Required bool
	// Requires lists what the server's configuration requires of the program that attaches to it. A host
	// whose options do not state a requirement returns an error.
	Requires []Requirement

	// Lazy delays the start of the server until it is first called or listed. It only has an effect if the
	// program knows the server's tools from a manifest.
	Lazy bool

	// Single says that the server cannot have two sessions at the same time, such as a process that locks a
	// file: see package attach, CallerSessions.
	Single bool

	// Resources says whether only locked resources are read: see package runtime/internal/resources.
	Resources Resources

	// Client is the set of capabilities that is declared to the server. Requests that the program does not
	// answer are declined. Nil declares what the program answers.
	Client *Offers
	// Protocol is the only protocol revision to use, one of [Revisions]; "" means the newest that the server
	// supports.
	Protocol string

	AllowEmpty bool    // an empty tool list is allowed
	Restart    Restart // when a lost server is restarted; an unknown value means RestartHealthy
	Timeout    Timeouts
	Limits     Limits
}

// Resources says whether only the locked resources of a server are read. "" locks the resources of
// servers with skills or pages of apps; the resources of other servers are data, which comes and goes.
type Resources string

// The values of Resources.
const (
	ResourcesLocked Resources = "locked"
	ResourcesOpen   Resources = "open"
)

// Source is the place where a server is configured.
type Source struct {
	Path string // the file as the user named it or would name it; "" if a program built the server
	Line int    // 1-based; 0 if unknown

	Format string // dialect of the file, such as claude-code; "" is mcpgen's own, or a server built by a program
	Scope  string // whose file it is: project, local, user, system or managed; "" if the user named the file
}

// Prefix returns the beginning of errors about the place: "file:line: ", "file: " if the line is unknown,
// or "".
func (s Source) Prefix() string {
	switch {
	case s.Path == "":
		return ""
	case s.Line <= 0:
		return s.Path + ": "
	}
	return s.Path + ":" + strconv.Itoa(s.Line) + ": "
}

// Var is one environment variable or header, with its value as written.
type Var struct{ Name, Value string }

// Inherit says which variables of this process a child inherits. A child always inherits the variables that every
// program needs to start: HOME, LOGNAME, PATH, SHELL, TERM, USER, LANG, LC_ALL, LC_CTYPE, TMPDIR and TZ,
// and similar ones on Windows. Unset variables are not passed.
type Inherit struct {
	All   bool     // the whole environment, except variables that begin with [SecretVariable] or [InputVariable]
	Names []string // additional variables

	// Without excludes variables from All whose names contain one of these words, in any case. Names takes
	// precedence over Without.
	Without []string
}

// Field says which text of a server an [Expander] expands.
type Field string

// The fields of a server that may hold variables.
const (
	FieldCommand Field = "command"
	FieldArg     Field = "args"
	FieldEnv     Field = "env"
	FieldURL     Field = "url"
	FieldHeader  Field = "headers"
	FieldEnvFile Field = "envFile"
	FieldAuth    Field = "auth"
)

// An Expander replaces the variables of one text by the values that lookup finds. Its error names the
// variable and the next step.
type Expander func(field Field, text string, lookup Lookup) (string, error)

// A Lookup returns the value of a reference, and whether it has one.
type Lookup func(Reference) (string, bool)

// A Reference is a variable, secret, input or file that a text refers to.
type Reference struct {
	Kind ReferenceKind
	Name string
}

// String returns the name, with the kind as a prefix except for environment variables: "HOME",
// "secret:token".
func (r Reference) String() string {
	if r.Kind == ReferenceEnv {
		return r.Name
	}
	return string(r.Kind) + ":" + r.Name
}

// ReferenceKind says where a [Lookup] finds a reference.
type ReferenceKind string

// The kinds of references.
const (
	ReferenceEnv    ReferenceKind = ""       // an environment variable
	ReferenceSecret ReferenceKind = "secret" // a secret's handle; found by [Server.Secret]
	ReferenceInput  ReferenceKind = "input"  // a value that the user is asked for; found by [Server.Secret]
	ReferenceFile   ReferenceKind = "file"   // the text of a file; found by [Server.LoadText]
	ReferenceUnset  ReferenceKind = "unset"  // reports an unset variable that the text omits; the result is ignored
	ReferenceKnown  ReferenceKind = "known"  // a built-in value of the expander, not secret; lookup may override it
)

// ErrOmit is an [Expander]'s error for a header that must not be sent, such as one that consists of an
// unset variable.
var ErrOmit = errors.New("the header is left out")

// Timeouts bound a server's start and its calls. Zero is the default. The tags are the keys in an
// mcpgen.yaml, where a time is a text such as 30s, and their schema.
type Timeouts struct {
	// Start is the time from the start of the process to the end of the listings; default 30 s.
	Start time.Duration `json:"start,omitempty" jsonschema:"type=string,default=30s,example=30s" jsonschema_description:"The longest time from the start of the server to the end of its listings. If npx or another runner may install the server first, the limit is at least 5m."`
	// Call is the time of one call; default 60 s.
	Call time.Duration `json:"call,omitempty" jsonschema:"type=string,default=60s,example=1m30s" jsonschema_description:"The longest time for one call."`
}

// Limits bound what a server may send. Zero is the default. The tags are the keys in an mcpgen.yaml,
// where bytes are a text such as 16MiB, and their schema.
type Limits struct {
	// Message is the maximum size of one message in bytes; default 16 MiB.
	Message int64 `json:"message,omitempty" jsonschema:"type=string,pattern=^[0-9]+ ?(B|KB|MB|GB|KiB|MiB|GiB)$,default=16MiB" jsonschema_description:"The largest size of one message."`
	// Tools is the maximum number of items in one listing; default 10,000.
	Tools int `json:"tools,omitempty" jsonschema:"minimum=1,maximum=1000000,default=10000" jsonschema_description:"The largest number of items in one listing."`
	// Pages is the maximum number of pages in one listing; default 1,000.
	Pages int `json:"pages,omitempty" jsonschema:"minimum=1,maximum=1000000,default=1000" jsonschema_description:"The largest number of pages in one listing."`
	// Queue is the maximum size in bytes of unsolicited messages that wait to be handled; default 4 MiB.
	Queue int64 `json:"queue,omitempty" jsonschema:"type=string,pattern=^[0-9]+ ?(B|KB|MB|GB|KiB|MiB|GiB)$,default=4MiB" jsonschema_description:"The largest total size of waiting messages that mcpgen did not request."`
	// Memory is the maximum size in bytes of large messages that arrive at the same time; default 64 MiB.
	Memory int64 `json:"memory,omitempty" jsonschema:"type=string,pattern=^[0-9]+ ?(B|KB|MB|GB|KiB|MiB|GiB)$,default=64MiB" jsonschema_description:"The largest amount of memory for large messages that arrive at the same time."`
	// Log is the maximum number of lines that are logged per minute; default 600.
	Log int `json:"log,omitempty" jsonschema:"minimum=1,maximum=1000000,default=600" jsonschema_description:"The largest number of lines that the server may log in a minute."`
}

// The defaults of [Timeouts] and [Limits].
const (
	DefaultStart   = 30 * time.Second
	DefaultCall    = 60 * time.Second
	DefaultInstall = 5 * time.Minute // for a server that a package runner may have to install first
	defaultMessage = 16 << 20        // bytes
	defaultTools   = 10_000
	defaultPages   = 1_000
	defaultQueue   = 4 << 20  // bytes
	defaultMemory  = 64 << 20 // bytes
	defaultLog     = 600
)

// WithDefaults returns t with zeros replaced by defaults. Negative values are kept.
func (t Timeouts) WithDefaults() Timeouts {
	t.Start = cmp.Or(t.Start, DefaultStart)
	t.Call = cmp.Or(t.Call, DefaultCall)
	return t
}

// WithDefaults returns l with zeros replaced by defaults.
func (l Limits) WithDefaults() Limits {
	l.Message = cmp.Or(l.Message, defaultMessage)
	l.Tools = cmp.Or(l.Tools, defaultTools)
	l.Pages = cmp.Or(l.Pages, defaultPages)
	l.Queue = cmp.Or(l.Queue, defaultQueue)
	l.Memory = cmp.Or(l.Memory, defaultMemory)
	l.Log = cmp.Or(l.Log, defaultLog)
	return l
}

// OnlyReads reports whether a tool of the server changes nothing. Hint is the tool's readOnlyHint; if it
// is nil, [Server.ReadOnly] decides.
func (s Server) OnlyReads(hint *bool) bool {
	if hint != nil {
		return *hint
	}
	return s.ReadOnly
}

// Restart says how often a host may restart a server that crashed or failed to start.
type Restart string

// The kinds of restart.
const (
	// RestartHealthy allows five restarts, each triggered by a call: the first one immediately, the others 1,
	// 5, 20 and 60 seconds after the previous one. After a minute in the ready state, all five are available
	// again.
	RestartHealthy Restart = ""
	// RestartOnce allows one restart, by the next call, while the server is attached. Each start is one
	// process: the handshake begins with the protocol's older revision, which every server supports, and does
	// not probe for newer ones.
	RestartOnce Restart = "once"
	// RestartNever does not restart a lost server.
	RestartNever Restart = "never"
)

// A Requirement is a part of a configuration that the program which attaches to the servers must
// implement.
type Requirement string

// The requirements.
const (
	RequirePolicy  Requirement = "policy"  // decides who may call what
	RequireAudit   Requirement = "audit"   // logs calls
	RequireLedger  Requirement = "ledger"  // records which tools exist
	RequireSecrets Requirement = "secrets" // a text names a secret, which a policy must allow and a source must provide
)
