package artifact

import (
	"archive/zip"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/npmregistry"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// serverIn is a launch in a folder, with a home of its own.
func serverIn(root, words string, env ...endpoint.Var) endpoint.Server {
	parts := strings.Fields(words)
	return endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: parts[0], Args: parts[1:], Dir: root, Env: append([]endpoint.Var{
		{Name: "HOME", Value: filepath.Join(root, "home")}, {Name: "PATH", Value: filepath.Join(root, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH")},
	}, env...)}}
}

// prepared is what a launch becomes.
func prepared(t *testing.T, s endpoint.Server, p Plan) (endpoint.Process, lockfile.Artifact, error) {
	t.Helper()
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	launch := *r.Launch.(*endpoint.Process)
	ran, err := p.Prepare(t.Context(), s, &launch)
	return launch, ran, err
}

// wantMismatch fails unless an error is about other bytes, and says both.
func wantMismatch(t *testing.T, err error, was, now string) {
	t.Helper()
	m, ok := errors.AsType[*MismatchError](err)
	if !ok || m.Locked.Integrity != was || m.Now.Integrity != now || !strings.Contains(err.Error(), was) || !strings.Contains(err.Error(), now) {
		t.Errorf("got %v, want one with %s and %s", err, was, now)
	}
}

func skipWithoutNPM(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil || onWindows() {
		t.Skip("npm is not installed, or keeps its cache elsewhere")
	}
}

// What the registry gives is installed without its scripts, and they run once it is what
// was locked: then there is nothing left to ask for.
func TestPrepareNPM(t *testing.T) {
	skipWithoutNPM(t)
	good, evil := npmregistry.Server("fetched", "1.0.0", "good"), npmregistry.Server("fetched", "1.0.0", "evil")
	good.Scripts = map[string]string{"postinstall": "echo good >> $RAN"}
	evil.Scripts = map[string]string{"postinstall": "echo evil >> $RAN"}
	first, second := httptest.NewServer(npmregistry.Handler(good)), httptest.NewServer(npmregistry.Handler(evil))
	defer second.Close()
	root := writeTree(t, map[string]string{".npmrc": "registry=" + second.URL + "\nscript-shell=./planted.sh\n", "home/.keep": "", "node_modules/.bin/fetched@1.0.0": "planted"})
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "home", "cache"))
	ran := filepath.Join(root, "ran.txt")
	s := serverIn(root, "npx -y fetched@1.0.0 --flag", endpoint.Var{Name: "RAN", Value: ran}, endpoint.Var{Name: "npm_config_fetch_retries", Value: "0"})
	plan := Plan{Project: root, Locked: lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: "fetched", Version: "1.0.0", Integrity: good.Integrity()}}

	_, _, err := prepared(t, s, plan)
	wantMismatch(t, err, good.Integrity(), evil.Integrity())
	if _, err := os.Stat(ran); err == nil {
		t.Error("a script of the package ran, want none before it is compared")
	}
	own, _ := ownFolder(plan.Locked)
	if exists(own.folder) {
		t.Error("what was refused is left behind")
	}

	use := func(url string) {
		if err := os.WriteFile(filepath.Join(root, ".npmrc"), []byte("registry="+url+"\nscript-shell=./planted.sh\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// A registry that lies about its bytes is found out by npm.
	liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/-/") {
			npmregistry.Handler(evil).ServeHTTP(w, r)
			return
		}
		npmregistry.Handler(good).ServeHTTP(w, r)
	}))
	defer liar.Close()
	use(liar.URL)
	if _, _, err := prepared(t, s, plan); err == nil || !strings.Contains(err.Error(), "EINTEGRITY") || exists(ran) || exists(own.folder) {
		t.Errorf("got %v", err)
	}

	use(first.URL)
	r, now, err := prepared(t, s, plan)
	if err != nil || now != plan.Locked {
		t.Fatalf("got %+v, %v", now, err)
	}
	if r.Command != filepath.Join(own.folder, "node_modules", ".bin", "fetched") || !slices.Equal(r.Args, []string{"--flag"}) {
		t.Errorf("got %s %q, want the program in our own folder", r.Command, r.Args)
	}
	if text, _ := os.ReadFile(ran); string(text) != "good\n" {
		t.Errorf("scripts: got %q, want one run of the good one", text)
	}
	// A folder that was left half filled is filled again.
	if err := os.Remove(filepath.Join(own.folder, complete)); err != nil {
		t.Fatal(err)
	}
	if _, now, err := prepared(t, s, plan); err != nil || now != plan.Locked || !exists(own.folder, complete) {
		t.Errorf("got %+v, %v", now, err)
	}
	first.Close() // nobody is asked any more
	if _, now, err := prepared(t, s, plan); err != nil || now != plan.Locked {
		t.Errorf("got %+v, %v", now, err)
	}
}

// What npx has in its cache is compared, and run, without npm. A cache that the project's
// own .npmrc names is not asked.
func TestPrepareInstalled(t *testing.T) {
	if onWindows() {
		t.Skip("npm has its cache elsewhere on Windows")
	}
	const inCache = "/_npx/eb026b3f13ad0f2b/"
	lock := `{"packages": {"node_modules/@scope/server": {"version": "1.4.2", "integrity": "sha512-AAAA", "bin": {"server": "x.js"}}}}`
	files := func(cache string) map[string]string {
		return map[string]string{cache + inCache + "package-lock.json": lock, cache + inCache + "node_modules/@scope/server/package.json": "{}", cache + inCache + "node_modules/.bin/server": ""}
	}
	locked := lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: "@scope/server", Version: "1.4.2", Integrity: "sha512-AAAA"}
	root := writeTree(t, files("home/.npm"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "cache"))
	t.Setenv("npm_config_cache", "")
	s := serverIn(root, "npx -y @scope/server x")
	r, now, err := prepared(t, s, Plan{Project: root, Locked: locked})
	if err != nil || now != locked || r.Command != filepath.Join(root, "home/.npm"+inCache+"node_modules/.bin/server") || !slices.Equal(r.Args, []string{"x"}) {
		t.Errorf("got %s %q, %+v, %v", r.Command, r.Args, now, err)
	}
	other := locked
	other.Integrity = "sha512-BBBB"
	_, _, err = prepared(t, s, Plan{Project: root, Locked: other})
	wantMismatch(t, err, "sha512-BBBB", "sha512-AAAA")

	// So is a copy of the project's own, by what npm wrote beside it. One for the whole
	// machine has no checksum: npx runs it, in the locked version.
	root = writeTree(t, map[string]string{"node_modules/.package-lock.json": lock, "node_modules/@scope/server/package.json": "{}", "node_modules/.bin/server": ""})
	if r, now, err = prepared(t, serverIn(root, "npx -p @scope/server server x"), Plan{Project: root, Locked: locked}); err != nil || now != locked || r.Command != filepath.Join(root, "node_modules/.bin/server") || !slices.Equal(r.Args, []string{"x"}) {
		t.Errorf("got %s %q, %+v, %v", r.Command, r.Args, now, err)
	}
	root = writeTree(t, map[string]string{"bin/npx": "", "lib/node_modules/@scope/server/package.json": `{"version": "1.4.2"}`})
	if r, now, err = prepared(t, serverIn(root, "npx -y @scope/server x"), Plan{Project: root, Locked: locked}); err != nil || now != (lockfile.Artifact{}) || r.Command != "npx" || !slices.Equal(r.Args, []string{"-y", "@scope/server@1.4.2", "x"}) {
		t.Errorf("got %s %q, %+v, %v", r.Command, r.Args, now, err)
	}

	planted := files("planted")
	planted[".npmrc"] = "cache=$ROOT/planted\n"
	planted["bin/npm"] = "#!/bin/sh\necho asked >&2; exit 1\n"
	root = writeTree(t, planted)
	if err := os.Chmod(filepath.Join(root, "bin/npm"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err = prepared(t, serverIn(root, "npx -y @scope/server x"), Plan{Project: root, Locked: locked}); err == nil || !strings.Contains(err.Error(), "asked") {
		t.Errorf("got %v, want npm to be asked", err)
	}
}

// A module is downloaded before it is built: go keeps the checksum.
func TestPrepareGo(t *testing.T) {
	root := t.TempDir()
	proxy := filepath.Join(root, "proxy", "example.com", "tool", "@v")
	if err := os.MkdirAll(proxy, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		for name, data := range map[string]string{"v1.0.0.mod": "module example.com/tool\n", "v1.0.0.info": `{"Version":"v1.0.0"}`, "list": "v1.0.0\n"} {
			if err := os.WriteFile(filepath.Join(proxy, name), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		file, err := os.Create(filepath.Join(proxy, "v1.0.0.zip"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		archive := zip.NewWriter(file)
		for name, text := range map[string]string{"go.mod": "module example.com/tool\n", "main.go": text} {
			w, err := archive.Create("example.com/tool@v1.0.0/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
	}
	in := func(cache, pkg string) endpoint.Server {
		return serverIn(root, "go run "+pkg, endpoint.Var{Name: "GOMODCACHE", Value: filepath.Join(root, cache)}, endpoint.Var{Name: "GOPROXY", Value: "file://" + filepath.ToSlash(filepath.Join(root, "proxy"))},
			endpoint.Var{Name: "GOSUMDB", Value: "off"}, endpoint.Var{Name: "GOFLAGS", Value: "-modcacherw"})
	}
	write("package main\n\nfunc main() {}\n")
	unknown := Plan{Project: root, Locked: lockfile.Artifact{Kind: lockfile.ArtifactGo, Name: "example.com/tool", Version: "v1.0.0", Integrity: sum}}
	_, _, err := prepared(t, in("first", "example.com/tool@v1.0.0"), unknown)
	m, ok := errors.AsType[*MismatchError](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	plan := Plan{Project: root, Locked: m.Now}
	r, now, err := prepared(t, in("first", "example.com/tool@latest"), plan)
	if err != nil || now != plan.Locked || !slices.Equal(r.Args, []string{"run", "example.com/tool@v1.0.0"}) {
		t.Errorf("got %q, %+v, %v", r.Args, now, err)
	}
	plan.Newest = true
	if _, now, err := prepared(t, in("second", "example.com/tool@latest"), plan); err != nil || now != plan.Locked {
		t.Errorf("got %+v, %v", now, err)
	}
	write("package main\n\nfunc main() { println() }\n")
	_, now, err = prepared(t, in("third", "example.com/tool@v1.0.0"), plan)
	if m, ok := errors.AsType[*MismatchError](err); !ok || m.Locked != plan.Locked || m.Now.Version != "v1.0.0" {
		t.Errorf("got %+v, %v", now, err)
	}
}

// standIn writes a program that answers as the script says.
func standIn(t *testing.T, root, name, script string) {
	t.Helper()
	file := filepath.Join(root, "bin", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// An image runs by its digest. Who looks at what a tag stands for now asks docker.
func TestPrepareImage(t *testing.T) {
	if onWindows() {
		t.Skip("the stand-in of docker is a script of a shell")
	}
	root := t.TempDir()
	one, two := "sha256:"+strings.Repeat("1", 64), "sha256:"+strings.Repeat("2", 64)
	standIn(t, root, "docker", `case "$1" in
pull) touch "$0.pulled";;
image) test -e "$0.pulled" && echo '["other@`+two+`","docker.io/a/b@`+two+`"]';;
esac
`)
	locked := lockfile.Artifact{Kind: lockfile.ArtifactImage, Name: "a/b", Version: "1", Integrity: one}
	s := serverIn(root, "docker run -i --rm a/b:1 x")
	if got := Of(s, root); got != (lockfile.Artifact{}) {
		t.Errorf("an image that is not here: got %+v", got)
	}
	r, now, err := prepared(t, s, Plan{Locked: locked})
	if err != nil || now != locked || !slices.Equal(r.Args, []string{"run", "-i", "--rm", "a/b@" + one, "x"}) {
		t.Errorf("got %q, %+v, %v", r.Args, now, err)
	}
	_, _, err = prepared(t, s, Plan{Locked: locked, Newest: true})
	wantMismatch(t, err, one, two)
	now.Integrity = two
	if got := Of(s, root); got != now {
		t.Errorf("got %+v, want %+v", got, now)
	}
	// A tag that is no version may stand for another image.
	locked.Version = "latest"
	r, now, err = prepared(t, serverIn(root, "docker run -i a/b:latest"), Plan{Locked: locked, Newest: true})
	if err != nil || now.Integrity != two || !slices.Equal(r.Args, []string{"run", "-i", "a/b@" + two}) {
		t.Errorf("got %q, %+v, %v", r.Args, now, err)
	}
}

// A release of a Python package is known by all its files, as the index has them.
func TestPreparePython(t *testing.T) {
	if onWindows() {
		t.Skip("the stand-in of uv is a script of a shell")
	}
	root := t.TempDir()
	hash := strings.Repeat("a", 64)
	standIn(t, root, "uv", `test "$(cat)" = fetched==1.0 || exit 1
test "$*" = "pip compile --quiet --no-deps --no-header --generate-hashes --index-url http://x -" || exit 2
printf 'fetched==1.0 \\\n    --hash=sha256:%s \\\n    --hash=sha256:%s\n' "$(cat "$0.hash")" `+strings.Repeat("b", 64)+"\n")
	answer := func(hash string) {
		if err := os.WriteFile(filepath.Join(root, "bin", "uv.hash"), []byte(hash), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	answer(hash)
	s := serverIn(root, "uvx --index-url http://x --from fetched==1.0 fetched-server")
	locked := Of(s, root)
	if locked.Kind != lockfile.ArtifactPython || locked.Name != "fetched" || locked.Version != "1.0" {
		t.Fatalf("got %+v", locked)
	}
	if _, now, err := prepared(t, s, Plan{Locked: locked}); err != nil || now != locked {
		t.Errorf("got %+v, %v", now, err)
	}
	answer(strings.Repeat("c", 64))
	if _, _, err := prepared(t, s, Plan{Locked: locked}); err == nil {
		t.Error("other files of the release: got no error")
	}
	if _, _, err := prepared(t, s, Plan{Locked: locked, Accepted: true}); err != nil {
		t.Error(err)
	}
	if got := Of(serverIn(root, "uvx fetched"), root); got != (lockfile.Artifact{}) {
		t.Errorf("without a version: got %+v, want nothing", got)
	}
}

// The wheel that pipx installs is downloaded once, into a folder of our own.
func TestPreparePipx(t *testing.T) {
	if onWindows() {
		t.Skip("the stand-in of python3 is a script of a shell")
	}
	root := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "cache"))
	standIn(t, root, "python3", `case "$3" in
install) echo '{"install": [{"download_info": {"archive_info": {"hashes": {"sha256": "'$(sha256sum < "$0.wheel" | cut -c1-64)'"}}}}]}';;
download) while test "$1" != --dest; do shift; done; mkdir -p "$2"; cp "$0.wheel" "$2/fetched-1.0-py3-none-any.whl"; echo >> "$0.downloads";;
esac
`)
	wheel := func(text string) {
		if err := os.WriteFile(filepath.Join(root, "bin", "python3.wheel"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	wheel("good")
	s := serverIn(root, "pipx run --python 3.12 --spec fetched[all]==1.0 fetched-server x")
	locked := Of(s, root)
	if locked.Integrity == "" {
		t.Fatal("nothing is known of the release")
	}
	wheel("evil")
	_, _, err := prepared(t, s, Plan{Locked: locked})
	if m, ok := errors.AsType[*MismatchError](err); !ok || m.Now.Version != "1.0" {
		t.Errorf("got %v", err)
	}
	wheel("good")
	own, _ := ownFolder(locked)
	file := filepath.Join(own.folder, "fetched-1.0-py3-none-any.whl")
	for words, want := range map[string][]string{
		"pipx run --python 3.12 --spec fetched[all]==1.0 fetched-server x": {"run", "--python", "3.12", "--spec", file + "[all]", "fetched-server", "x"},
		"pipx run fetched==1.0 x": {"run", "--spec", file, "fetched", "x"},
	} {
		if r, now, err := prepared(t, serverIn(root, words), Plan{Locked: locked}); err != nil || now != locked || !slices.Equal(r.Args, want) {
			t.Errorf("%s: got %q, %+v, %v", words, r.Args, now, err)
		}
	}
	if got, _ := os.ReadFile(filepath.Join(root, "bin", "python3.downloads")); string(got) != "\n\n" {
		t.Errorf("%d downloads, want one of each wheel", len(got))
	}
}

// A run that is interrupted ends with its cause, and leaves nothing behind.
func TestPrepareInterrupted(t *testing.T) {
	if onWindows() {
		t.Skip("the stand-in of npm is a script of a shell")
	}
	root := t.TempDir()
	standIn(t, root, "npm", "sleep 60\n")
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "cache"))
	s := serverIn(root, "npx -y fetched@1.0.0")
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	locked := lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: "fetched", Version: "1.0.0", Integrity: "sha512-AAAA"}
	if _, err := (Plan{Locked: locked}).Prepare(ctx, s, r.Launch.(*endpoint.Process)); !errors.Is(err, gone) && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if own, _ := ownFolder(locked); exists(own.folder) {
		t.Error("a half filled folder is left")
	}
}

// A lock that was edited by hand, so that its artifact is not what the launch names, lets
// nothing run.
func TestPrepareEditedLock(t *testing.T) {
	npm := lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: "fetched", Version: "1.0.0", Integrity: "sha512-AAAA"}
	edit := func(a lockfile.Artifact, change func(*lockfile.Artifact)) lockfile.Artifact {
		change(&a)
		return a
	}
	one := "sha256:" + strings.Repeat("1", 64)
	for words, locked := range map[string][]lockfile.Artifact{
		"npx -y fetched@1.0.0": {
			edit(npm, func(a *lockfile.Artifact) { a.Version = "0.9.0" }), edit(npm, func(a *lockfile.Artifact) { a.Name = "other" }),
			edit(npm, func(a *lockfile.Artifact) { a.Integrity = "" }), edit(npm, func(a *lockfile.Artifact) { a.Kind = lockfile.ArtifactFile }),
		},
		"go run example.com/x/cmd@v1.0.0": {{Kind: lockfile.ArtifactGo, Name: "example.com/x", Version: "v0.9.0", Integrity: sum}, {Kind: lockfile.ArtifactGo, Name: "example.com/y", Version: "v1.0.0", Integrity: sum}},
		"docker run a/b:1":                {{Kind: lockfile.ArtifactImage, Name: "a/c", Version: "1", Integrity: one}, {Kind: lockfile.ArtifactImage, Name: "a/b", Version: "2", Integrity: one}},
		"docker run a/b@" + one:           {{Kind: lockfile.ArtifactImage, Name: "a/b", Integrity: "sha256:" + strings.Repeat("2", 64)}},
		"uvx fetched==1.0":                {{Kind: lockfile.ArtifactPython, Name: "fetched", Version: "0.9", Integrity: one}},
	} {
		for _, a := range locked {
			_, _, err := prepared(t, serverIn(t.TempDir(), words), Plan{Locked: a})
			if _, ok := errors.AsType[*MismatchError](err); !ok {
				t.Errorf("%s with %+v: got %v", words, a, err)
			}
		}
	}
}
