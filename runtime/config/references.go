// References in the texts of a server.

package config

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// References returns the references in a server's texts, sorted. Nothing is looked up.
func References(s endpoint.Server) []endpoint.Reference {
	if s.Expand == nil {
		return nil
	}
	var all []endpoint.Reference
	for _, t := range s.Texts() {
		if *t.Value == "" {
			continue
		}
		// Errors are reported when the server starts.
		_, _ = s.Expand(t.Field, *t.Value, func(r endpoint.Reference) (string, bool) {
			if r.Kind != endpoint.ReferenceKnown {
				all = append(all, r)
			}
			return "", true
		})
	}
	slices.SortFunc(all, func(a, b endpoint.Reference) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(all)
}

// Handles returns the names of the secrets in a server's texts, sorted.
func Handles(s endpoint.Server) []string {
	var handles []string
	for _, r := range References(s) {
		if r.Kind == endpoint.ReferenceSecret {
			handles = append(handles, r.Name)
		}
	}
	return handles
}
