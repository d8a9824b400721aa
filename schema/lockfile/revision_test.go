package lockfile

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// A lock of another revision of the contract rules is brought up to date
// without taking anything for accepted that was not.
func TestRehash(t *testing.T) {
	same := schema.Item{Kind: schema.KindTool, Name: "same", Raw: []byte(`{"name":"same","inputSchema":{"type":"object"}}`)}
	other := schema.Item{Kind: schema.KindTool, Name: "other", Raw: []byte(`{"name":"other","inputSchema":{"type":"object"}}`)}
	lock, err := LockSnapshot(&schema.Snapshot{Server: "s", Tools: []schema.Item{other, same}})
	if err != nil {
		t.Fatal(err)
	}
	want := lock.Tools["same"]
	old := "sha256:" + strings.Repeat("0", 64)
	for name, it := range lock.Tools {
		it.Contract = old
		lock.Tools[name] = it
	}
	changed := &schema.Snapshot{Server: "s", Tools: []schema.Item{{Kind: schema.KindTool, Name: "other", Raw: []byte(`{"name":"other","inputSchema":{}}`)}, same}}
	lock.Rehash(changed)
	if got := lock.Tools["same"]; got.Contract != want.Contract || got.Key != want.Key {
		t.Errorf("the same definition has %+v, want %+v", got, want)
	}
	if got := lock.Tools["other"]; got.Contract != old {
		t.Errorf("another definition was accepted: %+v", got)
	}
}

func TestLockRevision(t *testing.T) {
	tests := []struct {
		text string
		want int
		err  string
	}{
		{`{"mcpgen": 1, "servers": {}}`, 0, ""},
		{`{"mcpgen": 1, "contracts": 1, "servers": {}}`, 1, ""},
		{`{"mcpgen": 1, "contracts": 999, "servers": {}}`, 999, "use the version of mcpgen that wrote the lock"},
		{`{"mcpgen": 1, "contracts": "1", "servers": {}}`, 0, "must be a number"},
		{`{"mcpgen": 1, "contracts": -1, "servers": {}}`, 0, "must be a number"},
	}
	for _, tt := range tests {
		lock, err := ParseLock([]byte(tt.text))
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v, want an error with %q", tt.text, err, tt.err)
			}
			continue
		}
		if err != nil || lock.Revision != tt.want {
			t.Errorf("%s: %+v, %v; want %v", tt.text, lock, err, tt.want)
		}
	}
	if NewLock().Revision != schema.ContractRevision {
		t.Errorf("a new lock has revision %d, want %d", NewLock().Revision, schema.ContractRevision)
	}
}
