//go:build unix

// The guard: it ends the groups when this program dies before it can.

package proc

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// guarded holds the groups of this program's servers, and the guard that they share.
var guarded = guard{groups: map[int]bool{}}

// guard is a shell that outlives this program for a moment. On Linux, the kernel ends
// the leaders as well, but not their groups. Without a shell there is no guard;
// nothing else depends on it. It runs while there is a group to guard. It runs in a
// separate process group, so that signals to the groups of a terminal or a server do
// not end it.
type guard struct {
	mu     sync.Mutex
	groups map[int]bool
	shell  *exec.Cmd // nil: not running
	leash  *os.File  // its standard input: the shell acts when this program's copy, the last one, is closed
}

// guardScript reads the ID of each group, once when the group begins and once when it
// ends, until this program ends in any way. Then it kills the groups, and on Linux
// the processes that have the mark, its first argument, in their environment. It
// searches several times, for processes that were started meanwhile.
const guardScript = `trap '' HUP INT TERM
groups=' '
while read -r id; do
	case $groups in
	*" $id "*) groups="${groups%% $id *} ${groups#* $id }" ;;
	*) groups="$groups$id " ;;
	esac
done
for id in $groups; do
	kill -9 "-$id"
done 2>/dev/null
for round in 1 2 3 4 5; do
	[ -n "$1" ] || break
	found=$(grep -lsF -e "$1" /proc/[0-9]*/environ)
	[ -n "$found" ] || break
	for file in $found; do
		file=${file#/proc/}
		kill -9 "${file%/environ}"
	done
done 2>/dev/null`

// add has a group killed when this program dies.
func (g *guard) add(group int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.groups[group] = true
	g.tell(group)
}

// remove removes a group, if present: its ID may refer to another group from now on.
func (g *guard) remove(group int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.groups[group]
	if delete(g.groups, group); len(g.groups) == 0 {
		g.stop()
	} else if known {
		g.tell(group)
	}
}

// tell writes the ID of a group to the shell. It starts a new shell if there is none,
// or if the shell was killed or does not read.
func (g *guard) tell(group int) {
	if g.shell != nil {
		_ = g.leash.SetWriteDeadline(time.Now().Add(time.Second))
		if _, err := fmt.Fprintln(g.leash, group); err == nil {
			return
		}
		g.stop()
	}
	g.start()
}

// start starts a shell that knows all groups.
func (g *guard) start() {
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	defer r.Close()
	shell := &exec.Cmd{
		Path: "/bin/sh", Args: []string{"sh", "-c", guardScript, "sh", programMark()},
		Env: []string{"PATH=/usr/bin:/bin"}, Dir: "/", Stdin: r,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	if err := shell.Start(); err != nil {
		_ = w.Close()
		return
	}
	g.shell, g.leash = shell, w
	_ = w.SetWriteDeadline(time.Now().Add(time.Second))
	for group := range g.groups {
		fmt.Fprintln(w, group) // if this fails, the next group gets a new shell
	}
}

func (g *guard) stop() {
	if g.shell == nil {
		return
	}
	_ = g.shell.Process.Kill()
	_ = g.leash.Close()
	_ = g.shell.Wait() // it was killed
	g.shell = nil
}
