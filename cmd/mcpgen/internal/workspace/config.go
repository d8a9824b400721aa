package workspace

import (
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config"
)

// Configuration is what the options name after imports and merging, as it is
// printed. No variable in it was looked up, and no file but the configuration
// was touched.
type Configuration struct {
	Path     string           `json:"path,omitempty"`
	Settings []config.Setting `json:"settings"`
	Left     []LeftOut        `json:"leftOut"`
	Notices  []Notice         `json:"notices"`
}

// LeftOut is a server that is defined and not used.
type LeftOut struct {
	Server string `json:"server"`
	Reason string `json:"reason"`
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// Notice is what the configuration has to say without being an error.
type Notice struct {
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text"`
}

// ReadConfiguration reads the configuration that the options name. With servers
// in [Options.Only] the settings of other servers are left out. Errors are the
// user's side.
func ReadConfiguration(opts Options) (*Configuration, error) {
	project, err := load(opts)
	if err == nil && opts.Strict {
		err = project.Strict()
	}
	if err != nil {
		return nil, fail(ExitUsage, err)
	}
	c := &Configuration{Path: project.Path, Settings: only(project.Settings(), opts.Only), Left: []LeftOut{}, Notices: []Notice{}}
	for _, d := range project.Definitions {
		if d.Left != "" {
			at := d.Server.Source
			c.Left = append(c.Left, LeftOut{Server: d.Server.Name, Reason: d.Left, Path: at.Path, Line: at.Line, Column: d.Column})
		}
	}
	for _, n := range project.Notices {
		c.Notices = append(c.Notices, Notice{Path: n.Path, Line: n.Line, Column: n.Column, Text: n.Text})
	}
	return c, nil
}

// only keeps what is about no server, or about one of these.
func only(settings []config.Setting, names []string) []config.Setting {
	kept := []config.Setting{}
	for _, s := range settings {
		if s.Server == "" || len(names) == 0 || slices.Contains(names, s.Server) {
			kept = append(kept, s)
		}
	}
	return kept
}

// FoundFile is a server file of another program, as it is printed.
type FoundFile struct {
	Format  string        `json:"format"`
	Path    string        `json:"path"`
	Scope   string        `json:"scope"`
	Left    string        `json:"left,omitempty"`
	Servers []FoundServer `json:"servers"`
	Errors  []string      `json:"errors,omitempty"`
	Notices []Notice      `json:"notices,omitempty"`
}

// FoundServer is a server of a [FoundFile].
type FoundServer struct {
	Name      string   `json:"name"`
	Line      int      `json:"line"`
	Transport string   `json:"transport"`
	Target    string   `json:"target"`
	Uses      []string `json:"uses,omitempty"`
	Left      string   `json:"left,omitempty"`
}

// FoundFiles gives what was found its printed form.
func FoundFiles(found []config.Found) []FoundFile {
	files := []FoundFile{}
	for _, f := range found {
		file := FoundFile{Format: f.Format, Path: f.Path, Scope: f.Scope, Left: f.Left, Servers: []FoundServer{}}
		for _, s := range f.Servers {
			file.Servers = append(file.Servers, FoundServer{
				Name: s.Name, Line: s.Line, Transport: s.Transport, Target: s.Target, Uses: s.Uses, Left: s.Left,
			})
		}
		for _, err := range f.Errors {
			file.Errors = append(file.Errors, err.Error())
		}
		for _, n := range f.Notices {
			file.Notices = append(file.Notices, Notice{Path: n.Path, Line: n.Line, Column: n.Column, Text: n.Text})
		}
		files = append(files, file)
	}
	return files
}
