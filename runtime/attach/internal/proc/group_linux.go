// What Linux adds: the parent-death signal, waiting without reaping, and the
// list of a process's children.

package proc

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

func leaderAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// wait waits for the end of the leader and leaves it in the process table.
func (g *group) wait(cmd *exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// maxStrays bounds how many descendants are looked at.
const maxStrays = 1000

// strays are descendants that left the group. Each is held by a handle that
// cannot come to mean another process.
type strays []*os.Process

// findStrays finds the descendants that lead a session of their own, while
// their line of descent can still be seen.
func findStrays(pid int) strays {
	var found strays
	for queue := []int{pid}; len(queue) > 0 && len(queue) <= maxStrays; queue = queue[1:] {
		for _, child := range children(queue[0]) {
			queue = append(queue, child)
			if id, err := unix.Getpgid(child); err != nil || id == pid {
				continue
			}
			if p, err := os.FindProcess(child); err == nil {
				found = append(found, p)
			}
		}
	}
	return found
}

// children lists the children of all threads of a process. A kernel that does
// not tell has none.
func children(pid int) []int {
	task := "/proc/" + strconv.Itoa(pid) + "/task"
	threads, err := os.ReadDir(task)
	if err != nil {
		return nil
	}
	var pids []int
	for _, thread := range threads {
		data, err := os.ReadFile(task + "/" + thread.Name() + "/children")
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(data)) {
			if n, err := strconv.Atoi(field); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}

func (s strays) kill() {
	for _, p := range s {
		_ = p.Kill() // one that has ended already is what was wanted
		_ = p.Release()
	}
}
