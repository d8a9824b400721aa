package gogen

import (
	"bytes"
	"go/format"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, tt := range []struct{ name, source, want string }{
		{"what fits", "func f (ctx context.Context,args Args) error {\nreturn nil\n}", "func f(ctx context.Context, args Args) error {\n\treturn nil\n}"},
		{"parameters", "func (c * Client) " + long + " (ctx context.Context,args " + long + ",opts ... Option) (* Result,error) {\nreturn nil,nil\n}",
			"func (c *Client) " + long + "(ctx context.Context,\n\targs " + long + ", opts ...Option) (*Result, error) {\n\treturn nil, nil\n}"},
		{"the only parameter", "func (f * Fake) On" + long + " (h func (context.Context,A" + long + ") error) {\n}",
			"func (f *Fake) On" + long + "(\n\th func(context.Context, A" + long + ") error) {\n}"},
		{"a body", "func (x * " + long + ") UnmarshalJSON (b [] byte) error { return codec.DecodeObject (b,x,nil,more,more) }",
			"func (x *" + long + ") UnmarshalJSON(b []byte) error {\n\treturn codec.DecodeObject(b, x, nil, more, more)\n}"},
		{"literals", "var v = T {A : \"(,\\\"" + long + "\",B : `{,(" + long + "`,C : 1}",
			"var v = T{A: \"(,\\\"" + long + "\",\n\tB: `{,(" + long + "`, C: 1}"},
		{"a literal that is too long", "var v = f (\"" + long + long + "\")", "var v = f(\"" + long + long + "\")"},
		{"nothing to break", "const " + long + " " + long + " = \"value\"", "const " + long + " " + long + " = \"value\""},
		{"a comment", "// f(" + long + ", " + long + ", 1)\nvar v int", "// f(" + long + ", " + long + ", 1)\nvar v int"},
	} {
		got, err := format.Source(wrapped(t, []byte(tt.source)))
		if err != nil || strings.TrimSpace(string(got)) != tt.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, got, tt.want)
		}
	}
}

// Breaking lines changes nothing but white space.
func TestWrapKeepsTokens(t *testing.T) {
	tokens := func(source []byte) []string {
		var s scanner.Scanner
		set := token.NewFileSet()
		s.Init(set.AddFile("", set.Base(), len(source)), source, nil, scanner.ScanComments)
		var all []string
		for {
			_, tok, text := s.Scan()
			switch tok {
			case token.EOF:
				return all
			case token.SEMICOLON: // the end of a line
			default:
				all = append(all, tok.String()+text)
			}
		}
	}
	shapes := shapesPackage()
	for _, f := range []*file{clientFile(unit{Package: shapes, first: true}), typesFile(unit{Package: shapes, first: true}), manifestFile(surfacePackage()), clientFile(unit{Package: surfacePackage(), first: true})} {
		var raw bytes.Buffer
		if err := f.jen.Render(&raw); err != nil {
			t.Fatal(err)
		}
		if out := wrapped(t, raw.Bytes()); !slices.Equal(tokens(out), tokens(raw.Bytes())) {
			t.Errorf("%s is not the same:\n%s", f.name, out)
		}
	}
}

func wrapped(t *testing.T, source []byte) []byte {
	w := &wrapper{}
	if n, err := w.Write(source); n != len(source) || err != nil {
		t.Fatal(n, err)
	}
	return w.out
}
