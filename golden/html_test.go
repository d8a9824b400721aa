package golden

// What a server, a repository or a policy says is text on the pages of the catalogue,
// wherever it stands.

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
	"github.com/mcpgen/mcpgen/schema"
)

// pageElements and pageAttributes are those of the templates. Nothing else may be in
// a page.
var (
	pageElements = strings.Fields(`html head meta wbr title link style body script a header div p h1 h2 h3 h4 h5 dl dt dd nav main section
		search label span svg g circle path text input kbd button output ul ol li figure figcaption b footer aside details summary
		article blockquote pre code time`)
	pageAttributes = strings.Fields(`lang charset name content http-equiv rel href class id hidden viewBox width height aria-hidden
		aria-label aria-labelledby aria-pressed role tabindex type placeholder autocomplete spellcheck enterkeyhint for
		data-risk data-entry data-words data-group data-link title d x y cx cy r datetime open`)
	pageLink = regexp.MustCompile(`^(#|(\.\./)?index\.html|[a-z][a-z0-9_]*/[a-z][a-z0-9_]*\.html(#|$)|data:image/svg\+xml,|https://forge\.example\.com/a\.go#L2$)`)
	pageID   = regexp.MustCompile(`^[\pL][\pL\pN_-]*$`)
)

func TestHTMLOfHostileServer(t *testing.T) {
	var all []int
	for i := range positions {
		all = append(all, i)
	}
	for _, p := range readPayloads(t) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			server := hostileServer(p.Text, all...)
			if server == nil {
				t.Fatal("the server cannot be locked, want every text accepted by a lock")
			}
			checkCatalogue(t, *server, p.Text)
		})
	}
}

func FuzzHTMLOfHostileServer(f *testing.F) {
	for i, p := range readPayloads(f) {
		if len(p.Text) < 200 {
			f.Add(uint8(i), p.Text)
		}
	}
	f.Fuzz(func(t *testing.T, position uint8, text string) {
		if server := hostileServer(text, int(position)%len(positions)); server != nil {
			checkCatalogue(t, *server, text)
		}
	})
}

// checkCatalogue looks at the pages of a server with prompts and resources, and with
// facts whose every text is the same.
func checkCatalogue(t *testing.T, server generator.Server, text string) {
	t.Helper()
	facts := pagefacts.Facts{Policy: text, Live: true, Code: &pagefacts.CodeFacts{Unseen: []string{text}}, Items: map[pagefacts.ItemID]pagefacts.ItemFacts{}}
	for _, it := range server.Snapshot.Tools {
		facts.Items[pagefacts.ItemID{Server: server.Name, Kind: "tool", Name: it.Name}] = pagefacts.ItemFacts{
			Access: pagefacts.Access{Decision: "denied", Rule: text, File: text, Reason: text},
			Drift:  pagefacts.Drift{State: text, Changes: []string{text, text}},
			Sites:  []pagefacts.Site{{File: text, Line: 1, Code: text, Href: text}, {File: "a.go", Line: 2, Href: "https://forge.example.com/a.go#L2"}},
		}
	}
	facts.History = &pagefacts.History{Note: text, Events: []pagefacts.Event{{Date: text, Commit: text, Subject: text, Servers: []pagefacts.ServerEvent{
		{Server: text, Verdict: text, Added: []string{text}, Removed: []string{text}, Changed: []string{text}}, {Server: server.Name, Verdict: "breaking"},
	}}}}
	files, err := generator.Catalogue(t.Context(), generator.Options{Output: "out/mcp", ImportPath: "example.com/out/mcp", Servers: []generator.Server{server}, Facts: facts})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		checkHTML(t, f.Path, string(f.Data))
	}
}

// TestHTMLOfCorpus looks at the pages of real servers, and at all their links.
func TestHTMLOfCorpus(t *testing.T) {
	servers := caseServers(t)
	for _, name := range corpusServers {
		if !slices.ContainsFunc(servers, func(s generator.Server) bool { return s.Name == name }) {
			servers = append(servers, lockSnapshot(t, corpusSnapshot(t, name)))
		}
	}
	out, err := generator.Generate(t.Context(), generator.Options{Output: "mcp", ImportPath: "example.com/mcp", Docs: "html", Servers: servers})
	if err != nil {
		t.Fatal(err)
	}
	ids, links := map[string]bool{}, map[string]string{}
	for _, f := range out.Files {
		if path.Ext(f.Path) != ".html" {
			continue
		}
		ids[f.Path] = true
		for _, e := range checkHTML(t, f.Path, string(f.Data)) {
			for _, a := range e.Attr {
				switch at := path.Join(path.Dir(f.Path), strings.TrimPrefix(a.Value, "#")); {
				case a.Name.Local == "id":
					if ids[f.Path+"#"+a.Value] {
						t.Errorf("%s: the id %s is there twice", f.Path, a.Value)
					}
					ids[f.Path+"#"+a.Value] = true
				case a.Name.Local == "href" && strings.HasPrefix(a.Value, "#"):
					links[f.Path+a.Value] = f.Path
				case a.Name.Local == "href" && e.Name.Local == "a":
					links[at] = f.Path
				}
			}
		}
	}
	for to, from := range links {
		if !ids[to] {
			t.Errorf("%s links to %s, which is not there", from, to)
		}
	}
	if len(links) < len(out.Tools) {
		t.Errorf("%d links to %d tools", len(links), len(out.Tools))
	}
}

// checkHTML returns the elements of a page after it has looked at each of them. The
// style and the one script, which are the same in all pages, are passed over.
func checkHTML(t *testing.T, name, page string) []xml.StartElement {
	t.Helper()
	for _, tag := range []string{"style", "script"} {
		before, rest, found := strings.Cut(page, "<"+tag+">")
		_, after, closed := strings.Cut(rest, "</"+tag+">")
		if !found || !closed || strings.Contains(after, "<"+tag) {
			t.Fatalf("%s: not one %s", name, tag)
		}
		page = before + after
	}
	header, page, _ := strings.Cut(page, "\n")
	if header != "<!-- Code generated by mcpgen. DO NOT EDIT. -->" {
		t.Errorf("%s begins with %q", name, header)
	}
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var elements []xml.StartElement
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			checkElement(t, name, token)
			elements = append(elements, token.Copy())
		case xml.CharData:
			checkVisible(t, name, string(token))
		case xml.Comment, xml.ProcInst:
			t.Errorf("%s: %v", name, token)
		}
	}
}

func checkElement(t *testing.T, name string, e xml.StartElement) {
	t.Helper()
	if !slices.Contains(pageElements, e.Name.Local) {
		t.Errorf("%s: the element %s", name, e.Name.Local)
	}
	for _, a := range e.Attr {
		local := a.Name.Local
		checkVisible(t, name, a.Value)
		switch {
		case !slices.Contains(pageAttributes, local):
			t.Errorf("%s: the attribute %s of %s", name, local, e.Name.Local)
		case local == "href" && !pageLink.MatchString(a.Value), local == "id" && !pageID.MatchString(a.Value):
			t.Errorf("%s: %s %q", name, local, a.Value)
		}
	}
}

func checkVisible(t *testing.T, name, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029) {
			t.Errorf("%s: %U in %q", name, r, text)
			return
		}
	}
}

// An item without a visible name is still a link that can be read.
func TestHTMLNames(t *testing.T) {
	raw, err := json.Marshal(map[string]any{"name": "\u200b", "inputSchema": map[string]any{"type": "object"}})
	if err != nil {
		t.Fatal(err)
	}
	it, err := schema.ParseItem(schema.KindTool, raw)
	if err != nil {
		t.Skip("no such tool gets that far: ", err)
	}
	server := lockSnapshot(t, &schema.Snapshot{Server: "evil", ProtocolVersion: "2025-11-25", Tools: []schema.Item{it}})
	files, err := generator.Catalogue(t.Context(), generator.Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []generator.Server{server}})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(files[0].Data); regexp.MustCompile(`<a [^>]*></a>`).MatchString(text) {
		t.Errorf("a link without words:\n%s", text)
	}
}
