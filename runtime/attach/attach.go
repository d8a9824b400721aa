// Package attach connects to MCP servers and carries calls to them: over stdio,
// streamable HTTP and HTTP with server-sent events, with every protocol
// revision from 2024-11-05 to 2026-07-28.
//
// [Connect] attaches to all servers at once and returns a [Host], which is a
// [runtime.Invoker]. A server that does not come up never makes Connect fail:
// it is one entry of [Host.Status], and calls to it fail with
// [runtime.ErrUnavailable].
//
// Servers come and go while the host lives ([Host.Attach], [Host.Detach],
// [Host.Reload]); those that crash or are lost come back within limits that
// [Host.Invoke] says; tools are listed and judged again whenever they may be
// others. [Host.Events] and [Options.OnEvent] report all that.
//
// No process outlives its host. Close ends a server and all that it started:
// standard input is closed, after 300 ms its process group gets SIGTERM, after
// 3 s SIGKILL. A crash of a server ends what it leaves behind. A program that is
// killed cannot close anything: then the kernel kills each server by its
// parent-death signal (Linux), and a small shell, which waits for the end of a pipe
// that only the program holds open, kills their process groups (every Unix); on
// Windows a job object does both.
//
// What left the process group, for a session of its own or through a parent that
// has ended, is found and killed in all of these cases on Linux: by a random value
// in the variable MCPGEN_SERVER_MARK, which is in the environment of each server.
// Only a process that left its group, has lost its line of parents and was started
// with another environment is not found; when the program is killed, the server is
// the first of that line to go. The mark needs /proc; after the program
// was killed it also needs a shell and grep in /usr/bin or /bin. On other Unix
// systems what leaves the process group is not found. On Windows nothing leaves
// the job. No signal handler is installed, and no process is reaped but those that
// this package started.
//
// Whatever a server sends is bounded in size, count and time ([endpoint.Limits],
// [Options.Memory]), and is taken from the raw message: one bad tool costs one
// tool, one message that is too large costs its call, and numbers keep their
// digits. What is dropped for a bound is counted in [Status].
package attach

import (
	"context"
	"log/slog"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// DefaultParallel is how many servers are attached at the same time if
// [Options] names no other number.
const DefaultParallel = 64

// DefaultMemory is the bound of large messages that arrive at the same time if
// [Options] names no other: 256 MiB.
const DefaultMemory = 256 << 20

// Options are the settings of a [Host]. Nil, like the zero value, is usable.
type Options struct {
	// Judge judges each listing, tool by tool, by the manifests of generated packages:
	// what their servers offered when the code was generated; see [Host.Drift].
	// judge.New of package runtime/judge proves what still serves and finds what a
	// person has to look at. pinned.ByHash of the package below this one goes by the
	// contract hash: equal is verified, everything else has changed, and new text is
	// not looked at. They are packages of their own since not every program needs to
	// link a prover. Nil is for programs without manifests: a call that carries a pin
	// is checked all the same.
	Judge Judge
	// Drift says which tools may be called, by that judgement. "" is
	// DriftCompatible.
	Drift DriftMode
	// Middleware stands before every call; the first one sees a request first.
	Middleware []runtime.Middleware
	// Logger receives notices: a declined request of a server, its log
	// notifications, lines on stdout that are not messages (level debug). Nil
	// sends the declined requests to slog.Default() and drops the rest.
	Logger *slog.Logger
	// Input answers servers that ask for input of a person, a model's answer, or the
	// folders that the program works in: input.Handlers of the package below this one.
	// Nil declines each request for input with one line to Logger, lists no folders, and
	// refuses the others; servers are told that nobody answers.
	Input Input
	// Auth makes the tokens of servers that are reached by URL: the first
	// function that answers for a server counts. See the packages google, oauth and
	// token below this one. Without any, requests carry the configured headers.
	Auth []AuthFunc
	// Callers gives callers sessions of their own, in a program that acts for several.
	// Nil has all callers share one.
	Callers *CallerSessions
	// LookupEnv finds the variables that a configuration refers to and a
	// server inherits. Nil is os.LookupEnv.
	LookupEnv func(string) (string, bool)
	// Secrets finds the secrets that the texts of servers name with a handle,
	// each time a server is started: policy.Policy.Secrets makes one. Its error
	// fails that server alone, with [StageConfigure]. Nil leaves them to
	// [endpoint.Server.Secret].
	Secrets func(ctx context.Context, server endpoint.Server, name string) (string, error)
	// Enforces states what these options carry of what the configuration of the
	// servers requires: see [endpoint.Server.Requires]. Middleware is not
	// inspected, so that whoever puts a policy or an audit log there says so
	// here. A requirement that is not stated is an error of [Connect]. Secrets
	// are stated by the field Secrets alone, too.
	Enforces []endpoint.Requirement
	// Admit is asked before a server is started or connected to, each time. Its
	// error fails that server alone, with [StageConfigure]; it begins with the
	// place. Nil admits all.
	Admit func(endpoint.Server) error
	// Prepare is asked before a server's processes are started, each time, for its launch
	// with all variables expanded, which it may change. Started, unless it is nil, is called
	// when the server has shaken hands, before anything else is asked of it. An error of
	// either fails that server alone, with [StageStart]. Nil starts what is configured.
	Prepare func(ctx context.Context, server endpoint.Server, launch *endpoint.Process) (started func() error, err error)
	// Mask learns the values that are not to be shown (secrets, tokens, and what came
	// out of variables) before a server that has them is started. Errors, status
	// and logs of the host are masked without it; it is for what else writes of
	// servers, such as an audit log: a mask.Set of package mask beside this one. Results
	// are data and are never masked. Nil: nobody learns them, save who asks with
	// [Host.Learn].
	Mask endpoint.Learner
	// Background has [Connect], [Host.Attach] and [Host.Reload] wait for no server. Until
	// one is ready it is shown as its manifests say, and calls wait for it within their
	// own time limits. Status and events report what turns out to be missing. The context
	// of those functions does not end the attaching.
	Background bool
	// Memory bounds, in bytes and over all servers of the host, the large
	// messages that arrive at the same time: one that finds no room waits.
	// [endpoint.Limits] has the share of one server. Zero is DefaultMemory.
	Memory int64
	// Install is how long a server that a package runner such as npx may have to install
	// first may take to start in the background, once its timeout.start is over and Connect
	// has returned: see package install below this one. Zero is endpoint.DefaultInstall; a
	// negative time treats such servers as all others.
	Install time.Duration
	// Parallel bounds how many servers are attached at the same time. Zero is
	// DefaultParallel.
	Parallel int
	// Protocols holds, per server, the protocol revision that worked before.
	// It is tried first, so that a server that does not answer the probe for
	// newer revisions is not waited for again.
	Protocols map[string]string
	// OnPage is called for each page of a listing that has more of them, with the
	// number of the next one, from 2. It may be called for several servers at the
	// same time, and must not block.
	OnPage func(server string, page int)
	// OnEvent is called for each event in the life of the servers, one call at a
	// time, in order. It sees every event, those of
	// Connect too, save the ends of calls, which Middleware sees. It must not
	// block for long, and must not call Close, Attach, Detach or Reload. See
	// [Host.Events] for a stream.
	OnEvent func(event.Event)
	// Refresh is how often the tools of each server are listed afresh, beside
	// when it says that they changed: not all servers say so, and a hint
	// may be lost. Zero is DefaultRefresh; a negative time is never.
	Refresh time.Duration
	// OnClose is called at the end of [Host.Close], once nothing of the servers is
	// left: it is for what was opened for the host, such as an audit log. Its
	// error is Close's. Nil is nothing to do.
	OnClose func() error
	// Version is the client version that is sent to servers. Empty is "dev".
	Version string

	clock clock // tests set it
}
