//go:build unix

// Commands and start failures on Unix.

package proc

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// find finds the file of a command in the child's PATH, which the user sees in the
// configuration, and not in this program's PATH.
func find(r endpoint.Process) (string, error) {
	if strings.Contains(r.Command, "/") {
		return r.Command, executable(r, r.Command)
	}
	path := r.Variable("PATH")
	var denied error
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			dir = "." // an empty entry is the working directory
		}
		file := dir + "/" + r.Command
		err := executable(r, file)
		if err == nil {
			return file, nil
		}
		if denied == nil && !errors.Is(err, fs.ErrNotExist) {
			denied = err
		}
	}
	if denied != nil {
		return "", denied
	}
	return "", notFound(r, path, fs.ErrNotExist)
}

// executable returns why file cannot be run, if that is visible.
func executable(r endpoint.Process, file string) error {
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.Dir, file)
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &StartError{r.Command, r.Dir, file + " does not exist", []string{"install it", "correct the path"}, err}
	case err != nil:
		return &StartError{r.Command, r.Dir, err.Error(), nil, err}
	case info.IsDir():
		return &StartError{r.Command, r.Dir, file + " is a directory", []string{"name a program"}, syscall.EISDIR}
	case info.Mode()&0o111 == 0:
		return &StartError{r.Command, r.Dir, file + " is not executable", []string{"run chmod +x on it", "start it with its interpreter"}, fs.ErrPermission}
	}
	return nil
}

// startError explains an error of the operating system about an existing file.
func startError(r endpoint.Process, path string, err error) error {
	var steps []string
	reason := err.Error()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = path + ": the interpreter that its first line names was not found"
		steps = []string{"install it", "correct that line"}
	case errors.Is(err, syscall.ENOEXEC):
		reason = path + " is not a program for this machine"
		steps = []string{"begin a script with a line such as #!/bin/sh"}
	case errors.Is(err, fs.ErrPermission):
		reason = path + ": permission denied"
		steps = []string{"check the rights of the file and of its directories"}
	case errors.Is(err, syscall.E2BIG):
		reason = "arguments and environment are too large for the operating system"
	}
	return &StartError{r.Command, r.Dir, reason, steps, err}
}
