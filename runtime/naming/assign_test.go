package naming_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
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
		names, _, err := naming.Assign(scheme, pairs, nil)
		if err != nil || len(names) != len(pairs) {
			t.Fatal(scheme, names, err)
		}
		for i, p := range pairs {
			if names[p] != want[i] || !portable.MatchString(names[p]) {
				t.Errorf("%s: %v is called %q, want %q", scheme, p, names[p], want[i])
			}
		}
	}
	if names, _, err := naming.Assign("", nil, nil); err != nil || len(names) != 0 {
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
		{"dotted servers", naming.Dot, []naming.Pair{{"a.b", "x"}, {"a.b", "y"}, {"c.d", "x"}}, []string{
			`server "a.b": a dot in its name makes "mcp.a.b.x" ambiguous`, `server "c.d"`}},
		{"unknown scheme", "dots", nil, []string{`unknown naming "dots"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names, _, err := naming.Assign(tt.scheme, tt.pairs, nil)
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

// Tools that ask for one name all get a suffix of their own; one that holds the
// name keeps it. Nobody else is touched.
func TestAssignClashes(t *testing.T) {
	suffix := func(p naming.Pair, n int) string {
		sum := sha256.Sum256([]byte(p.Server + "\x00" + p.Tool))
		return hex.EncodeToString(sum[:])[:n]
	}
	long := strings.Repeat("x", 60)
	dot, under := naming.Pair{Server: "a", Tool: "x.y"}, naming.Pair{Server: "a", Tool: "x_y"}
	for _, tt := range []struct {
		name    string
		scheme  naming.Scheme
		pairs   []naming.Pair
		held    map[naming.Pair]string
		want    map[naming.Pair]string
		clashes int
	}{
		{"one server", "", []naming.Pair{dot, under, {"a", "z"}}, nil, map[naming.Pair]string{
			dot: "a__x_y_" + suffix(dot, 8), under: "a__x_y_" + suffix(under, 8), {"a", "z"}: "a__z"}, 1},
		{"two servers", "", []naming.Pair{{"a", "b__c"}, {"a__b", "c"}}, nil, map[naming.Pair]string{
			{"a", "b__c"}: "a__b__c_" + suffix(naming.Pair{Server: "a", Tool: "b__c"}, 8), {"a__b", "c"}: "a__b__c_" + suffix(naming.Pair{Server: "a__b", Tool: "c"}, 8)}, 1},
		{"servers that look alike", naming.Underscore, []naming.Pair{{"my_server", "x"}, {"my-server", "x"}}, nil, map[naming.Pair]string{
			{"my_server", "x"}: "my_server_x_" + suffix(naming.Pair{Server: "my_server", Tool: "x"}, 8), {"my-server", "x"}: "my_server_x_" + suffix(naming.Pair{Server: "my-server", Tool: "x"}, 8)}, 1},
		{"twice the same", "", []naming.Pair{dot, dot}, nil, map[naming.Pair]string{dot: "a__x_y"}, 0},
		{"held", "", []naming.Pair{dot, under}, map[naming.Pair]string{dot: "a__x_y"}, map[naming.Pair]string{
			dot: "a__x_y", under: "a__x_y_" + suffix(under, 8)}, 1},
		{"the other is gone", "", []naming.Pair{dot}, map[naming.Pair]string{dot: "a__x_y_12345678"}, map[naming.Pair]string{dot: "a__x_y_12345678"}, 0},
		{"held twice", "", []naming.Pair{dot, under}, map[naming.Pair]string{dot: "a__x_y", under: "a__x_y"}, map[naming.Pair]string{
			dot: "a__x_y_" + suffix(dot, 8), under: "a__x_y_" + suffix(under, 8)}, 1},
		{"held and not portable", "", []naming.Pair{dot}, map[naming.Pair]string{dot: "a b"}, map[naming.Pair]string{dot: "a__x_y"}, 0},
		{"a tool that is called like another's suffix", "", []naming.Pair{dot, under, {"a", "x_y_" + suffix(dot, 8)}}, nil, map[naming.Pair]string{
			dot: "a__x_y_" + suffix(dot, 16), under: "a__x_y_" + suffix(under, 8),
			{"a", "x_y_" + suffix(dot, 8)}: "a__x_y_" + suffix(dot, 8) + "_" + suffix(naming.Pair{Server: "a", Tool: "x_y_" + suffix(dot, 8)}, 8)}, 2},
		{"a lock that holds every suffix", "", []naming.Pair{dot, under, {"b", "1"}, {"b", "2"}, {"b", "3"}, {"b", "4"}, {"b", "5"}}, map[naming.Pair]string{
			{"b", "1"}: "a__x_y_" + suffix(dot, 8), {"b", "2"}: "a__x_y_" + suffix(dot, 16), {"b", "3"}: "a__x_y_" + suffix(dot, 24),
			{"b", "4"}: "a__x_y_" + suffix(dot, 32), {"b", "5"}: "a__x_y_" + suffix(dot, 40)}, nil, 6},
		{"long", "", []naming.Pair{{"a", long + "."}, {"a", long + "_"}}, nil, map[naming.Pair]string{
			{"a", long + "."}: ("a__" + long)[:55] + "_" + suffix(naming.Pair{Server: "a", Tool: long + "."}, 8),
			{"a", long + "_"}: ("a__" + long)[:55] + "_" + suffix(naming.Pair{Server: "a", Tool: long + "_"}, 8)}, 1},
		{"hostile", "", []naming.Pair{{"a", "\x1b[31m"}, {"a", "\x07[31m"}}, nil, nil, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names, clashes, err := naming.Assign(tt.scheme, tt.pairs, tt.held)
			if err != nil || len(clashes) != tt.clashes {
				t.Fatal(clashes, err)
			}
			if tt.want != nil && !maps.Equal(names, tt.want) {
				t.Errorf("got %v\nwant %v", names, tt.want)
			}
			seen := map[string]naming.Pair{}
			for p, name := range names {
				if other, taken := seen[name]; taken || !portable.MatchString(name) {
					t.Errorf("%v is called %q, as %v is", p, name, other)
				}
				seen[name] = p
			}
			for _, c := range clashes {
				if text := c.String(); strings.ContainsAny(text, "\x1b\x07") || !strings.Contains(text, " and ") {
					t.Errorf("got %q, want a clash of two names without control characters", text)
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
	pairs = append(pairs, naming.Pair{Server: "s0", Tool: "a b"}, naming.Pair{Server: "s0", Tool: "a_b"}, naming.Pair{Server: "s0", Tool: "a.b"})
	want, wantClashes, err := naming.Assign(naming.Dot, pairs, nil)
	if err != nil || len(wantClashes) != 1 {
		t.Fatal(wantClashes, err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		got, clashes, err := naming.Assign(naming.Dot, pairs, nil)
		if err != nil || !maps.Equal(got, want) || fmt.Sprint(clashes) != fmt.Sprint(wantClashes) {
			t.Fatal("the order of the pairs shows in the names: ", clashes, err)
		}
	}
}

func ExampleAssign() {
	names, _, err := naming.Assign(naming.Dot, []naming.Pair{{Server: "github", Tool: "list_prs"}}, nil)
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
