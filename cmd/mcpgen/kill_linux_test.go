package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
)

// killsVariable asks TestKilled for so many runs of each command that are ended at
// random moments, in place of the few that are ended after so many changes of files:
//
//	MCPGEN_KILLS=100 go test -run TestKilled -v -timeout 60m ./cmd/mcpgen
const killsVariable = "MCPGEN_KILLS"

// killedRun is a project before and after one run of a command.
type killedRun struct {
	args     []string
	old      map[string]string // files before
	oldHash  string
	newHash  string
	oldReads string // what reading commands say
	newReads string
	took     time.Duration
}

// TestKilled ends runs of generate and update at many moments. Every command that
// reads then sees all that was before or all that the run was to make, whatever is
// on the disk, and changes nothing; the same run again completes it.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills dozens of commands: make test-kill runs it")
	}
	for _, args := range [][]string{{"generate"}, {"update"}, {"add", "more", "--", "mcptestserver", "replay", "added.json"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			k := prepareKills(t, dir, args)
			counts := map[string]int{}
			random, _ := strconv.Atoi(os.Getenv(killsVariable))
			for n := range max(15, random) {
				restoreTree(t, dir, k.old)
				if random > 0 {
					runKilled(t, dir, args, waitTime(time.Duration(rand.Int64N(int64(k.took*5/4)))))
				} else {
					runKilled(t, dir, args, waitForChanges(t, dir, 1+map[bool]int{true: 2, false: 7}[args[0] == "add"]*n)) // it changes fewer files
				}
				counts[k.examine(t, dir, fmt.Sprint("run ", n+1))]++
				if t.Failed() {
					return
				}
			}
			t.Logf("%s, which takes %v: %v", args[0], k.took.Round(time.Millisecond), counts)
		})
	}
}

// TestManyServers locks more servers than are started at the same time. What was listed
// before the run is killed is locked, and the next run does not start it again.
func TestManyServers(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of servers: make test-kill runs it")
	}
	const servers = 150
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err == nil {
		err = writeModule(dir, root)
	}
	if err != nil {
		t.Fatal(err)
	}
	config := []byte("version: 1\nservers:\n")
	for i := range servers {
		config = fmt.Appendf(config, "  s%03d: {command: mcptestserver, args: [echo, -state, s%03d.starts]}\n", i, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "mcpgen.yaml"), config, 0o644); err != nil {
		t.Fatal(err)
	}
	locked := func() int {
		lock, _ := os.ReadFile(filepath.Join(dir, "mcpgen.lock")) // there is none until the first servers are locked
		return strings.Count(string(lock), `"launch"`)
	}
	runKilled(t, dir, []string{"generate"}, func(done <-chan struct{}, kill func()) {
		for locked() == 0 {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
		kill()
	})
	first := locked()
	if first == 0 || first == servers {
		t.Fatalf("%d servers are locked after the kill, want some", first)
	}
	before := readTree(t, dir)
	runProgram(t, dir, "mcpgen", "generate")
	if got := locked(); got != servers {
		t.Fatalf("%d servers are locked, want %d", got, servers)
	}
	again := 0
	for name, text := range readTree(t, dir) {
		if strings.HasSuffix(name, ".starts") && before[name] != "" && before[name] != text {
			again++
		}
	}
	if again > servers-first {
		t.Errorf("%d servers were started again, and %d were not locked", again, servers-first)
	}
	if before["s000.starts"] != readTree(t, dir)["s000.starts"] {
		t.Error("a locked server was started again")
	}
	runProgram(t, dir, "mcpgen", "generate", "--check")
}

// prepareKills makes a project of which a command changes one server, adds one and
// drops one, and finds out what is to be seen before and after it.
func prepareKills(t *testing.T, dir string, args []string) *killedRun {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err == nil {
		err = writeModule(dir, root)
	}
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	server := func(name string) string {
		return "  " + name + ": {command: mcptestserver, args: [replay, " + name + ".json]}\n"
	}
	tool := func(name string) string { return `{"name": "` + name + `", "inputSchema": {"type": "object"}}` }
	for _, name := range []string{"same", "gone", "added"} {
		write(name+".json", `{"tools": [`+tool("one")+`]}`)
	}
	var before, now string
	for i := range 6 { // more files make a longer moment in which a run is half done
		name := "changed" + strconv.Itoa(i)
		write(name+".json", `{"tools": [`+tool("one")+`]}`)
		before += server(name)
		now += strings.Replace(server(name), "]}", "], tools: {rename: {one: Renamed}}}", 1)
	}
	write("mcpgen.yaml", "version: 1\nservers:\n"+before+server("same")+server("gone"))
	runProgram(t, dir, "mcpgen", "generate")
	for i := range 6 {
		write("changed"+strconv.Itoa(i)+".json", `{"tools": [`+tool("one")+`, `+tool("two")+`]}`)
	}
	if args[0] != "add" { // which changes the configuration itself
		write("mcpgen.yaml", "version: 1\nservers:\n"+now+server("same")+server("added"))
	}
	k := &killedRun{args: args, old: readTree(t, dir)}
	k.oldHash, k.oldReads = hashOf(t, dir), outputOfReaders(t, dir)
	began := time.Now()
	runProgram(t, dir, "mcpgen", args...)
	k.took = time.Since(began)
	k.newHash, k.newReads = hashOf(t, dir), outputOfReaders(t, dir)
	if k.oldHash == k.newHash || k.oldReads == k.newReads {
		t.Fatalf("%v changes nothing:\n%s", args, k.newReads)
	}
	return k
}

// examine looks at what a killed run left, and completes it.
func (k *killedRun) examine(t *testing.T, dir, run string) string {
	t.Helper()
	found := "old"
	disk := readTree(t, dir)
	hash, said := hashOf(t, dir), outputOfReaders(t, dir)
	switch {
	case hash == k.oldHash && said == k.oldReads:
	case hash == k.newHash && said == k.newReads:
		found = "new"
	default:
		t.Errorf("%s: a mixture: the files are old %t, new %t; commands read\n%s", run, hash == k.oldHash, hash == k.newHash, said)
	}
	if _, ok := disk[".mcpgen-write/journal"]; ok {
		found += " by the journal"
	}
	if now := readTree(t, dir); !maps.Equal(now, disk) {
		t.Errorf("%s: a command that reads has written", run)
	}
	complete := k.args
	if complete[0] == "add" && hash == k.newHash {
		complete = []string{"generate"} // what is added already is refused
	}
	runProgram(t, dir, "mcpgen", complete...)
	if hash := hashOf(t, dir); hash != k.newHash {
		t.Errorf("%s: the next run does not complete it", run)
	}
	if _, err := os.Lstat(filepath.Join(dir, ".mcpgen-write")); err == nil {
		t.Errorf("%s: the next run does not clear up", run)
	}
	return found
}

// outputOfReaders is what commands say that only read.
func outputOfReaders(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, args := range [][]string{{"config"}, {"list", "--json"}, {"generate", "--check"}, {"check", "--against", "mcpgen.lock", "--format", "json"}} {
		cmd := exec.Command("mcpgen", args...)
		cmd.Dir, cmd.Stderr = dir, new(bytes.Buffer)
		out, err := cmd.Output()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > exit.Finding {
			t.Errorf("%v: %v\n%s", args, err, cmd.Stderr)
		}
		fmt.Fprintf(&all, "%v: %d\n%s\n", args, cmd.ProcessState.ExitCode(), out)
	}
	return all.String()
}

func hashOf(t *testing.T, dir string) string {
	t.Helper()
	tree, err := generator.ReadTree(t.Context(), dir, locks.Name, "internal/mcp")
	if err != nil {
		t.Fatal(err)
	}
	return tree.Hash()
}

// runKilled starts a command and ends it as kill -9 does when until says so.
func runKilled(t *testing.T, dir string, args []string, until func(done <-chan struct{}, kill func())) {
	t.Helper()
	cmd := exec.Command("mcpgen", args...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	until(done, func() { _ = cmd.Process.Kill() }) // it may have ended
	<-done
}

// waitTime waits for a time.
func waitTime(d time.Duration) func(<-chan struct{}, func()) {
	return func(done <-chan struct{}, kill func()) {
		select {
		case <-done:
		case <-time.After(d):
			kill()
		}
	}
}

// waitForChanges waits for so many changes of the files below dir, as the kernel tells of
// them.
func waitForChanges(t *testing.T, dir string, n int) func(<-chan struct{}, func()) {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	const mask = syscall.IN_CREATE | syscall.IN_DELETE | syscall.IN_MOVED_TO | syscall.IN_ONLYDIR
	watch := func(path string) { _, _ = syscall.InotifyAddWatch(fd, path, mask) } // what is gone again is not watched
	for name, text := range readTree(t, dir) {
		if text == "/" {
			watch(filepath.Join(dir, name))
		}
	}
	watch(dir)
	return func(done <-chan struct{}, kill func()) {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			buf := make([]byte, 4096)
			for seen := 0; seen < n; {
				m, err := events.Read(buf)
				if err != nil {
					return
				}
				for at := 0; at+syscall.SizeofInotifyEvent <= m; seen++ {
					at += syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(buf[at+12:]))
				}
				for _, name := range []string{".mcpgen-write", ".mcpgen-write/new", ".mcpgen-write/old"} {
					watch(filepath.Join(dir, name))
				}
			}
			kill()
		}()
		select {
		case <-done:
		case <-ended:
		}
		_ = events.Close()
		<-ended
	}
}

// readTree reads everything below dir: content by path, "/" for folders.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if d.IsDir() {
			out[name] = "/"
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// restoreTree brings dir back to what files has read.
func restoreTree(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	for _, name := range []string{".mcpgen-write", "internal"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range want {
		path, err := filepath.Join(dir, name), error(nil)
		if text == "/" {
			err = os.MkdirAll(path, 0o755)
		} else if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestTwoWriters runs two writers at the same time, each for a server of its own:
// none of them undoes what the other one has locked.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err == nil {
		err = writeModule(dir, root)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "mcpgen.yaml"), []byte("version: 1\nservers:\n  a: {command: mcptestserver, args: [echo]}\n  b: {command: mcptestserver, args: [echo, -n=3]}\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		restoreTree(t, dir, nil)
		_ = os.Remove(filepath.Join(dir, locks.Name))
		var cmds []*exec.Cmd
		for _, server := range []string{"a", "b"} {
			cmd := exec.Command("mcpgen", "generate", "--servers", server)
			cmd.Dir, cmd.Stderr = dir, new(bytes.Buffer)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			cmds = append(cmds, cmd)
		}
		for _, cmd := range cmds {
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v\n%s", err, cmd.Stderr)
			}
		}
		runProgram(t, dir, "mcpgen", "generate", "--check")
		if shim, err := os.ReadFile(filepath.Join(dir, "internal", "mcp", "mcp.go")); err != nil || !bytes.Contains(shim, []byte("mcp/a\"")) || !bytes.Contains(shim, []byte("mcp/b\"")) {
			t.Errorf("the shim lacks one: %v\n%s", err, shim)
		}
	}
}
