package main

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row: each is a script that types what their users type. A script of several
// rows runs once, with the first of them that is wanted.
func TestSeed(t *testing.T) {
	if testing.Short() && flag.Lookup("test.run").Value.String() == "" {
		t.Skip("TestScript runs the scripts beside this test: make seeds runs them by the numbers of their rows")
	}
	passed := map[string]bool{} // the scripts that ran
	for row, script := range map[string]string{
		"001-04": "system-coreagent", // mixed transports end the command before anything starts
		"001-11": "system-coreagent", // a token of Google's when servers start, and not on the first call
		"001-13": "system-coreagent", // the token wins over a header, and other headers pass
		"001-19": "system-coreagent", // the document's pattern allows that tool, with any arguments
		"001-32": "system-coreagent", // an elicitation is declined, with one line
		"001-36": "read_only",        // the operator's word, after the tool's own; it allows no call
		"001-41": "system-coreagent", // google_id_token says that it is not supported
		"002-09": "system-covenant",  // the catalogue as a JSON array, without a lock
		"002-11": "system-covenant",  // a grant, then the call works
		"002-12": "system-covenant",  // the call prints the text; bad JSON is an error
		"002-14": "system-covenant",  // a check and a call are written down, denied and unknown ones too
		"002-25": "system-covenant",  // tools and capabilities find the system's file
		"002-26": "system-covenant",  // grants and log are the user's, in every folder
		"003-08": "trust",            // trust, status with fingerprint, untrust
		"003-32": "system-tallow",    // the page of servers and their tools
		"003-33": "system-tallow",    // --mcp tallow, import: [tallow] and what init writes are one
		"000-32": "system-scarab",    // a policy for a secret is added on the command line
		"004-49": "switch",           // a build tag leaves MCP out; the program compiles both ways
		"000-18": "secrets",          // a handle resolves in env; what is written shows the handle
	} {
		if ok, ran := passed[script]; ran {
			t.Run(row, func(t *testing.T) {
				if !ok {
					t.Errorf("the script %s failed: another row shows where", script)
				}
			})
			continue
		}
		ran := false
		ok := t.Run(row, func(t *testing.T) {
			ran = true
			p := scriptParams(t, "script")
			p.Dir, p.Files = "", []string{filepath.Join("testdata", "script", script+".txtar")}
			testscript.Run(t, p)
		})
		if ran {
			passed[script] = ok
		}
	}
}
