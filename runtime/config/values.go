// The value types of mcpgen.yaml that are more than a string or a number.

package config

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Duration is a time such as 30s, 1m30s or 500ms.
type Duration time.Duration

// UnmarshalText reads Go's notation. Zero, negative times and more than a day
// are errors.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	switch {
	case err != nil:
		return errors.New("want a duration such as 30s or 1m30s")
	case v <= 0:
		return errors.New("want a duration above zero")
	case v > dialect.MaxTime:
		return errors.New("want a duration of at most 24h")
	}
	*d = Duration(v)
	return nil
}

// JSONSchemaAlias says that a duration is written as a string.
func (Duration) JSONSchemaAlias() any { return "" }

// Size is a number of bytes such as 16MiB.
type Size int64

// maxSize bounds one message: more does not fit into memory with its copies.
const maxSize = 1 << 30

var sizeText = regexp.MustCompile(`^([0-9]+) ?(B|KB|MB|GB|KiB|MiB|GiB)$`)

// UnmarshalText reads a whole number with a unit: B; KB, MB and GB by 1000;
// KiB, MiB and GiB by 1024. Zero and more than 1 GiB are errors.
func (s *Size) UnmarshalText(text []byte) error {
	m := sizeText.FindSubmatch(text)
	if m == nil {
		return errors.New("want a size such as 16MiB; the units are B, KB, MB, GB, KiB, MiB, GiB")
	}
	n, err := strconv.ParseInt(string(m[1]), 10, 64)
	unit := unitBytes(string(m[2]))
	if err != nil || n > math.MaxInt64/unit || n*unit > maxSize {
		return errors.New("want a size of at most 1GiB")
	}
	if n == 0 {
		return errors.New("want a size above zero")
	}
	*s = Size(n * unit)
	return nil
}

func unitBytes(unit string) int64 {
	base := int64(1000)
	if strings.HasSuffix(unit, "iB") {
		base = 1024
	}
	switch unit[0] {
	case 'K':
		return base
	case 'M':
		return base * base
	case 'G':
		return base * base * base
	}
	return 1
}

// JSONSchemaAlias says that a size is written as a string.
func (Size) JSONSchemaAlias() any { return "" }

// Inherit is a list of variable names, or the word all.
type Inherit struct {
	All   bool
	Names []string
}

// JSONSchemaAlias says that the names are written as a list.
func (Inherit) JSONSchemaAlias() any { return []string(nil) }

// Vars are names with values, in the order of the file.
type Vars []endpoint.Var

// JSONSchemaAlias says that variables are written as a mapping.
func (Vars) JSONSchemaAlias() any { return map[string]string(nil) }

// customTypes are the types that the strict decoder asks us to read.
func customTypes() map[reflect.Type]tree.Custom {
	return map[reflect.Type]tree.Custom{
		reflect.TypeFor[Vars]():    decodeVars,
		reflect.TypeFor[Inherit](): decodeInherit,
	}
}

func decodeVars(d *tree.Decoder, n *tree.Node, at tree.Path) any {
	if !d.Map(n, at) {
		return Vars(nil)
	}
	vars := make(Vars, 0, len(n.Members))
	for _, m := range n.Members {
		if d.Want(tree.String, m.Value, at.Key(m.Name)) {
			vars = append(vars, endpoint.Var{Name: m.Name, Value: m.Value.Text})
		}
	}
	return vars
}

func decodeInherit(d *tree.Decoder, n *tree.Node, at tree.Path) any {
	if n.Kind == tree.String && n.Text == "all" {
		return Inherit{All: true}
	}
	if n.Kind != tree.List {
		d.Fail(n.Pos, at, fmt.Sprintf("want a list of variable names or the word all, found %s", found(n)), "")
		return Inherit{}
	}
	in := Inherit{Names: make([]string, 0, len(n.List))}
	for i, item := range n.List {
		if !d.Want(tree.String, item, at.Index(i)) {
			continue
		}
		if reason := texts.EnvName(item.Text); reason != "" {
			d.Fail(item.Pos, at.Index(i), reason, "")
		}
		in.Names = append(in.Names, item.Text)
	}
	return in
}

// found names a value's kind, and the value itself if it is a word.
func found(n *tree.Node) string {
	if n.Kind == tree.String {
		return tree.Quote(n.Text)
	}
	return n.Kind.String()
}
