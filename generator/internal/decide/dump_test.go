package decide

// A readable form of ir, for goldens.

import (
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// dumpPackage writes a package down, one line per decision.
func dumpPackage(p *ir.Package) string {
	var b strings.Builder
	for _, t := range p.Tools {
		result := "*runtime.Result"
		if t.Result != nil {
			result = typeText(t.Result)
		}
		fmt.Fprintf(&b, "func %s(%s) %s // %q\n", t.Go, t.Args.Go, result, t.Wire)
		dumpDoc(&b, "\t", t.Doc)
		if t.Example != nil {
			fmt.Fprintf(&b, "\texample %s\n", literalText(t.Example))
		}
		for _, n := range t.Synonyms {
			fmt.Fprintf(&b, "\tsynonym %s = %s\n", n.Go, n.Of)
		}
	}
	for _, t := range p.Types {
		dumpType(&b, t)
	}
	dumpSurface(&b, p)
	return b.String()
}

func dumpType(b *strings.Builder, t *ir.Type) {
	if t.Shared {
		b.WriteString("shared ")
	}
	decodes := ""
	if t.Decodes {
		decodes = ", decodes"
	}
	switch t.Kind {
	case ir.Struct:
		fmt.Fprintf(b, "type %s struct // %s%s\n", t.Go, t.Path, decodes)
	case ir.Enum:
		equal := ""
		if t.Open {
			equal = "= "
		}
		if t.Partial {
			decodes += ", partial"
		}
		fmt.Fprintf(b, "type %s %s%s // %s%s\n", t.Go, equal, t.Base, t.Path, decodes)
	case ir.Alias:
		fmt.Fprintf(b, "type %s %s // %s%s\n", t.Go, typeText(t.Of), t.Path, decodes)
	case ir.Union:
		fmt.Fprintf(b, "type %s union // %s\n", t.Go, t.Path)
	case ir.Tuple:
		fmt.Fprintf(b, "type %s tuple // %s%s\n", t.Go, t.Path, decodes)
	}
	dumpDoc(b, "\t", t.Doc)
	for _, f := range t.Fields {
		omit := ""
		if f.Presence == ir.OmitZero {
			omit = ",omitzero"
		}
		if f.Untagged {
			omit += ",untagged"
		}
		fmt.Fprintf(b, "\t%s %s %q%s\n", f.Go, typeText(f.Type), f.Wire, omit)
		dumpDoc(b, "\t\t", f.Doc)
	}
	if t.Extra != nil {
		fmt.Fprintf(b, "\tExtra map[string]%s\n", typeText(t.Extra))
	}
	if t.Rest != nil {
		fmt.Fprintf(b, "\tRest []%s\n", typeText(t.Rest))
	}
	if t.Exact {
		b.WriteString("\tExactNumbers\n")
	}
	for _, tag := range t.Tags {
		fmt.Fprintf(b, "\ttag %q = %s\n", tag.Wire, tag.Value)
	}
	for _, v := range t.Variants {
		fmt.Fprintf(b, "\tvariant %s // %s\n", v.Type.Go, matchText(v.Match))
	}
	if t.Kind == ir.Union {
		fmt.Fprintf(b, "\tother %s\n", t.Other)
	}
	for _, c := range t.Consts {
		fmt.Fprintf(b, "\tconst %s = %s\n", c.Go, c.Value)
	}
}

func literalText(l *ir.Literal) string {
	var parts []string
	for _, f := range l.Fields {
		parts = append(parts, f.Go+": "+literalText(f.Value))
	}
	for i, e := range l.Elems {
		text := literalText(e)
		if len(l.Keys) > 0 {
			text = fmt.Sprintf("%q: %s", l.Keys[i], text)
		}
		parts = append(parts, text)
	}
	switch {
	case l.Const != "":
		return l.Const
	case l.Value != "" && l.Type.Kind == ir.Named:
		return typeText(l.Type) + "(" + l.Value + ")"
	case l.Value != "":
		return l.Value
	}
	return typeText(l.Type) + "{" + strings.Join(parts, ", ") + "}"
}

func matchText(m ir.Match) string {
	text := m.Kind
	if m.Tag != "" {
		text += fmt.Sprintf(", %q is %s", m.Tag, strings.Join(m.Values, " or "))
	}
	if m.Key != "" {
		text += fmt.Sprintf(", has %q", m.Key)
	}
	if len(m.Needs) > 0 {
		text += fmt.Sprintf(", needs %q", m.Needs)
	}
	return fmt.Sprintf("%s, rank %d", text, m.Rank)
}

func dumpDoc(b *strings.Builder, indent string, d ir.Doc) {
	if d.Lead != "" {
		fmt.Fprintf(b, "%s// %s\n", indent, d.Lead)
	}
	if d.Server != "" {
		fmt.Fprintf(b, "%s// server: %s\n", indent, cut(fmt.Sprintf("%q", d.Server), 100))
	}
	for _, n := range d.Notes {
		fmt.Fprintf(b, "%s// note: %s\n", indent, n)
	}
}

func typeText(r *ir.Ref) string {
	switch r.Kind {
	case ir.Basic:
		return r.Name
	case ir.Named:
		return r.Decl.Go
	case ir.Slice:
		return "[]" + typeText(r.Elem)
	case ir.Array:
		return fmt.Sprintf("[%d]%s", r.Len, typeText(r.Elem))
	case ir.Map:
		return "map[string]" + typeText(r.Elem)
	case ir.Pointer:
		return "*" + typeText(r.Elem)
	case ir.Opt:
		return "Opt[" + typeText(r.Elem) + "]"
	case ir.Any:
		return "any"
	case ir.Number:
		return "json.Number"
	case ir.Text:
		return "text " + r.Name
	}
	return "raw"
}
