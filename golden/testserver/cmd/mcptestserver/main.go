// Command mcptestserver is the test server as a program of its own.
package main

import (
	"os"

	"github.com/mcpgen/mcpgen/golden/testserver"
)

func main() { os.Exit(testserver.Main(os.Args[1:])) }
