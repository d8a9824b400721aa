package main

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
)

// programName is how the user started this program with a command line: as the go
// command starts it where that has built it, else the path that was typed, or mcpgen.
func programName(args []string) string {
	executable, err := os.Executable()
	switch {
	case err == nil && console.ByGo(executable):
		return workspace.GoCommand(".", version())
	case len(args) == 0 || filepath.Base(args[0]) == args[0]:
		return "mcpgen"
	}
	if found, err := exec.LookPath(filepath.Base(args[0])); err == nil && found == args[0] {
		return "mcpgen"
	}
	return report.ShellWord(args[0])
}
