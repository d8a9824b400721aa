//go:build unix && !linux

// What other Unix systems do without: there is no parent-death signal, so a
// leader that outlives this program has the end of its input, and the guard.

package proc

import (
	"os/exec"
	"syscall"
)

func leaderAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// wait waits for the end of the leader. A member that outlives it keeps the group's id
// taken; the id of a group that has none may come to mean another one.
func (g *group) wait(cmd *exec.Cmd) {
	_ = cmd.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if syscall.Kill(-g.id, 0) != nil {
		guarded.remove(g.id)
		g.id = 0
	}
}

// newMark marks nothing: the environment of other processes is not looked at.
func newMark() string { return "" }

func programMark() string { return "" }

// strays are descendants that left the group: not found here.
type strays []struct{}

func findStrays(int, string) strays { return nil }

func (*group) endStrays() {}

func (strays) kill() {}
