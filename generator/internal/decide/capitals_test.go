package decide

import (
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// What a server always writes in capitals is an initialism in its names.
func TestCapitals(t *testing.T) {
	before := snapshotOf(t, `{"name":"list","description":"Lists what DLQ and ACME hold."}`)
	dlq := `{"name":"redrive_dlq","description":"Moves messages out of a DLQ. A DLQ keeps what failed; see all DLQs.","inputSchema":{"type":"object"}}`
	for _, tt := range []struct {
		now    string
		before *schema.Snapshot
		locked []string
		want   []string
	}{
		{dlq, nil, nil, []string{"DLQ"}},
		{dlq, before, nil, []string{"DLQ"}},                                                   // a word in texts is in no name
		{dlq, snapshotOf(t, `{"name":"dlq"}`), nil, nil},                                      // names have it as it is
		{`{"name":"other"}`, before, []string{"DLQ"}, []string{"DLQ"}},                        // for as long as there is a lock
		{`{"name":"dlq","description":"A dlq, a DLQ, another DLQ, the DLQ."}`, nil, nil, nil}, // both ways
		{`{"name":"push","description":"Via LINE, a LINE Account, LINE user.","inputSchema":{"properties":{"lineSpacing":{},"maxLines":{}}}}`, nil, nil, nil},
		{`{"name":"must","description":"You MUST, MUST, MUST."}`, nil, nil, nil},
		{`{"name":"x","description":"OPEN, OPEN and OPEN.","inputSchema":{"enum":["OPEN","open"]}}`, nil, nil, nil},
		{"{\"name\":\"x_dlq\",\"description\":\"`DLQ` `DLQ` `DLQ` \\\"DLQ\\\" a.DLQ DLQ: x\"}", nil, nil, nil},
	} {
		if got := Capitals(snapshotOf(t, tt.now), tt.before, tt.locked); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.now, got, tt.want)
		}
	}
	caps := capitals{"DLQ"}
	for name, want := range map[string]string{"RedriveDlq": "RedriveDLQ", "Dlqs": "DLQs", "Dlq2": "DLQ2", "Dlqx": "Dlqx", "DLQID": "DLQID", "V1_Dlq": "V1_DLQ"} {
		if got := caps.spell(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
