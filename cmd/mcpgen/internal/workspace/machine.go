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
	env.Trusted = store.Refuses
	return env, nil
}
