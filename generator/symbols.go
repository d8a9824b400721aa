package generator

// The Go names of generated packages, and the place in a server's definitions
// that each was made for: what a change on the wire means in Go.

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/generator/internal/gogen"
	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/schema"
)

// SymbolRole says what a [Symbol] is.
type SymbolRole string

// The roles.
const (
	SymbolFunc  SymbolRole = "func"  // a function, and the method of Client with its name
	SymbolType  SymbolRole = "type"  // a declared type
	SymbolField SymbolRole = "field" // a field of a struct
	SymbolConst SymbolRole = "const" // a constant of an enum
)

// Symbol is one Go name of a generated package.
type Symbol struct {
	Kind schema.Kind // of the item that it was made for
	Item string      // wire name, URI or URI template of the item
	Role SymbolRole
	Go   string // in the package; of a field "Type.Field". Old names are symbols, too
	// Result says that it belongs to what a call returns.
	Result bool
	// Pointers are JSON pointers into the item's definition: first the place that
	// the name was made for, then other places that it names, such as the
	// definition behind a $ref. Those of a constant are its type's.
	Pointers []string
	// Type is a type as written inside the package: of a field its own, of a
	// tool's function that of the result, of a constant its enum. Of a type it is struct,
	// interface, or what it is defined as.
	Type string
	// Required says of a field that it is sent or read always.
	Required bool
	Value    string // of a constant: its JSON value
	// Of is the name of the same type or constant that is declared, if this one is
	// another name of it: "type Go = Of". Names of types that several items share are
	// there once for each item.
	Of string
}

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
	if err := checkOptions(opts); err != nil {
		return nil, err
	}
	servers := slices.Clone(opts.Servers)
	slices.SortFunc(servers, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	out := make([]ServerSymbols, len(servers))
	err := each(ctx, servers, func(i int, s Server) error {
		var err error
		if s.Snapshot, _, err = asOnDisk(s); err != nil {
			return err
		}
		symbols, err := decide.Symbols(ctx, inputOf(s, false))
		out[i] = ServerSymbols{Server: s.Name, Import: opts.ImportPath + "/" + s.packageName()}
		for _, sym := range symbols {
			out[i].Symbols = append(out[i].Symbols, symbolOf(sym))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func symbolOf(s decide.Symbol) Symbol {
	out := Symbol{
		Kind: s.Kind, Item: s.Item, Role: SymbolRole(s.Role), Go: s.Go, Result: s.Result,
		Pointers: s.Pointers, Required: s.Required, Value: s.Value, Type: s.Form, Of: s.Of,
	}
	switch {
	case s.Kind == schema.KindTool && s.Role == decide.RoleFunc:
		out.Type = gotext.ResultType(s.Ref)
	case s.Ref != nil:
		out.Type = gotext.Type(s.Ref)
	}
	out.Type = identifier().ReplaceAllStringFunc(out.Type, func(name string) string {
		return cmp.Or(s.Renamed[name], name)
	})
	return out
}

// identifier matches the names in the text of a type.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\pL_][\pL\pN_]*`) })

// APIs returns the Go types of the packages that [Generate] makes with the same
// options, by server, for each of the options. All are made of the same types of
// other packages, so that they can be compared. The errors are those of Generate,
// save that snapshots are not compared with the lock.
func APIs(ctx context.Context, of ...Options) ([]map[string]*types.Package, error) {
	imports := gogen.Importer()
	out := make([]map[string]*types.Package, len(of))
	for i, opts := range of {
		if err := checkOptions(opts); err != nil {
			return nil, err
		}
		out[i] = map[string]*types.Package{}
		for _, s := range opts.Servers {
			in := inputOf(s, false)
			in.Past = true
			p, _, err := decide.Package(ctx, in)
			if err != nil {
				return nil, err
			}
			files, err := gogen.Package(ctx, p, nil)
			if err != nil {
				return nil, err
			}
			if out[i][s.Name], err = gogen.Types(opts.ImportPath+"/"+p.Name, files, imports); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
		}
	}
	return out, nil
}
