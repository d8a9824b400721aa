// The machine as the search for files sees it.

package config

import (
	"fmt"
	"os"
	"runtime"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
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

	// Read reads a file; a missing one is an error that is [fs.ErrNotExist].
	// Nil reads from the disk. Files are read whole, up to 16 MiB.
	Read func(path string) ([]byte, error)

	// Trusted decides about a project's own file that was found by searching, by
	// the content that was read of it: the file may be another one by now. A
	// reason leaves its servers out: it says why in a word or two, such as
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

// trusted says why a project's file is left out, or "", judging what was read of it.
func (e Environment) trusted(f *dialect.File) (reason, hint string) {
	if e.Trusted == nil {
		return "untrusted", "name the file with --mcp, or import it in mcpgen.yaml"
	}
	return e.Trusted(f.Path, f.Text)
}
