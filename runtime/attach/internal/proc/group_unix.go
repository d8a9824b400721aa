//go:build unix

// A process and its descendants as a Unix process group.

package proc

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// group is a leader, its descendants and a guard. The leader's process id, and
// with it the group's, stays taken until reap: no signal can hit a stranger.
type group struct {
	mu    sync.Mutex
	id    int // 0: there is none to signal
	guard *exec.Cmd
	leash *os.File // the guard acts when the last copy of it is closed: ours
}

// start starts the leader, and then a guard, which may be missing.
func (g *group) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = leaderAttr()
	if err := cmd.Start(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.id = cmd.Process.Pid
	return nil
}

// watch starts the guard: a shell in the same group that waits for the end of
// this program, however it ends, and then kills the group. The kernel does as
// much for the leader alone, on Linux. Where there is no shell there is no
// guard; nothing else depends on it. The signals of an orderly end do not touch
// it, so that it guards to the last.
func (g *group) watch() {
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	defer r.Close()
	guard := &exec.Cmd{
		Path:        "/bin/sh",
		Args:        []string{"sh", "-c", "trap '' HUP INT TERM; read _; kill -9 0"},
		Env:         []string{},
		Dir:         "/",
		Stdin:       r,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pgid: g.id},
	}
	if err := guard.Start(); err != nil {
		_ = w.Close()
		return
	}
	g.guard, g.leash = guard, w
}

// terminate asks the group to end.
func (g *group) terminate() { g.signal(syscall.SIGTERM) }

// kill ends the group.
func (g *group) kill() { g.signal(syscall.SIGKILL) }

func (g *group) signal(sig syscall.Signal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.id != 0 {
		_ = syscall.Kill(-g.id, sig) // a group that is gone already is what was wanted
	}
}

// strays finds the descendants that left the group.
func (g *group) strays() strays {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.id == 0 {
		return nil
	}
	return findStrays(g.id)
}

// reap takes the last traces of leader and guard out of the process table.
func (g *group) reap(cmd *exec.Cmd) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.id = 0
	if g.guard != nil {
		_ = g.leash.Close()
		_ = g.guard.Wait() // it was killed with its group
	}
	if cmd.ProcessState == nil {
		_ = cmd.Wait() // the state says how it ended
	}
}
