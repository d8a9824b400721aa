// Package proc runs one MCP server as a child process and makes sure that it,
// and what it starts, ends: when it is asked to, and when this program dies.
//
// Every process leads a group of its own. On Linux the leader is killed by the
// kernel when this program dies, and a guard ends the rest of the group; on
// Windows a job object does both.
package proc

import (
	"context"
	"errors"
	"io"
)

// Spec says what to start.
type Spec struct {
	Command string   // name, looked up in the PATH of Env, or a path; a relative path starts at Dir
	Args    []string // passed as they are; no shell is involved
	Dir     string   // working directory; "" is this program's
	Env     []string // KEY=VALUE, the complete environment; nil is an empty one
}

// Process is a running child process. Its methods are safe for concurrent use.
// Call [Process.Shutdown] when it is no longer needed, also after [Process.Done].
type Process struct{}

// Start starts a process. The error names the command, the directory and the
// cause; it is of type [*StartError].
func Start(spec Spec) (*Process, error) { return nil, errors.ErrUnsupported }

// Stdin returns the child's standard input. Closing it is the polite way to ask
// a server to end. Close also ends a Write that is blocked.
func (p *Process) Stdin() io.WriteCloser { return nil }

// Stdout returns the child's standard output. It ends after the leader has
// ended and what was written has been read, even if a descendant keeps the
// pipe open.
func (p *Process) Stdout() io.Reader { return nil }

// PID returns the process id of the leader, which is also the id of its group.
func (p *Process) PID() int { return 0 }

// Done is closed when the leader has ended and the rest of its group is killed.
func (p *Process) Done() <-chan struct{} { return nil }

// Err returns nil before [Process.Done], and afterwards an [*ExitError] that
// gives the exit status and the last lines of standard error.
func (p *Process) Err() error { return nil }

// Stderr returns the last 64 KiB of standard error so far.
func (p *Process) Stderr() string { return "" }

// Shutdown ends the process and its group: standard input is closed, after
// 300 ms the group gets SIGTERM, after 3 s SIGKILL. The end of ctx brings
// SIGKILL forward. It returns when the process is gone. It may be called
// several times and concurrently; all calls share one sequence.
func (p *Process) Shutdown(ctx context.Context) error { return nil }

// Kill ends the process and its group at once, without waiting.
func (p *Process) Kill() {}
