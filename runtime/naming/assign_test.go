package naming_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

func TestAssign(t *testing.T) {
	pairs := []naming.Pair{{"github", "list_prs"}, {"my-fs", "read.file"}, {"", "echo"}, {"github", strings.Repeat("x", 80)}}
	long := strings.Repeat("x", 80)
	for scheme, want := range map[naming.Scheme][]string{
		naming.Dot:                 {"mcp_github_list_prs", "mcp_my-fs_read_file", "echo", naming.Portable("mcp.github." + long)},
		naming.Underscore:          {"github_list_prs", "my_fs_read_file", "echo", naming.Portable("github_" + long)},
		naming.DoubleUnderscore:    {"github__list_prs", "my-fs__read_file", "echo", naming.Portable("github__" + long)},
		naming.MCPDoubleUnderscore: {"mcp__github__list_prs", "mcp__my-fs__read_file", "echo", naming.Portable("mcp__github__" + long)},
		naming.Bare:                {"list_prs", "read_file", "echo", naming.Portable(long)},
	} {
		names, err := naming.Assign(scheme, pairs)
		if err != nil || len(names) != len(pairs) {
			t.Fatal(scheme, names, err)
		}
		for i, p := range pairs {
			if names[p] != want[i] || !portable.MatchString(names[p]) {
				t.Errorf("%s: %v is called %q, want %q", scheme, p, names[p], want[i])
			}
		}
	}
	if names, err := naming.Assign("", nil); err != nil || len(names) != 0 {
		t.Error(names, err)
	}
}

func TestAssignErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		scheme naming.Scheme
		pairs  []naming.Pair
		want   []string
	}{
		{"servers that meet", naming.Underscore, []naming.Pair{{"my_server", "x"}, {"my-server", "x"}}, []string{
			`"my-server/x" and "my_server/x" are both called "my_server_x" under the naming "underscore": rename one of the servers, choose another naming`}},
		{"a separator that moves", "", []naming.Pair{{"a", "b__c"}, {"a__b", "c"}}, []string{
			`"a/b__c" and "a__b/c" are both called "a__b__c" under the naming "double-underscore"`}},
		{"bare", naming.Bare, []naming.Pair{{"a", "search"}, {"b", "search"}, {"", "search"}}, []string{
			`"search" and "a/search" are both called "search"`, `"search" and "b/search" are both`, "choose a naming that carries the server"}},
		{"one server", "", []naming.Pair{{"a", "x y"}, {"a", "x.y"}}, []string{
			`"a/x y" and "a/x.y" are both called "a__x_y"`, "exclude one of them"}},
		{"twice", "", []naming.Pair{{"a", "x"}, {"a", "x"}}, []string{`"a/x" is listed twice`}},
		{"no name", "", []naming.Pair{{"a", ""}}, []string{`server "a": a tool without a name`}},
		{"dotted servers", naming.Dot, []naming.Pair{{"a.b", "x"}, {"a.b", "y"}, {"c.d", "x"}}, []string{
			`server "a.b": a dot in its name makes "mcp.a.b.x" ambiguous`, `server "c.d"`}},
		{"unknown scheme", "dots", nil, []string{`unknown naming "dots"`}},
		{"hostile", "", []naming.Pair{{"a", "\x1b[31m"}, {"a", "\x07[31m"}}, []string{`"a/\x1b[31m"`}},
		{"all of them", "", []naming.Pair{{"a", "x"}, {"a", "x"}, {"b", "1.2"}, {"b", "1 2"}}, []string{`"a/x" is listed twice`, `"b/1 2" and "b/1.2"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names, err := naming.Assign(tt.scheme, tt.pairs)
			if err == nil || names != nil {
				t.Fatal(names, err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v\nwant %s", err, want)
				}
			}
		})
	}
}

// The order of listings is the server's whim and must change nothing.
func TestAssignIgnoresOrder(t *testing.T) {
	var pairs []naming.Pair
	for i := range 300 {
		pairs = append(pairs, naming.Pair{Server: fmt.Sprint("s", i%7), Tool: strings.Repeat("long.", 12) + fmt.Sprint(i)})
	}
	want, err := naming.Assign(naming.Dot, pairs)
	if err != nil {
		t.Fatal(err)
	}
	clash := append(slices.Clone(pairs), naming.Pair{Server: "s0", Tool: "a b"}, naming.Pair{Server: "s0", Tool: "a_b"}, naming.Pair{Server: "s0", Tool: "a.b"})
	_, wantErr := naming.Assign(naming.Dot, clash)
	random := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		random.Shuffle(len(clash), func(i, j int) { clash[i], clash[j] = clash[j], clash[i] })
		got, err := naming.Assign(naming.Dot, pairs)
		if err != nil || !maps.Equal(got, want) {
			t.Fatal("the order of the pairs shows in the names: ", err)
		}
		if _, err := naming.Assign(naming.Dot, clash); err == nil || err.Error() != wantErr.Error() {
			t.Fatalf("the order of the pairs shows in the error:\n%v\n%v", err, wantErr)
		}
	}
}

func ExampleAssign() {
	names, err := naming.Assign(naming.Dot, []naming.Pair{{Server: "github", Tool: "list_prs"}})
	if err != nil {
		panic(err)
	}
	for pair, name := range names {
		fmt.Println("identity:", naming.Dot.Qualify(pair.Server, pair.Tool))
		fmt.Println("for models:", name)
	}
	// Output:
	// identity: mcp.github.list_prs
	// for models: mcp_github_list_prs
}

func ExampleScheme_Split() {
	for _, name := range []string{"github__create_issue", "echo"} {
		server, tool, ok := naming.DoubleUnderscore.Split(name)
		fmt.Printf("%q %q %v\n", server, tool, ok)
	}
	// Output:
	// "github" "create_issue" true
	// "" "echo" false
}
