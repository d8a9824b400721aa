package pages

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPages opens the catalogue of nine servers, one of them hostile, from the disk.
func TestPages(t *testing.T) {
	p := newProject(t)
	b := startBrowser(t)
	t.Run("axe", func(t *testing.T) { testAxe(t, b, p) })
	t.Run("looks", func(t *testing.T) { testLooks(t, b, p) })
	t.Run("links", func(t *testing.T) { testLinks(t, b, p) })
	t.Run("search", func(t *testing.T) { testSearch(t, b, p) })
	t.Run("search of a server", func(t *testing.T) { testServerSearch(t, b, p) })
	t.Run("keyboard", func(t *testing.T) { testKeyboard(t, b, p) })
	t.Run("paper", func(t *testing.T) { testPaper(t, b, p) })
	t.Run("without script", func(t *testing.T) { testWithoutScript(t, b, p) })
	t.Run("picture", func(t *testing.T) { testPicture(t, b, p) })
}

// testPicture takes the picture of the catalogue that README shows, without the hostile
// server: make pictures keeps it.
func testPicture(t *testing.T, b *browser, p project) {
	lines := regexp.MustCompile(`(?m)^  hostile: .*\n`)
	p.write(t, "mcpgen.yaml", lines.ReplaceAllString(read(t, filepath.Join(p.dir, "mcpgen.yaml")), ""))
	p.run(t, p.dir, p.mcpgen, "generate")
	p.run(t, p.dir, p.mcpgen, "docs", "--out", "site")
	b.as(t, look{1000, 760, false})
	b.open(t, p.url("index.html"))
	if size := len(b.screenshot(t, "catalogue")); size > 200_000 {
		t.Errorf("the picture has %d bytes", size)
	}
	b.check(t, "picture")
}

// base is the name of a page.
func base(address string) string { return strings.TrimSuffix(path.Base(address), ".html") }

// testAxe wants axe to find what is wrong with a page.
func testAxe(t *testing.T, b *browser, p project) {
	b.open(t, p.url("memory/memory.html"))
	if found := b.violations(t); len(found) > 0 {
		t.Errorf("got %+v", found)
	}
	eval[bool](t, b, `document.querySelector('h1').style.color = '#bbb';
		document.querySelector('main').append(document.createElement('input')); true`)
	found := b.violations(t)
	for _, want := range []string{"color-contrast", "label"} {
		if !slices.ContainsFunc(found, func(v violation) bool { return v.ID == want }) {
			t.Errorf("axe does not find %s: %+v", want, found)
		}
	}
	b.check(t, "axe")
}

// Every page is readable on every screen: nothing goes wrong, nothing is wider than
// the screen, and contrast, names and structure pass axe.
func testLooks(t *testing.T, b *browser, p project) {
	for _, l := range looks() {
		b.as(t, l)
		for _, address := range p.pages(t) {
			where := base(address) + " " + l.String()
			b.open(t, address)
			if wide := eval[int64](t, b, `document.documentElement.scrollWidth`); wide > l.width {
				t.Errorf("%s: it is %d wide", where, wide)
			}
			b.screenshot(t, base(address)+"-"+l.String())
			for _, place := range []string{"servers", "history", "ReadGraph", "EditFile"} {
				if eval[bool](t, b, `!!document.getElementById('`+place+`')`) {
					eval[bool](t, b, `document.getElementById('`+place+`').scrollIntoView(), true`)
					b.screenshot(t, base(address)+"-"+place+"-"+l.String())
				}
			}
			if axed(base(address), l) {
				b.axe(t, where)
			}
			b.check(t, where)
		}
	}
}

// axed reports whether axe looks at a page: at small ones always, and at those of
// hundreds of tools, which take it half a minute, on a phone by night and on a desk by
// day, where all colours and layouts are.
func axed(name string, l look) bool {
	return name == "memory" || name == "filesystem" || l.dark && l.width == 360 || !l.dark && l.width == 1280
}

// Every link leads to a page and a place in it.
func testLinks(t *testing.T, b *browser, p project) {
	places, links := map[string]bool{}, map[string]string{}
	for _, address := range p.pages(t) {
		b.open(t, address)
		places[address] = true
		for _, id := range eval[[]string](t, b, `[...document.querySelectorAll('[id]')].map((e) => e.id)`) {
			if at := address + "#" + id; places[at] {
				t.Errorf("%s is there twice", at)
			} else {
				places[at] = true
			}
		}
		for _, href := range eval[[]string](t, b, `[...document.querySelectorAll('a[href]')].map((a) => a.href.baseVal === undefined ? a.href : new URL(a.href.baseVal, document.baseURI).href)`) {
			links[href] = base(address)
		}
	}
	for to, from := range links {
		plain, err := url.PathUnescape(to)
		if err != nil || !places[plain] {
			t.Errorf("%s links to %s, which is not there", from, plain)
		}
	}
	if len(links) < 200 {
		t.Errorf("%d links", len(links))
	}
	b.check(t, "links")
}

// shown are the names of the entries that are to be seen.
const shown = `[...document.querySelectorAll('[data-entry]')].filter((e) => e.offsetParent !== null).map((e) => e.querySelector('a').textContent)`

// testSearch searches all servers in the index.
func testSearch(t *testing.T, b *browser, p project) {
	b.as(t, look{1280, 900, false})
	b.open(t, p.url("index.html"))
	all := eval[[]string](t, b, shown)
	for _, tt := range []struct {
		words string
		want  []string // among what is found
		most  int
	}{
		{"list_issues", []string{"list_issues"}, 3},
		{"LIST issues", []string{"list_issues"}, 40},
		{"ReadGraph", []string{"read_graph"}, 1},            // the Go name
		{"excludePatterns", []string{"search_files"}, 3},    // an argument
		{"knowledge graph", []string{"delete_entities"}, 9}, // words of a description
		{"no such words anywhere", nil, 0},
	} {
		b.do(t, chromedp.SendKeys(chromedp.CSS("#search"), kb.Escape), chromedp.SendKeys(chromedp.CSS("#search"), tt.words))
		found := eval[[]string](t, b, shown)
		for _, want := range tt.want {
			if !slices.Contains(found, want) || len(found) > tt.most {
				t.Errorf("%q finds %q", tt.words, found)
			}
		}
		if status := eval[string](t, b, `document.getElementById('found').textContent`); status != fmt.Sprintf("%d of %d", len(found), len(all)) {
			t.Errorf("%q: %q of %d found", tt.words, status, len(found))
		}
		if none := eval[bool](t, b, `document.getElementById('none').offsetParent !== null`); none != (len(found) == 0) {
			t.Errorf("%q: says that nothing was found: %v", tt.words, none)
		}
	}
	b.screenshot(t, "search-none")
	b.do(t, chromedp.SendKeys(chromedp.CSS("#search"), kb.Escape), chromedp.SendKeys(chromedp.CSS("#search"), "issue"), chromedp.Click(chromedp.CSS(`button[data-risk=destroys]`)))
	few := eval[[]string](t, b, shown)
	if len(few) == 0 || len(few) >= len(all)/2 || !eval[bool](t, b, `[...document.querySelectorAll('[data-entry]:not([hidden])')].every((e) => e.dataset.risk === 'destroys')`) {
		t.Errorf("what may destroy and has to do with issues: %q", few)
	}
	b.screenshot(t, "search-destroys")
	b.axe(t, "search")
	b.do(t, chromedp.Click(chromedp.CSS(`button[data-risk=destroys]`)), chromedp.SendKeys(chromedp.CSS("#search"), kb.Escape))
	if again := eval[[]string](t, b, shown); len(again) != len(all) {
		t.Errorf("Escape shows %d of %d", len(again), len(all))
	}
	b.do(t, chromedp.SendKeys(chromedp.CSS("#search"), "read_graph"+kb.Enter), chromedp.WaitVisible(chromedp.CSS("#ReadGraph")))
	b.check(t, "search")
}

// testServerSearch searches one server, and from there all of them.
func testServerSearch(t *testing.T, b *browser, p project) {
	b.open(t, p.url("memory/memory.html"))
	b.do(t, chromedp.SendKeys(chromedp.CSS("#search"), "list_issues"))
	if found := eval[[]string](t, b, shown); len(found) != 0 {
		t.Errorf("memory has %q", found)
	}
	b.do(t, chromedp.Click(chromedp.CSS("#elsewhere")), chromedp.WaitVisible(chromedp.CSS("#server-github")))
	if found := eval[[]string](t, b, shown); !slices.Contains(found, "list_issues") || len(found) > 3 {
		t.Errorf("all servers have %q", found)
	}
	b.check(t, "search of a server")
}

// testKeyboard reaches search and content without a mouse, and every focus shows.
func testKeyboard(t *testing.T, b *browser, p project) {
	b.open(t, p.url("index.html"))
	b.do(t, chromedp.KeyEvent(kb.Tab))
	if on := eval[string](t, b, `document.activeElement.className`); on != "skip" {
		t.Errorf("the first Tab reaches %q", on)
	}
	b.do(t, chromedp.KeyEvent("/"))
	if on := eval[string](t, b, `document.activeElement.id`); on != "search" {
		t.Errorf("/ reaches %q", on)
	}
	for range 12 {
		b.do(t, chromedp.KeyEvent(kb.Tab))
		if hidden := eval[string](t, b, `(() => { const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
			return s.outlineStyle === 'none' || !r.width || !r.height ? e.outerHTML : ''; })()`); hidden != "" {
			t.Errorf("the focus does not show on %s", hidden)
		}
	}
	b.check(t, "keyboard")
}

// testPaper prints: what only a screen needs is left out, and everything is open.
func testPaper(t *testing.T, b *browser, p project) {
	b.as(t, look{1280, 900, true})
	for _, address := range []string{p.url("index.html"), p.url("memory/memory.html")} {
		b.open(t, address)
		pdf := get(t, b, chromedp.PrintToPDF())
		if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 20_000 {
			t.Errorf("%s: %d bytes on paper", base(address), len(pdf))
		}
		b.keep(t, base(address)+".pdf", pdf)
		call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		if ground := eval[string](t, b, `getComputedStyle(document.body).backgroundColor`); ground != "rgb(255, 255, 255)" {
			t.Errorf("%s: paper is %s", base(address), ground)
		}
		if left := eval[int](t, b, `[...document.querySelectorAll('search, button, .skip')].filter((e) => e.offsetParent !== null).length`); left > 0 {
			t.Errorf("%s: %d controls on paper", base(address), left)
		}
		call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
		b.check(t, "paper")
	}
}

// testWithoutScript reads the pages where no script runs.
func testWithoutScript(t *testing.T, b *browser, p project) {
	call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	defer call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{})
	b.open(t, p.url("index.html"))
	if search := eval[bool](t, b, `document.querySelector('search').offsetParent !== null`); search {
		t.Error("the search is shown without scripts, want it hidden")
	}
	if found := eval[[]string](t, b, shown); len(found) < 200 {
		t.Errorf("%d entries", len(found))
	}
}
