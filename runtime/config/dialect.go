// The table of dialects: how the files of each system are read.

package config

import (
	"path/filepath"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// dialect is what differs between the formats of server files. A file's
// container and rows are read the same way for all that are here; a format
// with a shape of its own brings its own reader.
type dialect struct {
	name    string
	file    string           // base name that selects it; "" is any
	vars    *syntax          // nil: texts are literal
	inherit endpoint.Inherit // which variables of the parent a process gets
	inDir   bool             // processes start in the folder of the file
}

// serverFiles are the dialects of other systems' files, the most particular
// first. The last one takes every file.
func serverFiles() []dialect {
	whole := endpoint.Inherit{All: true}
	return []dialect{
		{name: "claude-code", file: ".mcp.json", vars: &syntax{defaults: true}, inherit: whole, inDir: true},
		{name: "plain", inherit: whole},
	}
}

// ownVars is the syntax of mcpgen.yaml.
func ownVars() *syntax { return &syntax{prefix: "env:", escape: true, strict: true} }

// dialectOf is the dialect of a server file, by its name.
func dialectOf(path string) dialect {
	all := serverFiles()
	for _, d := range all {
		if d.file == "" || d.file == filepath.Base(path) {
			return d
		}
	}
	return all[len(all)-1]
}
