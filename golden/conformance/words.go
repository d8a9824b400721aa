package main

// What the names that a package declares say twice.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// spread says how long names are.
func spread(lengths []int) string {
	slices.Sort(lengths)
	at := func(percent int) int { return lengths[(len(lengths)-1)*percent/100] }
	return fmt.Sprintf("%d names, length p50 %d, p95 %d, max %d", len(lengths), at(50), at(95), at(100))
}

// declares are the exported names at the top level of a package, without other names of
// types. It says of each whether it is a constant.
func declares(files map[string][]byte) (map[string]bool, error) {
	out := map[string]bool{}
	for file, data := range files {
		if path.Base(file) == "names.go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					out[d.Name.Name] = false
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						if spec.Name.IsExported() {
							out[spec.Name.Name] = false
						}
					case *ast.ValueSpec:
						for _, n := range spec.Names {
							if n.IsExported() {
								out[n.Name] = d.Tok == token.CONST
							}
						}
					}
				}
			}
		}
	}
	return out, nil
}

// stutter returns what a name says twice: its package's name at the front, or words that
// follow themselves; "" if nothing. The package's name tells a name from one that is the rest
// of it.
func stutter(pkg, name string, names map[string]bool) string {
	low := strings.ToLower(name)
	if rest, ok := strings.CutPrefix(low, strings.ToLower(pkg)); ok && rest != "" && unicode.IsUpper(rune(name[len(pkg)])) {
		if _, taken := names[name[len(pkg):]]; !taken {
			return name[:len(pkg)]
		}
	}
	words := humps(name)
	for n := 1; 2*n <= len(words); n++ {
		for i := 0; i+2*n <= len(words); i++ {
			if slices.EqualFunc(words[i:i+n], words[i+n:i+2*n], strings.EqualFold) {
				return strings.Join(words[i:i+n], "")
			}
		}
	}
	return ""
}

// humps are the words of an identifier.
func humps(name string) []string {
	var out []string
	runes := []rune(name)
	start := 0
	for i := 1; i <= len(runes); i++ {
		end := i == len(runes) || unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if end {
			out = append(out, string(runes[start:i]))
			start = i
		}
	}
	return out
}

// beforeNumber returns the name that a name has a number behind, or that has the number
// before; "" if there is none. The value of a constant may end in a number, and so may the name
// of a type that is in itself, with the level.
func beforeNumber(name string, names map[string]bool) string {
	base := strings.TrimRight(name, "0123456789")
	n, err := strconv.Atoi(name[len(base):])
	if err != nil || n < 2 || names[name] || strings.HasSuffix(base, "Level") { // that says how deep it is
		return ""
	}
	for _, other := range []string{base, strings.TrimSuffix(base, "_"), base + strconv.Itoa(n-1)} {
		if _, ok := names[other]; ok {
			return other
		}
	}
	return ""
}
