package golden

// Lines of generated code fit a screen.

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is the width of a line, a tab counted as four columns.
const maxColumns = 120

func TestLinesFit(t *testing.T) {
	servers := caseServers(t)
	for _, name := range corpusServers {
		servers = append(servers, lockSnapshot(t, corpusSnapshot(t, name)))
	}
	longer, all := 0, 0
	for _, s := range servers {
		for name, data := range goFiles(generateServers(t, "example.com", "mcp", s)) {
			whole := onOneLine(t, name, data)
			for i, line := range strings.Split(string(data), "\n") {
				all++
				switch {
				case columnsOf(line) <= maxColumns:
				case whole[i+1] || longestToken(line) > maxColumns:
					longer++
				default:
					t.Errorf("%s:%d: %d columns: %s", name, i+1, columnsOf(line), line)
				}
			}
		}
	}
	t.Logf("%d of %d lines are longer than %d columns and cannot be broken", longer, all, maxColumns)
}

func columnsOf(line string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
}

// onOneLine returns the lines that gofmt keeps whole, fields and constants, if nothing
// but their names, types, tags and values is on them.
func onOneLine(t *testing.T, name string, data []byte) map[int]bool {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, data, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	whole := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			whole[set.Position(n.Pos()).Line] = n.Tag != nil && n.Comment == nil
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				whole[set.Position(spec.Pos()).Line] = n.Tok == token.CONST
			}
		}
		return true
	})
	return whole
}

// longestToken is the width of the longest part of a line that Go cannot break.
func longestToken(line string) int {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(line)), []byte(line), nil, scanner.ScanComments)
	longest := 0
	for {
		_, tok, text := s.Scan()
		switch tok {
		case token.EOF:
			return longest
		case token.COMMENT:
			for word := range strings.FieldsSeq(text) {
				longest = max(longest, utf8.RuneCountInString(word))
			}
		default:
			longest = max(longest, utf8.RuneCountInString(text))
		}
	}
}
