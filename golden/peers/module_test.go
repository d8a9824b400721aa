//go:build peers

package peers

// The temporary module that mcpgen generates into, and the walk through it:
// generate, build, vet, call, compare, generate again without the server.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// module is a Go module outside the checkout that uses it.
type module struct {
	t       *testing.T
	dir     string
	program string   // the folder in testdata that holds the program, and the server's name
	env     []string // for the program
	gone    func()   // makes the server unreachable
}

// newModule makes a module with a program that reports what calls return.
func newModule(t *testing.T, program string) *module {
	t.Helper()
	m := bareModule(t, program)
	m.write("report.go", read(t, filepath.Join("testdata", "report.go")))
	return m
}

// bareModule makes a module that requires this checkout, and has mcpgen as a
// tool. Its requirements are the checkout's, so nothing has to be looked up.
func bareModule(t *testing.T, program string) *module {
	t.Helper()
	m := emptyModule(t)
	m.program = program
	source, err := filepath.Glob(filepath.Join("testdata", program, "*.go"))
	if err != nil || len(source) == 0 {
		t.Fatalf("no program in testdata/%s: %v", program, err)
	}
	for _, file := range source {
		m.write(filepath.Base(file), read(t, file))
	}
	return m
}

// emptyModule is bareModule without a program.
func emptyModule(t *testing.T) *module {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &module{t: t, dir: dir, env: os.Environ(), gone: func() {}}
	gomod := read(t, filepath.Join(checkout, "go.mod"))
	gomod = strings.Replace(gomod, "module github.com/mcpgen/mcpgen", "module example.com/peertest", 1)
	gomod = regexp.MustCompile(`(?m)^tool .*$`).ReplaceAllString(gomod, "")
	gomod += "\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => " + checkout +
		"\n\ntool github.com/mcpgen/mcpgen/cmd/mcpgen\n"
	m.write("go.mod", gomod)
	m.write("go.sum", read(t, filepath.Join(checkout, "go.sum")))
	return m
}

func (m *module) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// configure writes mcpgen.yaml with one server and the given members.
func (m *module) configure(members ...string) {
	m.t.Helper()
	text := "version: 1\noutput: internal/mcp\nservers:\n  " + m.program + ":\n"
	for _, member := range members {
		text += "    " + member + "\n"
	}
	m.write("mcpgen.yaml", text)
}

// link puts a peer's program into the module's bin folder. It is gone when the
// link is.
func (m *module) link(name string) {
	m.t.Helper()
	path := filepath.Join(m.dir, "bin", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Symlink(bin(name), path); err != nil {
		m.t.Fatal(err)
	}
	m.gone = func() {
		if err := os.Remove(path); err != nil {
			m.t.Fatal(err)
		}
	}
}

// sample makes a folder of files for the filesystem server.
func (m *module) sample() string {
	m.t.Helper()
	m.write("sample/hello.txt", "hello, wörld\n")
	m.write("sample/lines.txt", "one\ntwo\nthree\n")
	m.write("sample/sub/deep.md", "# deep\n")
	return filepath.Join(m.dir, "sample")
}

// do runs a program in the module and returns what it wrote to standard
// output. Any other exit code than 0 fails the test.
func (m *module) do(name string, args ...string) string {
	m.t.Helper()
	cmd := exec.Command(name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = m.dir, &stdout, &stderr
	cmd.Env = m.environment()
	if err := cmd.Run(); err != nil {
		m.t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// environment is that of all programs that a test runs in the module.
func (m *module) environment() []string {
	return append(m.env[:len(m.env):len(m.env)], "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local")
}

// run is the whole walk. The program's calls are compared with those of the
// untyped session, one by one.
func (m *module) run(calls []call, untyped *mcp.ClientSession) {
	t := m.t
	t.Helper()
	m.do(mcpgen, "generate")
	m.do("go", "build", "./...")
	m.do("go", "vet", "./...")
	if out := m.do("gofmt", "-l", "internal"); out != "" {
		t.Errorf("not formatted:\n%s", out)
	}
	compare(t, calls, untyped, m.do("go", "run", "."))

	m.gone()
	before := tree(t, m.dir)
	m.do(mcpgen, "generate")
	m.do("go", "generate", "./...")
	m.do(mcpgen, "generate", "--check")
	if diff := cmp.Diff(before, tree(t, m.dir)); diff != "" {
		t.Errorf("the second generate touched files:\n%s", diff)
	}
}

// compare checks each line that the program printed against the same call made
// with the SDK.
func compare(t *testing.T, calls []call, untyped *mcp.ClientSession, output string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
	if len(lines) != len(calls) {
		t.Fatalf("%d calls, the program printed %d lines:\n%s", len(calls), len(lines), output)
	}
	declared := outputs(t, untyped)
	for i, c := range calls {
		t.Run(fmt.Sprintf("%d-%s", i, c.tool), func(t *testing.T) {
			var got any
			if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
				t.Fatalf("%v: %s", err, lines[i])
			}
			want := untypedCall(t, untyped, c, declared[c.tool])
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("typed and untyped differ (-untyped +typed):\n%s", diff)
			}
		})
	}
}

// file is what must not change when nothing has to be done.
type file struct {
	Modified int64
	Content  string
}

// tree returns every file below dir with its time and content.
func tree(t *testing.T, dir string) map[string]file {
	t.Helper()
	files := map[string]file{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = file{info.ModTime().UnixNano(), string(data)}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string always marshals
	return string(b)
}
