// Which processes descend from a server, whatever they did to hide it: a session
// of their own, a parent that ended before them, or both.

package proc

import (
	"bytes"
	"crypto/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// markVar is a variable in the environment of each server. Its random value is
// inherited by all that the server starts, and the kernel shows it for as long as
// such a process lives, whatever became of its parents.
const markVar = "MCPGEN_SERVER_MARK"

// newMark returns an entry for the environment of one process.
func newMark() string { return markVar + "=" + rand.Text() }

const (
	// maxStrays bounds how many descendants are held at the same time.
	maxStrays = 1000
	// endTime bounds how long is looked for what was started meanwhile, and for
	// the end of what was killed.
	endTime = time.Second
)

// strays are descendants that left the group. Each is held by a handle that
// cannot come to mean another process.
type strays []*os.Process

// process is what the kernel says of a process.
type process struct {
	pid, parent, group int
	start              uint64 // ticks since the system started
	ended              bool   // and only waits to be reaped
}

// readProcess reads the state of a process; ok is false if it is gone.
func readProcess(pid int) (p process, ok bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return p, false
	}
	// The name, in parentheses, may hold anything.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 20 {
		return p, false
	}
	p.pid, p.ended = pid, fields[0] == "Z" || fields[0] == "X"
	p.parent, _ = strconv.Atoi(fields[1]) // the kernel writes numbers
	p.group, _ = strconv.Atoi(fields[2])
	p.start, _ = strconv.ParseUint(fields[19], 10, 64)
	return p, true
}

// since lists the processes that are not older than the one given, without it
// and without this program. A descendant is never older.
func since(leader process) []process {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []process
	for _, name := range names {
		pid, err := strconv.Atoi(name.Name())
		if err != nil || pid == leader.pid || pid == os.Getpid() {
			continue
		}
		if p, ok := readProcess(pid); ok && p.start >= leader.start {
			found = append(found, p)
		}
	}
	return found
}

// isMarked reports whether a process was started with the mark.
func (p process) isMarked(mark string) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ")
	return err == nil && slices.ContainsFunc(bytes.Split(data, []byte{0}), func(entry []byte) bool { return string(entry) == mark })
}

// findStrays finds the descendants of a leader that left its group: those that
// have the mark in their environment, and, for as long as the lines of descent
// can be seen, what they started without it. The leader has not been reaped.
func findStrays(leader int, mark string) strays {
	root, ok := readProcess(leader)
	if !ok {
		return nil
	}
	all := since(root)
	family := map[int]bool{leader: true}
	for _, p := range all {
		if p.isMarked(mark) {
			family[p.pid] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if !family[p.pid] && family[p.parent] {
				family[p.pid], grown = true, true
			}
		}
	}
	var found strays
	for _, p := range all {
		if !family[p.pid] || p.group == leader || p.ended || len(found) == maxStrays {
			continue
		}
		handle, err := os.FindProcess(p.pid)
		if err != nil {
			continue
		}
		if now, ok := readProcess(p.pid); !ok || now.start != p.start {
			_ = handle.Release() // the id means another process by now
			continue
		}
		found = append(found, handle)
	}
	return found
}

// endStrays ends the descendants that left the group, and what they start
// meanwhile. It returns when they are gone.
func (g *group) endStrays() {
	for wait, waited := time.Millisecond, time.Duration(0); waited < endTime; wait *= 2 {
		found := g.strays()
		if len(found) == 0 {
			return
		}
		found.kill()
		time.Sleep(wait)
		waited += wait
	}
}

func (s strays) kill() {
	for _, p := range s {
		_ = p.Kill() // one that has ended already is what was wanted
		_ = p.Release()
	}
}
