//go:build registry

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/store"
	"github.com/mcpgen/mcpgen/internal/provenance"
)

// debianRegistry is the registry of Debian's package docker-registry, on a port of this machine.
type debianRegistry struct {
	t    *testing.T
	file string // its configuration
	addr string
	// storage is the folder that has its blobs.
	storage string
	cmd     *exec.Cmd

	indexed int // entries of an index when it was last counted
}

func startDebianRegistry(t *testing.T) *debianRegistry {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &debianRegistry{t: t, file: filepath.Join(t.TempDir(), "config.yml"), addr: l.Addr().String(), storage: t.TempDir()}
	l.Close()
	text := fmt.Sprintf("version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\nstorage: {filesystem: {rootdirectory: %q}}\nhttp: {addr: %q}\n", r.storage, r.addr)
	if err := os.WriteFile(r.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r.start()
	t.Cleanup(r.kill)
	return r
}

func (r *debianRegistry) start() {
	r.t.Helper()
	r.cmd = exec.Command("docker-registry", "serve", r.file)
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	for range 200 {
		if resp, err := http.Get("http://" + r.addr + "/v2/"); err == nil {
			resp.Body.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	r.t.Fatal("docker-registry does not answer")
}

// kill ends the registry as a crash does.
func (r *debianRegistry) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// repair removes the files that a crash left empty, as the help of the error tells its operator: the registry never
// writes such a blob again, and answers 500 for such a tag.
func (r *debianRegistry) repair() {
	r.t.Helper()
	remove := func(path string, size int64) error {
		if size > 0 {
			return nil
		}
		return os.Remove(path)
	}
	if err := errors.Join(r.files("data", remove), r.files("link", remove)); err != nil {
		r.t.Fatal(err)
	}
}

// files calls do with each file of a name: "data" is a blob, "link" its digest under a tag, for example.
func (r *debianRegistry) files(name string, do func(path string, size int64) error) error {
	return filepath.WalkDir(filepath.Join(r.storage, "docker/registry/v2"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != name || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return do(path, info.Size())
	})
}

func (r *debianRegistry) open(path string) *store.Repository {
	r.t.Helper()
	repository, _, err := store.Open(store.Scheme + r.addr + path)
	if err != nil {
		r.t.Fatal(err)
	}
	return repository
}

const exampleType = "application/vnd.example.v1"

func exampleOf(text string) store.Artifact {
	return store.Artifact{Type: exampleType, Layers: map[string][]byte{exampleType + "+json": []byte(text)}, Annotations: map[string]string{"n": text}}
}

// A hundred pushes and a hundred pulls at the same time lose nothing, and what was pushed comes back as it was.
func TestRegistryConcurrent(t *testing.T) {
	r := startDebianRegistry(t)
	const n = 100
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			text, repository := fmt.Sprint(i%10, strings.Repeat("x", 1000)), r.open(fmt.Sprint("/load/mcp/s", i%10))
			digest, err := repository.Push(t.Context(), exampleOf(text), fmt.Sprint("v", i), "latest")
			if err != nil {
				t.Error(err)
				return
			}
			for _, reference := range []string{digest, fmt.Sprint("v", i), "latest"} {
				a, err := repository.Pull(t.Context(), reference, exampleType, 1<<20)
				if err != nil || a.Digest != digest || string(a.Layers[exampleType+"+json"]) != text {
					t.Errorf("%d %s: %v, digest %v", i, reference, err, a)
				}
			}
		})
	}
	wg.Wait()
	for i := range 10 {
		if tags, err := r.open(fmt.Sprint("/load/mcp/s", i)).Tags(t.Context(), "v"); err != nil || len(tags) != n/10 {
			t.Errorf("s%d: %d tags, %v", i, len(tags), err)
		}
	}
}

// Of referrers that many clients push at the same time, the registry's index loses some, since it has no API of
// referrers: each client writes the whole index. No tag is lost, and the tags are what mcpgen reads.
func TestRegistryReferrers(t *testing.T) {
	r := startDebianRegistry(t)
	subject, err := r.open("/load/mcp/subject").Push(t.Context(), exampleOf("subject"), "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 4, 8, 16, 32} {
		var wg sync.WaitGroup
		var failed atomic.Int64
		for i := range n {
			wg.Go(func() {
				a := exampleOf(fmt.Sprint(n, " ", i))
				a.Subject = subject
				if _, err := r.open("/load/mcp/subject").Push(t.Context(), a, fmt.Sprintf("usage-%d-%d", n, i)); err != nil {
					t.Logf("%d clients: %v", n, err)
					failed.Add(1)
				}
			})
		}
		wg.Wait()
		tags, err := r.open("/load/mcp/subject").Tags(t.Context(), fmt.Sprintf("usage-%d-", n))
		if err != nil || len(tags) != n || failed.Load() > 0 {
			t.Errorf("%d clients: %d tags, %d pushes failed, %v", n, len(tags), failed.Load(), err)
		}
		t.Logf("%d clients: the index has %d more", n, indexed(t, r, subject))
	}
}

// indexed counts the entries of the index of referrers that are new since the last call.
func indexed(t *testing.T, r *debianRegistry, subject string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+r.addr+"/v2/load/mcp/subject/manifests/"+strings.ReplaceAll(subject, ":", "-"), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/vnd.oci.image.index.v1+json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var index struct {
		Manifests []struct {
			Annotations map[string]string
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&index); err != nil {
		t.Fatal(err)
	}
	before := r.indexed
	r.indexed = len(index.Manifests)
	return r.indexed - before
}

// typed runs a command in a project and returns its exit code.
func typed(t *testing.T, dir string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "mcpgen", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), string(out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}

// treeOf returns the lock and the generated files of a project.
func treeOf(t *testing.T, dir string) string {
	t.Helper()
	var b bytes.Buffer
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == "server.json" || path == "mcpgen.yaml" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		fmt.Fprintf(&b, "== %s\n%s", path, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// storeProject makes a project with one server.
func storeProject(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err == nil {
		err = writeModule(dir, root)
	}
	text := "version: 1\nservers:\n  tracker:\n    command: mcptestserver\n    args: [replay, server.json]\n"
	if from != "" {
		text = strings.Replace(text, "mcptestserver", "no-such-program", 1) + "    from: " + from + "\n"
	}
	if err = errors.Join(err, os.WriteFile(filepath.Join(dir, "mcpgen.yaml"), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// offer has the server of a project offer tools under a version.
func offer(t *testing.T, dir, version string, tools ...string) {
	t.Helper()
	for i, name := range tools {
		tools[i] = fmt.Sprintf(`{"name": %q, "description": "Does it.", "inputSchema": {"type": "object", "properties": {}}}`, name)
	}
	text := fmt.Sprintf(`{"protocolVersion": "2025-11-25", "serverInfo": {"name": "tracker", "version": %q}, "tools": [%s]}`, version, strings.Join(tools, ", "))
	if err := os.WriteFile(filepath.Join(dir, "server.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// One server has three versions in the registry. Two modules generate without the server, and the second reaches
// not even the registry again; can-update says that the third version breaks one line of one of them.
func TestRegistryVersions(t *testing.T) {
	r := startDebianRegistry(t)
	t.Setenv("GOFLAGS", "-mod=mod")
	base := store.Scheme + r.addr + "/team"
	dir, one, two := storeProject(t, ""), storeProject(t, base+"/mcp/tracker"), storeProject(t, base+"/mcp/tracker")
	push := func(version string, tools ...string) {
		t.Helper()
		offer(t, dir, version, tools...)
		for _, args := range [][]string{{"update", "--all", "--yes"}, {"push", "--to", base}} {
			if code, out := typed(t, dir, args...); code != 0 {
				t.Fatalf("%q: exit code %d\n%s", args, code, out)
			}
		}
	}
	page := filepath.Join(dir, "mcpgen-docs", "consumers.html")
	docs := func(want string) {
		t.Helper()
		if code, out := typed(t, dir, "docs", "--impact", "off", "--to", base); code != 0 {
			t.Fatalf("docs: exit code %d\n%s", code, out)
		}
		if text, err := os.ReadFile(page); (err == nil) != (want != "") || !strings.Contains(string(text), want) {
			t.Errorf("%v: no %q in the page of consumers\n%s", err, want, text)
		}
	}
	offer(t, dir, "1", "first", "second")
	if code, out := typed(t, dir, "generate"); code != 0 {
		t.Fatalf("generate: exit code %d\n%s", code, out)
	}
	docs("")
	push("1", "first", "second")
	for at, text := range map[string]string{one: "first", two: "second"} {
		agent := fmt.Sprintf("package agent\n\nimport (\n\t\"context\"\n\n\t\"example.com/%[1]s/internal/mcp/tracker\"\n)\n\nfunc Run(ctx context.Context) { _, _ = tracker.%[2]s(ctx, tracker.%[2]sArgs{}) }\n", text, strings.ToUpper(text[:1])+text[1:])
		module := strings.Replace(read(t, filepath.Join(at, "go.mod")), "example.com/app", "example.com/"+text, 1)
		if err := errors.Join(os.WriteFile(filepath.Join(at, "go.mod"), []byte(module), 0o600),
			os.WriteFile(filepath.Join(at, "agent.go"), []byte(agent), 0o600)); err != nil {
			t.Fatal(err)
		}
		if code, out := typed(t, at, "generate"); code != 0 {
			t.Fatalf("generate: exit code %d\n%s", code, out)
		}
		build := exec.CommandContext(t.Context(), "go", "build", "./...")
		build.Dir = at
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if code, out := typed(t, at, "push", "--usage"); code != 0 {
			t.Fatalf("push --usage: exit code %d\n%s", code, out)
		}
	}
	docs("2 modules · 0 would break")
	push("2", "first", "second", "third")
	push("3", "first", "third")
	docs("2 modules · 1 would break")
	for version, want := range map[string]string{
		"1": "0 of 2 modules would break",
		"2": "0 of 2 modules would break",
		"3": "1 of 2 modules would break",
	} {
		code, out := typed(t, dir, "can-update", "tracker@"+version, "--to", base)
		if (code == 1) != (version == "3") || !strings.Contains(out, want) {
			t.Errorf("can-update tracker@%s: exit code %d\n%s", version, code, out)
		}
		if version == "3" && (!strings.Contains(out, "example.com/second") || !strings.Contains(out, "on 1 line\n") || !strings.Contains(out, "example.com/first: fits")) {
			t.Errorf("can-update tracker@3:\n%s", out)
		}
	}
	r.kill()
	if code, out := typed(t, two, "generate"); code != 0 {
		t.Errorf("generate without the registry: exit code %d\n%s", code, out)
	}
}

// A registry that a crash left with empty files says 500 until its operator removes them: the errors say so.
func TestRegistryEmptied(t *testing.T) {
	r := startDebianRegistry(t)
	base, dir := store.Scheme+r.addr+"/team", storeProject(t, "")
	offer(t, dir, "1", "a")
	run := func(want int, args ...string) {
		t.Helper()
		code, out := typed(t, dir, args...)
		if code != want || want == 3 && (!strings.Contains(out, "store this again: mcpgen push") || !strings.Contains(out, "have the empty files removed")) {
			t.Fatalf("%q: exit code %d\n%s", args, code, out)
		}
	}
	run(0, "generate")
	run(0, "push", "--to", base)
	for _, name := range []string{"data", "link"} {
		if err := r.files(name, func(path string, _ int64) error { return os.Truncate(path, 0) }); err != nil {
			t.Fatal(err)
		}
		run(3, "pull", "--to", base)
		run(3, "push", "--to", base)
		r.repair()
		run(0, "push", "--to", base)
		run(0, "pull", "--to", base)
	}
}

// A registry that is killed while commands push and pull, and comes back, leaves lock and files of each
// project as they were or as they were to be; each command says which.
func TestRegistryKilled(t *testing.T) {
	r := startDebianRegistry(t)
	base := store.Scheme + r.addr + "/team"
	one, two := storeProject(t, ""), storeProject(t, base+"/mcp/tracker")
	offer(t, one, "1", "a", "b")
	for _, step := range []struct {
		dir  string
		args []string
	}{{one, []string{"generate"}}, {one, []string{"push", "--to", base}}, {two, []string{"generate"}}} {
		if code, out := typed(t, step.dir, step.args...); code != 0 {
			t.Fatalf("%q: exit code %d\n%s", step.args, code, out)
		}
	}
	failed := 0
	for i := range 12 {
		offer(t, one, fmt.Sprint(i+2), "a", "b", fmt.Sprint("c", i))
		if code, out := typed(t, one, "update", "--yes", "--impact=off"); code != 0 {
			t.Fatalf("update: exit code %d\n%s", code, out)
		}
		before := map[string]string{one: treeOf(t, one), two: treeOf(t, two)}
		var wg sync.WaitGroup
		codes := map[string]int{}
		var mu sync.Mutex
		run := func(dir string, args ...string) {
			wg.Go(func() {
				code, out := typed(t, dir, args...)
				mu.Lock()
				defer mu.Unlock()
				if codes[dir] = code; code != 0 && code != 3 {
					t.Errorf("%q: exit code %d\n%s", args, code, out)
				}
			})
		}
		run(one, "push", "--to", base)
		run(two, "update", "--yes", "--impact=off")
		time.Sleep(time.Duration(i) * 25 * time.Millisecond)
		r.kill()
		wg.Wait()
		for dir, code := range codes {
			if code == 3 {
				failed++
				if treeOf(t, dir) != before[dir] {
					t.Errorf("round %d: %s changed although the command failed", i, dir)
				}
			}
			if code, out := typed(t, dir, "generate", "--check"); code != 0 {
				t.Errorf("round %d: generate --check: exit code %d\n%s", i, code, out)
			}
		}
		r.repair()
		r.start()
		if code, out := typed(t, one, "push", "--to", base); code != 0 {
			t.Errorf("round %d: push again: exit code %d\n%s", i, code, out)
		}
	}
	t.Logf("%d of 24 commands met the registry's end", failed)
	if code, out := typed(t, two, "update", "--yes", "--impact=off"); code != 0 {
		t.Fatalf("update: exit code %d\n%s", code, out)
	}
	a, _ := os.ReadFile(filepath.Join(one, "internal/mcp/tracker/snapshot.json"))
	b, _ := os.ReadFile(filepath.Join(two, "internal/mcp/tracker/snapshot.json"))
	if len(a) == 0 || !bytes.Equal(a, b) {
		t.Error("the snapshots differ")
	}
}

// A registry that is killed while commands push, sign and pull, and comes back, loses no signature that was
// reported as stored. Another signature is there or is not: the next run of sign stores it.
func TestRegistrySignKilled(t *testing.T) {
	r := startDebianRegistry(t)
	base, dir, keys := store.Scheme+r.addr+"/team", storeProject(t, ""), t.TempDir()
	offer(t, dir, "1", "a", "b")
	pull := []string{"pull", "--to", base, "--require-signature"}
	trust := func(public string) {
		t.Setenv(provenance.Variable, `{"signers": [{"name": "alice", "key": "`+public+`"}]}`)
	}
	// sign returns the arguments that sign with the key of a round, and its public key.
	sign := func(round int) ([]string, string) {
		private, public := signerOf(fmt.Sprint("round ", round))
		key := filepath.Join(keys, fmt.Sprint(round, ".pem"))
		if err := os.WriteFile(key, private, 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{"sign", "tracker", "--key", key, "--by", "alice", "--to", base}, public
	}
	first, signed := sign(0)
	for _, args := range [][]string{{"generate"}, {"push", "--to", base}, first} {
		if code, out := typed(t, dir, args...); code != 0 {
			t.Fatalf("%q: exit code %d\n%s", args, code, out)
		}
	}
	before, failed, absent := treeOf(t, dir), 0, 0
	for i := 1; i <= signRounds; i++ {
		again, public := sign(i)
		trust(signed)
		var wg sync.WaitGroup
		codes := make([]int, 3)
		for n, args := range [][]string{again, pull, {"push", "--to", base}} {
			wg.Go(func() {
				var out string
				if codes[n], out = typed(t, dir, args...); codes[n] != 0 && codes[n] != 3 {
					t.Errorf("round %d: %q: exit code %d\n%s", i, args, codes[n], out)
				}
			})
		}
		time.Sleep(time.Duration(i) * signStep)
		r.kill()
		wg.Wait()
		r.repair()
		r.start()
		for _, code := range codes {
			failed += code / 3
		}
		if code, out := typed(t, dir, pull...); code != 0 {
			t.Errorf("round %d: the signature of the round before: exit code %d\n%s", i, code, out)
		}
		trust(public)
		code, out := typed(t, dir, pull...)
		if code != codes[0]/3 && code != 0 {
			t.Errorf("round %d: sign ended with %d, then pull with %d\n%s", i, codes[0], code, out)
		}
		absent += code
		for _, args := range [][]string{again, pull} {
			if code, out := typed(t, dir, args...); code != 0 {
				t.Errorf("round %d: %q after the restart: exit code %d\n%s", i, args, code, out)
			}
		}
		signed = public
		if treeOf(t, dir) != before {
			t.Fatalf("round %d: the project changed", i)
		}
	}
	t.Logf("%d of %d commands met the registry's end, which left %d signatures out", failed, 3*signRounds, absent)
	_, stranger := signerOf("stranger")
	trust(stranger)
	if code, out := typed(t, dir, pull...); code != 1 {
		t.Errorf("only signatures of others: exit code %d\n%s", code, out)
	}
}

// Each round of [TestRegistrySignKilled] kills the registry one step later than the round before.
const (
	signRounds = 12
	signStep   = 30 * time.Millisecond
)

// cosign verifies the signature of a lock, and of a snapshot in the registry as a referrer of it, with the
// public key. It refuses other bytes.
func TestRegistrySignatures(t *testing.T) {
	r := startDebianRegistry(t)
	cosign, err := exec.LookPath("cosign")
	if err != nil {
		t.Log("cosign is not there, so only mcpgen verifies: make bin/cosign builds it")
	}
	base, dir, keys := store.Scheme+r.addr+"/team", storeProject(t, ""), t.TempDir()
	offer(t, dir, "1", "a", "b")
	private, public := signerOf("alice")
	key, trusted := filepath.Join(keys, "alice.pem"), filepath.Join(keys, "alice.pub")
	if err := errors.Join(os.WriteFile(key, private, 0o600), os.WriteFile(trusted, []byte("-----BEGIN PUBLIC KEY-----\n"+public+"\n-----END PUBLIC KEY-----\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Setenv(provenance.Variable, `{"signers": [{"name": "alice", "key": "`+public+`"}]}`)
	for _, args := range [][]string{
		{"generate"}, {"push", "--to", base}, {"sign", "--key", key, "--by", "alice"}, {"sign", "tracker", "--key", key, "--by", "alice", "--to", base},
		{"generate", "--frozen", "--require-signature"}, {"pull", "--to", base, "--require-signature"},
	} {
		if code, out := typed(t, dir, args...); code != 0 {
			t.Fatalf("%q: exit code %d\n%s", args, code, out)
		}
	}
	crowd(t, r, dir)
	if code, out := typed(t, dir, "pull", "--to", base, "--require-signature"); code != 0 {
		t.Errorf("beside %d signatures of strangers: exit code %d\n%s", strangers, code, out)
	}
	if cosign == "" {
		return
	}
	lock := filepath.Join(dir, "mcpgen.lock")
	data, err := os.ReadFile(lock)
	if err != nil {
		t.Fatal(err)
	}
	_, digest, _ := strings.Cut(string(data), `"store": "`)
	digest, _, _ = strings.Cut(digest, `"`)
	other := filepath.Join(keys, "other.lock")
	if err := os.WriteFile(other, append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		fits bool
	}{
		{[]string{"verify-blob-attestation", "--bundle", provenance.File(lock, public), lock}, true},
		{[]string{"verify-blob-attestation", "--bundle", provenance.File(lock, public), other}, false},
		{[]string{"verify-attestation", "--allow-http-registry", r.addr + "/team/mcp/tracker@" + digest}, true},
	} {
		args := append([]string{c.args[0], "--key", trusted, "--insecure-ignore-tlog=true", "--type", provenance.PredicateType}, c.args[1:]...)
		cmd := exec.CommandContext(t.Context(), cosign, args...)
		cmd.Env = append(os.Environ(), "HOME="+keys)
		if out, err := cmd.CombinedOutput(); (err == nil) != c.fits {
			t.Errorf("cosign %q: %v\n%s", args, err, out)
		}
	}
}

// strangers is more signatures than are read of one snapshot.
const strangers = provenance.MaxBundles + 2

// crowd adds what strangers may push beside a signature: texts that are none, and an artifact of another type.
func crowd(t *testing.T, r *debianRegistry, dir string) {
	t.Helper()
	_, digest, _ := strings.Cut(read(t, filepath.Join(dir, "mcpgen.lock")), `"store": "`)
	digest, _, _ = strings.Cut(digest, `"`)
	for i := range strangers {
		a := store.Artifact{Type: provenance.MediaType, Layers: map[string][]byte{provenance.MediaType: []byte("{}")}}
		if i == 0 {
			a = exampleOf("no signature")
		}
		tag := fmt.Sprintf("sig-%s-%012d", strings.TrimPrefix(digest, "sha256:"), i)
		if _, err := r.open("/team/mcp/tracker").Push(t.Context(), a, tag); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
