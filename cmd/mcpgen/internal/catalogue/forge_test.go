package catalogue

import (
	"strings"
	"testing"
)

func TestForgeBase(t *testing.T) {
	commit := strings.Repeat("0a", 20)
	for remote, want := range map[string]string{
		"https://github.com/o/r.git":              "https://github.com/o/r/blob/" + commit + "/",
		"https://user:secret@github.com/o/r":      "https://github.com/o/r/blob/" + commit + "/",
		"git@github.com:o/r.git":                  "https://github.com/o/r/blob/" + commit + "/",
		"ssh://git@GitHub.com:22/o/r.git":         "https://github.com/o/r/blob/" + commit + "/",
		"git@gitlab.com:group/sub/r.git":          "https://gitlab.com/group/sub/r/-/blob/" + commit + "/",
		"https://codeberg.org/o/r":                "https://codeberg.org/o/r/src/commit/" + commit + "/",
		"https://forge.example.com/o/r.git":       "",
		"https://github.com.example.com/o/r.git":  "",
		"http://github.com/o/r.git":               "",
		"/home/somebody/github.com/o/r":           "",
		"file:///srv/github.com/o/r.git":          "",
		"https://github.com/o":                    "",
		"https://github.com/o/../r":               "",
		"https://github.com/o/r\"><script>.git":   "",
		"git@github.com:o/r?x=1":                  "",
		"javascript:alert(1)//@github.com:22/o/r": "",
		"": "",
	} {
		if got := forgeBase(remote, commit); got != want {
			t.Errorf("%q: %q, want %q", remote, got, want)
		}
	}
	if got := forgeBase("https://github.com/o/r", "HEAD"); got != "" {
		t.Errorf("a commit by name: %q, want %q", got, "")
	}
}

func TestForgePage(t *testing.T) {
	f := forge{"https://github.com/o/r/blob/x/", map[string]bool{"a b/c#?.go": true}}
	if got, want := f.page("a b/c#?.go", 7), "https://github.com/o/r/blob/x/a%20b/c%23%3F.go#L7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := f.page("changed.go", 7) + (forge{}).page("a.go", 1); got != "" {
		t.Errorf("got the page %q of a file that is not as committed, want none", got)
	}
}
