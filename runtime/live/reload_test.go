package live_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/policy/grants"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// writeFile replaces a file of the project, with a time of its own.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(fillProgram(t, text)), 0o600); err != nil {
		t.Fatal(err)
	}
}

const serverLine = "  NAME: {command: PROGRAM, args: [echo], inherit_env: all, env: {WHO: NAME}}\n"

// reloadable is an mcpgen.yaml with servers and the rest of a policy.
func reloadable(rules string, servers ...string) string {
	text := "version: 1\npolicy: {" + rules + "}\nservers:\n"
	for _, name := range servers {
		text += strings.ReplaceAll(serverLine, "NAME", name)
	}
	return text
}

func pids(host *live.Host) map[string]int {
	all := map[string]int{}
	for _, s := range host.Status() {
		all[s.Server] = s.PID
	}
	return all
}

// following is a registry that other goroutines fill.
type following struct {
	mu    sync.Mutex
	names []string
}

func (f *following) Register(tool runtime.Tool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names = append(f.names, tool.Spec().Name)
	return nil
}

func (f *following) Unregister(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names = slices.DeleteFunc(f.names, func(n string) bool { return n == name })
	return nil
}

// wants waits until the registry has these tools.
func (f *following) wants(t *testing.T, want string) {
	t.Helper()
	got := ""
	for range 1000 {
		f.mu.Lock()
		got = strings.Join(f.names, " ")
		f.mu.Unlock()
		if got == want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("registered: %s, want %s", got, want)
}

func loadProject(t *testing.T, path string) *config.Project {
	t.Helper()
	p, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func denied(t *testing.T, host *live.Host, server string) bool {
	t.Helper()
	_, err := callTool(t, host, server, "echo")
	if err != nil && !errors.Is(err, runtime.ErrDenied) {
		t.Fatal(err)
	}
	return err != nil
}

// What changed in the files is in force after a reload, and a server that did not change
// keeps its process. A registry follows.
func TestReload(t *testing.T) {
	work := enterProject(t, map[string]string{"mcpgen.yaml": reloadable(`allow: ["mcp:a_*"]`, "a", "b")})
	host := openReady(t, live.Options{})
	before := pids(host)
	if denied(t, host, "a") || !denied(t, host, "b") {
		t.Fatal("a is allowed, and b is not")
	}
	names := &following{}
	stop, err := host.SyncAll(names)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()

	writeFile(t, "mcpgen.yaml", reloadable(`allow: ["mcp:b_*", "mcp:c_*"]`, "a", "b", "c"))
	if err := host.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := pids(host)
	if after["a"] != before["a"] || after["b"] != before["b"] || after["c"] == 0 {
		t.Errorf("processes before %v, after %v", before, after)
	}
	if !denied(t, host, "a") || denied(t, host, "b") || denied(t, host, "c") {
		t.Error("the new rules allow b and c alone")
	}
	names.wants(t, "b__echo c__echo")

	store, err := grants.Open("", work)
	if err == nil {
		err = store.Add(policy.Grant{Rule: "mcp:a_echo"})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Reload(t.Context()); err != nil || denied(t, host, "a") {
		t.Errorf("a grant: %v", err)
	}

	writeFile(t, "mcpgen.yaml", reloadable(`allow: ["mcp:b_*"]`, "b"))
	if err := host.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := callTool(t, host, "a", "echo"); !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("a server that is gone: %v", err)
	}
	names.wants(t, "b__echo")
	if got := pids(host); len(got) != 1 || got["b"] != before["b"] {
		t.Errorf("processes: %v", got)
	}
}

// A configuration that is wrong, or that only counts from the start, changes nothing.
func TestReloadRefused(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": reloadable(`allow: ["mcp:a_*"]`, "a")})
	host := openReady(t, live.Options{})
	before := pids(host)
	for text, want := range map[string]string{
		reloadable(`allow: ["mcp:b_*"]`, "b") + "servers: {}\n":                                "mcpgen.yaml:",
		reloadable(`allow: ["mcp:[_*"]`, "b"):                                                  "mcpgen.yaml:",
		reloadable(`allow: ["mcp:b_*"]`, "b") + "audit: {file: log}\nnaming: dot\n":            "mcpgen.yaml: audit, naming changed, which needs a restart of the program: nothing was reloaded",
		reloadable(`mode: yolo`, "b") + "ledger: {}\n":                                         "ledger changed",
		strings.Replace(reloadable(`mode: yolo`, "b"), "servers:", "imports: []\nservers:", 1): "unknown key",
	} {
		writeFile(t, "mcpgen.yaml", text)
		if err := host.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
		if denied(t, host, "a") || pids(host)["a"] != before["a"] || len(pids(host)) != 1 {
			t.Errorf("%s: it is in force", text)
		}
	}
}

// A lock that is gone changes nothing: servers stay what was locked. Once it is back, it is
// read like any change.
func TestReloadWithoutLock(t *testing.T) {
	work := enterProject(t, map[string]string{"mcpgen.yaml": reloadable(`mode: yolo`, "a")})
	lock := lockfile.NewLock()
	lock.Servers["a"] = &lockfile.LockedServer{Launch: config.LockLaunch(loadProject(t, "mcpgen.yaml").Servers[0], work), Artifact: lockfile.Artifact{Kind: "file", Name: "a"}}
	path := filepath.Join(work, "mcpgen.lock")
	writeFile(t, path, string(lock.Encode()))
	host := openReady(t, live.Options{})
	before := pids(host)
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	err := host.Reload(t.Context())
	if err == nil || !strings.Contains(err.Error(), path+": ") || !strings.Contains(err.Error(), "git checkout") {
		t.Errorf("without a lock: got %v", err)
	}
	if after := pids(host); after["a"] != before["a"] {
		t.Errorf("processes before %v, without a lock %v", before, after)
	}
	if err := os.Rename(path+".old", path); err != nil {
		t.Fatal(err)
	}
	if err := host.Reload(t.Context()); err != nil || pids(host)["a"] != before["a"] {
		t.Errorf("with the lock again: %v", err)
	}

	// A server that is removed leaves the lock, too.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	writeFile(t, "mcpgen.yaml", reloadable(`mode: yolo`, "b"))
	if err := host.Reload(t.Context()); err != nil || pids(host)["b"] == 0 {
		t.Errorf("without a locked server: %v", err)
	}
}

// The program's own project is read by the program.
func TestReread(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": reloadable(`mode: yolo`, "a"), "other.yaml": reloadable(`mode: yolo`, "b")})
	project := loadProject(t, "mcpgen.yaml")
	host := openReady(t, live.Options{Project: project})
	if err := host.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), "set Reread") {
		t.Errorf("without Reread: %v", err)
	}
	again := openReady(t, live.Options{Project: project, Reread: func() (live.Options, error) {
		return live.Options{Project: loadProject(t, "other.yaml")}, nil
	}})
	if err := again.Reload(t.Context()); err != nil || pids(again)["b"] == 0 || len(pids(again)) != 1 {
		t.Errorf("got %v, %v", pids(again), err)
	}
}

// What a person allowed until the end of the program holds on.
func TestReloadKeepsAnswers(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": reloadable(`mode: ask`, "a")})
	asked := 0
	host := openReady(t, live.Options{Prompter: policy.PrompterFunc(func(context.Context, policy.Question) (policy.Answer, error) {
		asked++
		return policy.Answer{Decision: policy.SessionTool}, nil
	})})
	for range 2 {
		if denied(t, host, "a") {
			t.Error("a person allowed it")
		}
		writeFile(t, "mcpgen.yaml", reloadable(`mode: ask, deny: ["mcp:b_*"]`, "a"))
		if err := host.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if asked != 1 {
		t.Errorf("a person was asked %d times", asked)
	}
}

// What results linked to may be read also after a reload.
func TestReloadKeepsLinks(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": "version: 1\nservers:\n  a: {command: PROGRAM, args: [all-content], inherit_env: all, resources: locked}\n"})
	host := openReady(t, live.Options{AnyLaunch: true, Manifests: []*codec.Manifest{codec.NewManifest("a", `{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"outputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}`)}})
	read := func() bool {
		_, err := host.Invoke(t.Context(), runtime.Request{Server: "a", Method: protocol.MethodReadResource, Name: "file:///b.txt"})
		return !errors.Is(err, runtime.ErrDrift)
	}
	if read() {
		t.Error("a resource was read that nothing linked to")
	}
	if _, err := callTool(t, host, "a", "echo"); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"before", "after"} {
		if !read() {
			t.Errorf("%s the reload: the resource is refused", when)
		}
		if err := host.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// Watched files reload by themselves; a state that is wrong leaves what was in force.
func TestWatch(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": reloadable(`mode: yolo`, "a")})
	reloaded := make(chan struct{}, 9)
	host := openReady(t, live.Options{Watch: true, Attach: attach.Options{OnEvent: func(e event.Event) {
		if e.Kind == event.Reloaded {
			reloaded <- struct{}{}
		}
	}}})
	writeFile(t, "mcpgen.yaml", "version: 1\nservers: [")
	writeFile(t, "mcpgen.yaml", reloadable(`deny: ["mcp:a_*"], mode: yolo`, "a", "b"))
	select {
	case <-reloaded:
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was reloaded")
	}
	if !denied(t, host, "a") || pids(host)["b"] == 0 {
		t.Errorf("it is not in force: %v", pids(host))
	}
}

// A reload that fails is tried again without a further change, and each reason is
// logged once. Trusted keys are watched, too.
func TestWatchTriesAgain(t *testing.T) {
	dir := enterProject(t, map[string]string{"mcpgen.yaml": reloadable(`mode: yolo`, "a"), "signers.json": "{}"})
	t.Setenv(provenance.Variable, filepath.Join(dir, "signers.json"))
	reloaded := make(chan struct{}, 9)
	var tries atomic.Int64
	var said bytes.Buffer
	openReady(t, live.Options{Watch: true, Reread: func() (live.Options, error) {
		if tries.Add(1) < 3 {
			return live.Options{}, errors.New("a file is missing")
		}
		return live.Options{}, nil
	}, Attach: attach.Options{Logger: slog.New(slog.NewTextHandler(&said, nil)), OnEvent: func(e event.Event) {
		if e.Kind == event.Reloaded {
			reloaded <- struct{}{}
		}
	}}})
	writeFile(t, "signers.json", `{"signers": []}`)
	select {
	case <-reloaded:
	case <-time.After(30 * time.Second):
		t.Fatalf("not in force after %d tries", tries.Load())
	}
	if got := strings.Count(said.String(), "a file is missing"); got != 1 {
		t.Errorf("the reason was logged %d times: %s", got, said.String())
	}
}

// A program that is opened for a profile attaches its servers alone, and has only what
// the profile has. A change of the profile is in force after Reload.
func TestProfile(t *testing.T) {
	const text = `version: 1
servers:
  a: {command: PROGRAM, args: [for-clients], inherit_env: all}
  b: {command: PROGRAM, args: [echo], inherit_env: all}
profiles:
  one: {servers: [b]}
  none: {exclude: ["tool:*/*"]}
`
	enterProject(t, map[string]string{"mcpgen.yaml": text})
	host := openReady(t, live.Options{Profile: "one"})
	if all := host.Status(); len(all) != 1 || all[0].Server != "b" {
		t.Errorf("attached %v", all)
	}
	if tools, err := host.Tools(); err != nil || len(tools) != 1 {
		t.Errorf("tools %v, %v", tools, err)
	}
	if _, err := callTool(t, host, "b", "echo"); err != nil {
		t.Error(err)
	}
	if !host.HasProfile("one") || host.HasProfile("none") || host.HasProfile("two") {
		t.Error("it has not the profile one alone")
	}
	writeFile(t, "mcpgen.yaml", strings.Replace(text, "servers: [b]", "servers: [b], exclude: [\"tool:b/echo\"]", 1))
	if err := host.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tools, err := host.Tools(); err != nil || len(tools) != 0 {
		t.Errorf("tools %v, %v", tools, err)
	}
	if _, err := callTool(t, host, "b", "echo"); !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("got %v", err)
	}
	writeFile(t, "mcpgen.yaml", strings.Replace(text, "  one:", "  two:", 1))
	if err := host.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), `there is no profile "one"`) {
		t.Errorf("got %v", err)
	}
	if _, err := live.Open(t.Context(), live.Options{Profile: "twoo"}); err == nil || !strings.Contains(err.Error(), "configured: none, two") {
		t.Errorf("got %v", err)
	}
}
