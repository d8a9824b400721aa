package quote

import (
	"testing"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

func TestBlockKeepsTheEnd(t *testing.T) {
	if got := Block("first\nsecond\nlast", 11); got != "…second\nlast" {
		t.Errorf("Block = %q", got)
	}
	if got := Block(" one\ntwo \n", 100); got != "one\ntwo" {
		t.Errorf("Block = %q", got)
	}
}

func TestMask(t *testing.T) {
	got := Mask("token tok-12345-long and tok-12345 and 1", []string{"tok-12345", "tok-12345-long", "1", ""})
	if want := "token *** and *** and 1"; got != want {
		t.Errorf("Mask = %q, want %q", got, want)
	}
}

// A cut must not save a part of a secret from being masked.
func TestMaskAtCuts(t *testing.T) {
	secrets := []string{"s3cret-value"}
	for _, tt := range []struct{ in, want string }{
		{safetext.Cut("the token is s3cret-value", 20), "the token is ***…"},
		{Block("the s3cret-value is wrong", 17), "…*** is wrong"},
		{"a; stderr: …ret-value; b s3cre…", "a; stderr: …***; b ***…"},
		{safetext.Cut("no secret at all", 5), "no se…"},
		{safetext.Cut("a s3c", 4), "a s3…"}, // shorter than what is worth masking
	} {
		if got := Mask(tt.in, secrets); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}
