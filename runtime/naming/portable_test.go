package naming_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

var portable = regexp.MustCompile(`\A[A-Za-z_][A-Za-z0-9_-]{0,63}\z`)

func TestPortable(t *testing.T) {
	a70 := strings.Repeat("a", 70)
	for name, want := range map[string]string{
		"github__create-issue":  "github__create-issue",
		"mcp.github.list_prs":   "mcp_github_list_prs",
		"7zip":                  "_7zip",
		"-x":                    "_-x",
		"":                      "_",
		"é":                     "_",
		"a\xff\x00b\n":          "a__b_",
		strings.Repeat("a", 64): strings.Repeat("a", 64),
		a70:                     strings.Repeat("a", 55) + "_6bd5e503",
		a70 + "b":               strings.Repeat("a", 55) + "_ffe7dc5b",
		strings.Repeat("1", 64): "_" + strings.Repeat("1", 54) + "_3138bb9b",
	} {
		if got := naming.Portable(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func FuzzPortable(f *testing.F) {
	for _, s := range []string{"", "a", "a.b", "1", "-", strings.Repeat("x", 65), strings.Repeat("é", 64), "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := naming.Portable(name)
		if !portable.MatchString(got) {
			t.Errorf("%q became %q", name, got)
		}
		if naming.Portable(got) != got || naming.Portable(name) != got {
			t.Errorf("%q: not stable", name)
		}
		if portable.MatchString(name) && got != name {
			t.Errorf("%q was changed to %q without need", name, got)
		}
	})
}
