package golden

// README and the pages of examples/guide are run, one after the other in one module.
// Each of their blocks in a language stands below a comment that says what the test
// does with it:
//
//	<!-- test: run -->         run it as typed, in the folder the last one ended in
//	<!-- test: run "TEXT" -->  and it prints that line, and nothing else, to standard output
//	<!-- test: output -->      what the last run printed to standard output
//	<!-- test: file NAME -->   write it to that file
//	<!-- test: file NAME of FILE --> also, each function but main stands in FILE of the checkout, which is tested
//	<!-- test: config -->      it has to be a valid configuration
//	<!-- test: session FILE --> its commands stand in that script, beside the page
//	<!-- test: excerpt FILE --> it stands in that file of the checkout, which is tested; a line … leaves some out
//
// "go get" finds this checkout and the adapter anthropic as version v0.1.0 in a module
// proxy made of files, everything else in the module cache, and what the framework of the
// adapter requires in the module proxy. Npx is a stand-in that serves the recorded tools of
// server-everything.

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
)

// readme is where the pages begin, and guide the folder of the others.
var (
	readme = filepath.Join("..", "README.md")
	guide  = filepath.Join("..", "examples", "guide")
)

// block is a fenced block of a page, or a table, below a test comment.
type block struct {
	path       string
	line       int
	test, name string // "run", ""; "file", "main.go"
	language   string
	text       string
}

var marker = regexp.MustCompile(`^<!-- test: (\w+) ?(.*?) -->$`)

// readBlocks reads the marked blocks of a markdown file. A block in a language
// that could be run has to be marked.
func readBlocks(t *testing.T, path string) []block {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var found []block
	var next block
	lines := strings.Split(string(data), "\n")
	for i := 0; i < len(lines); i++ {
		if m := marker.FindStringSubmatch(lines[i]); m != nil {
			next = block{path: path, test: m[1], name: m[2]}
			continue
		}
		fence, fenced := strings.CutPrefix(lines[i], "```")
		switch {
		case fenced:
			start := i + 1
			for i++; i < len(lines) && lines[i] != "```"; i++ {
			}
			next.line, next.language, next.text = start, fence, strings.Join(lines[start:i], "\n")+"\n"
			if next.test == "" && fence != "" {
				t.Errorf("%s:%d: a block of %s without a test comment", path, start, fence)
			}
		case next.test != "" && strings.HasPrefix(lines[i], "|"):
			start := i
			for i < len(lines) && strings.HasPrefix(lines[i], "|") {
				i++
			}
			next.line, next.text = start+1, strings.Join(lines[start:i], "\n")
		default:
			continue
		}
		if next.test != "" {
			found = append(found, next)
		}
		next = block{}
	}
	return found
}

func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command from an empty module: make test-install runs it")
	}
	shell := newShell(t)
	for _, page := range pages(t) {
		shell.page(page)
	}
	policyDenies(t, shell)
}

// pages returns README and the pages of the guide.
func pages(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(guide, "*.md"))
	if err != nil || len(all) < 8 {
		t.Fatalf("the guide has the pages %q, %v", all, err)
	}
	return append([]string{readme}, all...)
}

// What the pages quote stands in the files that they name.
func TestQuotesOfPages(t *testing.T) {
	for _, page := range pages(t) {
		for _, b := range readBlocks(t, page) {
			switch b.test {
			case "session":
				checkSession(t, b)
			case "excerpt":
				checkExcerpt(t, b)
			}
		}
	}
}

// A page answers one question: 900 words at most, and all of them 9,000. What is
// generated or a block of code does not count.
func TestGuideIsShort(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(guide, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	generated := regexp.MustCompile("(?ms)^```.*?^```|<!--.*?-->|\\]\\([^)]*\\)")
	total := 0
	for _, page := range append(pages, filepath.Join(guide, "reference", "mcpgen.lock.md")) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		n := len(regexp.MustCompile(`\S*\w\S*`).FindAll(generated.ReplaceAll(data, nil), -1))
		if total += n; n > 900 {
			t.Errorf("%s has %d words", page, n)
		}
	}
	if total > 9000 {
		t.Errorf("the guide has %d words", total)
	}
}

// Every message on the page of troubleshooting is one of the program's.
func TestMessagesOfGuide(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(guide, "troubleshooting.md"))
	if err != nil {
		t.Fatal(err)
	}
	var source bytes.Buffer
	for _, dir := range []string{"cmd", "generator", "internal", "runtime", "schema"} {
		err := filepath.WalkDir(filepath.Join("..", dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			source.Write(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	rows := regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllSubmatch(page, -1)
	if len(rows) < 25 {
		t.Fatalf("the page has %d messages", len(rows))
	}
	for _, row := range rows {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllSubmatch(row[1], -1) {
			text := strings.TrimSuffix(strings.TrimPrefix(string(m[1]), "codec."), "mcpgen.lock")
			if !bytes.Contains(source.Bytes(), []byte(text)) {
				t.Errorf("no message has the words %q", text)
			}
		}
	}
}

// Every link of README and the guide leads to a file, and to a heading of it.
func TestLinks(t *testing.T) {
	for _, pattern := range []string{readme, filepath.Join(guide, "*.md"), filepath.Join(guide, "reference", "*.md"), filepath.Join("..", "*.md")} {
		pages, err := filepath.Glob(pattern)
		if err != nil || len(pages) == 0 {
			t.Fatalf("%s: %d pages, %v", pattern, len(pages), err)
		}
		for _, page := range pages {
			checkLinks(t, page)
		}
	}
}

// page runs the blocks of a page.
func (s *shell) page(path string) {
	s.t.Helper()
	var output string
	for _, b := range readBlocks(s.t, path) {
		switch b.test {
		case "run":
			output = s.run(b)
			if b.name != "" && strconv.Quote(strings.TrimSpace(output)) != b.name {
				s.t.Errorf("%s: it printed %q", b, output)
			}
		case "output":
			if diff := cmp.Diff(b.text, output); diff != "" {
				s.t.Errorf("%s: the output differs (-page +run):\n%s", b, diff)
			}
		case "file":
			var tested string
			if b.name, tested, _ = strings.Cut(b.name, " of "); tested != "" {
				checkFunctions(s.t, b, tested)
			}
			s.write(b)
		case "config":
			checkConfig(s.t, b)
		case "session", "excerpt": // see TestQuotesOfPages
		default:
			s.t.Errorf("%s: no test is called %q", b, b.test)
		}
	}
}

// String is where the block stands.
func (b block) String() string { return fmt.Sprintf("%s:%d", b.path, b.line) }

// checkSession wants each command of a block in a script that is run by a test.
func checkSession(t *testing.T, b block) {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(filepath.Dir(b.path), filepath.FromSlash(b.name)))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.text) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ")
		if ok && !regexp.MustCompile(`(?m)^(exec|screen \d|exitcode \d) `+regexp.QuoteMeta(command)+"$").Match(script) {
			t.Errorf("%s: %s does not run %q", b, b.name, command)
		}
	}
}

// checkFunctions wants each function of a program but main in a file of the checkout.
func checkFunctions(t *testing.T, b block, tested string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), b.name, b.text, 0)
	if err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name != "main" {
			function := block{path: b.path, line: b.line, name: tested, text: b.text[f.Pos()-file.FileStart:f.End()-file.FileStart] + "\n"}
			checkExcerpt(t, function)
		}
	}
}

// checkExcerpt wants the lines of a block in a file of the checkout, one behind the
// other, at any depth.
func checkExcerpt(t *testing.T, b block) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(b.name)))
	if err != nil {
		t.Fatal(err)
	}
	flat := func(text string) string {
		var lines []string
		for line := range strings.Lines(text) {
			lines = append(lines, strings.TrimSpace(line))
		}
		return strings.Join(lines, "\n") + "\n"
	}
	rest := "\n" + flat(string(data))
	for part := range strings.SplitSeq(flat(b.text), "…\n") {
		_, after, ok := strings.Cut(rest, "\n"+part)
		if !ok {
			t.Errorf("%s: it does not stand in %s: %s", b, b.name, part)
		}
		rest = "\n" + after
	}
}

// link is a link to a place of this checkout: a file, a heading or both.
var link = regexp.MustCompile(`\]\(([^):\s]*[./#][^):\s]*)\)`)

// checkLinks wants every relative link of a page to lead to a file, and to a heading of it.
func checkLinks(t *testing.T, page string) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range link.FindAllStringSubmatch(string(data), -1) {
		file, heading, anchored := strings.Cut(m[1], "#")
		target := page
		if file != "" {
			target = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
		}
		if _, err := os.Stat(target); err != nil {
			t.Errorf("%s: the link leads nowhere: %v", page, err)
		} else if anchored && !slices.Contains(anchors(t, target), heading) {
			t.Errorf("%s: %s has no heading #%s", page, target, heading)
		}
	}
}

// anchors are the names that forges give the headings of a page.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(data), -1) {
		heading := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		found = append(found, strings.ReplaceAll(heading, " ", "-"))
	}
	return found
}

// policyDenies runs README's first program with a policy in its mcpgen.yaml, and
// with nothing else changed: its call is denied, and the audit file says so.
func policyDenies(t *testing.T, s *shell) {
	t.Helper()
	path := filepath.Join(s.dir, "mcpgen.yaml")
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(text, "policy: {deny: ['tool:everything/get-sum'], mode: yolo}\naudit: {}\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); !failed || !strings.Contains(string(out), "everything/get-sum: gate: denied") {
		t.Errorf("the program with a policy: %v\n%s", err, out)
	}
	var denied []audit.Record
	filter := audit.Filter{Kinds: []string{audit.KindCall}, Decisions: []string{audit.Denied}}
	for r, err := range audit.Read(filepath.Join(s.dir, filepath.FromSlash(config.DefaultAuditFile)), filter) {
		if err != nil {
			t.Fatal(err)
		}
		denied = append(denied, r)
	}
	if len(denied) != 1 || denied[0].Tool != "get-sum" || !strings.HasPrefix(denied[0].Key, "bk_") {
		t.Errorf("the audit file says %+v", denied)
	}
}

// README's first program is as short as it says: at most twelve lines in main,
// without the check of host.Err, and three imports of mcpgen.
func TestReadmeProgramIsShort(t *testing.T) {
	for _, b := range readBlocks(t, readme) {
		if b.test != "file" || b.name != "main.go" {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, b.name, b.text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ours := 0
		for _, i := range file.Imports {
			if strings.HasPrefix(i.Path.Value, `"example.com/hello/internal/`) || strings.HasPrefix(i.Path.Value, `"`+module+"/") {
				ours++
			}
		}
		main := file.Scope.Lookup("main").Decl.(*ast.FuncDecl).Body
		lines := fset.Position(main.Rbrace).Line - fset.Position(main.Lbrace).Line - 1
		for _, stmt := range main.List {
			if check, ok := stmt.(*ast.IfStmt); ok && strings.Contains(b.text[check.Pos()-file.FileStart:check.Body.Lbrace-file.FileStart], "host.Err()") {
				lines -= fset.Position(check.End()).Line - fset.Position(check.Pos()).Line + 1
			}
		}
		if lines > 12 || ours != 3 {
			t.Errorf("%s: %d lines in main, %d imports of mcpgen", b, lines, ours)
		}
		return
	}
	t.Error("README has no block of main.go")
}

// checkConfig loads a configuration beside an empty file to import.
func checkConfig(t *testing.T, b block) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"mcpgen.yaml": b.text, ".mcp.json": `{"mcpServers": {}}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := config.Load(filepath.Join(dir, "mcpgen.yaml")); err != nil {
		t.Errorf("%s: %v", b, err)
	}
}

// shell runs README's commands one after the other.
type shell struct {
	t   *testing.T
	dir string // where the last block ended
	env []string
}

func newShell(t *testing.T) *shell {
	t.Helper()
	temp := t.TempDir()
	proxy, bin := filepath.Join(temp, "proxy"), filepath.Join(temp, "bin")
	writeProxy(t, proxy, "runtime/adapters/anthropic")
	standIn(t, bin)
	// A build reads fewer go.mod files than go get does: let the go command
	// fetch into the module cache what is not there yet.
	goCommand(t, "mod", "graph")
	cache := strings.TrimSpace(goCommand(t, "env", "GOMODCACHE"))
	s := &shell{t: t, dir: filepath.Join(temp, "user")}
	s.env = append(os.Environ(),
		"HOME="+t.TempDir(), // of somebody who has installed nothing: npx is a stand-in
		"GOCACHE="+strings.TrimSpace(goCommand(t, "env", "GOCACHE")),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GOPROXY="+fileURL(proxy)+","+fileURL(filepath.Join(cache, "cache", "download"))+","+strings.TrimSpace(goCommand(t, "env", "GOPROXY")),
		"GOMODCACHE="+filepath.Join(temp, "modcache"),
		"GOFLAGS=-modcacherw -trimpath", "GOSUMDB=off", "GOWORK=off", "GOTOOLCHAIN=local", "NO_COLOR=1")
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shell) run(b block) string {
	s.t.Helper()
	end := filepath.Join(s.t.TempDir(), "pwd")
	cmd := exec.Command("sh", "-c", "set -eu\n"+b.text+"pwd >'"+end+"'\n")
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, s.env, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("%s: %v\n%s%s%s", b, err, b.text, stdout.String(), stderr.String())
	}
	pwd, err := os.ReadFile(end)
	if err != nil {
		s.t.Fatal(err)
	}
	s.dir = strings.TrimSpace(string(pwd))
	return stdout.String()
}

func (s *shell) write(b block) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(b.name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(b.text), 0o644)); err != nil {
		s.t.Fatal(err)
	}
}

// standIn puts a program called npx into bin.
func standIn(t *testing.T, bin string) {
	t.Helper()
	server := filepath.Join(bin, "everything")
	goCommand(t, "build", "-o", server, "./testdata/readme")
	recorded, err := filepath.Abs(filepath.Join("corpus", "servers", "everything.json"))
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' '%s'\n", server, recorded)
	if err := os.WriteFile(filepath.Join(bin, "npx"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// writeProxy makes a module proxy of files that holds version v0.1.0 of this checkout,
// and of further modules in it, given by their folders.
func writeProxy(t *testing.T, dir string, folders ...string) {
	t.Helper()
	const version = "v0.1.0"
	for _, folder := range append([]string{"."}, folders...) {
		name, root := path.Join(module, folder), filepath.Join("..", filepath.FromSlash(folder))
		at := filepath.Join(dir, filepath.FromSlash(name), "@v")
		gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err = errors.Join(err, os.MkdirAll(at, 0o755)); err != nil {
			t.Fatal(err)
		}
		info, err := json.Marshal(map[string]string{"Version": version})
		if err != nil {
			t.Fatal(err)
		}
		for file, data := range map[string][]byte{
			"list": []byte(version + "\n"), version + ".info": info, version + ".mod": gomod,
			version + ".zip": moduleZip(t, root, name+"@"+version),
		} {
			if err := os.WriteFile(filepath.Join(at, file), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// moduleZip packs a module of the checkout, without what git and builds
// leave in it, and of the folder golden only what tests of packages import, which
// go mod tidy looks for.
func moduleZip(t *testing.T, dir, prefix string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	out := zip.NewWriter(&buffer)
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "bin" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			if _, err := fs.Stat(root, path+"/go.mod"); err == nil && path != "." {
				return fs.SkipDir // a module of its own
			}
			if in, name := filepath.Split(path); in == "golden/" && name != "testserver" && name != "npmregistry" && name != "cases" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		w, err := out.Create(prefix + "/" + path)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func goCommand(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file://" + path
}
