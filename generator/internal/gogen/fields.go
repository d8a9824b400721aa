package gogen

// The fields of structs with their comments: on the same line if that is short enough,
// else above.

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// besideField is the length of the longest comment on the line of its field.
const besideField = 80

// structField is a field with all that is written of it.
type structField struct {
	name string
	typ  *ir.Ref
	tags tags
	doc  string
}

// tags are the values in a field's struct tag, by their keys; mcp may be "".
type tags struct{ json, mcp string }

// String is the struct tag without its quotes.
func (t tags) String() string {
	if t.mcp == "" {
		return fmt.Sprintf("json:%q", t.json)
	}
	return fmt.Sprintf("json:%q mcp:%q", t.json, t.mcp)
}

func fieldsCode(fields []structField) []jen.Code {
	var out []jen.Code
	above := commentsAbove(fields)
	for i, f := range fields {
		field := jen.Id(f.name).Add(typeExpr(f.typ)).Op(rawLit(f.tags.String()))
		switch {
		case f.doc == "":
		case above[i]:
			out = append(out, jen.Comment(f.doc))
		default:
			field.Comment(f.doc)
		}
		out = append(out, field)
	}
	return out
}

// commentsAbove returns which comments are written above their fields: the long ones,
// and the ones that would make a line too long. Gofmt aligns fields that follow each other
// without a comment between them.
func commentsAbove(fields []structField) []bool {
	above := make([]bool, len(fields))
	for i, f := range fields {
		above[i] = strings.Contains(f.doc, "\n") || utf8.RuneCountInString(f.doc) > besideField
	}
	for from := 0; from < len(fields); {
		to := from + 1
		for to < len(fields) && !above[to] {
			to++
		}
		width, widest := maxColumns-tabColumns-1-alignedColumns(fields[from:to]), -1
		for i := from; i < to; i++ {
			if n := utf8.RuneCountInString(fields[i].doc); !above[i] && n > width {
				width, widest = n, i
			}
		}
		if widest < 0 {
			from = to
		} else { // the fields around it are aligned once more
			above[widest] = true
		}
	}
	return above
}

// alignedColumns is the width of fields below each other.
func alignedColumns(fields []structField) int {
	name, typ, tag := 0, 0, 0
	for _, f := range fields {
		name = max(name, utf8.RuneCountInString(f.name))
		typ = max(typ, utf8.RuneCountInString(gotext.Type(f.typ)))
		tag = max(tag, utf8.RuneCountInString(f.tags.String())+len("``"))
	}
	return name + 1 + typ + 1 + tag
}
