// The environment in which files are searched.

package config

import (
	"fmt"
	"os"
	"runtime"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
)

// Environment is a machine, a user and a project in which server files are searched. [System] is that of
// this program; tests make their own. Nothing else of the machine is read.
type Environment struct {
	OS   string // as runtime.GOOS: windows and darwin have their own folders
	Home string // the user's folder, absolute; with "" no file of a user is found
	Dir  string // the project's folder, absolute; with "" no file of a project is found

	// Lookup finds an environment variable. Nil finds none.
	Lookup func(name string) (string, bool)

	// Read reads a file in place of the disk; the error for a missing file is [fs.ErrNotExist]. If it is nil,
	// or returns [errors.ErrUnsupported], the file is read from the disk. Files are read whole: an
	// mcpgen.yaml up to 1 MiB, others up to 16 MiB.
	Read func(path string) ([]byte, error)

	// Trusted decides whether a project's file is trusted, by the content that was read: the file on disk may
	// have changed since. It is called for files that were found by searching, and for every file of a system
	// that requires trust, such as tallow, even if the file was named. A reason excludes the file's servers,
	// and is a word or two, such as untrusted or stale. Nil trusts no file.
	Trusted func(path string, content []byte) (reason string, hint string)
}

// System returns the environment of this program. The user's folder is $HOME, or %USERPROFILE% if that is
// not set. The project's folder is the working directory.
func System() (Environment, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Environment{}, fmt.Errorf("the working directory is unknown: %w", err)
	}
	return Environment{OS: runtime.GOOS, Home: homeOf(os.LookupEnv), Dir: dir, Lookup: os.LookupEnv}, nil
}

// homeOf returns the user's folder: $HOME, else $USERPROFILE, else "". An empty variable counts as unset.
func homeOf(lookup func(name string) (string, bool)) string {
	for _, name := range [...]string{"HOME", "USERPROFILE"} {
		if home, ok := lookup(name); ok && home != "" {
			return home
		}
	}
	return ""
}

// machine returns the part of the environment that determines where files are. A project in the user's folder
// has the same path, even if one of the two leads through a symbolic link: its files are the user's.
func (e Environment) machine() dialect.Machine {
	home, err := os.Stat(e.Home)
	if dir, dirErr := os.Stat(e.Dir); err == nil && dirErr == nil && os.SameFile(home, dir) {
		e.Dir = e.Home
	}
	return dialect.Machine{OS: e.OS, Home: e.Home, Dir: e.Dir, Lookup: e.Lookup, Read: e.Read}
}

// named is how directly the user named a file.
type named uint8

const (
	namedNothing named = iota // it was only found
	namedSystem               // its system
	namedFolder               // its folder, with --mcp
	namedFile                 // itself
)

// refuses returns why a project's file is not used, or "". The rule is that of its system, and depends on
// how the user named the file. A file that is used although the project is not trusted gets a notice,
// unless the file itself was named. A file that declares no server needs no trust.
func (e Environment) refuses(f *dialect.File, by named) (reason, hint string) {
	if !f.IsProjects() || len(f.Rows) == 0 || by == namedFile && f.Dialect.Gate != dialect.GateAll {
		return "", ""
	}
	reason, hint = "untrusted", "name the file with --mcp, or import it in mcpgen.yaml"
	if e.Trusted != nil {
		reason, hint = e.Trusted(f.Path, f.Text)
	} else if f.Dialect.Gate == dialect.GateAll {
		hint = "run mcpgen trust add, and read the file with live.Connect, which knows the trusted projects"
	}
	if reason == "" || by == namedNothing || f.Dialect.Gate != dialect.GateNobody {
		return reason, hint
	}
	what := f.Dialect.Name
	if by == namedFolder {
		what = "its folder"
	}
	f.Note(tree.Pos{}, "", "used only because "+what+" was named: the file is "+reason, hint)
	return "", ""
}
