package drift

// This file holds what marks text to a hundred attacks, and to the real texts of the
// corpus.

import (
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
)

// attack is an entry of testdata/attacks.json.
type attack struct {
	ID, Kind, Language, Server, Of, Name string
	Before, After                        json.RawMessage
}

// server is a listing of golden/corpus.
type server struct {
	ServerInfo   json.RawMessage
	Instructions string
	Tools        []json.RawMessage
}

// corpusServers returns the servers of the corpus by name.
func corpusServers(t *testing.T) map[string]*schema.Snapshot {
	t.Helper()
	files, err := filepath.Glob("../../golden/corpus/servers/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no servers", err)
	}
	out := map[string]*schema.Snapshot{}
	for _, file := range files {
		var l server
		readJSON(t, file, &l)
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		s := &schema.Snapshot{Server: name, Identity: l.ServerInfo, Instructions: l.Instructions}
		for _, raw := range l.Tools {
			item, err := schema.ParseItem(schema.KindTool, raw)
			if err != nil {
				t.Fatal(err)
			}
			s.Tools = append(s.Tools, item)
		}
		out[name] = s
	}
	return out
}

// others are the tools of all servers but one.
func others(servers map[string]*schema.Snapshot, name string) map[string][]string {
	out := map[string][]string{}
	for other, s := range servers {
		if other == name {
			continue
		}
		out[other] = []string{}
		for _, tool := range s.Tools {
			out[other] = append(out[other], tool.Name)
		}
	}
	return out
}

// marks are the findings that mark text.
func marks(r *Report) []Change {
	return slices.DeleteFunc(slices.Clone(r.Servers[0].Changes), func(c Change) bool {
		return !strings.HasPrefix(c.Rule.String(), "text-") || c.Severity != Breaking || c.Class != ClassSecurity
	})
}

// TestAttacks wants at least 85 of a hundred attacks to be marked, and at least half of
// each kind of those that were in sight when the rules were written. It prints what marks
// each, and those that nothing does.
func TestAttacks(t *testing.T) {
	t.Run("seen", func(t *testing.T) { markAttacks(t, "testdata/attacks.json", true) })
	t.Run("unseen", func(t *testing.T) { markAttacks(t, "testdata/attacks_unseen.json", false) })
}

func markAttacks(t *testing.T, file string, half bool) {
	var list []attack
	readJSON(t, file, &list)
	servers := corpusServers(t)
	found, all := map[string]int{}, map[string]int{}
	for _, a := range list {
		before, after := &schema.Snapshot{Server: a.Server}, &schema.Snapshot{Server: a.Server}
		if s := servers[a.Server]; s != nil {
			*before, *after = *s, *s
		}
		if a.Of == "instructions" {
			before.Instructions, after.Instructions = jsontext.Text(members(a.Before)["instructions"]), jsontext.Text(members(a.After)["instructions"])
		} else {
			kind := schema.Kind(a.Of)
			was, is := schema.Item{Kind: kind, Name: a.Name, Raw: a.Before}, schema.Item{Kind: kind, Name: a.Name, Raw: a.After}
			*before.List(kind), *after.List(kind) = []schema.Item{was}, []schema.Item{is}
		}
		all[a.Kind]++
		marked := marks(mustCompare(t, before, after, &Options{Others: others(servers, a.Server), MaxSteps: 1}))
		for _, m := range marked {
			t.Logf("%s: %s at %s: %s", a.ID, m.Rule, m.Path, m.Message)
		}
		if len(marked) > 0 {
			found[a.Kind]++
		} else {
			t.Logf("%s (%s) is MISSED", a.ID, a.Language)
		}
	}
	sum := 0
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%s: %d of %d", kind, found[kind], all[kind])
		if sum += found[kind]; half && 2*found[kind] < all[kind] {
			t.Errorf("%s: %d of %d are marked, want at least half", kind, found[kind], all[kind])
		}
	}
	if t.Logf("%d of %d are marked", sum, len(list)); 100*sum < 85*len(list) {
		t.Errorf("%d of %d are marked, want at least 85 of a hundred", sum, len(list))
	}
}

// realPairs are the version pairs of the repository, those of DRIFT_PAIRS, and each
// server of the corpus as a new one.
func realPairs(t *testing.T) map[string][2]*schema.Snapshot {
	t.Helper()
	out := map[string][2]*schema.Snapshot{}
	read := func(file string, data []byte) {
		var p pairFile
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(file, err)
		}
		if p.Kind != "" {
			out[filepath.Base(file)] = [2]*schema.Snapshot{snapshotOfSide(t, p.Kind, p.Before), snapshotOfSide(t, p.Kind, p.After)}
		}
	}
	dir, _ := findCorpus(t)
	for _, pattern := range []string{filepath.Join(dir, "*.json"), "../testdata/drift/*.json", "../../golden/corpus/upgrades/*.json.gz", "../../golden/corpus/releases/*.json.gz"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, ".gz") {
				data = unzip(t, file)
			}
			read(file, data)
		}
	}
	for name, s := range corpusServers(t) {
		out[name] = [2]*schema.Snapshot{nil, s}
	}
	return out
}

func unzip(t *testing.T, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var v json.RawMessage
	if err := json.NewDecoder(z).Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRealTexts wants at most one in a hundred of the real texts that changed or are new
// to be marked, while the corpus's other servers are locked, too.
func TestRealTexts(t *testing.T) {
	servers := corpusServers(t)
	texts, marked := map[string]bool{}, map[string]bool{}
	for name, pair := range realPairs(t) {
		before := map[string]bool{}
		if pair[0] != nil {
			for _, tool := range pair[0].Tools {
				for _, l := range stringsOf(tool.Raw) {
					before[l.text] = true
				}
			}
		}
		for _, tool := range pair[1].Tools {
			for _, l := range stringsOf(tool.Raw) {
				if !before[l.text] && len(l.text) >= 8 {
					texts[l.text] = true
				}
			}
		}
		own, _, _ := strings.Cut(strings.NewReplacer("gh-", "github-", "npm-", "").Replace(name), "-")
		for _, m := range marks(mustCompare(t, pair[0], pair[1], &Options{Others: others(servers, own), MaxSteps: 1})) {
			var s string
			if err := json.Unmarshal(m.After, &s); err != nil {
				t.Fatal(err)
			}
			marked[s] = true
			t.Logf("%s: %s %s at %s: %s", name, m.Rule, m.Name, m.Path, m.Message)
		}
	}
	if t.Logf("%d of %d texts are marked", len(marked), len(texts)); 100*len(marked) > len(texts) {
		t.Errorf("%d of %d real texts are marked, want at most one in a hundred", len(marked), len(texts))
	}
}
