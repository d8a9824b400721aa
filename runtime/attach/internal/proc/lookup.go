// The file of a command, and the reason why it cannot be started.

package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// lookup finds the file of a command. If there is none, it recognises a whole command
// line that was written as the command.
func lookup(r endpoint.Process) (string, error) {
	if err := checkDir(r); err != nil {
		return "", err
	}
	if r.Command == "" {
		return "", &StartError{r.Command, r.Dir, "the command is empty", []string{"name a program"}, nil}
	}
	path, err := find(r)
	if err == nil {
		return path, nil
	}
	// A relative path was made absolute, which is wrong for a command line.
	for _, command := range []string{r.Command, strings.TrimPrefix(r.Command, filepath.Clean(r.Dir)+string(filepath.Separator))} {
		words := strings.Fields(command)
		if len(words) < 2 {
			continue
		}
		first := r
		first.Command = words[0]
		if _, notFound := find(first); notFound == nil {
			args, _ := json.Marshal(words[1:]) // in the form of YAML and JSON; strings can be written
			return "", &StartError{command, r.Dir, fmt.Sprintf(
				"no program has this name with a space; you probably mean command: %s, args: %s", words[0], args), []string{"move the arguments from the key command to the key args"}, errors.Unwrap(err)}
		}
	}
	return "", err
}

// checkDir finds a missing working directory, which the operating system would report
// as a missing command.
func checkDir(r endpoint.Process) error {
	if r.Dir == "" {
		return nil
	}
	info, err := os.Stat(r.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &StartError{r.Command, r.Dir, "the working directory does not exist", []string{"create it", "correct it in the configuration"}, err}
	case err != nil:
		return &StartError{r.Command, r.Dir, "the working directory cannot be used: " + err.Error(), nil, err}
	case !info.IsDir():
		return &StartError{r.Command, r.Dir, "the working directory is not a directory", []string{"correct it in the configuration"}, nil}
	}
	return nil
}

// notFound returns the error of a bare command that is in no directory of the PATH.
func notFound(r endpoint.Process, path string, err error) error {
	reason, steps := "not found in the PATH", []string{"install it", "write its full path"}
	if path != os.Getenv("PATH") { // otherwise the user knows it
		reason = fmt.Sprintf("not found in the PATH of the server (%s)", path)
	}
	if path == "" {
		reason = "not found, and the server's environment has no PATH"
		steps = []string{"set PATH", "write the command's full path"}
	}
	return &StartError{r.Command, r.Dir, reason, steps, err}
}
