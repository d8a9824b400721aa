package gateway

// What comes in and is not one message that all readers take for the same.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
		{"two names", strings.Replace(fmt.Sprintf(call, "50", "x"), `"arguments"`, `"name":"s__other","arguments"`, 1), "-32600", "50"},
		{"two arguments of one name", strings.Replace(fmt.Sprintf(call, "50", "x"), `"arguments":{`, `"arguments":{"text":"y",`, 1), "-32600", "50"},
		{"two members of one name deep in the arguments", strings.Replace(fmt.Sprintf(call, "50", "x"), `"arguments":{`, `"arguments":{"a":[1,{"b":{"c":1,"d":2,"\u0063":3}}],`, 1), "-32600", "50"},
		{"two members of _meta", strings.Replace(fmt.Sprintf(call, "50", "x"), `"arguments"`, `"_meta":{"a":1,"a":1},"arguments"`, 1), "-32600", "50"},
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

// Requests that the gateway does not take are refused in the protocol's words, with the
// place.
func TestRefusedRequests(t *testing.T) {
	g, called := edgeServer(t)
	url, _ := serveHTTP(t, g, nil)
	_, _, header := postJSON(t, url+Path, initialize)
	session := header.Get(sessionHeader)
	lines, want := initialize+"\n", []string{}
	for i, c := range []struct{ method, params, code, message string }{
		{"no/such", `,"params":{}`, "-32601", `the method \"no/such\" is unknown`},
		{"tools/call", ``, "-32602", "params is missing: tools/call needs it"},
		{"tools/call", `,"params":null`, "-32602", "params is missing: tools/call needs it"},
		{"tools/call", `,"params":[1]`, "-32602", "params: want an object, found an array"},
		{"tools/call", `,"params":{"name":5}`, "-32602", "params.name: want a string, found a number"},
		{"tools/call", `,"params":{"name":"s__echo","arguments":["x"]}`, "-32602", "params.arguments: want an object, found an array"},
		{"tools/call", `,"params":{"name":"s__echo","_meta":true}`, "-32602", "params._meta: want an object, found a boolean"},
		{"tools/list", `,"params":{"cursor":7}`, "-32602", "params.cursor: want a string, found a number"},
		{"prompts/get", `,"params":{"name":{}}`, "-32602", "params.name: want a string, found an object"},
		{"resources/read", `,"params":{"uri":[]}`, "-32602", "params.uri: want a string, found an array"},
		{"completion/complete", `,"params":{"ref":5}`, "-32602", "params.ref: want an object, found a number"},
		{"completion/complete", `,"params":{"ref":{"type":"x"}}`, "-32602", `params.ref.type: want ref/prompt or ref/resource, found \"x\"`},
		{"logging/setLevel", `,"params":{"level":5}`, "-32602", "params.level: want a string, found a number"},
		{"tasks/get", `,"params":{"taskId":5}`, "-32602", "params.taskId: want a string, found a number"},
		{"initialize", `,"params":{"protocolVersion":5}`, "-32602", "params.protocolVersion: want a string, found a number"},
		{"initialize", `,"params":{"capabilities":{"sampling":5}}`, "-32602", "params.capabilities.sampling: want an object, found a number"},
	} {
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s"%s}`, i+100, c.method, c.params)
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":%s,"message":"%s"}}`, i+100, c.code, c.message)
		lines, want = lines+message+"\n", append(want, answer)
		modernStatus := map[bool]int{true: http.StatusNotFound, false: http.StatusBadRequest}[c.code == "-32601"]
		for status, headers := range map[int][]string{http.StatusOK: {sessionHeader, session}, modernStatus: {"Mcp-Protocol-Version", modern}} {
			if gotStatus, got, header := postJSON(t, url+Path, message, headers...); gotStatus != status || got != answer || header.Get("Content-Type") != "application/json" {
				t.Errorf("%s%s: %d %s, want %d %s", c.method, c.params, gotStatus, got, status, answer)
			}
		}
	}
	var out strings.Builder
	if err := g.ServeIO(t.Context(), strings.NewReader(lines), &out); err != nil {
		t.Error(err)
	}
	checkContains(t, out.String(), want...)
	if n := called(); n != 0 {
		t.Errorf("%d calls reached the server, want none", n)
	}
	for _, method := range methods {
		if form, _ := formOf(method); (form == nil) != strings.HasPrefix(method, "notifications/") && method != "sampling/createMessage" {
			t.Errorf("%s has the form %T", method, form)
		}
	}
}

// Every refusal over HTTP is an answer of JSON-RPC.
func TestRefusedOverHTTP(t *testing.T) {
	g, _ := edgeServer(t)
	url, _ := serveHTTP(t, g, nil)
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, c := range []struct {
		what, method, body string
		header             []string
		status             int
		allow, message     string
	}{
		{"an unknown HTTP method", http.MethodPut, "", nil, 405, "GET, POST, DELETE", "Method Not Allowed"},
		{"an unknown HTTP method since 2026-07-28", http.MethodGet, "", []string{"Mcp-Protocol-Version", modern}, 405, "POST", "Method Not Allowed"},
		{"no JSON", http.MethodPost, "hello", nil, 400, "", "the message is not one JSON value"},
		{"an unsupported revision", http.MethodPost, initialize, []string{"Mcp-Protocol-Version", "2020-01-01"}, 400, "", "Unsupported protocol version"},
		{"another type", http.MethodPost, initialize, []string{"Content-Type", "text/html"}, 415, "", "Content-Type"},
		{"no session", http.MethodPost, list, nil, 400, "", "a session begins with initialize"},
		{"an unknown session", http.MethodPost, list, []string{sessionHeader, "x"}, 404, "", "session not found"},
		{"another origin", http.MethodPost, list, []string{"Origin", "https://evil.example"}, 403, "", "another origin"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, url+Path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		for i := 0; i < len(c.header); i += 2 {
			req.Header.Set(c.header[i], c.header[i+1])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		var answer struct {
			Version string `json:"jsonrpc"`
			ID      json.RawMessage
			Error   struct {
				Code    int
				Message string
			}
		}
		if err = errors.Join(err, json.Unmarshal(data, &answer)); err != nil || answer.Version != "2.0" || string(answer.ID) != "null" || answer.Error.Code >= 0 || !strings.Contains(answer.Error.Message, c.message) ||
			res.StatusCode != c.status || res.Header.Get("Allow") != c.allow || res.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d, Allow %q, %s (%v)", c.what, res.StatusCode, res.Header.Get("Allow"), data, err)
		}
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
