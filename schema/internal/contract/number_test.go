package contract

import "testing"

func TestNormalNumber(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0": "0", "0.00": "0", "0e9": "0", "1": "1", "10": "1e1", "1.50": "15e-1", "-1.5E+3": "-15e2",
		"100e-2": "1", "0.001": "1e-3", "9007199254740993": "9007199254740993", "1e99999999999": "1e99999999999",
	} {
		if got := normalNumber(in); got != want {
			t.Errorf("normalNumber(%s) = %s, want %s", in, got, want)
		}
	}
}
