// The machine on which files are looked for and read.

package dialect

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcpgen/mcpgen/internal/regular"
)

// MaxFile bounds a file, in bytes. Other systems keep histories beside their servers.
const MaxFile = 16 << 20

// Machine is a machine, a user and a project, in which the files of systems are
// looked for. Nothing else of the machine is looked at.
type Machine struct {
	OS   string // as runtime.GOOS
	Home string // the user's folder; "" finds no file of a user
	Dir  string // the project's folder; "" finds no file of a project

	Lookup func(name string) (string, bool) // finds a variable of the environment; nil finds none
	// Read reads a file in place of the disk, and leaves to the disk what it answers with
	// [errors.ErrUnsupported]. Nil leaves it all files.
	Read func(path string) ([]byte, error)
}

// lookup is a variable of the environment; "" means that it is not set, or empty.
func (m Machine) lookup(name string) string {
	if m.Lookup == nil {
		return ""
	}
	if value, ok := m.Lookup(name); ok {
		return value
	}
	return ""
}

// ReadFile reads a file of the machine, up to a limit in bytes.
func (m Machine) ReadFile(path string, limit int64) ([]byte, error) {
	if m.Read != nil {
		data, err := m.Read(path)
		switch {
		case err == nil && int64(len(data)) > limit:
			return nil, &fs.PathError{Op: "read", Path: path, Err: &regular.TooLargeError{Limit: limit}}
		case !errors.Is(err, errors.ErrUnsupported):
			return data, err
		}
	}
	return regular.ReadFile(path, limit)
}

// Join joins a folder and a slash path below it by the rule of m's system. A
// folder that is unknown has no files: the result is "".
func (m Machine) Join(folder, below string) string {
	if folder == "" {
		return ""
	}
	if m.OS == "windows" {
		return strings.TrimRight(folder, `\/`) + `\` + strings.ReplaceAll(below, "/", `\`)
	}
	return strings.TrimRight(folder, "/") + "/" + below
}

// isAbs reports whether a path is absolute on m's system.
func (m Machine) isAbs(path string) bool {
	if m.OS == "windows" && runtime.GOOS != "windows" {
		return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') || strings.HasPrefix(path, `\\`)
	}
	return filepath.IsAbs(path)
}

// foreign reports whether m is a machine of another kind than this one, so that
// path/filepath does not know its paths.
func (m Machine) foreign() bool { return m.OS == "windows" && runtime.GOOS != "windows" }

// parent is the folder of a path.
func (m Machine) parent(path string) string {
	if !m.foreign() {
		return filepath.Dir(path)
	}
	i := strings.LastIndexAny(path, `\/`)
	if i < 0 {
		return "."
	}
	if i == 2 && path[1] == ':' {
		return path[:3]
	}
	return path[:max(i, 1)]
}

// base is the last element of a path.
func (m Machine) base(path string) string {
	if !m.foreign() {
		return filepath.Base(path)
	}
	return path[strings.LastIndexAny(path, `\/`)+1:]
}

// same reports whether two paths are spelled alike on m's system.
func (m Machine) same(a, b string) bool {
	a, b = strings.ReplaceAll(a, `\`, "/"), strings.ReplaceAll(b, `\`, "/")
	if m.OS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// appData is the folder of the user's settings of programs, on each system.
func (m Machine) appData() string {
	switch m.OS {
	case "windows":
		return cmp.Or(m.lookup("APPDATA"), m.Join(m.Home, "AppData/Roaming"))
	case "darwin":
		return m.Join(m.Home, "Library/Application Support")
	}
	return m.xdgConfig()
}

// xdgConfig is $XDG_CONFIG_HOME if it is absolute, else ~/.config.
func (m Machine) xdgConfig() string { return cmp.Or(m.xdgSaid(), m.Join(m.Home, ".config")) }

// xdgSaid is $XDG_CONFIG_HOME if it is absolute, else "".
func (m Machine) xdgSaid() string {
	if folder := m.lookup("XDG_CONFIG_HOME"); m.isAbs(folder) {
		return folder
	}
	return ""
}
