// Package attach connects to MCP servers and carries calls to them: over stdio,
// streamable HTTP and HTTP with server-sent events, with every protocol
// revision from 2024-11-05 to 2026-07-28.
//
// [Connect] attaches to all servers at once and returns a [Host], which is a
// [runtime.Invoker]. A server that does not start never makes Connect fail: its entry
// of [Host.Status] has the error, and calls to it fail with [runtime.ErrUnavailable].
//
// Servers can be attached and detached while the host lives ([Host.Attach],
// [Host.Detach], [Host.Reload]). A server that crashes or is lost is reconnected
// within the limits that [Host.Invoke] describes. Tools are listed and judged again
// whenever they may have changed. [Host.Events] and [Options.OnEvent] report all of
// this.
//
// No process outlives its host. Close ends a server and every process that it
// started: standard input is closed, after 300 ms its process group gets SIGTERM,
// after 3 s SIGKILL. When a server crashes, the processes that it leaves are ended.
// When the program is killed, it cannot close anything: then the kernel kills each
// server by its parent-death signal (Linux), and a small shell, which waits for the
// end of a pipe that only the program holds open, kills the process groups (every
// Unix). On Windows a job object does both.
//
// On Linux, a process that left the process group, because it has its own session or
// its parent has ended, is found and killed in all of these cases: each server has a
// random value in the environment variable MCPGEN_SERVER_MARK. A process is missed
// only if it left its group, its chain of parents to the server is broken, and it was
// started with another environment. When the program is killed, that chain breaks,
// since the server ends first. The mark needs /proc; after the program was killed it
// also needs a shell and grep in /usr/bin or /bin. On other Unix systems, processes
// that left the process group are not found. On Windows no process leaves the job; one
// that the server starts in its first moment may not be in it. This package installs no
// signal handler, and reaps only processes that it started.
//
// Everything that a server sends is bounded in size, count and time
// ([endpoint.Limits], [Options.Memory]), and is read from the raw message: one bad
// tool costs one tool, one message that is too large costs its call, and numbers keep
// their digits. [Status] counts what is dropped at a limit.
package attach

import (
	"context"
	"log/slog"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// DefaultParallel is the default of [Options.Parallel].
const DefaultParallel = 64

// defaultMemory is the default of [Options.Memory]: 256 MiB.
const defaultMemory = 256 << 20

// Options are the settings of a [Host]. Nil and the zero value are usable.
type Options struct {
	// Judge judges the tools of each listing by the manifests of generated packages,
	// which record what servers offered when the code was generated; see
	// [Host.Drift]. judge.New of package runtime/judge proves which changed tools
	// still serve, and finds changes that a person has to review. pinned.ByHash of
	// package attach/pinned compares contract hashes: an equal one is verified, any
	// other has changed, and new text is not reviewed. Both are separate packages,
	// since not every program needs to link a prover. Nil is for programs without
	// manifests; the pin of a call is checked all the same.
	Judge Judge
	// Drift says which tools may be called, by that judgement. "" is DriftCompatible.
	Drift DriftMode
	// Middleware wraps every call; the first one sees a request first.
	Middleware []runtime.Middleware
	// Logger receives notices: declined requests of a server, its log notifications,
	// and lines on stdout that are not messages (level debug). If Logger is nil, the
	// declined requests go to slog.Default() and the rest is dropped.
	Logger *slog.Logger
	// Input answers servers that request input of a person, a model's answer, or the
	// folders that the program works in: see Handlers of package attach/input. If
	// Input is nil, each request for input is declined with one line to Logger, no
	// folders are listed, and other requests are refused; no capability is declared
	// to servers.
	Input Input
	// Auth makes the tokens of servers that are reached by URL. The first function
	// that returns Credentials for a server is used. See the packages google, oauth
	// and token below this one. Without Credentials, requests carry the configured
	// headers.
	Auth []AuthFunc
	// Callers gives each caller separate sessions, in a program that acts for
	// several. If nil, all callers share one session.
	Callers *CallerSessions
	// LookupEnv looks up the variables that a configuration refers to and that a
	// server inherits. Nil is os.LookupEnv.
	LookupEnv func(string) (string, bool)
	// Secrets looks up the secrets that the texts of servers refer to by a handle,
	// each time a server is started: policy.Policy.Secrets returns such a function.
	// An error fails that server alone, at the stage "configure". If nil,
	// [endpoint.Server.Secret] looks them up.
	Secrets func(ctx context.Context, server endpoint.Server, name string) (string, error)
	// Enforces lists the requirements of the servers' configuration that these
	// options carry out: see [endpoint.Server.Requires]. Middleware is not inspected:
	// a program that puts a policy or an audit log there must list it here. A
	// requirement that is not listed is an error of [Connect]. For secrets, a non-nil
	// field Secrets suffices.
	Enforces []endpoint.Requirement
	// Admit is called each time before a server is started or connected to. An error
	// fails that server alone, at the stage "configure"; its text begins with the source
	// position. Nil admits all servers.
	Admit func(endpoint.Server) error
	// Prepare is called each time before a server's processes are started. Launch has
	// all variables expanded, and Prepare may change it. If started is not nil, it is
	// called after the handshake, before any other request. An error of either fails
	// that server alone, at the stage "start". If Prepare is nil, servers are started as
	// configured.
	Prepare func(ctx context.Context, server endpoint.Server, launch *endpoint.Process) (started func() error, err error)
	// Mask learns the values that must not be shown (secrets, tokens and expanded
	// variables) before a server that has them is started. The host masks its own
	// errors, status and logs without Mask; Mask is for other output about servers,
	// such as an audit log: use a mask.Set of package runtime/mask. Results are data
	// and are never masked. If Mask is nil, only learners that are added by
	// [Host.Learn] get these values.
	Mask endpoint.Learner
	// If Background is set, [Connect], [Host.Attach] and [Host.Reload] wait for no
	// server. Until a server is ready, its manifest is shown, and calls wait for the
	// server within their own time limits. Status and events report what turns out to
	// be missing. The context of those functions does not end the attaching.
	Background bool
	// Listings keeps the tools of lazy servers without a manifest, so that such a
	// server need not be started to show them. When the server is started, its new
	// listing replaces the kept one: a call of a tool whose contract has changed
	// since then fails with a [*runtime.DriftError]. If Listings is nil, these
	// servers are started like all others.
	Listings Listings
	// Memory bounds, in bytes and over all servers of the host, the large messages
	// that arrive at the same time: a message that exceeds the bound waits.
	// [endpoint.Limits] has the share of one server. Zero is 256 MiB.
	Memory int64
	// Install is how long the start of a server may take if a package runner such as
	// npx may have to install it first. After timeout.start Connect returns, and the
	// start goes on in the background: see package install. Zero is
	// endpoint.DefaultInstall; a negative value gives such servers no extra time.
	Install time.Duration
	// Parallel bounds how many servers are attached at the same time. Zero is
	// DefaultParallel.
	Parallel int
	// Protocols holds, per server, the protocol revision that worked before. It is
	// tried first, which saves a wait if the server does not answer the probe for
	// newer revisions.
	Protocols map[string]string
	// OnPage is called before each further page of a listing is requested, with its
	// number, from 2. It may be called for several servers at the same time, and must
	// not block.
	OnPage func(server string, page int)
	// OnEvent is called for each event in the life of the servers, one call at a
	// time, in order. It gets every event, also during Connect, except the ends of
	// calls, which Middleware sees. It must not block for long, and must not call
	// Close, Attach, Detach or Reload. See [Host.Events] for a stream.
	OnEvent func(event.Event)
	// Refresh is how often the tools of each server are listed again without a
	// notification of a change: some servers send none, and a notification may be
	// lost. Zero is five minutes; a negative value disables these listings.
	Refresh time.Duration
	// OnClose is called at the end of [Host.Close], after all servers have ended. It
	// closes what was opened for the host, such as an audit log. Close returns its
	// error. May be nil.
	OnClose func() error
	// Version is the client version that is sent to servers. Empty is "dev".
	Version string

	clock clock // tests set it
}
