package mask_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/mask"
)

// secrets of awkward kinds: with characters that each encoding treats in a way
// of its own.
var awkward = []string{
	"plain-secret-0001", "p@ss/w+rd=&?%20 #x", `quo"te\back<angle>&amp`, "AKIA/abc+def/(12*34)==", "ünïcödé-secret-日本", "emoji-\U0001F511-secret",
	"tab\tand newline\nin-the-secret", "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nAASCBKcwggSjAgEAAoIBAQC7\n-----END KEY-----", "two  spaces  inside",
}

func TestSpellings(t *testing.T) {
	for _, secret := range awkward {
		quoted, _ := json.Marshal(secret)
		plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted))
		shown := map[string]string{
			"as it is": secret, "query": url.QueryEscape(secret), "path": url.PathEscape(secret),
			"lower percent": lowerHex(url.QueryEscape(secret)), "Python's quote": strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(secret)),
			"JavaScript": strings.NewReplacer("+", "%20", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%21", "!").Replace(url.QueryEscape(secret)),
			"json":       string(quoted), "json without angles": plain, "json with slashes": strings.ReplaceAll(plain, "/", `\/`),
			"go": fmt.Sprintf("%q", secret), "go ascii": fmt.Sprintf("%+q", secret), "html": html.EscapeString(secret),
			"hex": hex.EncodeToString([]byte(secret)), "upper hex": fmt.Sprintf("%X", secret),
			"base64": base64.StdEncoding.EncodeToString([]byte(secret)), "base64 url": base64.RawURLEncoding.EncodeToString([]byte(secret)),
			"line": strings.Join(strings.Fields(secret), " "),
		}
		for _, once := range []string{string(quoted), plain} {
			twice, _ := json.Marshal(once[1 : len(once)-1])
			shown["json in json of "+once] = string(twice)
			shown["json without angles in json of "+once] = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(twice))
		}
		for _, user := range []string{"u:", "us:", "usr:"} {
			shown["basic auth of "+user] = base64.StdEncoding.EncodeToString([]byte(user + secret + ":more"))
		}
		var m mask.Set
		m.Add(secret)
		for how, text := range shown {
			for _, masked := range []string{m.Text("before " + text + " after"), replaceAll("before "+text+" after", credentials.Spellings(secret))} {
				if !strings.HasPrefix(masked, "before ") || !strings.HasSuffix(masked, " after") || !strings.Contains(masked, "***") ||
					strings.Contains(masked, strings.Trim(text, `"`)) {
					t.Errorf("%q as %s: %q", secret, how, masked)
				}
			}
		}
	}
	if s := credentials.Spellings("abc"); s != nil {
		t.Errorf("a short text: %q", s)
	}
}

func replaceAll(text string, secrets []string) string {
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, credentials.Masked)
	}
	return text
}

func lowerHex(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			b.WriteString(strings.ToLower(s[i : i+3]))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// A part of a key that is shown alone is masked as well.
func TestSpellingsOfLines(t *testing.T) {
	var m mask.Set
	m.Add("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END KEY-----\n")
	if got := m.Text("line 2: MIIEvQIBADANBgkqhkiG9w0BAQ"); got != "line 2: ***" {
		t.Errorf("got %q", got)
	}
}

func TestMask(t *testing.T) {
	var none *mask.Set
	var m mask.Set
	if none.Text("a secret") != "a secret" || m.Text("a secret") != "a secret" {
		t.Errorf("a mask without secrets gives %q and %q, want the text as it was", none.Text("a secret"), m.Text("a secret"))
	}
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() {
			secret := fmt.Sprintf("secret-number-%d", i)
			m.Add(secret, secret)
			if got := m.Text("x " + secret); got != "x ***" {
				t.Errorf("got %q", got)
			}
		})
	}
	work.Wait()
	// The whole goes before its part.
	m.Add("secret-number-1-and-more")
	if got := m.Text("secret-number-1-and-more"); got != "***" {
		t.Errorf("got %q", got)
	}
}

// Tokens that replace one another for as long as a process runs stay bounded; what is
// in use, of other sources too, stays masked.
func TestMaskTokens(t *testing.T) {
	var m mask.Set
	m.Add("the-secret-of-a-server")
	m.AddToken("calendar", "token-of-another-source")
	token := func(i int) string { return fmt.Sprintf("rotating-token-number-%05d", i) }
	grown := 0
	for i := range 2000 {
		m.AddToken("mail", token(i))
		if i == 64 {
			grown = len(m.Texts())
		}
	}
	if n := len(m.Texts()); n > grown+grown/10 {
		t.Errorf("%d texts are masked after 2000 tokens, %d after 64", n, grown)
	}
	for _, text := range []string{"the-secret-of-a-server", "token-of-another-source", token(1999), token(1936), base64.StdEncoding.EncodeToString([]byte(token(1990)))} {
		if got := m.Text("x " + text); got != "x ***" {
			t.Errorf("%s: got %q", text, got)
		}
	}
	if got := m.Text(token(1935)); got != token(1935) {
		t.Errorf("a token that was replaced 64 times: got %q", got)
	}
	// A token that is used again is the newest, and callers that are gone are forgotten.
	m.AddToken("mail", token(1990))
	for i := range 3000 {
		m.AddToken(fmt.Sprintf("caller-%d", i), fmt.Sprintf("token-of-caller-%05d", i))
		if i%500 == 0 {
			m.AddToken("mail", token(3000+i))
		}
	}
	if m.Text(token(1990)) != "***" || m.Text("token-of-caller-02999") != "***" || m.Text("token-of-caller-02100") != "***" {
		t.Error("a token that is in use is not masked")
	}
	if got := m.Text("token-of-caller-00010"); got == "***" {
		t.Errorf("the token of an early caller is masked, want it forgotten")
	}
}

// The same holds for servers that are started again with other secrets each time, such as
// those of a command; a server that was started once keeps its own.
func TestMaskResolved(t *testing.T) {
	var m mask.Set
	secret := func(server string, i int) string { return fmt.Sprintf("%s-secret-of-start-%05d", server, i) }
	start := func(server string, i int) {
		r, err := endpoint.Server{Name: server, Launch: &endpoint.Process{Command: "x", Env: []endpoint.Var{{Name: "TOKEN", Value: secret(server, i)}}}}.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		m.AddResolved(r)
	}
	start("once", 0)
	grown := 0
	for i := range 500 {
		start("often", i)
		if i == 64 {
			grown = len(m.Texts())
		}
	}
	if n := len(m.Texts()); n > grown+grown/10 {
		t.Errorf("%d texts are masked after 500 starts, %d after 64", n, grown)
	}
	// Callers that come and go take nothing from servers.
	for i := range 1100 {
		m.AddToken(fmt.Sprintf("caller-%d", i), fmt.Sprintf("token-of-caller-%05d", i))
	}
	for _, text := range []string{secret("once", 0), secret("often", 499), secret("often", 436)} {
		if got := m.Text("x " + text); got != "x ***" {
			t.Errorf("%s: got %q", text, got)
		}
	}
	if got := m.Text(secret("often", 435)); strings.Contains(got, "***") {
		t.Errorf("a secret that was replaced 64 times: got %q", got)
	}
}

// A part of a secret at a cut is masked, whatever the number of secrets.
func TestMaskAtCuts(t *testing.T) {
	var m mask.Set
	for i := range 500 {
		m.AddToken(fmt.Sprint(i), fmt.Sprintf("secret-%05d-of-caller", i))
	}
	for in, want := range map[string]string{
		"it is secret-00471-of…": "it is ***…", "…0471-of-caller is it": "…*** is it", "…11-of-caller; secret-00…": "…***; ***…", "no se…": "no se…",
	} {
		if got := m.Text(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	hostile := strings.Repeat("secret-0…", 10_000)
	began := time.Now()
	if m.Text(hostile); time.Since(began) > 10*time.Second {
		t.Errorf("a text with many cuts takes %v", time.Since(began))
	}
}
