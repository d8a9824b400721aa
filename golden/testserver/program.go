package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// programVar names the server's program to the tests of a package and the processes that these
// start.
const programVar = "MCPTESTSERVER"

// Program is the path of mcptestserver while [Run] runs.
func Program() string { return os.Getenv(programVar) }

// Run runs the tests of a package with mcptestserver as a program, and returns their exit
// status. A test binary could be the server itself, but tests start it thousands of times, and
// with the race detector that takes ten times as long.
func Run(tests func() int) int {
	dir, err := os.MkdirTemp("", "mcptestserver")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := Build(dir, "github.com/mcpgen/mcpgen/golden/testserver/cmd/mcptestserver"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv(programVar, filepath.Join(dir, "mcptestserver"+suffix()))
	defer os.Unsetenv(programVar)
	return tests()
}

// Build builds commands of this module into a folder.
func Build(dir string, packages ...string) error {
	out, err := exec.Command("go", append([]string{"build", "-buildvcs=false", "-o", dir + string(filepath.Separator)}, packages...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build %v: %w\n%s", packages, err, out)
	}
	return nil
}

// suffix is the end of a program's name.
func suffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
