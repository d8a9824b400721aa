package naming_test

import (
	"regexp"
	"strings"
	"testing"
	"testing/quick"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

// TestSeed holds the naming behaviours of the five systems that mcpgen serves,
// by the number of their row.
func TestSeed(t *testing.T) {
	qualifies := func(s naming.Scheme, server, tool, want string) func(t *testing.T) {
		return func(t *testing.T) {
			if got := s.Qualify(server, tool); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
	t.Run("000-06", func(t *testing.T) {
		pair := naming.Pair{Server: "github", Tool: "list_prs"}
		names, _, err := naming.Assign(naming.Dot, []naming.Pair{pair}, nil)
		if err != nil || names[pair] != "mcp_github_list_prs" {
			t.Fatal(names, err)
		}
		server, tool, ok := naming.Dot.Split(naming.Dot.Qualify(pair.Server, pair.Tool))
		if server != pair.Server || tool != pair.Tool || !ok {
			t.Errorf("the way back from the id: %s, %s", server, tool)
		}
	})
	t.Run("001-14", qualifies(naming.Underscore, "filesystem", "read_file", "filesystem_read_file"))
	t.Run("001-15", func(t *testing.T) {
		qualifies(naming.Underscore, "my-server", "x", "my_server_x")(t)
		qualifies(naming.Underscore, "file.system", "x", "file_system_x")(t)
		qualifies(naming.Underscore, "é", "x", "__x")(t)
	})
	t.Run("001-16", func(t *testing.T) {
		a, b := naming.Pair{Server: "my-server", Tool: "x"}, naming.Pair{Server: "my_server", Tool: "x"}
		names, clashes, err := naming.Assign(naming.Underscore, []naming.Pair{a, b}, nil)
		if err != nil || len(clashes) != 1 || !strings.Contains(clashes[0].String(), `"my-server/x" and "my_server/x"`) {
			t.Errorf("got %v, %v", clashes, err)
		}
		if !strings.HasPrefix(names[a], "my_server_x_") || !strings.HasPrefix(names[b], "my_server_x_") || names[a] == names[b] {
			t.Errorf("got %v", names)
		}
	})
	t.Run("001-17", func(t *testing.T) {
		pair := naming.Pair{Server: "s", Tool: strings.Repeat("t", 68)}
		names, _, err := naming.Assign(naming.Underscore, []naming.Pair{pair}, nil)
		if err != nil || len(names[pair]) != 64 || names[pair] != naming.Portable(naming.Underscore.Qualify(pair.Server, pair.Tool)) {
			t.Errorf("got %v, %v", names, err)
		}
		// Every name is one that the system's model takes, the tool's part as well.
		takes := regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)
		pairs := []naming.Pair{
			{Server: "everything", Tool: "get-sum"}, {Server: "everything", Tool: "get_sum"}, {Server: "a.b", Tool: "é/ü"},
			{Server: "s-s", Tool: strings.Repeat("t-", 40)}, {Server: "s", Tool: ""},
		}
		names, clashes, err := naming.Assign(naming.Underscore, pairs, nil)
		if err != nil || len(clashes) != 1 || clashes[0].Name != "everything_get_sum" {
			t.Errorf("got %v, %v", clashes, err)
		}
		for p, name := range names {
			if !takes.MatchString(name) {
				t.Errorf("%v is called %q", p, name)
			}
		}
		if got := naming.Underscore.Qualify("everything", "get-sum"); got != "everything_get_sum" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("004-15", qualifies(naming.DoubleUnderscore, "github", "create_issue", "github__create_issue"))
	t.Run("004-16", func(t *testing.T) {
		for name, want := range map[string]string{"a__b__c": "a", "__x": "", "x": ""} {
			if owner, _, _ := naming.DoubleUnderscore.Split(name); owner != want {
				t.Errorf("%s: got %q, want %q", name, owner, want)
			}
		}
	})
	t.Run("004-17", func(t *testing.T) {
		stable := func(server, tool string) bool {
			name := naming.DoubleUnderscore.Qualify(server, tool)
			owner, rest, _ := naming.DoubleUnderscore.Split(name)
			return naming.DoubleUnderscore.Qualify(owner, rest) == name
		}
		for _, server := range []string{"a", "a__b", "a_", "__", "_a", "a___b"} {
			for _, tool := range []string{"tool", "_tool", "two__words", "__"} {
				if !stable(server, tool) {
					t.Errorf("%s and %s: qualified again it is another name", server, tool)
				}
			}
		}
		if err := quick.Check(stable, nil); err != nil {
			t.Error(err)
		}
		inverse := func(server, tool string) bool { // without underscores in the server it is exact
			server = "s" + strings.ReplaceAll(server, "_", "-")
			owner, rest, ok := naming.DoubleUnderscore.Split(naming.DoubleUnderscore.Qualify(server, tool))
			return owner == server && rest == tool && ok
		}
		if err := quick.Check(inverse, nil); err != nil {
			t.Error(err)
		}
	})
}
