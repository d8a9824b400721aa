package lockfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus returns the tools of every server of the corpus.
func corpus(t testing.TB) map[string][]json.RawMessage {
	t.Helper()
	paths, err := filepath.Glob("../../golden/corpus/servers/*.json")
	if err != nil || len(paths) < 8 {
		t.Fatalf("the corpus has %d servers (%v)", len(paths), err)
	}
	servers := map[string][]json.RawMessage{}
	for _, path := range paths {
		var file struct{ Tools []json.RawMessage }
		readJSON(t, path, &file)
		servers[strings.TrimSuffix(filepath.Base(path), ".json")] = file.Tools
	}
	return servers
}

func readJSON(t testing.TB, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
