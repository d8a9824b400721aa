package live

import (
	"os"

	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/config/trust"
)

// Environment returns the machine that this program runs on, for the search for
// server files, with the projects that its user trusts. On a machine without a folder
// for the user's own files no project is trusted.
func Environment() (config.Environment, error) {
	env, err := config.System()
	if err != nil {
		return env, err
	}
	if store, err := trust.Open(""); err == nil {
		env.Trusted = store.Refuses
	}
	return env, nil
}

// lookup returns the function that looks up the variables of a program.
func lookup(o *Options) func(string) (string, bool) {
	if o.Attach.LookupEnv != nil {
		return o.Attach.LookupEnv
	}
	return os.LookupEnv
}
