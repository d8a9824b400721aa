package gateway

// What comes in and is not one message that all readers take for the same.

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oddMessages are messages that are refused, with the code and the id of the answer.
func oddMessages() []struct{ what, message, code, id string } {
	const call = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"s__echo","arguments":{"text":"%s"}}}`
	return []struct{ what, message, code, id string }{
		{"no UTF-8", fmt.Sprintf(call, "50", "\xff"), "-32700", "null"},
		{"a surrogate in UTF-8", fmt.Sprintf(call, "50", "\xed\xa0\x80"), "-32700", "null"},
		{"two values", fmt.Sprintf(call, "50", "x") + fmt.Sprintf(call, "51", "x"), "-32700", "null"},
		{"a value and more", fmt.Sprintf(call, "50", "x") + " x", "-32700", "null"},
		{"no JSON", `{"jsonrpc":"2.0","id":50,`, "-32700", "null"},
		{"two ids", strings.Replace(fmt.Sprintf(call, "50", "x"), `"method"`, `"id":51,"method"`, 1), "-32600", "null"},
		{"two ids, one of them escaped", strings.Replace(fmt.Sprintf(call, "50", "x"), `"method"`, `"\u0069d":51,"method"`, 1), "-32600", "null"},
		{"two methods", strings.Replace(fmt.Sprintf(call, "50", "x"), `"params"`, `"method":"ping","params"`, 1), "-32600", "null"},
		{"two names", strings.Replace(fmt.Sprintf(call, "50", "x"), `"arguments"`, `"name":"s__other","arguments"`, 1), "-32600", "null"},
		{"an id beyond 2^53", fmt.Sprintf(call, "9007199254740993", "x"), "-32600", "9007199254740993"},
		{"an id below -2^53", fmt.Sprintf(call, "-9007199254740993", "x"), "-32600", "-9007199254740993"},
		{"an id without end", fmt.Sprintf(call, "1e999999999", "x"), "-32600", "1e999999999"},
		{"half an id", fmt.Sprintf(call, "1.5", "x"), "-32600", "1.5"},
		{"an object as id", fmt.Sprintf(call, "{}", "x"), "-32600", "null"},
		{"another version", strings.Replace(fmt.Sprintf(call, "50", "x"), "2.0", "1.0", 1), "-32600", "50"},
		{"a batch with one of these", "[" + fmt.Sprintf(call, "50", "x") + "," + fmt.Sprintf(call, "9007199254740993", "x") + "]", "-32600", "null"},
		{"two requests of one id", "[" + fmt.Sprintf(call, "50", "x") + "," + fmt.Sprintf(call, "50", "x") + "]", "-32600", "null"},
		{"an empty batch", "[]", "-32600", "null"},
	}
}

// edgeServer is a gateway to a server that notes what reaches it.
func edgeServer(t *testing.T) (g *Gateway, called func() int) {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	g = openGateway(t, nil, nil, processServer(t, "s", "echo", "-trace", trace))
	return g, func() int {
		data, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(data), `"method":"tools/call"`)
	}
}

// Over standard input such a message is refused, and what follows is answered. No server
// sees it.
func TestEdgeOfLines(t *testing.T) {
	g, called := edgeServer(t)
	in := initialize + "\n"
	for _, c := range oddMessages() {
		in += c.message + "\n"
	}
	in += `{"jsonrpc":"2.0","id":9007199254740992,"method":"tools/call","params":{"name":"s__echo","arguments":{"text":"last"}}}` + "\n"
	var out strings.Builder
	if err := g.ServeIO(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Error(err)
	}
	for _, c := range oddMessages() {
		if !strings.Contains(out.String(), `{"jsonrpc":"2.0","id":`+c.id+`,"error":{"code":`+c.code) {
			t.Errorf("%s: no answer with id %s and code %s in\n%s", c.what, c.id, c.code, out.String())
		}
	}
	if n := strings.Count(out.String(), `"error":`); n != len(oddMessages()) {
		t.Errorf("%d errors, want %d", n, len(oddMessages()))
	}
	checkContains(t, out.String(), `"id":9007199254740992,`, "last")
	if n := called(); n != 1 {
		t.Errorf("%d calls reached the server, want the last one alone", n)
	}
}

// Over HTTP it is, too.
func TestEdgeOfHTTP(t *testing.T) {
	g, called := edgeServer(t)
	url, _ := serveHTTP(t, g, nil)
	_, _, header := postJSON(t, url+Path, initialize)
	session := header.Get(sessionHeader)
	for _, revision := range [][]string{{sessionHeader, session}, {"Mcp-Protocol-Version", modern}} {
		for _, c := range oddMessages() {
			status, got, header := postJSON(t, url+Path, c.message, revision...)
			if want := `{"jsonrpc":"2.0","id":` + c.id + `,"error":{"code":` + c.code; status != http.StatusBadRequest || !strings.HasPrefix(got, want) || header.Get("Content-Type") != "application/json" {
				t.Errorf("%s: %d %s, want 400 %s", c.what, status, got, want)
			}
		}
	}
	body, modernHeader := modernCall("s__echo", `{"text":"last"}`)
	if status, got, _ := postJSON(t, url+Path, body, modernHeader...); status != http.StatusOK || !strings.Contains(got, "last") {
		t.Errorf("%d %s", status, got)
	}
	if n := called(); n != 1 {
		t.Errorf("%d calls reached the server, want the last one alone", n)
	}
}

// A client in this process is held to it by the host.
func TestEdgeOfTransport(t *testing.T) {
	g, called := edgeServer(t)
	c := dialClient(t, g, legacy)
	if got, err := c.request("tools/call", `{"name":"s__echo","arguments":{"text":"`+"\xff"+`"}}`); err == nil && !strings.Contains(string(got), "UTF-8") {
		t.Errorf("%s, want a refusal", got)
	}
	if n := called(); n != 0 {
		t.Errorf("%d calls reached the server, want none", n)
	}
}
