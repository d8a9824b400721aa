package decide

import (
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// What a server always writes in capitals is an initialism in its names.
func TestCapitals(t *testing.T) {
	before := snapshotOf(t, `{"name":"list","description":"Lists what DLX and ACME hold."}`)
	dlx := `{"name":"redrive_dlx","description":"Moves messages out of a DLX. A DLX keeps what failed; see all DLXs.","inputSchema":{"type":"object"}}`
	for _, tt := range []struct {
		now    string
		before *schema.Snapshot
		locked []string
		want   []string
	}{
		{dlx, nil, nil, []string{"DLX"}},
		{dlx, before, nil, []string{"DLX"}},                                                   // a word in texts is in no name
		{dlx, snapshotOf(t, `{"name":"dlx"}`), nil, nil},                                      // names have it as it is
		{`{"name":"other"}`, before, []string{"DLX"}, []string{"DLX"}},                        // for as long as there is a lock
		{`{"name":"dlx","description":"A dlx, a DLX, another DLX, the DLX."}`, nil, nil, nil}, // both ways
		{`{"name":"push","description":"Via LINE, a LINE Account, LINE user.","inputSchema":{"properties":{"lineSpacing":{},"maxLines":{}}}}`, nil, nil, nil},
		{`{"name":"must","description":"You MUST, MUST, MUST."}`, nil, nil, nil},
		{`{"name":"x","description":"OPEN, OPEN and OPEN.","inputSchema":{"enum":["OPEN","open"]}}`, nil, nil, nil},
		{"{\"name\":\"x_dlx\",\"description\":\"`DLX` `DLX` `DLX` \\\"DLX\\\" a.DLX DLX: x\"}", nil, nil, nil},
	} {
		if got := Capitals(snapshotOf(t, tt.now), tt.before, tt.locked); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.now, got, tt.want)
		}
	}
	caps := capitals{"DLX"}
	for name, want := range map[string]string{"RedriveDlx": "RedriveDLX", "Dlxs": "DLXs", "Dlx2": "DLX2", "Dlxx": "Dlxx", "DLXID": "DLXID", "V1_Dlx": "V1_DLX"} {
		if got := caps.spell(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
