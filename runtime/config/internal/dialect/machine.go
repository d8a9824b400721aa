// The machine on which files are searched and read.

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

// MaxFile bounds the size of a file, in bytes. Other systems keep histories in the files with their
// servers.
const MaxFile = 16 << 20

// Machine is a machine, a user and a project in which the files of systems are searched. Nothing else of
// the machine is read.
type Machine struct {
	OS   string // as runtime.GOOS
	Home string // the user's folder; with "" no file of a user is found
	Dir  string // the project's folder; with "" no file of a project is found

	Lookup func(name string) (string, bool) // finds an environment variable; nil finds none
	// Read reads a file in place of the disk. If it is nil, or returns [errors.ErrUnsupported], the file is
	// read from the disk.
	Read func(path string) ([]byte, error)
}

// lookup returns an environment variable; "" if it is unset or empty.
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

// Join joins a folder and a slash path below it by the rules of m's system. If folder is "", which means
// unknown, so is the result.
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

// foreign reports whether m has another operating system than this machine, so that path/filepath cannot
// handle its paths.
func (m Machine) foreign() bool { return m.OS == "windows" && runtime.GOOS != "windows" }

// parent returns the folder of a path.
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

// base returns the last element of a path.
func (m Machine) base(path string) string {
	if !m.foreign() {
		return filepath.Base(path)
	}
	return path[strings.LastIndexAny(path, `\/`)+1:]
}

// same reports whether two paths have the same spelling on m's system.
func (m Machine) same(a, b string) bool {
	a, b = strings.ReplaceAll(a, `\`, "/"), strings.ReplaceAll(b, `\`, "/")
	if m.OS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// appData returns the folder of the user's application settings.
func (m Machine) appData() string {
	switch m.OS {
	case "windows":
		return cmp.Or(m.lookup("APPDATA"), m.Join(m.Home, "AppData/Roaming"))
	case "darwin":
		return m.Join(m.Home, "Library/Application Support")
	}
	return m.xdgConfig()
}

// xdgConfig returns $XDG_CONFIG_HOME if it is absolute, else ~/.config.
func (m Machine) xdgConfig() string { return cmp.Or(m.xdgSaid(), m.Join(m.Home, ".config")) }

// xdgSaid returns $XDG_CONFIG_HOME if it is absolute, else "".
func (m Machine) xdgSaid() string {
	if folder := m.lookup("XDG_CONFIG_HOME"); m.isAbs(folder) {
		return folder
	}
	return ""
}
