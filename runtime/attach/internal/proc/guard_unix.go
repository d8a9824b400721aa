//go:build unix

// What ends the groups when this program does not come to it.

package proc

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// guarded are the groups of this program's servers, and the guard that they share.
var guarded = guard{groups: map[int]bool{}}

// guard is a shell that outlives this program for a moment. The kernel does as much
// for the leaders alone, on Linux. Where there is no shell there is no guard; nothing
// else depends on it. It is there while a group is, in a group of its own: it guards
// to the last, whatever a terminal or a server sends to the group it is in.
type guard struct {
	mu     sync.Mutex
	groups map[int]bool
	shell  *exec.Cmd // nil: there is none
	leash  *os.File  // its standard input: the shell acts when the last copy is closed, ours
}

// guardScript reads the ids of groups, each when it begins and when it ends, until
// the end of this program, however it ends. Then it kills the groups, and what has the
// mark, which is its first argument, in its environment (Linux). It looks again for
// what was started meanwhile.
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

// add has a group killed with this program.
func (g *guard) add(group int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.groups[group] = true
	g.tell(group)
}

// remove takes a group back, if it was not yet: its id may mean another one from now on.
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

// tell tells the shell of a group. One that is not there, was killed, or does not
// read is replaced.
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
		fmt.Fprintln(w, group) // what it cannot be told now, the next group finds out
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
