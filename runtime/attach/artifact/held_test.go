package artifact

import (
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/npmregistry"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// heldIn is a launch that is held to the lock.
func heldIn(root, words string, scripts ...string) endpoint.Server {
	s := serverIn(root, words, endpoint.Var{Name: "RAN", Value: filepath.Join(root, "ran.txt")}, endpoint.Var{Name: "npm_config_fetch_retries", Value: "0"})
	p := s.Launch.(*endpoint.Process)
	p.Locked, p.Scripts = true, scripts
	return s
}

// library is a package that is no server, with an install script that says that it ran.
func library(name, version, text string, os ...string) npmregistry.Package {
	return npmregistry.Package{Name: name, Version: version, Files: map[string]string{"index.js": text}, OS: os,
		Scripts: map[string]string{"postinstall": "echo " + name + " >> $RAN"}}
}

// The whole tree is locked, with the packages of other systems. Of install scripts those run
// that are allowed, and what is locked runs when the registry has something newer.
func TestHeldTree(t *testing.T) {
	skipWithoutNPM(t)
	server := npmregistry.Server("fetched", "1.0.0", "good")
	server.Dependencies = map[string]string{"deep": "^1.0.0", "other": "*"}
	server.Optional = map[string]string{"for-plan9": "*", "for-here": "*"}
	packages := []npmregistry.Package{server, library("deep", "1.0.0", "one"), library("other", "2.0.0", "x"),
		library("for-plan9", "1.0.0", "x", "plan9"), library("for-here", "1.0.0", "x", "linux", "darwin")}
	registry := httptest.NewServer(npmregistry.Handler(packages...))
	defer registry.Close()
	root := writeTree(t, map[string]string{".npmrc": "registry=" + registry.URL + "\n", "home/.keep": "", "mcp/fetched/.keep": ""})
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "home", "cache"))
	s := heldIn(root, "npx -y fetched@1.0.0 --flag", "deep")
	plan := Plan{Project: root, Output: filepath.Join(root, "mcp")}

	if _, _, err := prepared(t, s, plan); !errors.Is(err, ErrHeld) {
		t.Errorf("nothing is locked: got %v", err)
	}
	plan.Newest = true
	r, ran, err := prepared(t, s, plan)
	if err != nil || ran.Tree == "" || ran.Integrity != server.Integrity() || !slices.Equal(r.Args, []string{"--flag"}) {
		t.Fatalf("got %+v, %v", ran, err)
	}
	tree, err := Tree(s, ran)
	if err != nil || lockfile.TextHash(string(tree)) != ran.Tree || strings.Contains(string(tree), registry.URL) {
		t.Fatalf("%v, a tree of another hash, or one that names the registry:\n%s", err, tree)
	}
	read, err := ReadTree(tree)
	var names []string
	for _, p := range read {
		names = append(names, p.Name)
	}
	if want := []string{"deep", "fetched", "for-here", "for-plan9", "other"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("got %v, %v, want %v", names, err, want)
	}
	modules := filepath.Dir(filepath.Dir(r.Command))
	if exists(modules, "for-plan9") || !exists(modules, "for-here") {
		t.Error("optional packages: want those of this system")
	}
	if text, _ := os.ReadFile(filepath.Join(root, "ran.txt")); string(text) != "deep\n" {
		t.Errorf("install scripts: got %q, want that of deep alone", text)
	}

	// Elsewhere, from nothing but the lock and the file beside the generated code.
	if err := os.WriteFile(filepath.Join(root, "mcp", "fetched", TreeFile), tree, 0o600); err != nil {
		t.Fatal(err)
	}
	newer := httptest.NewServer(npmregistry.Handler(append(packages, library("deep", "1.1.0", "two"))...))
	defer newer.Close()
	elsewhere := func(url string) Plan {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		if err := os.WriteFile(filepath.Join(root, ".npmrc"), []byte("registry="+url+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return Plan{Project: root, Output: plan.Output, Locked: ran}
	}
	there := elsewhere(newer.URL)
	r, now, err := prepared(t, s, there)
	if err != nil || now != ran {
		t.Fatalf("got %+v, %v", now, err)
	}
	if text, _ := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(r.Command)), "deep", "index.js")); string(text) != "one" {
		t.Errorf("got %q of the dependency, want the locked one", text)
	}

	// Other bytes of a dependency are refused by name, with both checksums.
	evil := slices.Clone(packages)
	evil[1] = library("deep", "1.0.0", "evil")
	third := httptest.NewServer(npmregistry.Handler(evil...))
	defer third.Close()
	there = elsewhere(third.URL)
	_, _, err = prepared(t, s, there)
	wantMismatch(t, err, packages[1].Integrity(), evil[1].Integrity())

	// A tree of another hash is none, save for a command that locks what there is.
	if err := os.WriteFile(filepath.Join(root, "mcp", "fetched", TreeFile), append(tree, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := prepared(t, s, there); !errors.Is(err, ErrHeld) {
		t.Errorf("a tree that was edited: got %v", err)
	}
	there = elsewhere(registry.URL)
	there.Newest = true
	if _, now, err := prepared(t, s, there); err != nil || now.Tree == "" || now.Version != ran.Version {
		t.Errorf("update, where the tree is lost: got %+v, %v", now, err)
	}
}

// Every package of a tree has a checksum, and is fetched by it.
func TestReadTree(t *testing.T) {
	for name, test := range map[string]struct{ packages, want string }{
		"one":           {`"": {}, "node_modules/a": {"version": "1.0.0", "integrity": "sha512-AAAA"}`, "a"},
		"nested":        {`"node_modules/a/node_modules/@s/b": {"version": "1.0.0", "integrity": "sha512-AAAA"}`, "@s/b"},
		"alias":         {`"node_modules/a": {"name": "b", "version": "1.0.0", "integrity": "sha512-AAAA"}`, "b"},
		"bundled":       {`"node_modules/a/node_modules/b": {"version": "1.0.0", "inBundle": true}`, ""},
		"no checksum":   {`"node_modules/a": {"version": "1.0.0"}`, "error"},
		"git":           {`"node_modules/a": {"resolved": "git+ssh://git@example.com/a.git#1", "integrity": "sha512-AAAA"}`, "error"},
		"a file":        {`"node_modules/a": {"resolved": "file:../a.tgz", "integrity": "sha512-AAAA"}`, "error"},
		"a link":        {`"node_modules/a": {"link": true, "integrity": "sha512-AAAA"}`, "error"},
		"a workspace":   {`"x": {"version": "1.0.0", "integrity": "sha512-AAAA"}`, "error"},
		"no object":     {`"node_modules/a": 1`, "error"},
		"not integrity": {`"node_modules/a": {"integrity": "-"}`, "error"},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := ReadTree([]byte(`{"packages": {` + test.packages + `}}`))
			got := ""
			for _, p := range all {
				got += p.Name
			}
			if err != nil {
				got = "error"
			}
			if got != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
}

// A program is held to its hash for this system; what starts another program cannot be.
func TestHeldProgram(t *testing.T) {
	if onWindows() {
		t.Skip("programs are scripts here")
	}
	root := writeTree(t, map[string]string{"bin/prog": "#!/bin/sh\n", "server.py": "print()", "home/.keep": ""})
	if err := os.Chmod(filepath.Join(root, "bin", "prog"), 0o700); err != nil {
		t.Fatal(err)
	}
	const wasHere, other = "#!/bin/sh\n", "plan9/arm"
	locked := func(name, text string) lockfile.Artifact {
		return lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: name, Systems: lockfile.Hashes("").With(thisSystem, lockfile.TextHash(text)).With(other, lockfile.TextHash("x"))}
	}
	for words, want := range map[string]lockfile.Artifact{"./bin/prog x": locked("bin/prog", wasHere), "prog --flag": locked("prog", wasHere), "prog server.py": locked("prog", wasHere), "python3 server.py": locked("server.py", "print()"), "python3.12 server.py x": locked("server.py", "print()")} {
		plan := Plan{Project: root, Locked: want}
		if _, ran, err := prepared(t, heldIn(root, words), plan); err != nil || want.Join(ran) != want || ran.Systems.Of(other) != "" {
			t.Errorf("%s: got %+v, %v", words, ran, err)
		}
		plan.Locked = locked(want.Name, "something else")
		if _, _, err := prepared(t, heldIn(root, words), plan); err == nil || !strings.Contains(err.Error(), "has another checksum") {
			t.Errorf("%s: other bytes: got %v", words, err)
		}
		plan.Locked.Systems = lockfile.Hashes("").With(other, lockfile.TextHash("x"))
		for _, plan.Newest = range []bool{false, true} {
			if _, _, err := prepared(t, heldIn(root, words), plan); err == nil || !strings.Contains(err.Error(), "is new on") {
				t.Errorf("%s: not locked on this system: got %v", words, err)
			}
		}
		plan.Accepted = true
		if _, ran, err := prepared(t, heldIn(root, words), plan); err != nil || ran.Systems.Of(thisSystem) == "" {
			t.Errorf("%s: to be locked: got %+v, %v", words, ran, err)
		}
	}
	// A lock that was edited by hand names something of another kind.
	edited := Plan{Project: root, Locked: lockfile.Artifact{Kind: lockfile.ArtifactGo, Name: "x", Version: "v1", Integrity: "h1:x"}}
	if _, _, err := prepared(t, heldIn(root, "prog"), edited); err == nil {
		t.Error("a program ran that the lock has as a module")
	}
	for _, words := range []string{"python3 -m server", "sh -c x", "env prog", "make run", "uvx thing", "python3 -u server.py", "python3.12 -m server", "java -jar x.jar", "npm start", "npx -p a -p b c", "nosuch"} {
		if _, _, err := prepared(t, heldIn(root, words), Plan{Project: root, Newest: true}); !errors.Is(err, ErrHeld) {
			t.Errorf("%s: got %v, want that it cannot be held", words, err)
		}
	}
}

// A tree is somebody's file: what it says is refused, or every package has a name and a
// checksum.
func FuzzReadTree(f *testing.F) {
	f.Add([]byte(`{"packages": {"": {}, "node_modules/a": {"version": "1.0.0", "integrity": "sha512-AAAA"}, "x": {"inBundle": true}}}`))
	f.Fuzz(func(t *testing.T, tree []byte) {
		all, err := ReadTree(tree)
		for _, p := range all {
			if err != nil || p.Name == "" || !npmIntegrity().MatchString(p.Integrity) {
				t.Errorf("%+v, %v", p, err)
			}
		}
	})
}
