package resources

import (
	"strings"
	"testing"
)

// Whatever a template is, its pattern lets its own text through where it has no
// expression, and nothing that leads up is taken for something that it makes.
func FuzzTemplate(f *testing.F) {
	for _, s := range [][2]string{{"file:///docs/{name}", "file:///docs/a"}, {"db://{+path}{?q*}", "db://x/../y?q=1"}, {"a{", "a{"}, {"{}", ""}, {"x(.*)\\", "x(.*)\\"}, {"\xff{a}", "\xff%2e%2E/"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, template, uri string) {
		p := patternOf(template)
		if p == nil {
			return
		}
		if !strings.ContainsAny(template, "{}") && !p.MatchString(template) && strings.ToValidUTF8(template, "") == template {
			t.Errorf("%q does not make itself", template)
		}
		l := &locked{}
		l.templates = append(l.templates, p)
		if l.fitsTemplate(uri) && strings.Contains(strings.ReplaceAll(strings.ToLower(uri), "%2e", "."), "/../") {
			t.Errorf("%q makes %q, which leads up", template, uri)
		}
	})
}
