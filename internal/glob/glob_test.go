package glob

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "", true}, {"*", "a/b", true}, {"a*c", "a/b/c", true}, {"a?b", "a/b", true}, {"a?b", "a//b", false}, {"a/b", "a/b", true},
		{"[/]", "/", true}, {"[^a]", "/", true}, {"[a-z]*", "list", true}, {`\*`, "*", true}, {`\*`, "a", false}, {"", "", true}, {"", "a", false},
		{"[", "[", false}, {"a[", "b", false}, {"[]", "]", false}, {`\`, `\`, false}, {"[z-a]", "b", false}, {"日?", "日本", true},
	} {
		if got := Match(c.pattern, c.name); got != c.want {
			t.Errorf("%q and %q: got %v", c.pattern, c.name, got)
		}
	}
}

// A slash is matched as any letter is that has no meaning in a pattern.
func TestSlash(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(letters string) string {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteByte(letters[r.IntN(len(letters))])
		}
		return b.String()
	}
	matched := 0
	for range 200_000 {
		pattern, name := text(`ab/*?[]^\`), text("ab/")
		other := strings.NewReplacer("/", "_")
		want, err := path.Match(other.Replace(pattern), other.Replace(name))
		if got := Match(pattern, name); got != want || (Check(pattern) != nil) != (err != nil) {
			t.Fatalf("%q and %q: got %v, %v; want %v, %v", pattern, name, got, Check(pattern), want, err)
		}
		if want {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("%d of the pairs match", matched)
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("a*/[b-d]?", "a/b/c")
	f.Add(strings.Repeat("*a", 50), strings.Repeat("a", 50)+"b")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if Match(pattern, name) && Check(pattern) != nil {
			t.Errorf("%q matches and is not a pattern", pattern)
		}
		literal := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
		if utf8.ValidString(name) && !Match(literal, name) {
			t.Errorf("%q does not match %q", literal, name)
		}
	})
}
