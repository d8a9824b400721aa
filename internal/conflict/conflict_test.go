package conflict

import "testing"

func TestLine(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a\n": 0, "<<<<<<< HEAD\n": 1, "a\r\nb\r\n<<<<<<< HEAD\r\n=======\r\n>>>>>>> x\r\n": 3, "a\n||||||| base\n": 2,
		"a\n>>>>>>> x\n<<<<<<< y\n": 2, "a\n  <<<<<<< HEAD\n": 0, "=======\n": 0, "<<<<<<<\n": 0,
	} {
		if got := Line([]byte(text)); got != want {
			t.Errorf("%q: line %d, want %d", text, got, want)
		}
	}
}
