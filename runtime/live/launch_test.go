package live_test

// Which launches are openError: by the lock, and without one by the manifests.

import (
	"crypto/ed25519"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// A server that is not started as it was locked is not started, the others are.
func TestChangedLaunch(t *testing.T) {
	work := enterProject(t, map[string]string{"mcpgen.yaml": `version: 1
servers:
  a: {command: PROGRAM, args: [echo, -state, a.starts], inherit_env: all}
  b: {command: PROGRAM, args: [echo], inherit_env: all}
`})
	p, err := config.Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	lock := lockfile.NewLock()
	for _, s := range p.Servers {
		if lock.Servers[s.Name], err = lockfile.LockSnapshot(&schema.Snapshot{Server: s.Name}); err != nil {
			t.Fatal(err)
		}
		process := s.Launch.(*endpoint.Process)
		process.Args = append(process.Args[:1:1], map[string][]string{"a": {"-state", "a.starts", "-delay=0"}}[s.Name]...)
		lock.Servers[s.Name].Launch = config.LockLaunch(s, p.Dir)
	}
	if err := os.WriteFile("mcpgen.lock", lock.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	host, err := live.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	failed, ok := errors.AsType[*attach.ServerError](host.Err())
	if !ok || failed.Server != "a" || failed.Stage != stage.Configure ||
		!strings.HasPrefix(failed.Error(), "mcpgen.yaml:3: ") || !strings.Contains(failed.Error(), `mcpgen.lock: argument "-delay=0" removed; the server is not started: see what that changes in its tools: mcpgen update --dry-run a --accept a/server-launch-changed`) {
		t.Errorf("got %v", host.Err())
	}
	if _, err := callTool(t, host, "a", "echo"); !errors.Is(err, runtime.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(work, "a.starts")); err == nil {
		t.Error("the server was started, want no process")
	}
	if _, err := callTool(t, host, "b", "echo"); err != nil {
		t.Error(err)
	}
	openReady(t, live.Options{AnyLaunch: true})
}

// Without a lock the manifests say how a server was launched. An embedded
// configuration has no lock, whatever lies in the working directory.
func TestLaunchOfManifests(t *testing.T) {
	const servers = "version: 1\nservers: {a: {command: PROGRAM, args: [echo, -state, a.starts], inherit_env: all}}\n"
	work := enterProject(t, map[string]string{"mcpgen.yaml": servers})
	p, err := config.Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	manifest := func(hash string) *codec.Manifest {
		return codec.NewManifest("a", `{"tools":[]}`).LaunchedAs(hash)
	}
	same, other := manifest(config.LockLaunch(p.Servers[0], p.Dir).Hash), manifest("sha256:"+strings.Repeat("0", 64))
	openError := func(manifests ...*codec.Manifest) error {
		t.Helper()
		host, err := live.Open(t.Context(), live.Options{Config: []byte(fillProgram(t, servers)), Manifests: manifests})
		if err != nil {
			t.Fatal(err)
		}
		defer host.Close()
		return host.Err()
	}
	if err := openError(other); err == nil || !strings.HasPrefix(err.Error(), "mcpgen.yaml:2: ") || !strings.Contains(err.Error(), "mcpgen update a") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(work, "a.starts")); err == nil {
		t.Error("the server was started, want no process")
	}
	for _, manifests := range [][]*codec.Manifest{{same}, {other, same}, {manifest("")}, nil} {
		if err := openError(manifests...); err != nil {
			t.Error(err)
		}
	}
	lock := lockfile.NewLock()
	if lock.Servers["a"], err = lockfile.LockSnapshot(&schema.Snapshot{Server: "a"}); err != nil {
		t.Fatal(err)
	}
	lock.Servers["a"].Launch = config.LockLaunch(p.Servers[0], p.Dir)
	if err := os.WriteFile("mcpgen.lock", lock.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	openReady(t, live.Options{Manifests: []*codec.Manifest{other}}) // the lock counts
	lock.Servers["a"].Launch = lockfile.Launch{}
	if err := os.WriteFile("mcpgen.lock", lock.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	host, err := live.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if err := host.Err(); err == nil || !strings.Contains(err.Error(), "the lock does not say how the server was started or reached; the server is not started") {
		t.Errorf("the lock has no launch: got %v", err)
	}
	if openError(other) == nil {
		t.Error("no error: the lock of the working directory counts for an embedded configuration, want it ignored")
	}
}

// A damaged lock says nothing about launches, so nothing is started.
func TestDamagedLock(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": "version: 1\nservers: {a: {command: PROGRAM, args: [echo]}}\n", "mcpgen.lock": "<<<<<<< ours\n"})
	if _, err := live.Connect(t.Context()); err == nil || !strings.Contains(err.Error(), "mcpgen.lock: ") {
		t.Errorf("got %v", err)
	}
}

// An import that is not on this machine keeps the other servers from nothing, where its own
// are locked: the log names them.
func TestAbsentImport(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": "version: 1\nimport: [~/none/own.json]\nservers: {a: {command: PROGRAM, args: [echo], inherit_env: all}}\n"})
	var said strings.Builder
	opts := live.Options{Attach: attach.Options{Logger: slog.New(slog.NewTextHandler(&said, nil))}}
	if _, err := live.Open(t.Context(), opts); err == nil || !strings.Contains(err.Error(), "own.json") {
		t.Errorf("nothing is locked: got %v", err)
	}
	lock := lockfile.NewLock()
	lock.Servers["more"] = &lockfile.LockedServer{Source: lockfile.Source{Scope: lockfile.ScopeUser, File: "~/.config/none/own.json"}} // the folder of configurations is the home folder here
	if err := os.WriteFile("mcpgen.lock", lock.Encode(), 0o666); err != nil {
		t.Fatal(err)
	}
	host := openReady(t, opts)
	if all := host.Status(); len(all) != 1 || all[0].Server != "a" || !strings.Contains(said.String(), `server \"more\" is not attached: ~/.config/none/own.json is not on this machine`) {
		t.Errorf("status %v, log %s", all, said.String())
	}
}

// A host that requires a signature starts no server unless the lock of its folder is signed.
func TestRequireSignature(t *testing.T) {
	dir, keys := t.TempDir(), t.TempDir()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	signers := filepath.Join(keys, "signers.json")
	lock := lockfile.NewLock().Encode()
	for path, text := range map[string]string{
		filepath.Join(dir, "mcpgen.yaml"): "version: 1\n", filepath.Join(dir, "mcpgen.lock"): string(lock),
		signers: `{"signers": [{"name": "alice", "key": "` + provenance.PublicKey(key) + `"}]}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	try := func(o live.Options) error {
		o.Signers = signers
		host, err := live.Open(t.Context(), o)
		if err == nil {
			err = host.Close()
		}
		return err
	}
	file := filepath.Join(dir, "mcpgen.yaml")
	required, embedded := live.Options{File: file, RequireSignature: true}, live.Options{Config: []byte("version: 1\nrequire_signature: true\n"), Dir: dir}
	for _, o := range []live.Options{required, embedded} {
		var unsigned *provenance.Error
		if err := try(o); !errors.As(err, &unsigned) {
			t.Errorf("unsigned: %v", err)
		}
	}
	s := provenance.Statement{By: "alice", At: time.Now(), Subjects: map[string]string{"mcpgen.lock": provenance.Hash(lock)}}
	bundle, err := s.Sign(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(provenance.File(filepath.Join(dir, "mcpgen.lock"), provenance.PublicKey(key)), bundle, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []live.Options{required, embedded} {
		if err := try(o); err != nil {
			t.Errorf("signed: %v", err)
		}
	}
	for _, o := range []live.Options{{File: file, RequireSignature: true, Lock: lockfile.NewLock()}, {Config: embedded.Config}} {
		if err := try(o); err == nil || !strings.Contains(err.Error(), "no mcpgen.lock is read") {
			t.Errorf("no lock to verify: %v", err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "mcpgen.lock"), append(lock, ' '), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := try(required); err == nil {
		t.Error("another lock was accepted")
	}
	if err := os.Remove(filepath.Join(dir, "mcpgen.lock")); err != nil {
		t.Fatal(err)
	}
	if err := try(required); err == nil {
		t.Error("no lock was accepted")
	}
}
