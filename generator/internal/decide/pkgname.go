package decide

// Names of Go packages, which are names of folders and files too.

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// maxPackage bounds a package name made from a server name.
const maxPackage = 40

// PackageName returns the Go package name for a server that the user gave none:
// its ASCII letters and digits in lower case, with "mcp" in front of what is not a
// valid name by itself. The result is always valid; two servers may get the same one.
func PackageName(server string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(server) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		}
	}
	name := b.String()
	switch {
	case name == "":
		name = "mcp" + strings.ToLower(digest(server))
	case len(name) > maxPackage:
		name = name[:maxPackage-hashTail] + strings.ToLower(digest(server))
	}
	if PackageReason(name) != "" {
		name = "mcp" + name
	}
	return name
}

// checkPackage checks a package name that came from outside.
func checkPackage(server, name string) error {
	if reason := PackageReason(name); reason != "" {
		return fmt.Errorf("servers.%s.package: %s %s; choose a short name in small letters", clean(server), quote(name), reason)
	}
	return nil
}

// deviceNames cannot be folders on Windows, nor path elements of a module.
var deviceNames = []string{"con", "prn", "aux", "nul",
	"com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}

// PackageReason says why a package and its folder cannot have a name; "" if they can.
func PackageReason(name string) string {
	valid := name != "" && name[0] >= 'a' && name[0] <= 'z' && len(name) <= 2*maxPackage
	for _, r := range name {
		valid = valid && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}
	switch {
	case !valid:
		return "is not a package name of small letters and digits"
	case token.IsKeyword(name), types.Universe.Lookup(name) != nil:
		return "is a word of Go itself"
	case slices.Contains([]string{"main", "init", "internal", "vendor", "testdata", "documentation", "all", "std", "cmd"}, name):
		return "means something else to Go"
	case slices.Contains(deviceNames, name):
		return "is the name of a device on Windows"
	}
	return ""
}
