// Command mcpgen turns the MCP servers of a project into typed Go packages,
// locks what they offer, and tells when they have changed.
//
// Run mcpgen help for its commands.
package main

import (
	"os"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator/vet"
	"github.com/urfave/cli/v2"
)

func main() {
	if vet.IsTool(os.Args[1:]) {
		vet.Main()
	}
	cli.FlagStringer = flagText(cli.FlagStringer)
	ctx, stop := interruptible()
	code := run(ctx, os.Args, os.Stdout, os.Stderr)
	if c := stop(); c != workspace.ExitOK {
		code = c
	}
	os.Exit(code)
}
