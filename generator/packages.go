package generator

// Names of packages, which are also names of folders and files. They come from
// users and from configured server names; nothing else ever becomes a path.

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/mcpgen/mcpgen/internal/gopkg"
)

// checkOutput says why a folder cannot hold the generated packages; empty if it
// can.
func checkOutput(output string) string {
	switch {
	case !fs.ValidPath(output) || strings.ContainsAny(output, `\:`+"\x00"):
		return "it is not a clean slash path below the project"
	case output == ".":
		return "it is the project's own folder"
	}
	for e := range strings.SplitSeq(output, "/") {
		if e == "vendor" || e == "testdata" || e[0] == '.' || e[0] == '_' {
			return fmt.Sprintf("the go command ignores the folder %q", e)
		}
	}
	return ""
}

// OutputPackage returns the name of the package in an output folder: the folder's own
// name if that can be one.
func OutputPackage(output string) string {
	base := path.Base(output)
	if base == "internal" {
		return base // a folder that only its neighbours may import, and a fine name
	}
	return gopkg.Of(base)
}
