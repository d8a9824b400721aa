// Package endpoint holds the one description of a server that every
// configuration format becomes, and that attach connects to.
//
// A [Server] holds its texts as they were written: variables are expanded by
// [Server.Resolve] when a session starts, and the result is never stored.
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
	Description string // what its file says about it; "" if nothing
	Launch      Launch
	LoadEnv     EnvLoader // reads [Process.EnvFile]; needed where that is set

	// Expand replaces the variables of one text by the rule of the file it
	// came from. Nil leaves every text as it is.
	Expand Expander
	// Secret finds the secrets and inputs that texts name. Nil finds none, so a
	// server that needs one fails to start with an error that says so.
	Secret SecretLookup
	// LoadText reads a file whose text is one value, without the line break at its end;
	// its errors do not name the file. Nil finds none.
	LoadText func(path string) (string, error)

	// ReadOnly is the operator's word that the tools change nothing, for those
	// of them that do not say it themselves: see [Server.OnlyReads]. It grants
	// nothing.
	ReadOnly bool
	// Required says that a program should not go on without this server.
	Required bool
	// Requires is what the configuration of this server asks of the program that
	// attaches to it. A host whose options do not state it is an error.
	Requires []Requirement

	// Lazy leaves the server unstarted until it is first called or listed. A
	// program has to know its tools from a manifest; without one it has no effect.
	Lazy bool

	// Resources says whether its resources are locked: see package runtime/resources.
	Resources Resources

	// Client is what is declared to it, whatever the program answers; what it does not
	// answer is declined. Nil declares what the program answers.
	Client *Offers
	// Protocol is the one revision that is spoken, of [Revisions]; "" is the newest that
	// the server speaks.
	Protocol string

	AllowEmpty bool    // an empty tool list is not an error
	Restart    Restart // how a lost server comes back; an unknown one is RestartHealthy
	Timeout    Timeouts
	Limits     Limits
}

// Resources says whether nothing is read of a server but the resources that are locked. ""
// locks those of a server that has skills or pages of apps, and of no other: there they
// are data, which comes and goes.
type Resources string

// The ways to treat resources.
const (
	ResourcesLocked Resources = "locked"
	ResourcesOpen   Resources = "open"
)

// Source is where a server was configured.
type Source struct {
	Path string // file as the user named or would name it; "" if built by a program
	Line int    // 1-based; 0 if unknown

	Format string // dialect of the file, such as claude-code; "" is mcpgen's own, or built by a program
	Scope  string // whose file it is: project, local, user, system or managed; "" if it was named
}

// Prefix is what errors about the place begin with: "file:line: ", "file: " where the
// line is unknown, or "".
func (s Source) Prefix() string {
	switch {
	case s.Path == "":
		return ""
	case s.Line <= 0:
		return s.Path + ": "
	}
	return s.Path + ":" + strconv.Itoa(s.Line) + ": "
}

// Var is one environment variable or header, its value as written.
type Var struct{ Name, Value string }

// Inherit says which variables of this process a child gets, beside the few
// that every program needs to start: HOME, LOGNAME, PATH, SHELL, TERM, USER,
// LANG, LC_ALL, LC_CTYPE, TMPDIR and TZ, and on Windows their kin. Variables
// that are not set are not passed.
type Inherit struct {
	All   bool     // the whole environment, but for variables that begin with [SecretVariable] or [InputVariable]
	Names []string // these

	// Without leaves out of All the variables whose name has one of these words
	// in it, in any case of letters. Names wins over it.
	Without []string
}

// Field says which text an [Expander] is given.
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

// An Expander replaces the variables of one text, whose values lookup finds. The
// error names the variable and what to do.
type Expander func(field Field, text string, lookup Lookup) (string, error)

// A Lookup returns the value of what a text refers to, and whether it has one.
type Lookup func(Reference) (string, bool)

// A Reference is what a text refers to.
type Reference struct {
	Kind ReferenceKind
	Name string
}

// String returns the name, behind the kind unless it is a variable of the
// environment: "HOME", "secret:token".
func (r Reference) String() string {
	if r.Kind == ReferenceEnv {
		return r.Name
	}
	return string(r.Kind) + ":" + r.Name
}

// ReferenceKind says where a [Lookup] finds what a text refers to.
type ReferenceKind string

// The kinds of references.
const (
	ReferenceEnv    ReferenceKind = ""       // a variable of the environment
	ReferenceSecret ReferenceKind = "secret" // a secret's handle; found by [Server.Secret]
	ReferenceInput  ReferenceKind = "input"  // what a user is asked for; found by [Server.Secret]
	ReferenceFile   ReferenceKind = "file"   // the text of a file; found by [Server.LoadText]
	ReferenceUnset  ReferenceKind = "unset"  // reports a variable without a value that the text does without; the result is ignored
	ReferenceKnown  ReferenceKind = "known"  // what the expander has a value of its own for, unless lookup has another; no secret
)

// A SecretLookup returns the value of a secret or an input for a server, or an
// error that says why the server does not get it and what to do. Values are never
// stored or printed.
type SecretLookup func(server string, r Reference) (string, error)

// ErrOmit is an [Expander]'s error for a header that is not sent at all, such as
// one that is nothing but a variable that is not set.
var ErrOmit = errors.New("the header is left out")

// An EnvLoader reads the variables of a file in their order. Its errors begin
// with the place in the file and quote no value.
type EnvLoader func(path string) ([]Var, error)

// Timeouts bound a server's start and its calls. Zero is the default. The tags are its
// keys in an mcpgen.yaml, where a time is a text such as 30s, and the schema of them.
type Timeouts struct {
	// Start is from the start of the process to the end of the listings; default 30 s.
	Start time.Duration `json:"start,omitempty" jsonschema:"type=string,default=30s,example=30s" jsonschema_description:"From the start to the end of the listings."`
	// Call is one call; default 60 s.
	Call time.Duration `json:"call,omitempty" jsonschema:"type=string,default=60s,example=1m30s" jsonschema_description:"One call."`
}

// Limits bound what a server may send. Zero is the default. The tags are its keys in an
// mcpgen.yaml, where bytes are a text such as 16MiB, and the schema of them.
type Limits struct {
	// Message is bytes of one message; default 16 MiB.
	Message int64 `json:"message,omitempty" jsonschema:"type=string,pattern=^[0-9]+ ?(B|KB|MB|GB|KiB|MiB|GiB)$,default=16MiB" jsonschema_description:"One message."`
	// Tools is items in one listing; default 10,000.
	Tools int `json:"tools,omitempty" jsonschema:"minimum=1,maximum=1000000,default=10000" jsonschema_description:"Items in one listing."`
	// Pages is pages of one listing; default 1,000.
	Pages int `json:"pages,omitempty" jsonschema:"minimum=1,maximum=1000000,default=1000" jsonschema_description:"Pages of one listing."`
	// Queue is bytes of what it sends without being asked and nobody has handled yet; default 4 MiB.
	Queue int64 `json:"queue,omitempty" jsonschema:"type=string,pattern=^[0-9]+ ?(B|KB|MB|GB|KiB|MiB|GiB)$,default=4MiB" jsonschema_description:"What it sends without being asked and nobody has handled yet."`
	// Memory is bytes of large messages that arrive at the same time; default 64 MiB.
	Memory int64 `json:"memory,omitempty" jsonschema:"type=string,pattern=^[0-9]+ ?(B|KB|MB|GB|KiB|MiB|GiB)$,default=64MiB" jsonschema_description:"Large messages that arrive at the same time."`
	// Log is lines that it may have logged in a minute; default 600.
	Log int `json:"log,omitempty" jsonschema:"minimum=1,maximum=1000000,default=600" jsonschema_description:"Lines that it may have logged in a minute."`
}

// What a zero in [Timeouts] and [Limits] stands for.
const (
	DefaultStart   = 30 * time.Second
	DefaultCall    = 60 * time.Second
	DefaultInstall = 5 * time.Minute // the start of a server that a package runner may have to install
	DefaultMessage = 16 << 20        // bytes
	DefaultTools   = 10_000
	DefaultPages   = 1_000
	DefaultQueue   = 4 << 20  // bytes
	DefaultMemory  = 64 << 20 // bytes
	DefaultLog     = 600
)

// WithDefaults returns t with the defaults in place of zeros. Negative values
// stay as they are.
func (t Timeouts) WithDefaults() Timeouts {
	t.Start = cmp.Or(t.Start, DefaultStart)
	t.Call = cmp.Or(t.Call, DefaultCall)
	return t
}

// WithDefaults returns l with the defaults in place of zeros.
func (l Limits) WithDefaults() Limits {
	l.Message = cmp.Or(l.Message, DefaultMessage)
	l.Tools = cmp.Or(l.Tools, DefaultTools)
	l.Pages = cmp.Or(l.Pages, DefaultPages)
	l.Queue = cmp.Or(l.Queue, DefaultQueue)
	l.Memory = cmp.Or(l.Memory, DefaultMemory)
	l.Log = cmp.Or(l.Log, DefaultLog)
	return l
}

// OnlyReads reports whether a tool of the server changes nothing: by its own hint,
// readOnlyHint of the protocol, or where it has none, which is nil, by the operator's
// word.
func (s Server) OnlyReads(hint *bool) bool {
	if hint != nil {
		return *hint
	}
	return s.ReadOnly
}

// Restart says how often a host may bring back a server that crashed or did not
// come up.
type Restart string

// The kinds of restart.
const (
	// RestartHealthy is five restarts, each asked for by a call: the first at
	// once, the others 1, 5, 20 and 60 seconds after the one before. A server
	// that was ready for a minute has all five again.
	RestartHealthy Restart = ""
	// RestartOnce is one restart, by the next call, as long as the server is attached.
	// Each start is one process: it is asked for the protocol's older revision first,
	// which every server understands, and not probed for newer ones.
	RestartOnce Restart = "once"
	// RestartNever leaves a lost server lost.
	RestartNever Restart = "never"
)

// A Requirement is a part of a configuration that no server carries out by itself: the
// program that attaches to the servers has to.
type Requirement string

// The requirements.
const (
	RequirePolicy  Requirement = "policy"  // somebody decides who may call what
	RequireAudit   Requirement = "audit"   // calls are written down
	RequireLedger  Requirement = "ledger"  // which tools there are is written down
	RequireSecrets Requirement = "secrets" // a text names a secret, which a policy has to allow and a source has to hold
)
