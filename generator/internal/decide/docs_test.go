package decide

import "testing"

// A default that the text says is not said again, however the text says it.
func TestSaysDefault(t *testing.T) {
	for _, tc := range []struct {
		words, note string
		want        bool
	}{
		{"Results (1-50, default 20).", "Default: 20.", true},
		{"The default is 'en'.", `Default: "en".`, true},
		{"Rows. Default value: 5", "Default: 5.", true},
		{"Results (default 20).", "Default: 10.", false},
		{"The default order.", `Default: "asc".`, false},
		{"Results (default 20).", "At least 20.", false},
	} {
		if got := saysDefault(tc.words, tc.note); got != tc.want {
			t.Errorf("%q and %q: got %v", tc.words, tc.note, got)
		}
	}
}
