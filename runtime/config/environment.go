// The machine as the search for files sees it.

package config

import (
	"fmt"
	"os"
	"runtime"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// Environment is a machine, a user and a project, in which the files of other
// systems are searched for. [System] is the one that this program runs in; a
// test makes its own. Nothing else of the machine is looked at.
type Environment struct {
	OS   string // as runtime.GOOS: windows and darwin have folders of their own
	Home string // the user's folder, absolute; "" finds no file of a user
	Dir  string // the project's folder, absolute; "" finds no file of a project

	// Lookup finds a variable of the environment. Nil finds none.
	Lookup func(name string) (string, bool)

	// Read reads a file in place of the disk; a missing one is an error that is
	// [fs.ErrNotExist]. What it answers with [errors.ErrUnsupported] is read from the disk,
	// and so is everything if it is nil. Files are read whole: an mcpgen.yaml up to 1 MiB,
	// others up to 16 MiB.
	Read func(path string) ([]byte, error)

	// Trusted decides about a project's own file, by the content that was read of it:
	// the file may be another one by now. It is asked about what was found by searching,
	// and about each file of a system that wants trust, such as tallow, wherever it is
	// named. A reason leaves its servers out: it says why in a word or two, such as
	// untrusted or stale. Nil trusts none.
	Trusted func(path string, content []byte) (reason string, hint string)
}

// System is the environment of this program. The user's folder is $HOME, or
// %USERPROFILE% where that is not set; the project's is the working directory.
func System() (Environment, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Environment{}, fmt.Errorf("the working directory is unknown: %w", err)
	}
	return Environment{OS: runtime.GOOS, Home: homeOf(os.LookupEnv), Dir: dir, Lookup: os.LookupEnv}, nil
}

// homeOf is the user's folder: $HOME, else $USERPROFILE, else "". An empty
// variable counts as one that is not set.
func homeOf(lookup func(name string) (string, bool)) string {
	for _, name := range [...]string{"HOME", "USERPROFILE"} {
		if home, ok := lookup(name); ok && home != "" {
			return home
		}
	}
	return ""
}

// machine is what of the environment says where files are.
func (e Environment) machine() dialect.Machine {
	return dialect.Machine{OS: e.OS, Home: e.Home, Dir: e.Dir, Lookup: e.Lookup, Read: e.Read}
}

// named says what of a file somebody named.
type named uint8

const (
	namedNothing named = iota // it was only found
	namedSystem               // its system
	namedFolder               // its folder, with --mcp
	namedFile                 // itself
)

// refuses says why a project's file is left out, or "", by the rule of its system and
// by what somebody named of it. What is used though nobody trusts the project has a
// notice, unless it was named itself. A file that declares no server needs no trust.
func (e Environment) refuses(f *dialect.File, by named) (reason, hint string) {
	if !f.IsProjects() || len(f.Rows) == 0 || by == namedFile && f.Dialect.Gate != dialect.GateAll {
		return "", ""
	}
	if e.Trusted != nil {
		reason, hint = e.Trusted(f.Path, f.Text)
	} else if reason, hint = "untrusted", "name the file with --mcp, or import it in mcpgen.yaml"; f.Dialect.Gate == dialect.GateAll {
		hint = "run mcpgen trust add, and read the file with live.Connect, which knows what is trusted"
	}
	if reason == "" || by == namedNothing || f.Dialect.Gate != dialect.GateNobody {
		return reason, hint
	}
	what := f.Dialect.Name
	if by == namedFolder {
		what = "its folder"
	}
	f.Note(tree.Pos{}, "", "used since "+what+" was named, though the file is "+reason+" and would not be used if it were only found", hint)
	return "", ""
}
