package golden

// What the tests of this folder share: snapshots of the corpus, and projects
// generated from them.

import (
	"encoding/json"
	"flag"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files: read the diff")

// corpusServers are the real servers of corpus/servers.
var corpusServers = []string{"context7", "everything", "filesystem", "github", "kubernetes", "mapbox", "memory", "notion"}

// listing is a file of corpus/servers.
type listing struct {
	ProtocolVersion string            `json:"protocolVersion"`
	ServerInfo      json.RawMessage   `json:"serverInfo"`
	Tools           []json.RawMessage `json:"tools"`
}

func readListing(t testing.TB, file string) listing {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	var l listing
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return l
}

// snapshot makes the snapshot that attach would make of a listing.
func (l listing) snapshot(t testing.TB, server string) *schema.Snapshot {
	t.Helper()
	s := &schema.Snapshot{Server: server, ProtocolVersion: l.ProtocolVersion, Identity: l.ServerInfo}
	if s.ProtocolVersion == "" {
		s.ProtocolVersion = "2025-11-25"
	}
	for _, raw := range l.Tools {
		it, err := schema.ParseItem(schema.KindTool, raw)
		if err != nil {
			t.Fatalf("%s: %v", server, err)
		}
		s.Tools = append(s.Tools, it)
	}
	return s
}

func corpusSnapshot(t testing.TB, server string) *schema.Snapshot {
	t.Helper()
	return readListing(t, "corpus/servers/"+server+".json").snapshot(t, server)
}

// lockSnapshot accepts a snapshot as mcpgen does, and names its tools.
func lockSnapshot(t testing.TB, s *schema.Snapshot) generator.Server {
	t.Helper()
	server, err := project.Lock(s)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// generateServers generates servers into a folder of a module, with their fakes.
func generateServers(t testing.TB, module, output string, servers ...generator.Server) *generator.Output {
	t.Helper()
	out, err := generator.Generate(t.Context(), generator.Options{Output: output, ImportPath: path.Join(module, output), Fakes: true, Servers: servers})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// goFiles are the Go files of an output by path, without examples, which are a package of
// their own.
func goFiles(out *generator.Output) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range out.Files {
		if strings.HasSuffix(f.Path, ".go") && !strings.HasSuffix(f.Path, "_test.go") {
			files[f.Path] = f.Data
		}
	}
	return files
}
