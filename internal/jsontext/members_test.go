package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 6000) + `"]}"` + strings.Repeat(`]}`, 6000)
	line := `{"tools":[{"name":"deep","x":` + deep + `},{"name":"good"}],"next\u0043ursor":"c"}`
	if json.Valid([]byte(line)) {
		t.Fatal("encoding/json reads the line, want one that is too deep for it")
	}
	m, _, ok := Members([]byte(line))
	if !ok || string(m["nextCursor"]) != `"c"` {
		t.Fatalf("%v, %v", m, ok)
	}
	all, ok := Elements(m["tools"])
	if !ok || len(all) != 2 || string(all[1]) != `{"name":"good"}` || !strings.HasSuffix(string(all[0]), `]}}`) {
		t.Errorf("%d elements, %v", len(all), ok)
	}
	for b, want := range map[string]bool{`{}`: true, ` {"a" : 1 } `: true, `[]`: false, `{"a":}`: false, `{"\x":1}`: false, ``: false, `"`: false, `{"a":1`: false, strings.Repeat(`[`, 20000): false} {
		if _, _, ok := Members([]byte(b)); ok != want {
			t.Errorf("members of %s: %v", b, ok)
		}
	}
	for b, want := range map[string]int{`[]`: 0, ` [ ] `: 0, `[1, "],"]`: 2, `[[],{}]`: 2, `{}`: -1, `[1,]`: -1, `[`: -1} {
		all, ok := Elements([]byte(b))
		if ok != (want >= 0) || ok && len(all) != want {
			t.Errorf("elements of %s: %q, %v", b, all, ok)
		}
	}
}
