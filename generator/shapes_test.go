package generator

import (
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Short names are locked with the tools of their own server, and the lock that was given
// stays as it is.
func TestLockShapes(t *testing.T) {
	before := &lockfile.LockedServer{Tools: map[string]lockfile.LockedItem{
		"list": decide.WithPins(lockfile.LockedItem{}, decide.Pins{Names: map[string]string{"/input/properties/state": "State"}}),
		"read": {},
	}}
	after := LockShapes("github", before, []ShapeName{
		{Server: "github", Tool: "list", Place: "/input/properties/a/shape", Go: "Filter"},
		{Server: "github", Tool: "read", Place: "/output/shape", Go: "Page"},
		{Server: "other", Tool: "read", Place: "/input/shape", Go: "Other"},
		{Server: "github", Tool: "gone", Place: "/input/shape", Go: "Gone"},
	})
	if len(decide.Pinned(before.Tools["list"]).Names) != 1 || before.Tools["read"].Go != nil {
		t.Errorf("the lock that was given has %v, want it as it was", before.Tools)
	}
	if _, ok := after.Tools["gone"]; ok {
		t.Error("a tool that is not locked got an entry, want none")
	}
	if got := decide.Pinned(after.Tools["list"]).Names["/input/properties/state"]; got != "State" {
		t.Errorf("the name that was locked before is %q, want State", got)
	}
	want := []ShapeName{
		{Server: "github", Tool: "list", Place: "/input/properties/a/shape", Go: "Filter"},
		{Server: "github", Tool: "read", Place: "/output/shape", Go: "Page"},
	}
	if got := NewShapes("github", before, after); !slices.Equal(got, want) {
		t.Errorf("new names %v, want %v", got, want)
	}
	if got := NewShapes("github", nil, after); !slices.Equal(got, want) {
		t.Errorf("new names of a server that was not locked: %v, want %v", got, want)
	}
	if got := NewShapes("github", after, nil); len(got) != 0 {
		t.Errorf("new names of a server that is gone: %v, want none", got)
	}
}

// A property that is called shape is not a short name.
func TestPropertyCalledShape(t *testing.T) {
	locked := &lockfile.LockedServer{Tools: map[string]lockfile.LockedItem{
		"draw": decide.WithPins(lockfile.LockedItem{}, decide.Pins{Names: map[string]string{"/input/properties/shape": "Shape"}}),
	}}
	if got := NewShapes("s", nil, locked); len(got) != 0 {
		t.Errorf("new names %v, want none", got)
	}
}
