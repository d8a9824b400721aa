// Which file a command means, and why it cannot be started.

package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// lookup finds the file of a command. Where there is none, a command line that was
// written as one command is recognised.
func lookup(spec Spec) (string, error) {
	if err := checkDir(spec); err != nil {
		return "", err
	}
	if spec.Command == "" {
		return "", &StartError{spec.Command, spec.Dir, "the command is empty: name a program", nil}
	}
	path, err := find(spec)
	if err == nil {
		return path, nil
	}
	// A relative path was made absolute, which this is not meant to be.
	for _, command := range []string{spec.Command, strings.TrimPrefix(spec.Command, filepath.Clean(spec.Dir)+string(filepath.Separator))} {
		words := strings.Fields(command)
		if len(words) < 2 {
			continue
		}
		first := spec
		first.Command = words[0]
		if _, notFound := find(first); notFound == nil {
			return "", &StartError{command, spec.Dir, fmt.Sprintf(
				"no program has this name, with a space in it: write its arguments apart from it, as command: %s, args: %s", words[0], list(words[1:])), err}
		}
	}
	return "", err
}

// list writes texts as YAML and JSON have them.
func list(texts []string) string {
	data, err := json.Marshal(texts)
	if err != nil {
		return "[…]"
	}
	return string(data)
}

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
