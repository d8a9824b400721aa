package naming_test

import (
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

func TestFind(t *testing.T) {
	list := naming.Pair{Server: "github", Tool: "list_prs"}
	other := naming.Pair{Server: "gitlab", Tool: "list_prs"}
	dotted, plain := naming.Pair{Server: "s", Tool: "a.b"}, naming.Pair{Server: "s", Tool: "a_b"}
	posing := naming.Pair{Server: "evil", Tool: "mcp.github.list_prs"}
	only := naming.Pair{Server: "evil", Tool: "only"}
	offered := []naming.Pair{posing, other, list, dotted, plain, only}
	names, _, err := naming.Assign(naming.Dot, offered, nil)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][]naming.Pair{
		"mcp.github.list_prs":        {list},
		"mcp_github_list_prs":        {list},
		"github/list_prs":            {list},
		"github__list_prs":           {list},
		"mcp__github__list_prs":      {list},
		"github_list_prs":            {list},
		"only":                       {only},
		"list_prs":                   {list, other},
		"mcp.s.a.b":                  {dotted},
		"mcp.s.a_b":                  {plain},
		"mcp_s_a_b":                  {dotted, plain},
		names[dotted]:                {dotted},
		names[plain]:                 {plain},
		"evil/mcp.github.list_prs":   {posing},
		"mcp.github":                 nil,
		"github/":                    nil,
		"/list_prs":                  nil,
		"mcp.github.list_prs_and_on": nil,
		"":                           nil,
	} {
		if got := naming.Find(naming.Dot, offered, names, id); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", id, got, want)
		}
	}
	if got := naming.Find("", offered, nil, "github__list_prs"); !slices.Equal(got, []naming.Pair{list}) {
		t.Errorf("without names: got %v", got)
	}
}
