package decide

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/schema/lockfile"
)

func TestCheckPins(t *testing.T) {
	many := strings.Builder{}
	for i := range MaxOldNames + 1 {
		fmt.Fprintf(&many, `,"t%d":"T%d"`, i, i)
	}
	for _, tc := range []struct{ in, want string }{
		{`{"names":{"":"A","/inputSchema/properties/x":"X2"},"was":{"old":"Old"}}`, ""},
		{`{"keep":["A","B"]}`, ""},
		{`{"keep":[]}`, `at "/servers/s/tools/t/go/keep": must be a list`},
		{`{"keep":"A"}`, `at "/servers/s/tools/t/go/keep": must be a list`},
		{`{"keep":["A",null]}`, `at "/servers/s/tools/t/go/keep/1": "" is not an exported Go name`},
		{`{"keep":["A(){};func init"]}`, `is not an exported Go name`},
		{`[]`, `at "/servers/s/tools/t/go": must be an object`},
		{`{"Names":{}}`, `at "/servers/s/tools/t/go/Names": unknown member`},
		{`{"names":[]}`, `at "/servers/s/tools/t/go/names": must be an object`},
		{`{"names":null}`, `at "/servers/s/tools/t/go/names": must be an object`},
		{`{"names":{"x":"A"}}`, `at "/servers/s/tools/t/go/names/x": the member name must be a JSON pointer`},
		{`{"names":{"":"a"}}`, `"a" is not an exported Go name`},
		{`{"names":{"":"func"}}`, `"func" is not an exported Go name`},
		{`{"names":{"":"A(){};func init"}}`, `is not an exported Go name`},
		{`{"names":{"":5}}`, `at "/servers/s/tools/t/go/names/": must be an exported Go identifier`},
		{`{"names":{"":"` + strings.Repeat("A", 2*maxIdent+1) + `"}}`, "is longer than"},
		{`{"was":{"":"A"}}`, `at "/servers/s/tools/t/go/was/": the member name is empty`},
		{`{"was":{"a/b":"x"}}`, `at "/servers/s/tools/t/go/was/a~1b": "x" is not an exported Go name`},
		{`{"was":{` + many.String()[1:] + `}}`, "a tool can have at most 20 old names"},
	} {
		l := &lockfile.LockedServer{Tools: map[string]lockfile.LockedItem{"t": {Go: json.RawMessage(tc.in)}}}
		err := CheckPins("s", l)
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "git checkout")) {
			t.Errorf("%s: got %v, want %s", tc.in, err, tc.want)
		}
	}
	for _, in := range []string{`{"package":"A"}`, `{"package":5}`, `{"name":"x"}`, `5`, `{"include":"x"}`, `{"include":[]}`, `{"include":[1]}`} {
		if err := CheckPins("s", &lockfile.LockedServer{Go: json.RawMessage(in)}); err == nil || !strings.Contains(err.Error(), `at "/servers/s/go`) {
			t.Errorf("%s: got %v", in, err)
		}
	}
}

func FuzzPins(f *testing.F) {
	f.Add([]byte(`{"names":{"":"A","/inputSchema/properties/x":"X2"},"was":{"old":"Old"}}`))
	f.Add([]byte(`{"package":"x","include":["a*"],"exclude":["b"]}`))
	f.Add([]byte(`{"names":{"":null},"was":[1]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _ := readServer(data)
		l := &lockfile.LockedServer{}
		if PinServer(l, s); !cmp.Equal(PinnedServer(l), s) {
			t.Errorf("%q: %v became %v", data, s, PinnedServer(l))
		}
		p, _ := readPins(data)
		for _, names := range []map[string]string{p.Names, p.Was} {
			for _, name := range names {
				if err := checkGiven(name); err != nil {
					t.Errorf("%q: %v", data, err)
				}
			}
		}
		if again := Pinned(WithPins(lockfile.LockedItem{}, p)); !cmp.Equal(p, again) {
			t.Errorf("%q: %v became %v", data, p, again)
		}
	})
}
