// Which file a command means, and why it cannot be started.

package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// checkDir finds a missing working directory before the operating system
// reports it as a missing command.
func checkDir(spec Spec) error {
	if spec.Dir == "" {
		return nil
	}
	info, err := os.Stat(spec.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &StartError{spec.Command, spec.Dir, "the working directory does not exist: create it, or correct it in the configuration", err}
	case err != nil:
		return &StartError{spec.Command, spec.Dir, "the working directory cannot be used: " + err.Error(), err}
	case !info.IsDir():
		return &StartError{spec.Command, spec.Dir, "the working directory is not a directory: correct it in the configuration", nil}
	}
	return nil
}

// notFound is a bare command that is in no directory of the PATH.
func notFound(spec Spec, path string, err error) error {
	reason := fmt.Sprintf("not found in the PATH of the server (%s): install it, or write its full path", path)
	if path == "" {
		reason = "not found, and the server's environment has no PATH: set PATH, or write the command's full path"
	}
	return &StartError{spec.Command, spec.Dir, reason, err}
}

// getenv returns a variable of the child's environment; the last one counts.
func getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if key, value, ok := strings.Cut(env[i], "="); ok && key == name {
			return value
		}
	}
	return ""
}
