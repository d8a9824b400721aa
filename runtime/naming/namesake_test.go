package naming_test

import (
	"testing"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

func TestNamesake(t *testing.T) {
	for id, want := range map[string]string{
		"github": "github", "github@user": "github", "github@user-2": "github", "github@file-12": "github", "a@b@project": "a@b",
		"github@": "github@", "@user": "@user", "github@v2": "github@v2", "github@user-1": "github@user-1", "github@user-x": "github@user-x", "@scope/x": "@scope/x",
	} {
		if got := naming.Plain(id); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	for _, n := range []int{1, 2, 10} {
		for _, scope := range []string{"", "user", "project"} {
			if got := naming.Plain(naming.Namesake("a-b", scope, n)); got != "a-b" {
				t.Errorf("%q %d: %s", scope, n, got)
			}
		}
	}
	pairs := []naming.Pair{{Server: "fs", Tool: "read"}, {Server: "fs@user", Tool: "read"}, {Server: "fs@user", Tool: "more"}}
	names, clashes, err := naming.Assign(naming.DoubleUnderscore, pairs, nil)
	if err != nil || len(clashes) != 1 {
		t.Fatal(clashes, err)
	}
	if names[pairs[0]] != "fs__read" || names[pairs[2]] != "fs__more" || names[pairs[1]] == "fs__read" {
		t.Errorf("%v", names)
	}
	if found := naming.Find(naming.DoubleUnderscore, pairs, names, "fs__read"); len(found) != 1 || found[0] != pairs[0] {
		t.Errorf("found %v", found)
	}
	for id, want := range map[string]naming.Pair{"fs/read": pairs[0], "fs@user/read": pairs[1], "fs__more": pairs[2]} {
		if found := naming.Find(naming.DoubleUnderscore, pairs, names, id); len(found) != 1 || found[0] != want {
			t.Errorf("%s: found %v", id, found)
		}
	}
}
