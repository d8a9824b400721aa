//go:build release

package golden

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"go.yaml.in/yaml/v3"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/content/oci"
)

// released is what make release wrote.
var released = filepath.Join("..", "bin", "release")

// releaseFile returns the absolute path of the one file of the release that fits the pattern.
func releaseFile(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(released, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %d files, want one: run make release first (%v)", pattern, len(found), err)
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// releaseRun runs a program and returns its output, both streams together, and its exit code.
func releaseRun(t *testing.T, dir string, env []string, name string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(os.Environ(), env...), 5*time.Second
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", name, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// hostVersion runs the installed binary and requires the version of the checkout.
func hostVersion(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, code := releaseRun(t, t.TempDir(), nil, name, append(args, "version")...)
	words := strings.Fields(out)
	if code != 0 || len(words) != 4 || !regexp.MustCompile(`^v\d`).MatchString(words[1]) {
		t.Fatalf("mcpgen version: exit %d: %s", code, out)
	}
	return words[1]
}

// TestReleaseRepeats builds the release in a second clone, at another path and with an empty
// build cache: every file has the same bytes.
func TestReleaseRepeats(t *testing.T) {
	clone := filepath.Join(t.TempDir(), "clone")
	if out, code := releaseRun(t, "..", nil, "git", "clone", "-q", ".", clone); code != 0 {
		t.Fatal(out)
	}
	out, code := releaseRun(t, clone, []string{"GOCACHE=" + filepath.Join(t.TempDir(), "cache")}, filepath.Join(".ci", "release", "build"))
	if code != 0 {
		t.Fatal(out)
	}
	var sums [2]string
	for i, folder := range []string{released, filepath.Join(clone, "bin", "release")} {
		text, err := os.ReadFile(filepath.Join(folder, "checksums.txt"))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = string(text)
	}
	if diff := cmp.Diff(sums[0], sums[1]); diff != "" {
		t.Errorf("the second build differs (-first +second):\n%s", diff)
	}
}

// TestReleaseInstaller installs from a folder; a changed archive is refused and leaves nothing.
func TestReleaseInstaller(t *testing.T) {
	script := releaseFile(t, "install.sh")
	archive := releaseFile(t, fmt.Sprintf("mcpgen_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH))
	from, to := t.TempDir(), t.TempDir()
	for _, path := range []string{archive, releaseFile(t, "checksums.txt")} {
		copyReleased(t, path, from)
	}
	env := []string{"MCPGEN_URL=" + fileURL(from), "MCPGEN_DIR=" + to}
	if out, code := releaseRun(t, from, env, "sh", script); code != 0 || !strings.Contains(out, "installed mcpgen v") {
		t.Fatalf("exit %d: %s", code, out)
	}
	hostVersion(t, filepath.Join(to, "mcpgen"))

	file, err := os.OpenFile(filepath.Join(from, filepath.Base(archive)), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte{0}); err != nil {
		t.Fatal(err)
	}
	file.Close()
	empty := t.TempDir()
	out, code := releaseRun(t, from, []string{env[0], "MCPGEN_DIR=" + empty}, "sh", script)
	if code != 1 || !strings.Contains(out, "does not have the checksum of the release; nothing was installed") {
		t.Errorf("a changed archive: exit %d: %s", code, out)
	}
	if left, _ := os.ReadDir(empty); len(left) > 0 {
		t.Errorf("a changed archive leaves %v", left)
	}
	out, code = releaseRun(t, from, []string{"MCPGEN_URL=" + fileURL(empty), "MCPGEN_DIR=" + empty}, "sh", script)
	if code != 1 || !strings.Contains(out, "help: check MCPGEN_VERSION and the network") {
		t.Errorf("no release: exit %d: %s", code, out)
	}
}

func copyReleased(t *testing.T, path, folder string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, filepath.Base(path)), text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestReleaseNPM installs the npm packages without a network, and removes them. Exit codes and signals pass
// through the launcher.
func TestReleaseNPM(t *testing.T) {
	dir := t.TempDir()
	main, platform := releaseFile(t, "mcpgen-mcpgen-[0-9]*.tgz"), releaseFile(t, "mcpgen-mcpgen-"+runtime.GOOS+"-"+npmArch()+"-*.tgz")
	npm := func(args ...string) {
		t.Helper()
		if out, code := releaseRun(t, dir, nil, "npm", append(args, "--offline", "--no-audit", "--no-fund", "--prefix", dir)...); code != 0 {
			t.Fatal(out)
		}
	}
	npm("install", "--omit=optional", main)
	launcher := filepath.Join(dir, "node_modules", ".bin", "mcpgen")
	out, code := releaseRun(t, dir, nil, launcher, "version")
	if code != 2 || !strings.Contains(out, "help: install without --omit=optional") {
		t.Errorf("without the platform's package: exit %d: %s", code, out)
	}
	npm("install", main, platform)
	hostVersion(t, launcher)
	if out, code := releaseRun(t, dir, nil, launcher, "no-such-command"); code != 2 {
		t.Errorf("no such command: exit %d: %s", code, out)
	}

	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"board": map[string]string{"command": exampleServer(t, dir)}}})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "servers.json"), servers, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(launcher, "serve", "--mcp", "servers.json")
	cmd.Dir = dir
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("interrupted: %v, exit %d, want 130", err, code)
	}

	npm("uninstall", "@mcpgen/mcpgen", "@mcpgen/mcpgen-"+runtime.GOOS+"-"+npmArch())
	for _, folder := range []string{".bin", "@mcpgen"} {
		if left, _ := os.ReadDir(filepath.Join(dir, "node_modules", folder)); len(left) > 0 {
			t.Errorf("uninstall leaves %v in %s", left, folder)
		}
	}
}

// exampleServer builds the quickstart's server, which needs nothing beside itself, into a folder.
func exampleServer(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(folder, "server")
	build := exec.Command("go", "build", "-o", path, "../examples/quickstart/server")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// TestReleaseDebian comes in a new Debian root to a first typed result on each way: with the archive, the
// package, the npm packages, the image, and go get -tool through a module proxy made of files. It prints seconds
// and bytes. The first two ways have neither Go nor npm, and the package leaves nothing when it is removed.
func TestReleaseDebian(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("mmdebstrap makes roots on Linux alone")
	}
	folder := t.TempDir()
	for _, path := range []string{
		releaseFile(t, "mcpgen_"+runtime.GOARCH+".deb"), releaseFile(t, "install.sh"), releaseFile(t, "checksums.txt"),
		releaseFile(t, "mcpgen_linux_"+runtime.GOARCH+".tar.gz"), filepath.Join("testdata", "release", "debian.sh"),
		releaseFile(t, "mcpgen-mcpgen-[0-9]*.tgz"), releaseFile(t, "mcpgen-mcpgen-linux-"+npmArch()+"-*.tgz"),
	} {
		copyReleased(t, path, folder)
	}
	exampleServer(t, folder)
	toolchains(t, folder)
	_, layer := imageLayer(t)
	if err := os.WriteFile(filepath.Join(folder, "image.tar.gz"), layer, 0o644); err != nil {
		t.Fatal(err)
	}
	// A mirror's copy may be older than the date until which Debian signs for it.
	out, code := releaseRun(t, folder, nil, "mmdebstrap", "--quiet", "--variant=minbase", "--include=ca-certificates,curl,nodejs",
		`--aptopt=Acquire::Check-Valid-Until "false"`,
		`--customize-hook=copy-in "`+folder+`" /opt`, `--customize-hook=chroot "$1" sh -eux /opt/`+filepath.Base(folder)+`/debian.sh`,
		"stable", os.DevNull, "deb http://deb.debian.org/debian stable main")
	if code != 0 || !strings.Contains(out, "PASS debian") {
		t.Fatalf("exit %d: %s", code, out)
	}
	ways := 0
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "seconds:") {
			t.Log(strings.TrimSpace(line))
			ways++
		}
	}
	if ways != 5 {
		t.Errorf("%d ways came to a result, want 5", ways)
	}
}

// toolchains puts Go, a module proxy with this checkout, one with the modules that it requires, and npm
// into a folder.
func toolchains(t *testing.T, folder string) {
	t.Helper()
	writeProxy(t, filepath.Join(folder, "proxy"))
	cache := fileURL(filepath.Join(strings.TrimSpace(goCommand(t, "env", "GOMODCACHE")), "cache", "download"))
	env := []string{"GOMODCACHE=" + filepath.Join(folder, "modules"), "GOFLAGS=-modcacherw", "GOPROXY=" + cache + "," + strings.TrimSpace(goCommand(t, "env", "GOPROXY"))}
	for _, args := range [][]string{{"mod", "download"}, {"mod", "graph"}} {
		if out, code := releaseRun(t, "..", env, "go", args...); code != 0 {
			t.Fatal(out)
		}
	}
	npm, err := exec.LookPath("npm")
	if err == nil {
		npm, err = filepath.EvalSymlinks(npm) // npm/bin/npm-cli.js
	}
	if err = errors.Join(err, os.CopyFS(filepath.Join(folder, "npm"), os.DirFS(filepath.Dir(filepath.Dir(npm)))),
		os.CopyFS(filepath.Join(folder, "go"), os.DirFS(strings.TrimSpace(goCommand(t, "env", "GOROOT"))))); err != nil {
		t.Fatal(err)
	}
}

// npmArch returns what npm calls the architecture of this machine.
func npmArch() string { return strings.Replace(runtime.GOARCH, "amd64", "x64", 1) }

// imageLayer returns this machine's image: its tag and the bytes of its only layer.
func imageLayer(t *testing.T) (string, []byte) {
	t.Helper()
	ctx := t.Context()
	store, err := oci.NewFromTar(ctx, releaseFile(t, "mcpgen_image.tar"))
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(d ocispec.Descriptor, into any) {
		t.Helper()
		text, err := content.FetchAll(ctx, store, d)
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var tags []string
	if err := store.Tags(ctx, "", func(page []string) error { tags = append(tags, page...); return nil }); err != nil || len(tags) != 1 {
		t.Fatalf("tags %v, %v", tags, err)
	}
	root, err := store.Resolve(ctx, tags[0])
	if err != nil {
		t.Fatal(err)
	}
	var index ocispec.Index
	fetch(root, &index)
	debs, err := filepath.Glob(filepath.Join(released, "mcpgen_*.deb"))
	if err != nil || len(index.Manifests) != len(debs) {
		t.Errorf("%d images, %d Debian packages: %v", len(index.Manifests), len(debs), err)
	}
	at := slices.IndexFunc(index.Manifests, func(d ocispec.Descriptor) bool { return d.Platform.Architecture == runtime.GOARCH })
	if at < 0 {
		t.Fatalf("no image for %s", runtime.GOARCH)
	}
	var manifest ocispec.Manifest
	fetch(index.Manifests[at], &manifest)
	var config ocispec.Image
	fetch(manifest.Config, &config)
	if c := config.Config; c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/mcpgen"}) || len(manifest.Layers) != 1 {
		t.Fatalf("user %q, entrypoint %q, %d layers", c.User, c.Entrypoint, len(manifest.Layers))
	}
	packed, err := content.FetchAll(ctx, store, manifest.Layers[0])
	if err != nil {
		t.Fatal(err)
	}
	return tags[0], packed
}

// TestReleaseImage reads the image: every Linux platform of the release, and this machine's
// binary, which says its version.
func TestReleaseImage(t *testing.T) {
	tag, packed := imageLayer(t)
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	layer := tar.NewReader(z)
	names := map[string]bool{}
	binary := filepath.Join(t.TempDir(), "mcpgen")
	for {
		h, err := layer.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names[h.Name] = true
		if h.Name != "mcpgen" {
			continue
		}
		text, err := io.ReadAll(layer)
		if err == nil {
			err = os.WriteFile(binary, text, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"tmp/", "etc/ssl/certs/ca-certificates.crt", "licences/go.dev/LICENSE"} {
		if !names[name] {
			t.Errorf("the image has no %s", name)
		}
	}
	if got := hostVersion(t, binary); strings.TrimPrefix(got, "v") != tag {
		t.Errorf("the image %s has mcpgen %s", tag, got)
	}
}

// TestReleaseComponents compares the list of components with what the binary says of itself.
func TestReleaseComponents(t *testing.T) {
	var list struct {
		Components []struct{ Name, Version string }
	}
	text, err := os.ReadFile(releaseFile(t, "mcpgen.cdx.json"))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if out, code := releaseRun(t, dir, nil, "tar", "-xzf", releaseFile(t, fmt.Sprintf("mcpgen_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH))); code != 0 {
		t.Fatal(out)
	}
	out := goCommand(t, "version", "-m", filepath.Join(dir, "mcpgen"))
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "dep" {
			continue
		}
		if !slices.ContainsFunc(list.Components, func(c struct{ Name, Version string }) bool { return c.Name == words[1] && c.Version == words[2] }) {
			t.Errorf("%s %s is linked and no component", words[1], words[2])
		}
		licences, err := os.ReadDir(filepath.Join(dir, "licences", filepath.FromSlash(words[1])))
		if err != nil || len(licences) == 0 {
			t.Errorf("the archive has no licence of %s: %v", words[1], err)
		}
	}
}

// TestReleaseJobs runs the steps of action.yml and the hooks of .pre-commit-hooks.yaml as
// their files say, in an example: they pass, and fail once a generated file is stale.
func TestReleaseJobs(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(t.TempDir(), "project")
	if err := os.CopyFS(project, os.DirFS(filepath.Join(root, "examples", "quickstart"))); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module github.com/mcpgen/mcpgen/examples/quickstart\n\ngo 1.26\n\ntool github.com/mcpgen/mcpgen/cmd/mcpgen\n"} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				Name, Shell, Run string
				Env              map[string]string
			}
		}
	}
	readYAML(t, filepath.Join(root, "action.yml"), &action)
	temp := t.TempDir()
	pathFile := filepath.Join(temp, "path")
	expressions := strings.NewReplacer("${{ inputs.version }}", "v0.0.0", "${{ runner.temp }}", temp, "${{ inputs.args }}", action.Inputs["args"].Default)
	steps := func() (string, int) {
		for _, step := range action.Runs.Steps {
			env := []string{"GITHUB_ACTION_PATH=" + root, "GITHUB_PATH=" + pathFile, "MCPGEN_URL=" + fileURL(filepath.Dir(releaseFile(t, "install.sh"))), "PATH=" + withPath(t, pathFile)}
			for name, value := range step.Env {
				if value = expressions.Replace(value); strings.Contains(value, "${{") {
					t.Fatalf("%s: this test does not know %s", step.Name, value)
				}
				env = append(env, name+"="+value)
			}
			if out, code := releaseRun(t, project, env, step.Shell, "-e", "-o", "pipefail", "-c", step.Run); code != 0 {
				return out, code
			}
		}
		return "", 0
	}
	if out, code := steps(); code != 0 {
		t.Fatalf("the action: exit %d: %s", code, out)
	}
	var hooks []struct{ ID, Entry, Language string }
	readYAML(t, filepath.Join(root, ".pre-commit-hooks.yaml"), &hooks)
	if len(hooks) == 0 || hooks[0].Language != "system" {
		t.Fatalf("hooks: %+v", hooks)
	}
	hook := func() (string, int) {
		return releaseRun(t, project, []string{"PATH=" + withPath(t, pathFile)}, "sh", "-c", hooks[0].Entry)
	}
	if out, code := hook(); code != 0 {
		t.Errorf("%s: exit %d: %s", hooks[0].ID, code, out)
	}
	stale := filepath.Join(project, "internal", "mcp", "mcp.go")
	if err := os.WriteFile(stale, []byte("// Code generated by mcpgen. DO NOT EDIT.\n\npackage mcp\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for what, run := range map[string]func() (string, int){"action": steps, "hook": hook} {
		if out, code := run(); code != 1 || !strings.Contains(out, "mcp.go") {
			t.Errorf("stale output, %s: exit %d: %s", what, code, out)
		}
	}
}

func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// withPath returns PATH behind the folders that steps added to the file.
func withPath(t *testing.T, file string) string {
	t.Helper()
	added, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Join(append(strings.Fields(string(added)), os.Getenv("PATH")), string(filepath.ListSeparator))
}
