package workspace

import (
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/trust"
)

// Machine is the environment of this program, with the projects that its user
// trusts.
func Machine() (config.Environment, error) {
	env, err := config.System()
	if err != nil {
		return env, fail(ExitUsage, err)
	}
	store, err := trust.Open("")
	if err != nil {
		return env, fail(ExitUsage, err)
	}
	env.Trusted = func(path string) (reason, hint string) {
		status, err := store.Trusted(path)
		if status == trust.Trusted {
			return "", ""
		}
		reason = "untrusted"
		if status == trust.Stale {
			reason = "stale: it changed since it was trusted"
		}
		if err != nil {
			return reason, err.Error()
		}
		return reason, "read the file, then run mcpgen trust add " + trust.ProjectOf(path)
	}
	return env, nil
}
