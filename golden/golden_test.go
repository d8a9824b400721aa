package golden

// cases/ holds generated packages that a reader can look at, that the compiler
// builds with the rest, and that cases/call_test.go calls. Here they are
// compared with what would be generated today.

import (
	"bytes"
	"encoding/json"
	"go/format"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

const thisFolder = "github.com/mcpgen/mcpgen/golden"

// shopTypes are the types that the configuration chooses for the server shop.
var shopTypes = []generator.TypeChoice{
	{Key: "place_order/args/amount", Value: "decimal"},
	{Key: "place_order/args/discount", Value: "decimal"},
	{Key: "place_order/args/tip", Value: "decimal"},
	{Key: "place_order/args/tax", Value: "decimal"},
	{Key: "place_order/args/free", Value: "decimal"},
	{Key: "place_order/args/priority", Value: "int"},
	{Key: "place_order/args/customer", Value: "int64"},
	{Key: "place_order/args/coupons/items", Value: "uint64"},
	{Key: "place_order/args/rates/additionalProperties", Value: "decimal"},
	{Key: "place_order/args/range/items", Value: "decimal"},
	{Key: "place_order/args/lines/items/price", Value: "decimal"},
	{Key: "place_order/args/lines/items/count", Value: "int"},
	{Key: "place_order/args/payment/sum", Value: "decimal"},
	{Key: "get_orders/args/page", Value: "int"},
	{Key: "get_orders/result/total", Value: "decimal"},
	{Key: "get_orders/result/count", Value: "int"},
	{Key: "get_orders/result/orders/items/id", Value: "int64"},
	{Key: "get_orders/result/orders/items/amount", Value: "decimal"},
	{Key: "get_orders/result/orders/items/fees/items", Value: "decimal"},
	{Key: "get_orders/result/payment/sum", Value: "decimal"},
	{Key: "Line", Value: "Article"},
	{Key: "get_orders/args/state", Value: "Status"},
}

// caseServers are real servers, two made by hand, of which one has each row of the type
// table and the other types that are chosen, and the test server with tasks.
func caseServers(t testing.TB) []generator.Server {
	servers := []generator.Server{
		lockSnapshot(t, readListing(t, "testdata/types.json").snapshot(t, "types")),
		lockSnapshot(t, readListing(t, "testdata/shop.json").snapshot(t, "shop")),
		lockSnapshot(t, readOffer(t, "tasks")),
	}
	servers[1].Types = shopTypes
	for _, name := range []string{"everything", "filesystem", "memory"} {
		servers = append(servers, lockSnapshot(t, corpusSnapshot(t, name)))
	}
	return servers
}

func TestGolden(t *testing.T) {
	servers := caseServers(t)
	out := generateServers(t, thisFolder, "cases", servers...)
	files := append(out.Files, project.LockFile("cases/mcpgen.lock", servers...))
	opts := generator.WriteOptions{Prune: []string{"cases"}}
	if *update {
		if _, err := generator.Write(t.Context(), ".", files, opts); err != nil {
			t.Fatal(err)
		}
	}
	stale, err := generator.Compare(".", files, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stale {
		t.Errorf("%s: %s: run go test ./golden -update and read the diff", s.Path, s.State)
	}
	for _, w := range out.Warnings {
		t.Log(w)
	}
}

// Every real server generates, builds and vets, alone and with the others.
func TestCorpusBuilds(t *testing.T) {
	root := t.TempDir()
	checkout, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	gomod := "module example.com/corpus\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => " + filepath.ToSlash(checkout) + "\n"
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte(gomod), 0o666); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "go.sum"), sums, 0o666); err != nil {
		t.Fatal(err)
	}
	var all []generator.Server
	var files []generator.File
	for i, name := range corpusServers {
		s := lockSnapshot(t, corpusSnapshot(t, name))
		all = append(all, s)
		if !testing.Short() || i%4 == 0 { // the packages differ only by their path
			files = append(files, generateServers(t, "example.com/corpus", "alone/only"+name, s).Files...)
		}
	}
	files = append(files, generateServers(t, "example.com/corpus", "internal/mcp", all...).Files...)
	for _, f := range files {
		if !strings.HasSuffix(f.Path, ".go") {
			continue
		}
		if again, err := format.Source(f.Data); err != nil || !bytes.Equal(again, f.Data) {
			t.Errorf("%s is not formatted: %v", f.Path, err)
		}
	}
	if _, err := generator.Write(t.Context(), root, files, generator.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"build", "./..."}, {"vet", "./..."}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, text)
		}
	}
}

// The same surface gives the same bytes, in whatever order it is listed and written once it
// is locked.
func TestOutputIsStable(t *testing.T) {
	locked := map[string]generator.Server{}
	generate := func(shuffle bool) []generator.File {
		random := rand.New(rand.NewPCG(1, 2))
		var servers []generator.Server
		for _, name := range corpusServers {
			l := readListing(t, "corpus/servers/"+name+".json")
			if shuffle {
				l.shuffle(t, random)
			}
			server, err := project.Update(locked[name], l.snapshot(t, name))
			if err != nil {
				t.Fatal(err)
			}
			servers, locked[name] = append(servers, server), server
		}
		if shuffle {
			slices.Reverse(servers)
		}
		return append(generateServers(t, "example.com/corpus", "mcp", servers...).Files, project.LockFile("mcpgen.lock", servers...))
	}
	first := generate(false)
	for _, shuffle := range []bool{false, true} {
		second := generate(shuffle)
		if len(first) != len(second) {
			t.Fatalf("%d files, then %d", len(first), len(second))
		}
		for i := range first {
			if first[i].Path != second[i].Path || !bytes.Equal(first[i].Data, second[i].Data) {
				t.Errorf("%s is not the same the second time (shuffled: %v)", first[i].Path, shuffle)
			}
		}
	}
}

// shuffle brings the tools, and the members of all objects in them, into another order.
func (l *listing) shuffle(t *testing.T, random *rand.Rand) {
	t.Helper()
	random.Shuffle(len(l.Tools), func(i, j int) { l.Tools[i], l.Tools[j] = l.Tools[j], l.Tools[i] })
	var write func(b *bytes.Buffer, v any)
	write = func(b *bytes.Buffer, v any) {
		switch v := v.(type) {
		case map[string]any:
			names := slices.Sorted(maps.Keys(v))
			random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			b.WriteByte('{')
			for i, name := range names {
				if i > 0 {
					b.WriteByte(',')
				}
				write(b, name)
				b.WriteByte(':')
				write(b, v[name])
			}
			b.WriteByte('}')
		case []any:
			b.WriteByte('[')
			for i := range v {
				if i > 0 {
					b.WriteByte(',')
				}
				write(b, v[i])
			}
			b.WriteByte(']')
		default:
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
		}
	}
	for i, raw := range l.Tools {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		write(&b, v)
		l.Tools[i] = b.Bytes()
	}
}

// Names are the same in whatever order a surface is written when it is first locked.
func TestNamesWithoutOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, name := range corpusServers {
		l := readListing(t, "corpus/servers/"+name+".json")
		before := identifiersOf(t, generateServers(t, "example.com", "mcp", lockSnapshot(t, l.snapshot(t, name))))
		l.shuffle(t, random)
		after := identifiersOf(t, generateServers(t, "example.com", "mcp", lockSnapshot(t, l.snapshot(t, name))))
		if !maps.Equal(before, after) {
			t.Errorf("%s: in another order the names are others: %s", name, cmp.Diff(slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after))))
		}
	}
}

// A snapshot goes through its file unchanged, and so does what is generated.
func TestOutputFromDisk(t *testing.T) {
	for _, name := range corpusServers {
		s := corpusSnapshot(t, name)
		read, err := lockfile.ParseSnapshot(lockfile.EncodeSnapshot(s))
		if err != nil {
			t.Fatal(err)
		}
		server := lockSnapshot(t, s)
		a := generateServers(t, "example.com", "mcp", server)
		server.Snapshot = read
		b := generateServers(t, "example.com", "mcp", server)
		for i := range a.Files {
			if !bytes.Equal(a.Files[i].Data, b.Files[i].Data) {
				t.Errorf("%s differs: %s", a.Files[i].Path, cmp.Diff(string(a.Files[i].Data), string(b.Files[i].Data)))
			}
		}
	}
}

// A tool that goes takes nothing of its neighbours with it.
func TestRemovedToolChangesNoOtherName(t *testing.T) {
	most := 8 // removed tools of a server
	if testing.Short() {
		most = 2
	}
	for _, name := range corpusServers {
		whole := corpusSnapshot(t, name)
		before := lockSnapshot(t, whole)
		all := identifiersOf(t, generateServers(t, "example.com", "mcp", before))
		for i := 0; i < len(whole.Tools); i += 1 + len(whole.Tools)/most {
			rest := *whole
			rest.Tools = slices.Delete(slices.Clone(whole.Tools), i, i+1)
			after, err := project.Update(before, &rest)
			if err != nil {
				t.Fatal(err)
			}
			for id := range identifiersOf(t, generateServers(t, "example.com", "mcp", after)) {
				if !all[id] {
					t.Errorf("%s: without %s there is a new name %s", name, whole.Tools[i].Name, id)
				}
			}
		}
	}
}

// The snapshot has to be the one that was locked.
func TestTamperedInput(t *testing.T) {
	tamper := map[string]func(*generator.Server){
		`tool "echo" is not what was locked`: func(s *generator.Server) {
			s.Snapshot.Tools[0].Raw = []byte(strings.Replace(string(s.Snapshot.Tools[0].Raw), `"string"`, `"number"`, 1))
		},
		`tool "echo" is not worded as it was locked`: func(s *generator.Server) {
			s.Snapshot.Tools[0].Raw = []byte(strings.Replace(string(s.Snapshot.Tools[0].Raw), "Echoes back", "Evil", 1))
		},
		`tool "echo" is in the lock and not in the snapshot`: func(s *generator.Server) { s.Snapshot.Tools = s.Snapshot.Tools[1:] },
		`tool "echo" is in the snapshot and not in the lock`: func(s *generator.Server) { delete(s.Locked.Tools, "echo") },
		`tool "echo" has hashes in the lock that do not belong together`: func(s *generator.Server) {
			it := s.Locked.Tools["echo"]
			it.Contract = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
			s.Locked.Tools["echo"] = it
		},
		`the snapshot belongs to server "other"`: func(s *generator.Server) { s.Snapshot.Server = "other" },
		`it was never locked`:                    func(s *generator.Server) { s.Locked = nil },
	}
	for want, change := range tamper {
		t.Run(want, func(t *testing.T) {
			s := lockSnapshot(t, corpusSnapshot(t, "everything"))
			change(&s)
			restore := func(server string) []string { return []string{"mcpgen update " + server} }
			_, err := generator.Generate(t.Context(), generator.Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []generator.Server{s}, Restore: restore})
			if err == nil || !strings.Contains(err.Error(), "everything: "+want) || !strings.Contains(err.Error(), "mcpgen update everything") {
				t.Errorf("got %v", err)
			}
		})
	}
}
