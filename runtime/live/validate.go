// Checks of arguments before a call, as a configuration asks for them.

package live

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/internal/validate"
)

// validating returns the middleware that checks the arguments of the servers with
// validate: true, by their manifests; nil without such servers. A program gets a warning
// for each of these servers that it has no manifest of.
func (s *setup) validating(opts *Options, project *config.Project) runtime.Middleware {
	manifests := slices.DeleteFunc(slices.Clone(opts.Manifests), func(m *codec.Manifest) bool {
		return m == nil || !project.Build[m.Server()].Checked
	})
	for _, server := range project.Servers {
		known := slices.ContainsFunc(manifests, func(m *codec.Manifest) bool { return m.Server() == server.Name })
		if project.Build[server.Name].Checked && !known && opts.Project == nil {
			err := fmt.Errorf("%sserver %q: validate: the program passes no manifest of this server, "+
				"so arguments are sent unchecked", server.Source.Prefix(), server.Name)
			s.logger.Warn(hint.With(err, "pass mcp.Manifests() of the generated packages to live.Connect").Error())
		}
	}
	if len(manifests) == 0 {
		return nil
	}
	return validate.Middleware(manifests...)
}
