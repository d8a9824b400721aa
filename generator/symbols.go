package generator

// The Go names of generated packages, and the place in a server's definitions
// that each was made for: what a change on the wire means in Go.

import (
	"context"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Symbol is one Go name of a generated package.
type Symbol = decide.Symbol

// ServerSymbols are the names of one generated package.
type ServerSymbols struct {
	Server  string   // configured name
	Import  string   // path of the package
	Symbols []Symbol // in order of kind, item and name
}

// Symbols returns the names that [Generate] gives with the same options, by
// server. It compares nothing with the lock and emits nothing. The errors are
// those of decisions that cannot be made.
func Symbols(ctx context.Context, opts Options) ([]ServerSymbols, error) {
	servers, err := sorted(opts)
	if err != nil {
		return nil, err
	}
	out := make([]ServerSymbols, len(servers))
	err = each(ctx, servers, func(i int, s Server) error {
		var err error
		s.Snapshot, _ = lockfile.AsFile(s.Snapshot, nil)
		out[i] = ServerSymbols{Server: s.Name, Import: opts.ImportPath + "/" + packageName(s)}
		out[i].Symbols, err = decide.Symbols(ctx, decide.Input{Server: s})
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
