//go:build peers

package peers

// What the gate takes an address for, against the WHATWG parser of Node: no
// address gets out of what a rule allows, nor around what one denies.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// whatwg is what Node makes of an address; nil if it is not a URL there.
type whatwg struct {
	Scheme, Host, Port string
	Paths              []string
}

// in reports whether the address leads into a folder, which ends with a slash, by
// one of its paths, or by all.
func (w *whatwg) in(folder string) (one, all bool) {
	all = true
	for _, p := range w.Paths {
		in := strings.HasPrefix(p, folder)
		one, all = one || in, all && in
	}
	return one, all
}

// addresses makes n of them, from pieces that parsers differ about.
func addresses(n int) []string {
	pieces := strings.Split(`.|..|/|//|\|%2e|%2E|%2f|%5c|%25|%252e|%c0%ae|%zz|%|%u002e|%00|%09|?|#|;|@|:|:80|&|=|+|*|~|[|]|{|}|^|`+"`"+`|'|"|<|>|$|,|etc|passwd|project|x|C:|C%7C|c|`+
		`localhost|LOCALHOST|127.0.0.1|127.1|0x7f.1|good.example|GOOD.example|evil.example|good.example.|．|‥|／|＼|％2e|。|`+"\u200b|\u00ad|\t|\n|\r| |\x00|\x1f|\x7f|\u0085|\u2028|ß|ⓔ|é|😀", "|")
	pieces = append(pieces, "|")
	starts := []string{"file:///project/", "file:///project/", "file:///etc/", "file://", "file:/", "file:", "FILE:///", " file:///", "http://good.example/", "http://", "http:/", `http:\\`, "HTTP://u:p@", "docs://project/"}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same in each run
	all := make([]string, n)
	for i := range all {
		text := starts[random.IntN(len(starts))]
		for range random.IntN(9) {
			text += pieces[random.IntN(len(pieces))]
		}
		if random.IntN(2) == 0 {
			text += []string{"/etc/passwd", "/../../etc/passwd", `\..\..\etc\passwd`, "good.example/x", "/project/x"}[random.IntN(5)]
		}
		all[i] = text
	}
	return all
}

// found are addresses that got through before.
func found(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/addresses.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAddresses(t *testing.T) {
	all := append(found(t), addresses(40_000)...)
	var in bytes.Buffer
	for _, a := range all {
		line, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.Command("node", "testdata/address.cjs")
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	gate := func(cfg policy.Config) func(string) bool {
		p, err := policy.New(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		return func(a string) bool {
			return p.Allows(runtime.Request{Server: "s", Method: protocol.MethodReadResource, Name: a})
		}
	}
	inProject := gate(policy.Config{Allow: []string{"resource:s/file:///project/**"}})
	notEtc := gate(policy.Config{Mode: policy.Yolo, Deny: []string{"resource:s/file:///etc/**"}})
	onGood := gate(policy.Config{Allow: []string{"resource:s/http://good.example/**"}})
	notGood := gate(policy.Config{Mode: policy.Yolo, Deny: []string{"resource:s/http://good.example/**"}})
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	var allowed, denied int
	for _, a := range all {
		if !lines.Scan() {
			t.Fatalf("node has no answer for %q", a)
		}
		var w *whatwg
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			t.Fatal(err)
		}
		if w == nil {
			continue
		}
		file, good := w.Scheme == "file:", w.Scheme == "http:" && w.Host == "good.example" && w.Port == ""
		if _, within := w.in("/project/"); inProject(a) {
			if allowed++; !file || w.Host != "" || !within {
				t.Errorf("%q is allowed in /project, and is %+v", a, *w)
			}
		}
		if onGood(a) {
			if allowed++; !good {
				t.Errorf("%q is allowed on good.example, and is %+v", a, *w)
			}
		}
		if inEtc, _ := w.in("/etc/"); file && inEtc {
			if denied++; notEtc(a) {
				t.Errorf("%q is not denied, and is %+v", a, *w)
			}
		}
		if good {
			if denied++; notGood(a) {
				t.Errorf("%q is not denied, and is %+v", a, *w)
			}
		}
	}
	if allowed < 100 || denied < 100 {
		t.Errorf("only %d were allowed and %d denied: this shows nothing", allowed, denied)
	}
	t.Logf("%d addresses, %d allowed, %d denied", len(all), allowed, denied)
}
