package generator

// Names of packages, which are also names of folders and files. They come from
// users and from configured server names; nothing else ever becomes a path.

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
)

// PackageName returns the Go package name of a server for which none is
// configured: its ASCII letters and digits in lower case, with "mcp" before what
// cannot stand alone. Two servers may get the same one.
func PackageName(server string) string {
	name := decide.PackageName(server)
	if badPackageName(name) != "" {
		return "mcp" + name
	}
	return name
}

var packageSyntax = regexp.MustCompile(`^[a-z][a-z0-9_]{0,79}$`)

// badPackageName says why name cannot be a folder; empty if it can. Whether it
// makes a good package is for the builder to say.
func badPackageName(name string) string {
	switch {
	case !packageSyntax.MatchString(name):
		return "it is not made of up to 80 lower-case ASCII letters and digits, a letter first"
	case name == "init":
		return "Go imports no package by that name"
	case slices.Contains(deviceNames, name):
		return "Windows has a device of that name"
	}
	return ""
}

// deviceNames cannot be folders on Windows, nor path elements of a module.
var deviceNames = []string{"con", "prn", "aux", "nul",
	"com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}

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
			return fmt.Sprintf("the go command passes over the folder %q", e)
		}
	}
	return ""
}

// shimPackage is the name of the package in the output folder: the folder's own
// name if that can be one.
func shimPackage(output string) string {
	base := path.Base(output)
	if base == "internal" {
		return base // a folder that only its neighbours may import, and a fine name
	}
	return decide.PackageName(base)
}
