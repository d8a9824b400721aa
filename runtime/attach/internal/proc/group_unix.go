//go:build unix

// A process and its descendants as a Unix process group.

package proc

import (
	"os/exec"
	"sync"
	"syscall"
)

// group is a leader and its descendants. The leader's process ID, and with it the
// group's, stays in use until reap: no signal can reach a foreign process.
type group struct {
	mark string // in its members' environment, as KEY=VALUE; "" if the system does not search for it

	mu sync.Mutex
	id int // 0: there is no group to signal
}

// start starts the leader, and has the group guarded.
func (g *group) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = leaderAttr()
	if err := cmd.Start(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.id = cmd.Process.Pid
	guarded.add(g.id)
	return nil
}

// terminate asks the group to end.
func (g *group) terminate() { g.signal(syscall.SIGTERM) }

// kill ends the group.
func (g *group) kill() { g.signal(syscall.SIGKILL) }

func (g *group) signal(sig syscall.Signal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.id != 0 {
		_ = syscall.Kill(-g.id, sig) // the group may have ended already
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

// reap removes the leader from the process table.
func (g *group) reap(cmd *exec.Cmd) {
	g.mu.Lock()
	defer g.mu.Unlock()
	guarded.remove(cmd.Process.Pid)
	g.id = 0
	if cmd.ProcessState == nil {
		_ = cmd.Wait() // the state says how it ended
	}
}
