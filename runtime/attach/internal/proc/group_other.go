//go:build unix && !linux

// Other Unix systems have no parent-death signal: a leader that outlives this program
// is ended by the end of its input, or by the guard.

package proc

import (
	"os/exec"
	"syscall"
)

func leaderAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// wait waits for the end of the leader. The group's ID stays in use while a member
// outlives the leader; after that, the ID may come to refer to another group.
func (g *group) wait(cmd *exec.Cmd) {
	_ = cmd.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if syscall.Kill(-g.id, 0) != nil {
		guarded.remove(g.id)
		g.id = 0
	}
}

// newMark returns no mark: the environment of other processes is not searched.
func newMark() string { return "" }

func programMark() string { return "" }

// strays are descendants that left the group. They are not found on these systems.
type strays []struct{}

func findStrays(int, string) strays { return nil }

func (*group) endStrays() {}

func (strays) kill() {}
