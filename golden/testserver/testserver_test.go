package testserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// sendLines sends lines to a server over stdio and returns its answers by id.
func sendLines(t *testing.T, args []string, lines ...string) map[string]message {
	t.Helper()
	cfg, err := parse(args)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.stdio(strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	answers := map[string]message{}
	for line := range bytes.Lines(out.Bytes()) {
		m := message{raw: line}
		if json.Unmarshal(line, &m) == nil && m.ID != nil {
			answers[string(m.ID)] = m
		}
	}
	return answers
}

// toolNames lists the tools in a page.
func toolNames(t *testing.T, m message) (names []string, next string) {
	t.Helper()
	var page struct {
		Tools      []json.RawMessage
		NextCursor string
	}
	if err := json.Unmarshal(m.Result, &page); err != nil {
		t.Fatalf("%s: %v", m.raw, err)
	}
	for _, raw := range page.Tools {
		names = append(names, itemName(raw))
	}
	return names, page.NextCursor
}

func TestModes(t *testing.T) {
	needFile := []string{"replay", "replay-text", "skills", "app"}
	for _, mode := range Modes() {
		if programs()[mode] != nil || slices.Contains(needFile, mode) {
			continue
		}
		cfg, err := parse([]string{mode})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newServer(cfg); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
	}
	for _, args := range [][]string{{"no-such-mode"}, {"replay"}, {"replay", "none.json"}, {"replay-text"}, {"skills"}, {"app"}} {
		cfg, err := parse(args)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newServer(cfg); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	for _, args := range [][]string{{}, {"echo", "-nonsense"}, {"replay", "a", "b"}, {"echo", "-size", "big"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestReplay(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "server.json")
	tool := `{"name":"%","inputSchema":{"maximum":9007199254740993,"minimum":1.0,"b":1,"a":2},"vendor":true}`
	var tools []string
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		tools = append(tools, strings.ReplaceAll(tool, "%", name))
	}
	data := `{"protocolVersion":"2025-06-18","serverInfo":{"name":"real","version":"2"},"instructions":"Be kind.","tools":[` + strings.Join(tools, ",\n ") + `]}`
	if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(dir, "trace")
	got := sendLines(t, []string{"replay", file, "-trace", trace},
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"a","arguments":{"n":9007199254740993,"s":"<"}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"no/such"}`)
	for _, want := range []string{`"protocolVersion":"2025-06-18"`, `"name":"real"`, `"instructions":"Be kind."`} {
		if !bytes.Contains(got["1"].Result, []byte(want)) {
			t.Errorf("initialize: %s lacks %s", got["1"].Result, want)
		}
	}
	if !bytes.Contains(got["2"].Result, []byte("["+strings.Join(tools, ",")+"]")) {
		t.Errorf("tools are not as in the file: %s", got["2"].Result)
	}
	if want := `"structuredContent":{"n":9007199254740993,"s":"<"}`; !bytes.Contains(got[`"x"`].Result, []byte(want)) {
		t.Errorf("call: %s", got[`"x"`].Result)
	}
	if got["4"].Error == nil {
		t.Errorf("an unknown method got %s, want an error", got["4"].Result)
	}
	lines, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(lines, []byte("\n")); n != 6 || !bytes.Contains(lines, []byte(`"event":"start"`)) {
		t.Errorf("%d trace lines: %s", n, lines)
	}

	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	if got, _ := toolNames(t, sendLines(t, []string{"replay", "-drop", "b", file}, list)["1"]); !slices.Equal(got, []string{"a", "c", "d", "e"}) {
		t.Errorf("-drop: %v", got)
	}
	shuffled, _ := toolNames(t, sendLines(t, []string{"replay", file, "-shuffle", "7"}, list)["1"])
	if again, _ := toolNames(t, sendLines(t, []string{"replay", file, "-shuffle", "7"}, list)["1"]); !slices.Equal(again, shuffled) {
		t.Errorf("-shuffle: %v, then %v", shuffled, again)
	}
	if slices.Sort(shuffled); !slices.Equal(shuffled, []string{"a", "b", "c", "d", "e"}) {
		t.Errorf("-shuffle: %v", shuffled)
	}
	first, next := toolNames(t, sendLines(t, []string{"replay", file, "-page", "2"}, list)["1"])
	if len(first) != 2 || next == "" {
		t.Errorf("-page: %v, %q", first, next)
	}
	rest, last := toolNames(t, sendLines(t, []string{"replay", file, "-page", "4"}, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"4"}}`)["1"])
	if len(rest) != 1 || last != "" {
		t.Errorf("-page: %v, %q", rest, last)
	}
}

func TestStreamableHTTP(t *testing.T) {
	for _, flags := range [][]string{{"exact"}, {"exact", "-json"}} {
		h, err := Handler(flags...)
		if err != nil {
			t.Fatal(err)
		}
		web := httptest.NewServer(h)
		resp := post(t, web.URL+"/mcp", "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
		session := resp.Header.Get(sessionHeader)
		_ = readBody(t, resp)
		call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"exact","arguments":{"n":9007199254740993}}}`
		if got := readBody(t, post(t, web.URL+"/mcp", session, call)); !strings.Contains(got, `"structuredContent":{"n":9007199254740993,"exact":9007199254740993}`) {
			t.Errorf("%v: %s", flags, got)
		}
		if resp := post(t, web.URL+"/mcp", "evil", call); resp.StatusCode != http.StatusNotFound {
			t.Errorf("a session that does not exist: %s", resp.Status)
		}
		web.CloseClientConnections()
		web.Close()
	}
}

func post(t *testing.T, url, session, line string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	if session != "" {
		req.Header.Set(sessionHeader, session)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func readBody(t *testing.T, resp *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLegacyHTTP(t *testing.T) {
	h, err := Handler("echo")
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(h)
	defer web.Close()
	defer web.CloseClientConnections()
	client := &http.Client{Timeout: 10 * time.Second}
	stream, err := client.Get(web.URL + "/sse")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	events := bufio.NewReader(stream.Body)
	data := func() string {
		for {
			line, err := events.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				return strings.TrimSpace(data)
			}
		}
	}
	endpoint := data()
	if resp := post(t, web.URL+endpoint, "", `{"jsonrpc":"2.0","id":7,"method":"ping"}`); resp.StatusCode != http.StatusAccepted {
		t.Errorf("post: %s", resp.Status)
	}
	if got := data(); got != `{"id":7,"jsonrpc":"2.0","result":{}}` {
		t.Errorf("answer %s", got)
	}
}
