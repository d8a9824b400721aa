//go:build peers

package peers

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An agent over five servers, three of which are upgraded: the gate of a pull request is red
// in a clean shallow clone before the repair, by the lines that break and no others, and
// green after it, without an entry of drift.ignore.
func TestUpgradeAsOneAct(t *testing.T) {
	t.Parallel()
	m := bareModule(t, "gate")
	m.env = append(m.env, "XDG_CACHE_HOME="+t.TempDir(), "GOCACHE="+strings.TrimSpace(m.do("go", "env", "GOCACHE")), "GOMODCACHE="+strings.TrimSpace(m.do("go", "env", "GOMODCACHE")))
	m.write("mcpgen.yaml", `version: 1
servers:
  everything: {command: npx, args: [-y, "@modelcontextprotocol/server-everything@2025.11.25"]}
  memory: {command: npx, args: [-y, "@modelcontextprotocol/server-memory@2025.4.25"]} # the notes
  git: {command: npx, args: [-y, "@cyanheads/git-mcp-server@2.5.8"], env: {MCP_TRANSPORT_TYPE: stdio, LOGS_DIR: .git}}
  files: {command: npx, args: [-y, "@modelcontextprotocol/server-filesystem@2026.8.31", .]}
  thinking: {command: npx, args: [-y, "@modelcontextprotocol/server-sequential-thinking@2026.8.31"]}
`)
	git := func(args ...string) string {
		return m.do("git", append([]string{"-c", "user.name=ann", "-c", "user.email=ann@example.com"}, args...)...)
	}
	commit := func(subject string) {
		git("add", "--all")
		git("commit", "--quiet", "--message", subject)
	}
	git("init", "--quiet", "--initial-branch=main", ".")
	_, _ = exitOf(m, mcpgen, "generate") // text that is marked is left out
	m.do("go", "vet", ".")
	commit("one")
	base := strings.TrimSpace(git("rev-parse", "HEAD"))

	code, said := exitOf(m, mcpgen, "upgrade", "--yes", "everything@2026.8.31", "memory@2026.8.31", "git@2.15.3")
	if code != 1 || !strings.Contains(said, "changed texts: ") || strings.Count(strings.Split(said, "changed texts: ")[0], "\n") > 60 {
		t.Errorf("upgrade ends with %d:\n%s", code, said)
	}
	config := read(t, filepath.Join(m.dir, "mcpgen.yaml"))
	if !strings.Contains(config, `"@modelcontextprotocol/server-memory@2026.8.31"]} # the notes`) || !strings.Contains(config, "git-mcp-server@2.15.3") || strings.Contains(config, "drift:") {
		t.Errorf("the configuration is now\n%s", config)
	}
	commit("upgrade")

	gate := func() (int, []string, string) {
		t.Helper()
		clone := filepath.Join(t.TempDir(), "clone")
		m.do("git", "clone", "--quiet", "--depth=1", "file://"+m.dir, clone)
		here := *m
		here.dir = clone
		here.do("git", "fetch", "--quiet", "--depth=1", "origin", base)
		code, text := exitOf(&here, mcpgen, "check", "--against", base)
		_, data := exitOf(&here, mcpgen, "check", "--against", base, "--format", "json")
		var r struct {
			Servers []struct {
				Changes []struct {
					Accepted  bool
					CallSites []struct {
						Line int
						Kind string
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(data[strings.Index(data, "{"):]), &r); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, s := range r.Servers {
			for _, c := range s.Changes {
				for _, site := range c.CallSites {
					if site.Kind == "breaks" && !c.Accepted {
						lines = append(lines, fmt.Sprint(site.Line))
					}
				}
			}
		}
		slices.Sort(lines)
		return code, slices.Compact(lines), text
	}
	code, lines, text := gate()
	source := strings.Split(read(t, filepath.Join(m.dir, "agent.go")), "\n")
	want := []string{"git.Branch(", "memory.ReadGraph(", "everything.Add("}
	var wanted []string
	for i, line := range source {
		if slices.ContainsFunc(want, func(call string) bool { return strings.Contains(line, call) }) {
			wanted = append(wanted, fmt.Sprint(i+1))
		}
	}
	slices.Sort(wanted)
	if code != 1 || !slices.Equal(lines, wanted) || !strings.Contains(text, "changed texts: ") {
		t.Errorf("the gate ends with %d and names the lines %v, want 1 and %v:\n%s", code, lines, wanted, text)
	}

	if code, _ := exitOf(m, mcpgen, "fix", "--rename", "git/git_branch/operation=mode", "--rename", "git/git_branch/name=branchName", "--rename", "everything/add=get-sum"); code != 1 {
		t.Errorf("fix, which leaves one line to a person, ends with %d", code)
	}
	repaired := strings.Replace(read(t, filepath.Join(m.dir, "agent.go")), "fmt.Println(graph.Text())", "fmt.Println(len(graph.Entities))", 1)
	m.write("agent.go", repaired)
	m.do("go", "vet", ".")
	commit("repair")
	if code, lines, text := gate(); code != 0 || len(lines) > 0 || !strings.Contains(text, "changed texts: ") || !strings.Contains(text, "repaired here: ") {
		t.Errorf("after the repair the gate ends with %d and names the lines %v:\n%s", code, lines, text)
	}
}

// exitOf runs a program, and returns its exit code and what it wrote.
func exitOf(m *module, name string, args ...string) (int, string) {
	m.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = m.dir, m.environment()
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	if failed, ok := err.(*exec.ExitError); ok {
		_, _ = os.Stderr.Write(failed.Stderr)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}
