// Finding the descendants of a server that hide: by a session of their own, by a
// parent that ended before them, or by both.

package proc

import (
	"bytes"
	"crypto/rand"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// markVar is a variable in the environment of each server. All descendants inherit
// its random value, and the kernel shows it as long as they live, even if their
// parents have ended.
const markVar = "MCPGEN_SERVER_MARK"

// programMark returns the common prefix of the marks of this program's servers.
var programMark = sync.OnceValue(func() string { return markVar + "=" + rand.Text() + "." })

// newMark returns an entry for the environment of one process.
func newMark() string { return programMark() + rand.Text() }

const (
	// maxStrays bounds how many descendants are held at the same time.
	maxStrays = 1000
	// endTime bounds how long processes are searched and waited for after a kill.
	endTime = time.Second
)

// strays are descendants that left the group. Each is held by a handle that cannot
// come to refer to another process.
type strays []*os.Process

// process is the kernel's description of a process.
type process struct {
	pid, parent, group int
	start              uint64 // ticks since the system started
	ended              bool   // has ended, and only waits to be reaped
	mark               string // in its environment, of a server of this program; "" if none
}

// readProcess reads the state of a process; ok is false if it is gone.
func readProcess(pid int) (p process, ok bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return p, false
	}
	// The name, in parentheses, may contain anything.
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

// readMark returns the mark in the environment that the process was started with.
func (p process) readMark() string {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ") // a process that has ended has none
	for entry := range bytes.SplitSeq(data, []byte{0}) {
		if bytes.HasPrefix(entry, []byte(programMark())) {
			return string(entry)
		}
	}
	return ""
}

// table is the result of the last listing of processes.
var table struct {
	asked atomic.Uint64
	mu    sync.Mutex
	shown uint64 // the value of asked when the listing began
	all   []process
}

// processes lists the running processes, except this program and processes older than
// this program, which cannot be its descendants. Concurrent callers, as when many
// servers end, share a listing that begins after all of them have asked.
func processes() []process {
	ticket := table.asked.Add(1)
	table.mu.Lock()
	defer table.mu.Unlock()
	if table.shown < ticket {
		table.shown, table.all = table.asked.Load(), readProcesses()
	}
	return table.all
}

func readProcesses() (all []process) {
	self, _ := readProcess(os.Getpid())
	names, _ := os.ReadDir("/proc") // what can be read of it
	for _, name := range names {
		pid, err := strconv.Atoi(name.Name())
		if err != nil || pid == self.pid {
			continue
		}
		if p, ok := readProcess(pid); ok && p.start >= self.start {
			p.mark = p.readMark()
			all = append(all, p)
		}
	}
	return all
}

// findStrays finds the descendants of a leader that left its group: the processes
// with the mark in their environment, and the children without the mark that a chain
// of parents still connects to the leader. The leader has not been reaped.
func findStrays(leader int, mark string) strays {
	all := processes()
	family := map[int]bool{leader: true}
	for _, p := range all {
		if p.mark == mark {
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
			_ = handle.Release() // the ID belongs to another process by now
			continue
		}
		found = append(found, handle)
	}
	return found
}

// endStrays ends the descendants that left the group, and processes that they start
// meanwhile. It returns when they have ended.
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
		_ = p.Kill() // one of them may have ended already
		_ = p.Release()
	}
}
