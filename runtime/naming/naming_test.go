package naming_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

func TestParseScheme(t *testing.T) {
	for _, s := range naming.Schemes() {
		if got, err := naming.ParseScheme(string(s)); err != nil || got != s {
			t.Errorf("%s: got %s, %v", s, got, err)
		}
	}
	if got, err := naming.ParseScheme(""); err != nil || got != naming.DoubleUnderscore {
		t.Errorf("the default: got %s, %v", got, err)
	}
	_, err := naming.ParseScheme("dots")
	if want := `unknown naming "dots": use one of dot, underscore, double-underscore, mcp-double-underscore, bare`; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestQualify(t *testing.T) {
	for _, tt := range []struct {
		scheme             naming.Scheme
		server, tool, want string
	}{
		{naming.Dot, "github", "list_prs", "mcp.github.list_prs"},
		{naming.Underscore, "filesystem", "read_file", "filesystem_read_file"},
		{naming.Underscore, "my-server", "x", "my_server_x"},
		{naming.Underscore, "file.system", "a-b.c", "file_system_a_b_c"},
		{naming.Underscore, "é", "x", "__x"},
		{naming.DoubleUnderscore, "github", "create_issue", "github__create_issue"},
		{"", "github", "create_issue", "github__create_issue"},
		{naming.MCPDoubleUnderscore, "filesystem", "read_file", "mcp__filesystem__read_file"},
		{naming.MCPDoubleUnderscore, "a b", "c d", "mcp__a b__c d"},
		{naming.Bare, "github", "create_issue", "create_issue"},
		{naming.Dot, "", "echo", "echo"},
		{naming.DoubleUnderscore, "", "echo", "echo"},
	} {
		if got := tt.scheme.Qualify(tt.server, tt.tool); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.scheme, got, tt.want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		scheme             naming.Scheme
		name, server, tool string
		ok                 bool
	}{
		{naming.DoubleUnderscore, "a__b__c", "a", "b__c", true},
		{naming.DoubleUnderscore, "__x", "", "__x", false},
		{naming.DoubleUnderscore, "x", "", "x", false},
		{naming.DoubleUnderscore, "", "", "", false},
		{naming.DoubleUnderscore, "a___b", "a", "_b", true},
		{naming.DoubleUnderscore, "a__", "a", "", true},
		{naming.MCPDoubleUnderscore, "mcp__fs__read__all", "fs", "read__all", true},
		{naming.MCPDoubleUnderscore, "fs__read", "", "fs__read", false},
		{naming.MCPDoubleUnderscore, "mcp____x", "", "mcp____x", false},
		{naming.Dot, "mcp.github.list.prs", "github", "list.prs", true},
		{naming.Dot, "github.list", "", "github.list", false},
		{naming.Dot, "mcp..x", "", "mcp..x", false},
		{naming.Dot, "echo", "", "echo", false},
		{naming.Underscore, "filesystem_read_file", "filesystem", "read_file", true},
		{naming.Underscore, "_x", "", "_x", false},
		{naming.Underscore, "my-server_x", "", "my-server_x", false}, // nothing qualifies to it
		{naming.Bare, "a__b", "", "a__b", false},
	} {
		server, tool, ok := tt.scheme.Split(tt.name)
		if server != tt.server || tool != tt.tool || ok != tt.ok {
			t.Errorf("%s %q: got %q, %q, %v", tt.scheme, tt.name, server, tool, ok)
		}
	}
}

// isInvertible says where a scheme promises that Split is the inverse of Qualify.
func isInvertible(s naming.Scheme, server, tool string) bool {
	switch s {
	case naming.Dot:
		return !strings.Contains(server, ".")
	case naming.Underscore:
		const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
		return strings.Trim(server, letters) == "" && strings.Trim(tool, letters+"_") == ""
	case naming.Bare:
		return false
	}
	return !strings.Contains(server, "__") && !strings.HasSuffix(server, "_")
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"github", "a__b", "a_", "_", "my-server", "x.y", "é", "mcp__", ""} {
		f.Add(s, "list_prs")
		f.Add("srv", s)
	}
	f.Fuzz(func(t *testing.T, server, tool string) {
		for _, s := range naming.Schemes() {
			name := s.Qualify(server, tool)
			gotServer, gotTool, ok := s.Split(name)
			if server != "" && isInvertible(s, server, tool) && (gotServer != server || gotTool != tool || !ok) {
				t.Errorf("%s: %q, %q became %q, and then %q, %q", s, server, tool, name, gotServer, gotTool)
			}
			// Qualifying again is stable, whatever was split.
			for _, name := range []string{name, server, tool} {
				gotServer, gotTool, ok = s.Split(name)
				if again := s.Qualify(gotServer, gotTool); again != name || ok != (gotServer != "") {
					t.Errorf("%s: %q was split into %q, %q (%v) and became %q", s, name, gotServer, gotTool, ok, again)
				}
			}
		}
	})
}
