package sharing

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/store"
)

// Whoever may push can write anything into a usage.
func TestParseUsage(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcpgen": 1, "module": "example.com/m", "items": []}`: "",
		`{"mcpgen": 2, "module": "example.com/m", "items": []}`: "has format 2",
		`{"mcpgen": 1}`: "lacks the module",
		`[]`:            "cannot be read",
		``:              "cannot be read",
	} {
		_, err := parseUsage(&store.Artifact{Subject: "sha256:0", Layers: map[string][]byte{usageLayer: []byte(text)}})
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", text, err, want)
		}
	}
}
