package policy

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// A rule that denies means every spelling that a server may take for the same;
// one that allows means its own.
func TestEquivalentNames(t *testing.T) {
	for _, tt := range []struct {
		deny   string
		method string
		names  []string
	}{
		{"mcp:fs_delete*", protocol.MethodCallTool, []string{"delete", "DELETE_all", "Delete", "de\u200blete", "delete\u2060", "\ufeffdelete", " delete", "ｄｅｌｅｔｅ", "de\u00adlete"}},
		{"tool:fs/RemoveAll", protocol.MethodCallTool, []string{"RemoveAll", "removeall", "REMOVEALL"}},
		{"tool.call.rm", protocol.MethodCallTool, []string{"rm", "RM", "r\u200dm"}},
		{"tool.invoke:mcp.fs.rm*", protocol.MethodCallTool, []string{"rm", "Rmdir", "RM.all"}},
		{"prompt:fs/secret", protocol.MethodGetPrompt, []string{"secret", "Secret"}},
		{"resource:fs/file:///etc/*", protocol.MethodReadResource, []string{"file:///etc/passwd", "FILE:///etc/passwd", "file:///%65tc/passwd", "file:///%2565tc/passwd",
			"file:///x/../etc/passwd", "file:///x/%2e%2e/etc/passwd", "file:////etc/passwd", "file:/etc/passwd", `file:///x\..\etc\passwd`, "file:///ETC/passwd"}},
	} {
		p, err := New(Config{Mode: Yolo, Deny: []string{tt.deny}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range tt.names {
			if p.Allows(runtime.Request{Server: "fs", Method: tt.method, Name: name}) {
				t.Errorf("%s: %q gets through", tt.deny, name)
			}
		}
		for _, other := range []string{"read", "file:///home/me/etc", "removed"} {
			if !p.Allows(runtime.Request{Server: "fs", Method: tt.method, Name: other}) {
				t.Errorf("%s: %q is denied", tt.deny, other)
			}
		}
	}
	named, err := New(Config{Mode: Yolo, Deny: []string{"mcp:fs_delete"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for server, want := range map[string]bool{"fs@user": false, "FS@user-2": false, "fs@other": true} { // servers of one name: see naming.Plain
		if got := named.Allows(runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: "delete"}); got != want {
			t.Errorf("%s: %v, want %v", server, got, want)
		}
	}
	named, err = New(Config{Allow: []string{"mcp:fs_delete"}, Servers: []string{"fs@user", "fs"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for server, want := range map[string]bool{"fs": true, "fs@user": false} {
		if got := named.Allows(runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: "delete"}); got != want {
			t.Errorf("allowed: %s: %v, want %v", server, got, want)
		}
	}
	p, err := New(Config{Allow: []string{"tool:fs/read", "mcp:fs_List", "resource:fs/file:///home/*"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"file:///home/me/a%20b": true, "file:///home/": true, "file:///home/a/../b": true, "file:///home//a": true,
		"file:///home/../etc/passwd": false, "file:///home/%2e%2e/etc/passwd": false, "file:///home/%252e%252e/etc/passwd": false, `file:///home/..\etc\passwd`: false, "file:///home/x/../../etc": false,
	} {
		if got := p.Allows(runtime.Request{Server: "fs", Method: protocol.MethodReadResource, Name: name}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	exact, err := New(Config{Allow: []string{"resource:fs/docs://a%20b/../c"}}, nil)
	if err != nil || !exact.Allows(runtime.Request{Server: "fs", Method: protocol.MethodReadResource, Name: "docs://a%20b/../c"}) {
		t.Error("an address that is named exactly", err)
	}
	for _, name := range []string{"READ", "read\u200b", " read", "list", "ｒｅａｄ"} {
		if p.Allows(runtime.Request{Server: "fs", Method: protocol.MethodCallTool, Name: name}) {
			t.Errorf("%q is allowed", name)
		}
	}
}

// Arguments that readers take for different things are never those that were
// allowed.
func TestHalfRunes(t *testing.T) {
	for args, want := range map[string]bool{
		`{"t":"\ufffd"}`:       true,
		`{"t":"` + "\ufffd\"}": true,
		`{"t":"\ud800"}`:       false,
		`{"t":"\udc00"}`:       false,
		`{"t":"\ud800x"}`:      false,
		`{"t":"\ud800\ud800"}`: false,
	} {
		scope := Scope{Version: 1, Arguments: Arguments{Allow: json.RawMessage(`{"t":"\ufffd"}`)}}
		p, err := New(Config{Grants: []Grant{{Rule: "tool:fs/echo", Scope: &scope}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Allows(runtime.Request{Server: "fs", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(args)}); got != want {
			t.Errorf("%s: %v", args, got)
		}
	}
	for _, whole := range []string{`{"t":"\ud83d\ude00"}`, `{"t":"\\ud800"}`, `{"t":"\\\\ud800 \uD83D\uDE00"}`} {
		if _, err := canonicalJSON([]byte(whole)); err != nil {
			t.Errorf("%s: %v", whole, err)
		}
	}
}
