// Which processes descend from a server, whatever they did to hide it: a session
// of their own, a parent that ended before them, or both.

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

// markVar is a variable in the environment of each server. Its random value is
// inherited by all that the server starts, and the kernel shows it for as long as
// such a process lives, whatever became of its parents.
const markVar = "MCPGEN_SERVER_MARK"

// programMark is what the marks of all servers of this program begin with.
var programMark = sync.OnceValue(func() string { return markVar + "=" + rand.Text() + "." })

// newMark returns an entry for the environment of one process.
func newMark() string { return programMark() + rand.Text() }

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
	mark               string // in its environment, of a server of this program; "" for none
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

// readMark reads what of the environment that a process started with is a mark.
func (p process) readMark() string {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ") // one that is gone has none
	for entry := range bytes.SplitSeq(data, []byte{0}) {
		if bytes.HasPrefix(entry, []byte(programMark())) {
			return string(entry)
		}
	}
	return ""
}

// table is what ran when somebody looked last.
var table struct {
	asked atomic.Uint64
	mu    sync.Mutex
	shown uint64 // how many had asked when the look began
	all   []process
}

// processes lists what runs and is not older than this program, as its descendants
// are not, without it. Those who ask together, as when many servers end, share a
// look that begins after all of them have asked.
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

// findStrays finds the descendants of a leader that left its group: those that
// have the mark in their environment, and, for as long as the lines of descent
// can be seen, what they started without it. The leader has not been reaped.
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
