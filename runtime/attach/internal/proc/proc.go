// Package proc runs one MCP server as a child process. It makes sure that the server
// and its descendants end when they are asked to, and when this program dies.
//
// Every process leads its own process group. When this program dies, a guard kills
// the groups; package attach documents which processes are found that left their
// group.
package proc

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

const (
	politeTime = 300 * time.Millisecond // from the end of standard input to SIGTERM
	termTime   = 3 * time.Second        // from SIGTERM to SIGKILL
	lingerTime = 300 * time.Millisecond // from SIGTERM to SIGKILL, for processes that outlive their leader
	quietTime  = 100 * time.Millisecond // how long a pipe is read after its writer has ended
	killTime   = 2 * time.Second        // how long the kernel may take to end a killed process
)

// Process is a running child process. Its methods are safe for concurrent use.
// Call [Process.Shutdown] when it is no longer needed, also after [Process.Done].
type Process struct {
	cmd    *exec.Cmd
	group  group
	grace  time.Duration
	stdin  *os.File
	stdout *output
	stderr *tail
	ended  chan struct{} // closed when the leader has ended
	done   chan struct{} // closed when the group has ended, too
	err    error         // valid after done

	mark    sync.Once
	strays  strays // found by Mark
	stop    sync.Once
	gone    chan struct{} // closed when Shutdown is complete
	hurry   sync.Once
	hurried chan struct{} // closed when the rest of the sequence is skipped
}

// Check returns the error that [Start] would return, if it can be found without
// starting anything: a command that is missing or cannot be run, or a working
// directory that cannot be used.
func Check(r endpoint.Process) error {
	_, err := lookup(r)
	return err
}

// Start starts a process that [endpoint.Server.Resolve] returned. Its command is a
// name, which is looked up in the PATH of its environment, or a path; a relative path
// is relative to the process's directory. Grace is the time from SIGTERM to SIGKILL
// in [Process.Shutdown]; 0 is 3 s. The error is a [*StartError], which names the
// command, the directory and the cause.
func Start(r endpoint.Process, grace time.Duration) (*Process, error) {
	path, err := lookup(r)
	if err != nil {
		return nil, err
	}
	p := &Process{
		grace:   cmp.Or(grace, termTime),
		ended:   make(chan struct{}),
		done:    make(chan struct{}),
		gone:    make(chan struct{}),
		hurried: make(chan struct{}),
	}
	p.cmd = &exec.Cmd{
		Path: path,
		Args: append([]string{r.Command}, r.Args...),
		Dir:  r.Dir,
		Env:  r.Environ(), // nil would be this program's environment
	}
	if p.group.mark = newMark(); p.group.mark != "" {
		p.cmd.Env = append(p.cmd.Env, p.group.mark)
	}
	theirs, err := p.pipes()
	if err != nil {
		closeAll(theirs)
		return nil, &StartError{Command: r.Command, Dir: r.Dir, Reason: err.Error(), Err: err}
	}
	started := make(chan error)
	go p.supervise(started)
	err = <-started
	closeAll(theirs)
	if err != nil {
		closeAll([]*os.File{p.stdin, p.stdout.file, p.stderr.file})
		return nil, startError(r, path, err)
	}
	go p.stderr.drain()
	return p, nil
}

// pipes connects the child's three streams and returns the child's ends.
func (p *Process) pipes() (theirs []*os.File, err error) {
	var files [3][2]*os.File
	for i := range files {
		r, w, err := os.Pipe()
		if err != nil {
			for _, pair := range files[:i] {
				closeAll(pair[:])
			}
			return nil, err
		}
		files[i] = [2]*os.File{r, w}
	}
	p.cmd.Stdin, p.stdin = files[0][0], files[0][1]
	p.cmd.Stdout, p.cmd.Stderr = files[1][1], files[2][1]
	p.stdout = &output{file: files[1][0], ended: p.ended, drained: make(chan struct{})}
	p.stderr = &tail{file: files[2][0], eof: make(chan struct{})}
	return []*os.File{files[0][0], files[1][1], files[2][1]}, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // a pipe has nothing to flush
		}
	}
}

// supervise starts the process, waits for its end, ends its group and sets the
// error. It keeps one operating system thread for the whole life of the
// process: the parent-death signal fires when the thread that started the
// process ends (golang.org/issue/27505). Waiting blocks a thread anyway.
func (p *Process) supervise(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.group.start(p.cmd); err != nil {
		started <- err
		return
	}
	started <- nil
	p.group.wait(p.cmd)
	close(p.ended)
	p.stdout.wake()
	p.endGroup()
	p.group.reap(p.cmd)
	p.stderr.finish(quietTime)
	p.err = exitError(p.cmd.ProcessState, p.stderr.String())
	_ = p.stdin.Close()
	close(p.done)
}

// endGroup ends the processes that the leader left behind, also outside of the group.
// A process that still holds standard error gets time to end itself; then all are
// killed.
func (p *Process) endGroup() {
	if !p.stderr.wait(quietTime) {
		p.group.terminate()
		select {
		case <-p.stderr.eof:
		case <-p.hurried:
		case <-time.After(lingerTime):
		}
	}
	p.group.kill()
	p.group.endStrays()
}

// Stdin returns the child's standard input. Closing it asks a server politely to end.
// Close also ends a blocked Write.
func (p *Process) Stdin() *os.File { return p.stdin }

// Stdout returns the child's standard output. It ends when the leader has ended and
// its output has been read, even if a descendant keeps the pipe open. One goroutine
// must read it to its end.
func (p *Process) Stdout() io.Reader { return p.stdout }

// Drained is closed when standard output has been read to its end.
func (p *Process) Drained() <-chan struct{} { return p.stdout.drained }

// PID returns the process id of the leader, which is also the id of its group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the leader has ended and its descendants are killed.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns nil before [Process.Done], and afterwards an [*ExitError] with the exit
// status and the last lines of standard error.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Stderr returns the last 64 KiB of standard error so far.
func (p *Process) Stderr() string { return p.stderr.String() }

// Shutdown ends the process and its group: standard input is closed, after 300 ms the
// group gets SIGTERM, after the grace of [Start] SIGKILL. If ctx ends, SIGKILL
// follows at once. Shutdown returns when the process has ended; the error reports
// that even SIGKILL did not end it. It may be called several times and concurrently:
// all calls share one sequence.
func (p *Process) Shutdown(ctx context.Context) error {
	p.stop.Do(func() { go p.sequence() })
	select {
	case <-p.gone:
		return nil
	case <-ctx.Done():
	}
	p.Kill()
	select {
	case <-p.gone:
		return nil
	case <-time.After(killTime):
		return fmt.Errorf("process %d did not end when it was killed: %w", p.PID(), context.Cause(ctx))
	}
}

// Mark finds the descendants that left the group, while the process still runs: a
// caller that closes standard input before Shutdown must call Mark before. Shutdown
// ends the descendants that Mark found. Only the first call searches; it lists the
// running processes.
func (p *Process) Mark() {
	p.mark.Do(func() { p.strays = p.group.strays() })
}

// sequence ends the process politely, then by force, and releases its resources.
func (p *Process) sequence() {
	p.Mark()
	_ = p.stdin.Close() // a blocked write fails, as intended
	if !p.endsWithin(politeTime) {
		p.group.terminate()
		if !p.endsWithin(p.grace) {
			p.Kill()
		}
	}
	<-p.done
	p.strays.kill()
	_ = p.stdout.file.Close() // output is not needed after shutdown
	close(p.gone)
}

// endsWithin waits for the leader. It is false when time is up, or when the process
// is being killed.
func (p *Process) endsWithin(d time.Duration) bool {
	select {
	case <-p.ended:
		return true
	case <-p.hurried:
	case <-time.After(d):
	}
	return false
}

// Kill ends the process and its group at once, without waiting.
func (p *Process) Kill() {
	p.hurry.Do(func() { close(p.hurried) })
	strays := p.group.strays()
	p.group.kill()
	strays.kill()
}
