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
// its letters and digits in small letters, with "mcp" before what cannot stand
// alone. It is always valid; two servers may get the same one.
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
	if packageReason(name) != "" {
		name = "mcp" + name
	}
	return name
}

// checkPackage checks a package name that came from outside.
func checkPackage(server, name string) error {
	if reason := packageReason(name); reason != "" {
		return fmt.Errorf("servers.%s.package: %s %s; choose a short name in small letters", clean(server), quote(name), reason)
	}
	return nil
}

// packageReason says why a package cannot have a name; "" if it can.
func packageReason(name string) string {
	valid := name != "" && name[0] >= 'a' && name[0] <= 'z' && len(name) <= 2*maxPackage
	for _, r := range name {
		valid = valid && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}
	switch {
	case !valid:
		return "is not a package name of small letters and digits"
	case token.IsKeyword(name), types.Universe.Lookup(name) != nil:
		return "is a word of Go itself"
	case slices.Contains([]string{"main", "internal", "vendor", "testdata", "documentation", "all", "std", "cmd"}, name):
		return "means something else to the go command"
	}
	return ""
}
