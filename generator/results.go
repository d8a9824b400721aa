package generator

// Results of tools that declare no schema of their own.

import (
	"fmt"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Result is a result schema that the server did not declare. References lead to
// the same schema only; others make the type looser, with a warning.
type Result = decide.Result

// Declares reports whether a tool declares a result schema itself, which counts
// before every other.
func Declares(tool schema.Item) bool {
	t, _, err := schema.ParseTool(tool.Raw)
	return err == nil && t.OutputSchema != nil
}

// verifyResults compares the result schemas with the lock. The snapshot is the
// locked one.
func verifyResults(s Server) []error {
	var errs []error
	for _, it := range s.Snapshot.Tools {
		given, ok := s.Results[it.Name]
		before := s.Locked.Tools[it.Name].Result
		if !ok && before == (lockfile.LockedResult{}) || Declares(it) {
			continue
		}
		var now lockfile.LockedResult
		if ok {
			var err error
			if now, err = given.Locked(); err != nil {
				errs = append(errs, hint.With(fmt.Errorf("%s: the result schema of tool %q: %w", s.Name, it.Name, err), "fix it"))
				continue
			}
		}
		if now != before {
			errs = append(errs, fmt.Errorf("%s: the result schema of tool %q differs from the locked one: accept the change with mcpgen update %s", s.Name, it.Name, s.Name))
		}
	}
	return errs
}
