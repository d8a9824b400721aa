package inputs

import (
	"testing"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Names of prompts come from all of the lock, whatever servers are selected.
func TestPromptNames(t *testing.T) {
	w := &locks.State{Project: &config.Project{Naming: naming.Bare}, Lock: lockfile.NewLock()}
	prompts := func(names ...string) *lockfile.LockedServer {
		s := &lockfile.LockedServer{Prompts: map[string]lockfile.LockedItem{}}
		for _, name := range names {
			s.Prompts[name] = lockfile.LockedItem{}
		}
		return s
	}
	w.Lock.Servers["a"], w.Lock.Servers["b"] = prompts("review", "mine"), prompts("review")
	names, err := promptNames(w.Project, w.Lock)
	a, b := names[naming.Pair{Server: "a", Tool: "review"}], names[naming.Pair{Server: "b", Tool: "review"}]
	if err != nil || a == "review" || b == "review" || a == b || names[naming.Pair{Server: "a", Tool: "mine"}] != "mine" {
		t.Errorf("got %v, %v", names, err)
	}
}
