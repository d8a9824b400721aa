package main

import (
	"os"
	"strings"

	"github.com/mcpgen/mcpgen/golden/testserver"
)

// standInRunner is a package runner such as npx or docker run, as far as a launch shows
// it: its flags and a package are passed over, and what follows is a test server.
func standInRunner() {
	args := os.Args[1:]
	for len(args) > 0 && (strings.HasPrefix(args[0], "-") || args[0] == "run") {
		args = args[1:]
	}
	if len(args) == 0 {
		os.Exit(2)
	}
	os.Exit(testserver.Main(args[1:]))
}
