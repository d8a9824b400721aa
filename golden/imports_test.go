package golden

// Who imports whom: every edge between packages of this module, and from them to
// other modules, is in imports.txt to be reviewed, and has to follow the rules
// below.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mcpgen/mcpgen"

// rule says what the packages that match a pattern may import beside the
// standard library. The first matching rule counts.
type rule struct {
	pattern string // path below the module; * is any name in it, and a trailing /... includes all below
	may     string // patterns, separated by spaces; ours as paths below the module
	reason  string
}

var importRules = []rule{
	{"schema/internal/tree", "internal/jsontext internal/safetext", "JSON trees need nothing but text"},
	{"schema/internal/contract", "internal/jsontext schema/internal/tree", "what a definition means is read from its tree"},
	{"schema", "internal/jsontext internal/safetext schema/internal/contract schema/internal/tree", "facts depend on nothing but text"},
	{"schema/jsonschema", "internal/jsontext internal/safetext schema schema/internal/tree", "a model of what was sent"},
	{"schema/lockfile", "internal/conflict internal/hint internal/jsontext internal/safetext schema schema/internal/contract schema/internal/tree", "the files that facts are kept in"},
	{"schema/view", "internal/hint internal/jsontext internal/safetext schema schema/internal/tree schema/jsonschema", "one schema in other forms keeps order and digits"},
	{"schema/validate", "internal/jsontext internal/safetext schema schema/jsonschema github.com/santhosh-tekuri/jsonschema/v6/...", "one thin door to the validator"},
	{"schema/sample", "internal/jsontext internal/safetext schema schema/jsonschema schema/validate", "values are checked before they are handed out"},
	{"schema/compat", "internal/jsontext internal/safetext schema schema/internal/tree schema/jsonschema schema/validate schema/sample", "a witness is checked before it is handed out"},
	{"schema/drift", "internal/glob internal/jsontext internal/ruleid internal/safetext schema schema/extension schema/jsonschema schema/lockfile schema/compat schema/sample schema/validate github.com/agnivade/levenshtein golang.org/x/text/unicode/norm", "what a change means is decided by whether values still fit, and what a text says by how it is read"},
	{"schema/extension", "schema schema/internal/tree", "what extensions add to a surface are facts, too"},
	{"schema/...", "internal/jsontext internal/safetext schema schema/jsonschema", "what works on facts needs facts alone"},
	{"internal/parallel", "", "work on all processors needs the standard library alone"},
	{"internal/regular", "golang.org/x/sys/windows", "reading a file that somebody else put there needs the system alone"},
	{"internal/npmcache", "internal/regular", "where npx keeps packages, by files and variables alone"},
	{"internal/jsontext", "", "the outline of JSON needs the standard library alone"},
	{"internal/limits", "", "what arguments must not have is plain data, whoever writes or reads it"},
	{"internal/hint", "", "errors with next steps need the standard library alone"},
	{"internal/sentence", "internal/safetext", "the first sentence of a text is one that is fit to be shown"},
	{"internal/safetext", "", "text that is fit to be shown needs the standard library alone"},
	{"internal/stage", "", "the stages of calls are words"},
	{"internal/ruleid", "", "the ids of rules are words"},
	{"internal/install", "internal/credentials internal/hint internal/npmcache runtime/endpoint", "programs that run others are seen by their command lines, and npm's cache"},
	{"internal/credentials", "internal/safetext", "what looks like a secret is seen by its text alone"},
	{"internal/pagefacts", "", "what pages show is plain data"},
	{"internal/loopback", "", "which hosts are this machine, by the standard library alone"},
	{"runtime/mask", "internal/credentials runtime/endpoint", "what is not to be shown is what servers were started with"},
	{"runtime/judge", "runtime/attach runtime/attach/pinned runtime/codec schema schema/drift", "what proves changes stands beside attach, so that a program without it links no prover"},
	{"internal/provenance", "internal/hint internal/regular internal/statefile schema schema/lockfile", "who accepted what is verified by programs and commands alike, with the standard library's ed25519"},
	{"internal/statefile", "internal/hint internal/regular github.com/gofrs/flock github.com/natefinch/atomic", "files of a user's own decisions, written whole by one process at a time"},
	{"runtime/protocol", "", "the words of the protocol"},
	{"runtime", "internal/jsontext internal/safetext internal/stage runtime/protocol", "a program that imports a generated package links no third-party code"},
	{"runtime/codec", "internal/jsontext internal/limits internal/safetext runtime", "what generated code is made of needs no third-party code either"},
	{"runtime/format", "", "generated packages import it, and link the standard library alone"},
	{"runtime/endpoint", "internal/credentials internal/jsontext internal/safetext", "one description of a server, whoever reads the file"},
	{"runtime/event", "", "what happens to a host is plain data"},
	{"runtime/plain", "internal/hint internal/jsontext internal/safetext runtime schema/view", "results and tools for models need no library"},
	{"runtime/naming", "", "naming is text in, text out"},
	{"runtime/attach/oauth", "internal/credentials internal/hint internal/loopback internal/safetext internal/statefile runtime runtime/... schema github.com/modelcontextprotocol/go-sdk/... golang.org/x/oauth2/... golang.org/x/sys/... github.com/cli/browser",
		"signing in, which takes a browser"},
	{"runtime/attach/artifact", "internal/hint internal/install internal/npmcache internal/regular internal/ruleid runtime/attach/internal/proc runtime/endpoint internal/statefile schema/lockfile golang.org/x/mod/...", "what was locked is what runs; attach itself knows no lock"},
	{"runtime/attach/pinned", "internal/parallel internal/ruleid runtime/attach runtime/codec runtime/endpoint schema", "listings against what generated code knows; attach itself links no codec"},
	{"runtime/attach/...", "internal/credentials internal/hint internal/install internal/jsontext internal/npmcache internal/parallel internal/safetext runtime runtime/endpoint runtime/event runtime/mask runtime/attach/... runtime/internal/callcontext schema github.com/modelcontextprotocol/go-sdk/... golang.org/x/oauth2/... golang.org/x/sync/... golang.org/x/sys/... golang.org/x/time/...",
		"the one place that speaks to servers, and the one importer of the MCP SDK"},
	{"runtime/agent", "internal/safetext internal/sentence runtime runtime/attach runtime/attach/pinned runtime/codec runtime/naming schema", "what an agent sees of a host stands beside attach, so that a program of typed calls does not link it"},
	{"runtime/gateway", "internal/hint internal/jsontext internal/loopback internal/safetext runtime runtime/agent runtime/attach runtime/attach/pinned runtime/codec runtime/endpoint runtime/event runtime/internal/callcontext runtime/internal/semconv internal/statefile runtime/naming runtime/native runtime/plain runtime/internal/resources schema schema/extension schema/view github.com/modelcontextprotocol/go-sdk/... github.com/go-jose/go-jose/v4/...", "a host as a server of the MCP SDK, over what an agent sees of it, and the three tools that search that"},
	{"runtime/config/trust", "internal/credentials internal/hint internal/install internal/jsontext internal/regular runtime/config/internal/dialect internal/tree runtime/endpoint internal/statefile", "which project files may start programs"},
	{"runtime/config/...", "internal/conflict internal/credentials internal/glob internal/gopkg internal/hint internal/nearest internal/regular internal/safetext runtime/config/... runtime/endpoint runtime/naming runtime/policy internal/tree schema schema/lockfile schema/drift github.com/joho/godotenv", "the files that say which servers there are"},
	{"internal/tree", "internal/conflict internal/hint internal/nearest internal/safetext go.yaml.in/yaml/... github.com/tailscale/hujson github.com/pelletier/go-toml/...", "the parsers of files that people write"},
	{"internal/glob", "", "names against patterns, by the standard library's own"},
	{"internal/gopkg", "", "names of Go packages, which generator and configuration agree on"},
	{"internal/conflict", "", "the markers that git leaves in a file"},
	{"internal/refusal", "", "the judge of what package view writes shares nothing with it"},
	{"internal/nearest", "github.com/agnivade/levenshtein", "what a misspelled word was meant to be, by a library of distances"},
	{"runtime/internal/callcontext", "", "a context of two needs the standard library alone"},
	{"runtime/internal/semconv", "runtime runtime/endpoint runtime/event", "what traces, metrics and logs say, by one list for the gateway and for runtime/otel, a module of its own"},
	{"runtime/internal/linefile", "", "logs of whole lines need the standard library alone"},
	{"runtime/policy", "internal/hint internal/jsontext internal/safetext runtime runtime/endpoint runtime/event runtime/naming schema", "who may call what is decided without any library"},
	{"runtime/policy/keyring", "internal/hint runtime/policy github.com/zalando/go-keyring", "the one importer of the operating system's keyring"},
	{"runtime/policy/...", "internal/hint runtime/endpoint runtime/policy internal/statefile", "where grants and secrets are kept"},
	{"runtime/audit", "internal/jsontext internal/safetext internal/regular runtime runtime/event runtime/mask runtime/internal/linefile", "a log reads events, whoever sends them"},
	{"runtime/native", "runtime internal/jsontext internal/safetext internal/sentence schema/validate github.com/invopop/jsonschema", "tools that are Go functions: schemas come from their types"},
	{"runtime/ledger", "internal/regular internal/safetext runtime runtime/event runtime/internal/linefile internal/statefile runtime/naming schema/lockfile github.com/oklog/ulid/v2", "a log of what the host offers, which never sees the host"},
	{"runtime/live", "internal/hint internal/jsontext runtime/mask internal/provenance internal/regular internal/safetext internal/statefile runtime runtime/... schema schema/extension schema/lockfile golang.org/x/term", "one call for a whole configuration: it alone knows all the rooms of the runtime"},
	{"runtime/skills", "internal/hint internal/jsontext internal/safetext internal/tree runtime runtime/codec schema/extension", "skills as they were locked; a frontmatter is YAML"},
	{"runtime/internal/validate", "runtime runtime/codec schema schema/validate", "what a call is checked against are facts"},
	{"runtime/mcptest", "internal/credentials internal/conflict internal/jsontext internal/safetext internal/regular runtime runtime/codec runtime/endpoint runtime/mask schema schema/...", "what generated fakes stand on: the other end of the codec"},
	{"runtime/adapters/internal/adapter", "internal/jsontext runtime runtime/plain schema/view", "what adapters share knows no framework"},
	{"runtime/adapters/internal/adaptertest", "internal/refusal runtime", "the same test for each adapter"},
	{"runtime/...", "internal/regular runtime runtime/codec runtime/endpoint runtime/naming schema schema/...", "what stands beside the contract"},
	{"generator/internal/ir", "", "decisions are plain data"},
	{"generator/internal/decide", "internal/glob internal/gopkg internal/hint internal/jsontext internal/nearest internal/parallel internal/safetext internal/sentence schema schema/jsonschema schema/lockfile schema/view generator/internal/ir generator/internal/gotext", "facts in, decisions out"},
	{"generator/internal/gogen", "internal/hint internal/jsontext internal/limits internal/parallel internal/safetext generator/internal/gotext generator/internal/ir github.com/dave/jennifer/jen", "emitters see decisions only; the one importer of jennifer"},
	{"generator/internal/gotext", "internal/safetext generator/internal/ir", "what both emitters say in Go, once"},
	{"generator/internal/textgen", "internal/jsontext internal/safetext generator/internal/gotext generator/internal/ir internal/pagefacts templates", "emitters see decisions only"},
	{"templates", "", "texts that are not Go"},
	{"generator/internal/code", "internal/hint internal/parallel internal/safetext generator golang.org/x/tools/...", "the one analysis of the user's code; the one that loads Go packages"},
	{"generator", "internal/gopkg internal/hint internal/jsontext internal/pagefacts internal/parallel internal/regular schema schema/jsonschema schema/lockfile generator/internal/... golang.org/x/sys/windows", "a pure pipeline: no runtime, no network"},
	{"generator/impact", "internal/gopkg internal/jsontext internal/nearest internal/ruleid internal/safetext generator generator/internal/code generator/internal/decide generator/internal/gotext schema schema/lockfile schema/drift schema/validate runtime/naming", "what a change means for the user's code, whatever it calls tools"},
	{"generator/vet", "generator generator/internal/code internal/limits internal/nearest golang.org/x/tools/...", "checks of the user's code; it sees what was generated, not how"},
	{"cmd/mcpgen/internal/store", "internal/hint internal/loopback github.com/opencontainers/... oras.land/oras-go/...", "the one importer of the libraries of registries, which no program links"},
	{"cmd/mcpgen/internal/...", "...", "commands use everything but the flag library"},
	{"cmd/mcpgen", "... github.com/urfave/cli/v2", "the one place where network and disk meet, and the one importer of urfave/cli"},
	{"golden/cases/*/*test", "runtime runtime/codec runtime/format runtime/mcptest golden/cases/*", fake},
	{"golden/cases", "runtime runtime/codec runtime/format golden/cases/...", generated},
	{"golden/cases/...", "runtime runtime/codec runtime/format", generated},
	{"golden/surface/*/*test", "runtime runtime/codec runtime/format runtime/mcptest golden/surface/*", fake},
	{"golden/surface", "runtime runtime/codec runtime/format golden/surface/...", generated},
	{"golden/surface/...", "runtime runtime/codec runtime/format", generated},
	{"golden/bench", "... github.com/modelcontextprotocol/go-sdk/mcp", "calls are compared with the SDK's own"},
	{"golden/image", "... github.com/opencontainers/... oras.land/oras-go/...", "an image of a release is written with the libraries of registries"},
	{"golden/...", "...", "tests"},
	{"examples/quickstart/internal/mcp/*/*test", "runtime runtime/codec runtime/format runtime/mcptest examples/quickstart/internal/mcp/*", fake},
	{"examples/quickstart/internal/mcp", "runtime runtime/codec runtime/format examples/quickstart/internal/mcp/...", generated},
	{"examples/quickstart/internal/mcp/...", "runtime runtime/codec runtime/format", generated},
	{"examples/quickstart/server", "... github.com/modelcontextprotocol/go-sdk/mcp", "a server that somebody else might have written"},
	{"examples/drift/internal/mcp/*/*test", "runtime runtime/codec runtime/format runtime/mcptest examples/drift/internal/mcp/*", fake},
	{"examples/drift/internal/mcp", "runtime runtime/codec runtime/format examples/drift/internal/mcp/...", generated},
	{"examples/drift/internal/mcp/...", "runtime runtime/codec runtime/format", generated},
	{"examples/drift/server", "... github.com/modelcontextprotocol/go-sdk/mcp", "a server that somebody else might have written"},
	{"examples/systems/coreagent", "... github.com/modelcontextprotocol/go-sdk/mcp", "a program that keeps its own client, in the place of ADK's"},
	{"examples/...", "...", "examples show what users do"},
}

// confined are libraries that nobody imports but whom a rule names.
var confined = []string{"github.com/urfave/cli/v2", "github.com/dave/jennifer/jen", "github.com/modelcontextprotocol/go-sdk/", "github.com/santhosh-tekuri/", "github.com/zalando/", "github.com/opencontainers/", "oras.land/"}

// The reasons of the rules for code that mcpgen writes.
const (
	generated = "what a generated package may import"
	fake      = "a fake, for tests alone"
)

// vocabulary is what requests and failures are told apart by: code that is written by
// hand may import it where it may import the contract.
var vocabulary = []string{"runtime/protocol", "internal/stage", "internal/ruleid"}

type goPackage struct {
	ImportPath   string
	Standard     bool
	Imports      []string
	TestImports  []string
	XTestImports []string
	Module       *struct{ Path string }
}

func TestImports(t *testing.T) {
	packages := listPackages(t)
	standard := map[string]bool{}
	for _, p := range packages {
		standard[p.ImportPath] = p.Standard
	}
	var edges []string
	for _, p := range packages {
		if p.Module == nil || p.Module.Path != module {
			continue
		}
		from := shortPath(p.ImportPath)
		r := ruleOf(from)
		if r == nil {
			t.Errorf("%s has no rule: add one with its reason", from)
			continue
		}
		for _, imported := range p.Imports {
			to := shortPath(imported)
			if standard[imported] || imported == "C" || imported == "unsafe" {
				continue
			}
			edges = append(edges, from+" -> "+to)
			if !allows(r, to) {
				t.Errorf("%s imports %s; it may import %q: %s", from, to, r.may, r.reason)
			}
		}
	}
	slices.Sort(edges)
	text := strings.Join(edges, "\n") + "\n"
	if *update {
		if err := os.WriteFile("imports.txt", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	if before := strings.ReplaceAll(string(want), "\r\n", "\n"); before != text {
		compareLines(t, strings.Split(before, "\n"), strings.Split(text, "\n"))
	}
}

func compareLines(t *testing.T, before, now []string) {
	t.Helper()
	for _, line := range now {
		if !slices.Contains(before, line) {
			t.Errorf("imports.txt: new: %s: review it, then run go test ./golden -update", line)
		}
	}
	for _, line := range before {
		if !slices.Contains(now, line) {
			t.Errorf("imports.txt: gone: %s: run go test ./golden -update", line)
		}
	}
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Standard,Imports,TestImports,XTestImports,Module", module+"/...")
	var text, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &problems
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0") // the same edges everywhere
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, problems.Bytes())
	}
	var packages []goPackage
	for d := json.NewDecoder(&text); ; {
		var p goPackage
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	slices.SortFunc(packages, func(a, b goPackage) int { return cmp.Compare(a.ImportPath, b.ImportPath) })
	return packages
}

// shortPath is a path below the module, or the whole path of another one.
func shortPath(importPath string) string {
	return strings.TrimPrefix(importPath, module+"/")
}

func ruleOf(from string) *rule {
	for i, r := range importRules {
		if matchesPath(r.pattern, from) {
			return &importRules[i]
		}
	}
	return nil
}

func allows(r *rule, to string) bool {
	if slices.Contains(vocabulary, to) && r.reason != generated && r.reason != fake && allows(r, "runtime") {
		return true
	}
	for may := range strings.FieldsSeq(r.may) {
		isConfined := slices.ContainsFunc(confined, func(c string) bool { return strings.HasPrefix(to, c) })
		if matchesPath(may, to) && (may != "..." || !isConfined) {
			return true
		}
	}
	return false
}

func matchesPath(pattern, name string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "..."); ok {
		return strings.HasPrefix(name, prefix) || name == path.Clean(prefix)
	}
	same, err := path.Match(pattern, name)
	return err == nil && same
}

// A program that attaches to servers links no prover unless it asks for one, and
// nothing of what only generated code or build time needs: what package attach
// imports, at any depth, proves nothing, validates nothing and reads no lock.
func TestAttachIsLean(t *testing.T) {
	imports := map[string][]string{}
	for _, p := range listPackages(t) {
		imports[p.ImportPath] = p.Imports
	}
	queue, seen := []string{module + "/runtime/attach"}, map[string]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		if p := queue[0]; !seen[p] {
			seen[p] = true
			queue = append(queue, imports[p]...)
		}
	}
	for _, heavy := range []string{"runtime/codec", "schema/extension", "schema/lockfile", "schema/jsonschema", "schema/drift", "schema/compat", "schema/sample", "schema/validate", "runtime/judge", "runtime/config", "runtime/policy"} {
		if imports[module+"/"+heavy] == nil {
			t.Errorf("there is no package %s", heavy)
		}
		if seen[module+"/"+heavy] {
			t.Errorf("runtime/attach links %s", heavy)
		}
	}
}

// What decides about schemas asks no clock: the same input has the same answer
// on every machine and under every load.
func TestVerdictsAskNoClock(t *testing.T) {
	seen := 0
	for _, p := range listPackages(t) {
		from := shortPath(p.ImportPath)
		if !matchesPath("schema/...", from) && from != "runtime/judge" {
			continue
		}
		seen++
		if slices.Contains(p.Imports, "time") {
			t.Errorf("%s imports time: bound the work in steps", from)
		}
	}
	if seen < 7 {
		t.Errorf("only %d packages were looked at", seen)
	}
}

// Whoever imports a package gets the modules that its tests need into go.sum. So
// what imports the standard library alone tests with it alone, too.
func TestImportsOfTests(t *testing.T) {
	packages := listPackages(t)
	for _, p := range packages {
		if p.Module == nil || p.Module.Path != module {
			continue
		}
		if r := ruleOf(shortPath(p.ImportPath)); r == nil || r.may != "" {
			continue
		}
		for _, imported := range append(p.TestImports, p.XTestImports...) {
			first, _, _ := strings.Cut(imported, "/")
			if strings.Contains(first, ".") && imported != p.ImportPath {
				t.Errorf("a test of %s imports %s", shortPath(p.ImportPath), imported)
			}
		}
	}
}
