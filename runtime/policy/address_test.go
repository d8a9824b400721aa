package policy

import (
	"encoding/json"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func readRequest(server, address string) runtime.Request {
	return runtime.Request{Server: server, Method: protocol.MethodReadResource, Name: address}
}

func policyOf(t testing.TB, cfg Config) *Policy {
	t.Helper()
	p, err := New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Addresses that some parser takes out of the folder that a rule allows.
func TestNoWayOutOfARule(t *testing.T) {
	for _, tt := range []struct{ rule, addresses string }{
		{"file:///project/**", `file:///project/.%s./etc/passwd|file:///project/%%zz/%%2e%%2e/%%2e%%2e/etc/passwd|file:///project/x%sy|file:///project/../etc/passwd|` +
			`file:///project/%%2e%%2e/etc/passwd|file:///project/.%%2e/etc|file:///project/%%252e%%252e/etc/passwd|file:///project/%%25252e%%25252e/etc|` +
			`file:///project/..\etc\passwd|file:///project\..\etc|file:///project/..%%5cetc|file:///project/..%%2fetc/passwd|file:///project/%%c0%%ae%%c0%%ae/etc|` +
			`file:///project/%%e0%%80%%ae%%e0%%80%%ae/etc|file:///project/%%u002e%%u002e/etc|file:///project/．．/etc|file:///project/‥/etc|file:///project/..／etc|` +
			"file:///project/.\u200b./etc|file:///project/..;x/etc|file:///project/.. /etc|file:///project/..%%20/etc|file:///project/x%%00|file:///project/%%09|file:///project/%%2509x|" +
			`file:///project/100%%|file:///project/%%e9|file:///project/a?b/../../etc|file:///project/a%%3fb/../../../etc|file:///project/a#/../../etc|` +
			`file:////project/../etc|file://localhost/project/x|file://evil/project/x|file:/project/x|file:project/x|FILE:///project/x|file:///project/x/../..//etc|file:///project`},
		{"docs://guide/**", `docs://guide/../secret|docs://guide/%%2e%%2e/%%2e%%2e/secret|docs://guide/..\..\x|docs://user@guide/x|docs://guide:80/x`},
		{"notes:public/*", `notes:public/../private|notes:public/%%2e%%2e/private`},
		{"public/*", `public/../private`},
		{"http://good.example/**", `http://good.example/../../evil|http:/good.example/x|http:///good.example/x|http://good.example\@evil.example/x|http://good.example@evil.example/`},
		{"http://good.example*", `http://good.example@evil.example/|http://good.example:x@evil.example/|http://good.example%%40evil.example/|http://good.example\.evil|http://good.example．evil/`},
		{"http://2*", `http://2130706433/`},
		{"file://*/readme", `file:///secret?/readme|file://a#/readme`},
		{"file:///C:/project/**", `file:///C:/project/../../etc`},
	} {
		p := policyOf(t, Config{Allow: []string{"resource:s/" + tt.rule}})
		for _, one := range strings.Split(tt.addresses, "|") {
			for _, control := range []string{"\t", "\n", "\r", "\x00", "\x7f", "\u0085"} {
				address := strings.ReplaceAll(strings.ReplaceAll(one, "%s", control), "%%", "%")
				if p.Allows(readRequest("s", address)) {
					t.Errorf("%s allows %q", tt.rule, address)
				}
			}
		}
	}
}

// What a rule that allows is about stays allowed: what servers list, and what a
// generated reader makes of their templates.
func TestAllowedAddresses(t *testing.T) {
	for rule, addresses := range map[string]string{
		"file:///project/**":    `file:///project/|file:///project/a b|file:///project/a%20b|file:///project/100%25|file:///project/%E3%83%A1|file:///project/メモ（１）.md|file:///project/a%2Fb|file:///project/x/../y|file:///project//x|file:///project/.hidden|file:///project/...|file:///project/a..b|file:///project/a\b|file:///project/x?v=1#top|file:///project/a+b,c;v=1|file:///project/{path}|file:///project/%7Bpath%7D`,
		"file:///home/me*":      `file:///home/me|file:///home/me.txt`,
		"file://host/share/**":  `file://host/share/x`,
		"file://localhost/p/**": `file://localhost/p/x`,
		"file:///C:/project/**": `file:///C:/project/x|file:///C:/project/a%20b`,
		"repo://search*":        `repo://search?query=a%20b&labels=x|repo://search{?query,labels*}`,
		"repo://search?query=*": `repo://search?query=a/b`,
		"repo://*/*/contents/*": `repo://o/r/contents/a/b`,
		"ssh://git@host/**":     `ssh://git@host/x`,
		"postgres://*":          `postgres://user:word@host:5432/db/schema`,
		"http://h.example/*":    `http://h.example/%7Efoo/?q=a+b`,
		"https://*":             `https://e.example/a?b=c#d|https://[::1]:8080/x`,
		"notes:*":               `notes:a/b|notes:x`,
		"*":                     "💥|agent/agent.go|a:b|r:1|x:{a b}|demo://resource/static/document/startup.md|memo://insights|ui://widget/a.html|custom+v1://x/y|urn:isbn:0451450523",
	} {
		p := policyOf(t, Config{Allow: []string{"resource:s/" + rule}})
		for address := range strings.SplitSeq(addresses, "|") {
			if !p.Allows(readRequest("s", address)) {
				t.Errorf("%s does not allow %q", rule, address)
			}
		}
	}
	// What stands before the host may be a user, which decides nothing.
	if p := policyOf(t, Config{Allow: []string{"resource:s/https://user*"}}); p.Allows(readRequest("s", "https://user@other.example/")) {
		t.Error("https://user* allows another host, since the user is called so")
	}
	// An address that a rule names is that address, however odd.
	for _, address := range []string{"docs://a%20b/../c", "stats://100%", "http:/x", "file:x", "http://bücher.example/"} {
		if p := policyOf(t, Config{Allow: []string{"resource:s/" + address}}); !p.Allows(readRequest("s", address)) {
			t.Errorf("%q is not allowed by its own rule", address)
		}
	}
}

// Other ways to write an address that a rule denies.
func TestNoWayAroundARule(t *testing.T) {
	for rule, addresses := range map[string]string{
		"file:///etc/*": "file://localhost/etc/passwd|file://LOCALHOST/etc/passwd|file://127.0.0.1/etc/passwd|file://any/etc/passwd|file:/etc/passwd|file:etc/passwd|file:////etc/passwd|" +
			"FILE:///etc/passwd|file:///\tetc/passwd|file:///e\ntc/passwd| file:///etc/passwd|file:///etc/passwd\x00|file:///x/.\t./etc/passwd|file:///%zz/%2e%2e/etc/passwd|" +
			`file:\\\etc\passwd|file:///x/%2e%2e%5cetc/passwd|file:///%c0%af/etc/passwd|file:///%65tc/passwd|file:///%25%36%35tc/passwd|file:///ｅｔｃ/passwd|file:///x;y/..;z/etc/passwd|` +
			"file://u@localhost:1/etc/passwd|%66ile:///etc/passwd|file:///etc//passwd|file://etc/passwd|file:///etc/|file:///x?y/../../etc/passwd|file:///x/‥/etc/passwd",
		"file:///etc/passwd":          "file:///etc/passwd?x|file:///etc/passwd#x|file:///etc/passwd/|file:///etc/./passwd|file:///etc/passwd%3Fx|file:///etc/passwd%20",
		"file:/etc/*":                 "file:///etc/passwd|file://localhost/etc/passwd",
		"file://localhost/etc/*":      "file:///etc/passwd",
		"file:///my%20docs/*":         "file:///my docs/x|file:///%6dy%20docs/x|file:///my%2520docs/x",
		"file:///C:/*":                "file:///c:/x|file:C:/x",
		"http://h.example/secret*":    `http://h.example:80/secret|http://u:p@h.example/secret|http:/h.example/secret|http:h.example/secret|http:\\h.example\secret|http://H.EXAMPLE./secret|http://h.example:/secret|http://ｈ.example/secret|http://h%2eexample/secret`,
		"http://h.example:80/secret*": "http://h.example/secret",
		"http://127.0.0.1/*":          "http://127.1/|http://0x7f.1/x|http://2130706433/x|http://0177.0.0.1/x|http://bücher.example/|http://xn--bcher-kva.example/",
		`http://\[::1]/*`:             "http://[0:0:0:0:0:0:0:1]/x|http://[::0001]/x",
		"docs://secret/*":             "docs://Secret/x|docs:///secret/x|docs:secret/x|docs://a/../secret/x|docs://u@secret/x",
		"notes:private/*":             "notes:x/../private/a|notes:%70rivate/a",
	} {
		p := policyOf(t, Config{Mode: Yolo, Deny: []string{"resource:s/" + rule}})
		for address := range strings.SplitSeq(addresses, "|") {
			if p.Allows(readRequest("s", address)) {
				t.Errorf("%s does not deny %q", rule, address)
			}
		}
		if strings.Contains(rule, "C:") && p.Allows(readRequest("s", "file:///C|/x")) {
			t.Errorf("%s does not deny C|", rule)
		}
		for _, other := range []string{"file:///home/x", "http://other.example/", "docs://public/x", "notes:public/x", "http://10.0.0.1/"} {
			if !p.Allows(readRequest("s", other)) {
				t.Errorf("%s denies %q", rule, other)
			}
		}
		if !p.Allows(readRequest("other", "file:///etc/passwd")) {
			t.Errorf("%s denies another server's", rule)
		}
	}
}

// An address that can be read in endlessly many ways is in no rule that allows,
// and in each that denies; it costs no time.
func TestTooManyForms(t *testing.T) {
	nested := "%" + strings.Repeat("25", 4000)
	if policyOf(t, Config{Allow: []string{"resource:s/*"}}).Allows(readRequest("s", "file:///project/"+nested)) {
		t.Error("an address of too many forms is allowed, want it denied")
	}
	if policyOf(t, Config{Mode: Yolo, Deny: []string{"resource:s/file:///etc/*"}}).Allows(readRequest("s", nested)) {
		t.Error("an address of too many forms passes a rule that denies, want it denied")
	}
	if !policyOf(t, Config{Mode: Yolo, Deny: []string{"resource:s/file:///etc/*"}}).Allows(readRequest("other", nested)) {
		t.Error("the address is denied by the rule of another server, want it allowed")
	}
}

// The reason says that a pattern is of no use.
func TestUnclearIsSaid(t *testing.T) {
	p := policyOf(t, Config{Allow: []string{"resource:s/file:///project/**"}})
	err := p.Check(t.Context(), readRequest("s", "file:///project/100%"))
	if err == nil || !strings.Contains(err.Error(), "no pattern can match it: it holds broken escapes") {
		t.Errorf("got %v", err)
	}
}

// A completion is about the template, and about what it makes with the values that
// it tells the server.
func TestCompletionValues(t *testing.T) {
	complete := func(uri, name, value, context string) runtime.Request {
		v, _ := json.Marshal(value)
		return runtime.Request{Server: "s", Method: protocol.MethodComplete, Name: uri,
			Args: json.RawMessage(`{"ref":{"type":"ref/resource","uri":"` + uri + `"},"argument":{"name":"` + name + `","value":` + string(v) + `}` + context + `}`)}
	}
	allow := policyOf(t, Config{Allow: []string{"resource:s/file:///project/**"}})
	deny := policyOf(t, Config{Mode: Yolo, Deny: []string{"resource:s/file:///etc/**"}})
	for _, tt := range []struct {
		req        runtime.Request
		allow, out bool // allowed in the folder; outside of what is denied
	}{
		{complete("file:///project/{path}", "path", "src/ma", ""), true, true},
		{complete("file:///project/{path}", "path", "", ""), true, true},
		{complete("file:///project/{path}", "path", "100%", ""), true, true},
		{complete("file:///project/{path}", "path", "../etc/pa", ""), false, false},
		{complete("file:///project/{+path}", "path", `..\etc\pa`, ""), false, false},
		{complete("file:///project{/path*}", "path", "../../etc/pa", ""), false, false},
		{complete("file:///project/{a}/{b}", "b", "pa", `,"context":{"arguments":{"a":"../etc"}}`), false, false},
		{complete("file:///project/{a}/{b}", "b", "pa", `,"context":{"arguments":{"a":"src"}}`), true, true},
		{complete("file:///{path}", "path", "etc/", ""), false, false},
		{complete("file:///{path}", "path", "home/", ""), false, true},
		{complete("file:///project/{path}", "path", "x", `,"argument":{"name":"path","value":"../etc/"}`), false, false},
		{complete("file:///project/{path}", "path", "x", `,"context":{"arguments":{"path":1}}`), false, false},
	} {
		if got := allow.Allows(tt.req); got != tt.allow {
			t.Errorf("%s: allowed: %v", tt.req.Args, got)
		}
		if got := deny.Allows(tt.req); got != tt.out {
			t.Errorf("%s: not denied: %v", tt.req.Args, got)
		}
	}
}

// parsedPaths returns where parsers that are at hand here, and models of others, take an
// address: as paths on a disk. It is their own code and no part of the gate.
func parsedPaths(address string) []string {
	var all []string
	if u, err := url.Parse(address); err == nil {
		for _, p := range []string{u.Path, u.EscapedPath(), u.Opaque} {
			if p != "" {
				all = append(all, path.Clean("/"+p))
			}
		}
	}
	lenient := func(s string) string { // Python's unquote
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] == '%' && i+2 < len(s) {
				if c, err := url.PathUnescape(s[i : i+3]); err == nil {
					b.WriteString(c)
					i += 2
					continue
				}
			}
			b.WriteByte(s[i])
		}
		return strings.ToValidUTF8(b.String(), "\ufffd")
	}
	stripped := strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(strings.TrimLeft(address, "\x00\x01\x1f "))
	for _, s := range []string{stripped, lenient(stripped), lenient(lenient(stripped))} {
		_, rest, ok := strings.Cut(s, ":")
		if !ok {
			continue
		}
		all = append(all, path.Clean("/"+strings.TrimPrefix(lenient(rest), "//"))) // the scheme cut off
		rest, _, _ = strings.Cut(rest, "#")
		rest, _, _ = strings.Cut(rest, "?")
		if after, ok := strings.CutPrefix(rest, "//"); ok {
			_, after, _ = strings.Cut(after, "/")
			rest = "/" + after
		}
		all = append(all, path.Clean("/"+lenient(rest)), path.Clean("/"+strings.ReplaceAll(lenient(rest), `\`, "/")))
	}
	return all
}

// FuzzAddress: no parser gets out of what a rule allows, nor around what one
// denies; reading an address ends.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"file:///project/.\t./etc/passwd", "file:///project/%zz/%2e%2e/%2e%2e/etc/passwd", "file://localhost/etc/passwd", `file:///project/a%5c..\..;/etc`,
		"file:///project/a?b#/../../etc", "file:/etc/passwd", "file:etc/passwd", " file:///etc/%2570asswd", "file:///project/%c0%ae./etc", "file://u@h:1//etc//x"} {
		f.Add(seed)
	}
	allow := policyOf(f, Config{Allow: []string{"resource:s/file:///project/**"}})
	deny := policyOf(f, Config{Mode: Yolo, Deny: []string{"resource:s/file:///etc/**"}})
	f.Fuzz(func(t *testing.T, address string) {
		allowed, denied := allow.Allows(readRequest("s", address)), !deny.Allows(readRequest("s", address))
		for _, led := range parsedPaths(address) {
			if allowed && led != "/project" && !strings.HasPrefix(led, "/project/") {
				t.Errorf("%q is allowed, and leads to %q", address, led)
			}
			if !denied && strings.HasPrefix(led, "/etc/") && strings.HasPrefix(strings.ToLower(strings.TrimSpace(address)), "file:") {
				t.Errorf("%q is not denied, and leads to %q", address, led)
			}
		}
	})
}
