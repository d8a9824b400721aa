// Package corpus reads the tools of real servers for tests of package schema and the packages below it.
package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tools returns the tools of every server in a folder of listings, such as golden/corpus/servers, by server
// name.
func Tools(t testing.TB, folder string) map[string][]json.RawMessage {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(paths) < 8 {
		t.Fatalf("the corpus has %d servers (%v)", len(paths), err)
	}
	servers := map[string][]json.RawMessage{}
	for _, path := range paths {
		var file struct{ Tools []json.RawMessage }
		ReadJSON(t, path, &file)
		servers[strings.TrimSuffix(filepath.Base(path), ".json")] = file.Tools
	}
	return servers
}

// ReadJSON reads a file into v, or ends the test.
func ReadJSON(t testing.TB, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
