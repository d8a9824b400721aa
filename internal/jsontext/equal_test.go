package jsontext

import "testing"

func TestEqual(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`"a"`, `"\u0061"`, true},
		{`1`, `1.0`, true},
		{`1`, `"1"`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`[0.1]`, `[1e-1]`, true},
		{`[1,2]`, `[1, 2.0]`, true},
		{`[1,2]`, `[2,1]`, false},
		{`{"a":[]}`, `{"a":[]}`, true},
		{`{"a":1,"b":null}`, `{"b":null,"a":1}`, true},
		{`{"a":null}`, `{"b":null}`, false},
		{``, `1`, false},
		{`[`, `[`, false},
	} {
		if got := Equal([]byte(tt.a), []byte(tt.b)); got != tt.want {
			t.Errorf("%s and %s: got %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
	if !Equal(nil, nil) || Equal(nil, []byte("null")) {
		t.Error("no value equals no value alone")
	}
}
