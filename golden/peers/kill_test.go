//go:build peers && linux

package peers

// What is left when generate is ended in the middle: the old files, whole, and
// no process, also not the ones that a wrapper such as npx started.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestInterrupt(t *testing.T) { testEnd(t, syscall.SIGINT, 130) }
func TestKill(t *testing.T)      { testEnd(t, syscall.SIGKILL, -1) }

// testEnd ends generate by a signal while a server behind a wrapper runs and
// another one has not answered yet.
func testEnd(t *testing.T, signal syscall.Signal, exit int) {
	for _, wrapper := range []struct{ name, command, args string }{
		{"npx", "npx", `[--no, --prefix, ` + quote(installed) + `, mcp-server-everything, stdio]`},
		{"sh", "sh", `[-c, "` + bin("mcp-server-everything") + ` stdio; echo ended"]`},
	} {
		t.Run(wrapper.name, func(t *testing.T) {
			m := newModule(t, "everything")
			m.link("mcp-server-everything")
			m.configure(`command: ./bin/mcp-server-everything`, `args: [stdio]`)
			m.do(mcpgen, "generate")
			before := tree(t, m.dir)

			mark := fmt.Sprintf("MCPGEN_TEST_MARK=%d-%s-%s", os.Getpid(), wrapper.name, signal)
			name, value, _ := strings.Cut(mark, "=")
			config := read(t, filepath.Join(m.dir, "mcpgen.yaml")) +
				fmt.Sprintf("  wrapped:\n    command: %s\n    args: %s\n    env: {%s: %q}\n", wrapper.command, wrapper.args, name, value) +
				fmt.Sprintf("  silent:\n    command: sleep\n    args: [\"600\"]\n    env: {%s: %q}\n", name, value)
			m.write("mcpgen.yaml", config)
			before["/mcpgen.yaml"] = tree(t, m.dir)["/mcpgen.yaml"]

			cmd := exec.Command(mcpgen, "generate")
			var output bytes.Buffer
			cmd.Dir, cmd.Stdout, cmd.Stderr = m.dir, &output, &output
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				for _, pid := range marked(t, mark) {
					_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone by now
				}
			})
			// The wrapper, the server below it, and the one that is silent.
			await(t, "the servers run", func() bool { return serverRuns(t, mark) })
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			var exited *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exited) || exited.ExitCode() != exit {
				t.Errorf("exit: %v, want %d\n%s", err, exit, output.String())
			}
			await(t, "no process is left", func() bool { return len(marked(t, mark)) == 0 })
			if diff := cmp.Diff(before, tree(t, m.dir)); diff != "" {
				t.Errorf("files changed:\n%s", diff)
			}
		})
	}
}

// await polls until ok, at most 20 s.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after 20 s it is still not so: %s", what)
		}
	}
}

// serverRuns says whether the wrapped server itself, not only its wrapper, is
// among the marked processes.
func serverRuns(t *testing.T, mark string) bool {
	for _, pid := range marked(t, mark) {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		args := strings.Split(string(line), "\x00")
		if err == nil && len(args) > 1 && filepath.Base(args[0]) == "node" && filepath.Base(args[1]) == "mcp-server-everything" {
			return true
		}
	}
	return false
}

// marked returns the processes whose environment holds mark, zombies left out.
func marked(t *testing.T, mark string) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && bytes.Contains(environ, []byte(mark+"\x00")) {
			found = append(found, pid)
		}
	}
	return found
}
