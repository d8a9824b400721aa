package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row: each is a script that types what their users type.
func TestSeed(t *testing.T) {
	for row, script := range map[string]string{
		"002-01": "system_covenant", // native tools and those of servers in one catalogue
		"002-05": "system_covenant", // echo as the document has it
		"002-08": "system_covenant", // the clock needs no grant, echo does
		"002-09": "system_covenant", // the catalogue as a sorted JSON array, without a lock
		"002-10": "system_covenant", // without its capability no tool is called
		"002-11": "system_covenant", // a grant, then the call works
		"002-12": "covenant",        // the call prints the text; bad JSON is an error
		"002-14": "system_covenant", // a check and a call are written down, denied and unknown ones too
		"002-18": "system_covenant", // a server that fails or hangs costs its own tools alone
		"002-23": "audit",           // the log shows the command of each server
		"003-08": "trust",           // trust, status with fingerprint, untrust
		"004-49": "switch",          // a build tag leaves MCP out; the program compiles both ways
		"000-18": "secrets",         // a handle resolves in env; what is written shows the handle
	} {
		t.Run(row, func(t *testing.T) {
			p := scripts(t)
			p.Dir, p.Files = "", []string{filepath.Join("testdata", "script", script+".txtar")}
			testscript.Run(t, p)
		})
	}
}
