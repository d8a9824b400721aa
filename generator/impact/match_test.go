package impact

import "testing"

// Lists and objects are values of enumerations, too.
func TestEqualJSON(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`"a"`, `"\u0061"`, true}, {`1`, `1.0`, true}, {`1`, `"1"`, false},
		{`[1,2]`, `[1, 2.0]`, true}, {`[1,2]`, `[2,1]`, false}, {`{"a":[]}`, `{"a":[]}`, true}, {``, `1`, false},
	} {
		if got := equalJSON(tt.a, tt.b); got != tt.want {
			t.Errorf("%s and %s: got %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
