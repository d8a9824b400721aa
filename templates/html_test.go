package templates

import (
	"html"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// The policy of a page allows exactly its style and its script.
func TestContentPolicy(t *testing.T) {
	page, err := HTML("tail", nil)
	if err != nil {
		t.Fatal(err)
	}
	head, err := HTML("head", "<script>title</script>")
	if err != nil {
		t.Fatal(err)
	}
	text := string(head) + string(page)
	for _, tag := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(text, "<"+tag+">")
		body, _, ok := strings.Cut(rest, "</"+tag+">")
		if !ok || !strings.Contains(html.UnescapeString(text), tag+"-src '"+sourceHash(body)+"'") {
			t.Errorf("the hash of the %s is not that of what stands in the page", tag)
		}
	}
	allowed := regexp.MustCompile(`'sha256-[^']+'`).ReplaceAllString(contentPolicy(), "its own")
	if want := "default-src 'none'; style-src its own; script-src its own; img-src data:; base-uri 'none'; form-action 'none'"; allowed != want || !strings.Contains(html.UnescapeString(text), contentPolicy()) {
		t.Errorf("the policy is %q, want %q, in the page", allowed, want)
	}
	if n := strings.Count(text, "<script"); n != 1 || strings.Contains(text, "<script>title") {
		t.Errorf("%d scripts in\n%s", n, text)
	}
}

// The templates have nothing that a Content Security Policy would have to allow:
// no handlers and styles in attributes, and nothing from elsewhere.
func TestPagesAreClosed(t *testing.T) {
	text, err := fs.ReadFile(files, "catalogue.html.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{`\son[a-z]+=`, `\sstyle=`, `src=`, `https?://[^w]`, `javascript:`, `<(iframe|object|embed|form|base)\b`} {
		if found := regexp.MustCompile(pattern).Find(text); found != nil {
			t.Errorf("%q", found)
		}
	}
	for name, source := range map[string]string{"style": style, "script": script} {
		if found := regexp.MustCompile(`https?:|@import|url\(|innerHTML|outerHTML|insertAdjacent|eval\(|document\.write|</`).FindString(source); found != "" {
			t.Errorf("%s: %q", name, found)
		}
	}
}

func TestHTMLErrors(t *testing.T) {
	if text, err := HTML("index", struct{ Title string }{"x"}); err == nil {
		t.Errorf("a field that the view does not have: %s", text)
	}
	if _, err := HTML("none", nil); err == nil || !strings.Contains(err.Error(), "none") {
		t.Error(err)
	}
}
