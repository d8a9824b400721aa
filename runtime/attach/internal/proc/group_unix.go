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
	mark string // of its members' environment, as KEY=VALUE; "" where nothing looks for it

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

// guardScript waits for the end of this program, however it ends. Then it kills
// what has the mark, which is its first argument, in its environment (Linux), and
// at last the group, itself included. It looks again for what was started
// meanwhile.
const guardScript = `trap '' HUP INT TERM
read _
for round in 1 2 3 4 5; do
	[ -n "$1" ] || break
	found=$(grep -lsF -e "$1" /proc/[0-9]*/environ)
	[ -n "$found" ] || break
	for file in $found; do
		file=${file#/proc/}
		kill -9 "${file%/environ}"
	done
done 2>/dev/null
kill -9 0`

// watch starts the guard: a shell in the same group that outlives this program,
// for a moment. The kernel does as much for the leader alone, on Linux. Where
// there is no shell there is no guard; nothing else depends on it. The signals of
// an orderly end do not touch it, so that it guards to the last.
func (g *group) watch() {
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	defer r.Close()
	guard := &exec.Cmd{
		Path:        "/bin/sh",
		Args:        []string{"sh", "-c", guardScript, "sh", g.mark},
		Env:         []string{"PATH=/usr/bin:/bin"},
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
	return findStrays(g.id, g.mark)
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
