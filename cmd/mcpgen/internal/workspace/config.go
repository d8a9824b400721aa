package workspace

import (
	"context"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config"
)

// Configuration is the configuration after imports and merging, for printing. No variable was looked up,
// and only configuration files were read.
type Configuration struct {
	Path     string           `json:"path,omitempty"`
	Settings []config.Setting `json:"settings"`
	Left     []LeftOut        `json:"leftOut"`
	Notices  []config.Notice  `json:"notices"` // not errors
}

// LeftOut is a server that is defined but not used.
type LeftOut struct {
	Server string `json:"server"`
	Reason string `json:"reason"`
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// ReadConfiguration reads the configuration that the options name. If [Options.Only] has servers,
// settings of other servers are left out. Errors are the user's side.
func ReadConfiguration(ctx context.Context, opts Options) (*Configuration, error) {
	project, _, err := load(ctx, opts)
	if err == nil {
		err = opts.checkOnly(project)
	}
	if err == nil && opts.Strict {
		err = project.Strict()
	}
	if err != nil {
		return nil, err
	}
	c := &Configuration{Path: project.Path, Settings: []config.Setting{}, Left: []LeftOut{}, Notices: append([]config.Notice{}, project.Notices...)}
	for _, s := range project.Settings() {
		if s.Server == "" || len(opts.Only) == 0 || slices.Contains(opts.Only, s.Server) {
			c.Settings = append(c.Settings, s)
		}
	}
	for _, d := range project.Definitions {
		if d.Left != "" {
			at := d.Server.Source
			c.Left = append(c.Left, LeftOut{Server: d.Server.Name, Reason: d.Left, Path: at.Path, Line: at.Line, Column: d.Column})
		}
	}
	return c, nil
}
