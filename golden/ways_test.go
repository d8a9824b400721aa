package golden

// The ways that data takes through the module, as CONTRIBUTING.md lists them.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/cases/memory"
	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/internal/stage"
	mcpruntime "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// step is a function on a way.
type step struct{ file, name string }

func (s step) String() string { return s.file + " " + s.name }

// maxSteps is how long a way may be.
const maxSteps = 15

// readWays reads the lists, by their headings.
func readWays(t *testing.T) map[string][]step {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	item := regexp.MustCompile("^[0-9]+\\. `([^`]+)`: `([^`]+)`")
	all, heading := map[string][]step{}, ""
	for line := range strings.Lines(string(data)) {
		if title, ok := strings.CutPrefix(line, "### "); ok {
			heading = strings.TrimSpace(title)
		}
		if m := item.FindStringSubmatch(line); m != nil {
			all[heading] = append(all[heading], step{m[1], m[2]})
		}
	}
	return all
}

// Every file that CONTRIBUTING.md names by its path is there.
func TestFilesOfContributing(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("`([a-z_]+/[a-z0-9_/]+\\.go)`").FindAllStringSubmatch(string(data), -1) {
		for _, dir := range []string{"..", "../runtime/attach/internal"} { // the way of a call names its rooms alone
			if _, err = os.Stat(filepath.Join(dir, m[1])); err == nil {
				break
			}
		}
		if err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
	}
}

// The headings of the lists.
const (
	wayOfSchema = "A schema becomes a struct"
	wayOfCall   = "A call becomes bytes, and bytes a result"
	wayOfFile   = "A configuration file becomes an endpoint"
)

// Each way is short, goes through each file once, and through functions that exist.
func TestWays(t *testing.T) {
	all := readWays(t)
	for _, name := range []string{wayOfSchema, wayOfCall, wayOfFile} {
		way := all[name]
		if len(way) == 0 || len(way) > maxSteps {
			t.Errorf("%s: %d steps, want 1 to %d", name, len(way), maxSteps)
		}
		var left []string
		for i, s := range way {
			if i > 0 && way[i-1].file != s.file {
				left = append(left, way[i-1].file)
			}
			if slices.Contains(left, s.file) {
				t.Errorf("%s: %v returns to a file that was left", name, s)
			}
			if !slices.Contains(functionsIn(t, s.file), s.name) {
				t.Errorf("%s: there is no %v", name, s)
			}
		}
	}
}

// functionsIn returns the functions of a file, as they are listed.
func functionsIn(t *testing.T, file string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(file)), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return nil
	}
	var names []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := fn.Name.Name
		if fn.Recv != nil {
			switch recv := fn.Recv.List[0].Type.(type) {
			case *ast.StarExpr:
				name = fmt.Sprintf("(*%v).%s", recv.X, name)
			default:
				name = fmt.Sprintf("%v.%s", recv, name)
			}
		}
		names = append(names, name)
	}
	return names
}

// attachServer is a server whose calls a test answers.
func attachServer(t *testing.T, calls http.HandlerFunc) *attach.Host {
	t.Helper()
	next, err := testserver.Handler("replay", filepath.Join("corpus", "servers", "memory.json"))
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"tools/call"`)) {
			calls(w, r)
			return
		}
		next.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	host, err := attach.Connect(t.Context(), []endpoint.Server{{Name: "memory", Launch: &endpoint.Address{URL: web.URL, Transport: endpoint.HTTP}}}, nil)
	if err != nil || host.Err() != nil {
		t.Fatal(err, host.Err())
	}
	t.Cleanup(func() { _ = host.Close() })
	return host
}

// answerCall answers a call with a body, in which $ is its id.
func answerCall(w http.ResponseWriter, r *http.Request, body string) {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, strings.ReplaceAll(body, "$", string(m.ID)))
}

// The way of a call out is the stack of the request while its server has it: nothing
// else stands between the generated method and net/http.
func TestWayOfCall(t *testing.T) {
	var out []step
	host := attachServer(t, func(w http.ResponseWriter, r *http.Request) {
		out = stackOf(t, "memory.(*Client).ReadGraph(")
		answerCall(w, r, `{"jsonrpc":"2.0","id":$,"result":{"content":[],"structuredContent":{"entities":[],"relations":[]}}}`)
	})
	if _, err := memory.New(host).ReadGraph(t.Context(), memory.ReadGraphArgs{}); err != nil {
		t.Fatal(err)
	}
	way := readWays(t)[wayOfCall]
	if n := min(len(out), len(way)); !slices.Equal(out, way[:n]) {
		t.Errorf("the way out is\n%v\nand CONTRIBUTING.md says\n%v", joinSteps(out), joinSteps(way[:n]))
	}
	if back := way[min(len(out), len(way)):]; !slices.Equal(back, wayBack()) {
		t.Errorf("the way back is\n%v\nand CONTRIBUTING.md says\n%v", joinSteps(wayBack()), joinSteps(back))
	}
}

func joinSteps(way []step) string {
	var b strings.Builder
	for _, s := range way {
		fmt.Fprintln(&b, s)
	}
	return b.String()
}

// faulty is an answer that is wrong for one step of the way back, and for all after it.
type faulty struct {
	step  step
	body  string // $ is the id
	stage string // of the error
	says  string
}

func faultsOfWayBack() []faulty {
	const bad = `[{"structuredContent":{"entities":5}}]`
	return []faulty{
		{step{"runtime/attach/internal/wire/route.go", "(*Conn).route"},
			`{"jsonrpc":"2.0","id":$,"error":{"code":1,"message":"no"},"result":` + bad + `}`, stage.Receive, "both a result and an error"},
		{step{"runtime/parse.go", "Request.ParseResult"},
			`{"jsonrpc":"2.0","id":$,"result":` + bad + `}`, stage.Receive, "want an object"},
		{step{"runtime/codec/decode.go", "decoder.decodeResult"},
			`{"jsonrpc":"2.0","id":$,"result":{"content":[],"structuredContent":{"entities":5}}}`, stage.Decode, "/entities"},
	}
}

func wayBack() []step {
	var way []step
	for _, f := range faultsOfWayBack() {
		way = append(way, f.step)
	}
	return way
}

// The way of a call back, traced by answers that are wrong: each step refuses what is
// wrong for it, and passes what is only wrong for those after it.
func TestWayOfCallBack(t *testing.T) {
	for _, f := range faultsOfWayBack() {
		host := attachServer(t, func(w http.ResponseWriter, r *http.Request) { answerCall(w, r, f.body) })
		_, err := memory.New(host).ReadGraph(t.Context(), memory.ReadGraphArgs{})
		failed, ok := errors.AsType[*mcpruntime.CallError](err)
		if !ok || failed.Stage != f.stage || !failed.Sent || !strings.Contains(err.Error(), f.says) {
			t.Errorf("%v: %v, want an error of the stage %q that says %q", f.step, err, f.stage, f.says)
		}
	}
}

// stackOf returns the functions of this module on the stack of the one goroutine that
// is in a function and in http.Transport.RoundTrip, from there on.
func stackOf(t *testing.T, function string) []step {
	t.Helper()
	checkout, err := filepath.Abs("..")
	if err != nil {
		t.Error(err)
	}
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	for goroutine := range strings.SplitSeq(string(all), "\n\n") {
		if !strings.Contains(goroutine, function) || !strings.Contains(goroutine, "net/http.(*Transport).RoundTrip(") {
			continue
		}
		var steps []step
		lines := strings.Split(goroutine, "\n")
		for i := 1; i+1 < len(lines); i += 2 {
			file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), ":")
			rel, ok := strings.CutPrefix(filepath.ToSlash(file), filepath.ToSlash(checkout)+"/")
			if !ok || strings.HasSuffix(rel, "_test.go") {
				continue
			}
			name := lines[i][:strings.LastIndexByte(lines[i], '(')]
			name = name[strings.LastIndexByte(name, '/')+1:]
			_, name, _ = strings.Cut(name, ".")
			steps = append(steps, step{rel, name})
		}
		slices.Reverse(steps)
		return steps
	}
	t.Errorf("no goroutine is in %s: %s", function, all)
	return nil
}
