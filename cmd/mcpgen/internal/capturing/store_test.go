package capturing

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/store"
	"github.com/mcpgen/mcpgen/golden/ociregistry"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// registryWith starts a registry that has layers as an artifact of a type.
func registryWith(t *testing.T, artifactType string, layers map[string][]byte) *store.Repository {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	server := httptest.NewServer(&ociregistry.Registry{})
	t.Cleanup(server.Close)
	r, _, err := store.Open(store.Scheme + strings.TrimPrefix(server.URL, "http://") + "/mcp/tracker")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Push(t.Context(), store.Artifact{Type: artifactType, Layers: layers}, newest); err != nil {
		t.Fatal(err)
	}
	return r
}

// snapshotWith returns the file of a snapshot with these tools.
func snapshotWith(t *testing.T, tools ...string) []byte {
	t.Helper()
	s := &schema.Snapshot{Server: "../../etc", ProtocolVersion: "2025-11-25"}
	for _, raw := range tools {
		it, err := schema.ParseItem(schema.KindTool, json.RawMessage(raw))
		if err != nil {
			t.Fatal(err)
		}
		s.Tools = append(s.Tools, it)
	}
	return lockfile.EncodeSnapshot(s)
}

const plainTool = `{"name": "a", "inputSchema": {"type": "object"}}`

// What a registry sends takes the way of a listing: the name is the one here, and what a listing may not be is
// refused.
func TestPulled(t *testing.T) {
	for name, tt := range map[string]struct {
		layers map[string][]byte
		want   string // of the error; "" if there is none
	}{
		"a snapshot":              {map[string][]byte{snapshotLayer: snapshotWith(t, plainTool)}, ""},
		"no snapshot":             {map[string][]byte{observedLayer: []byte("{}")}, "its snapshot cannot be read"},
		"no tools":                {map[string][]byte{snapshotLayer: snapshotWith(t)}, "allow_empty"},
		"too many tools":          {map[string][]byte{snapshotLayer: snapshotWith(t, plainTool, `{"name": "b"}`, `{"name": "c"}`)}, "the limit is 2"},
		"a tool twice":            {map[string][]byte{snapshotLayer: []byte(strings.Replace(string(snapshotWith(t, plainTool, `{"name": "b"}`)), `"b"`, `"a"`, 1))}, "second tool"},
		"another form":            {map[string][]byte{snapshotLayer: []byte(`{"mcpgen": 99}`)}, "format"},
		"deep":                    {map[string][]byte{snapshotLayer: []byte(`{"mcpgen": 1, "server": "s", "tools": ` + strings.Repeat("[", 100_000))}, "cannot be read"},
		"too large":               {map[string][]byte{snapshotLayer: []byte(strings.Repeat(" ", 2<<20))}, "too large"},
		"an order of other names": {map[string][]byte{snapshotLayer: snapshotWith(t, plainTool), orderLayer: []byte(`{"tool": ["z", "a", "z"], "x": []}`)}, ""},
		"an order that is none":   {map[string][]byte{snapshotLayer: snapshotWith(t, plainTool), orderLayer: []byte(`[]`)}, "the order of its items cannot be read"},
		"shapes that are none":    {map[string][]byte{snapshotLayer: snapshotWith(t, plainTool), observedLayer: []byte(`{"mcpgen": 1, "server": "s", "tools": {"a": {"schema": {"$ref": "#/nowhere"}}}}`)}, "observed shape"},
	} {
		t.Run(name, func(t *testing.T) {
			r := registryWith(t, snapshotType, tt.layers)
			c := &Capture{Server: endpoint.Server{Name: "tracker", Limits: endpoint.Limits{Tools: 2, Memory: 1 << 20}}}
			err := c.Pull(t.Context(), r, newest)
			switch {
			case tt.want == "" && (err != nil || c.Snapshot.Server != "tracker" || c.Locked.Store == ""):
				t.Errorf("got %+v, %v", c, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}
