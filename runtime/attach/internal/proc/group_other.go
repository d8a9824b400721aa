//go:build unix && !linux

// What other Unix systems do without: there is no parent-death signal, so a
// leader that outlives this program has the end of its input, and the guard.

package proc

import (
	"os/exec"
	"syscall"
)

func leaderAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// wait waits for the end of the leader. The guard, a member, keeps the group's
// id taken.
func (g *group) wait(cmd *exec.Cmd) { _ = cmd.Wait() }

// newMark marks nothing: the environment of other processes is not looked at.
func newMark() string { return "" }

// strays are descendants that left the group: not found here.
type strays []struct{}

func findStrays(int, string) strays { return nil }

func (*group) endStrays() {}

func (strays) kill() {}
