package main

// Names: does one tool's going change those of another, and are initialisms
// written as Go writes them?

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/generator"
)

// initialisms are the words that Go linters want in one case.
var initialisms = strings.Fields(`acl api ascii cpu css dns eof guid html http https id ip json lhs qps ram
	rhs rpc sla smtp sql ssh tcp tls ttl udp ui uid uuid uri url utf8 vm xml xmpp xsrf xss`)

var word = regexp.MustCompile(`[A-Z][a-z]+[0-9]*`)

// wrongCase returns the words of an identifier that are initialisms and not
// written as such.
func wrongCase(identifier string) []string {
	var out []string
	for _, w := range word.FindAllString(identifier, -1) {
		low := strings.ToLower(w)
		bare := strings.TrimRight(low, "0123456789")
		if slices.ContainsFunc([]string{low, bare, strings.TrimSuffix(bare, "s")}, func(s string) bool { return slices.Contains(initialisms, s) }) {
			out = append(out, w)
		}
	}
	return out
}

// exported are the exported identifiers of a package, fields and methods with
// their types.
func exported(files map[string][]byte) (map[string]bool, error) {
	ids := map[string]bool{}
	add := func(owner string, names ...*ast.Ident) {
		for _, n := range names {
			if n.IsExported() {
				ids[owner+n.Name] = true
			}
		}
	}
	for name, data := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(receiver(d), d.Name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.ValueSpec:
						add("", s.Names...)
					case *ast.TypeSpec:
						add("", s.Name)
						if st, ok := s.Type.(*ast.StructType); ok {
							for _, f := range st.Fields.List {
								add(s.Name.Name+".", f.Names...)
							}
						}
					}
				}
			}
		}
	}
	return ids, nil
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}

// judgeNames drops each tool of each server in turn, and looks at the words.
func judgeNames(subjects []*subject, r *report) {
	r.heading("Names")
	r.list("names")
	dropped, moved, wrong, all := 0, 0, 0, 0
	for _, s := range subjects {
		if s.out == nil {
			continue
		}
		ids, err := exported(s.goFiles())
		if err != nil {
			r.fail("names", "%s: %v", s.name, err)
			continue
		}
		all += len(ids)
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			_, own, found := strings.Cut(id, ".")
			if !found {
				own = id
			}
			for _, w := range wrongCase(own) {
				wrong++
				r.fail("names", "%s: %s: the initialism %q in the wrong case", s.name, id, w)
			}
		}
		for _, changes := range s.dropEach(ids) {
			dropped++
			for _, c := range changes {
				moved++
				r.fail("names", "%s: %s", s.name, c)
			}
		}
	}
	r.note("exported identifiers", "%d", all)
	r.atMost(fmt.Sprintf("of other tools changed, dropping each of %d", dropped), float64(moved), 0, "")
	r.atMost("initialisms in the wrong case", float64(wrong), 0, "")
}

// dropEach returns, for each tool, what changes in the names of the others when
// it goes.
func (s *subject) dropEach(all map[string]bool) [][]string {
	if len(s.snapshot.Tools) < 2 {
		return nil
	}
	changes := make([][]string, len(s.snapshot.Tools))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range changes {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			changes[i] = s.drop(i, all)
		})
	}
	group.Wait()
	return changes
}

func (s *subject) drop(i int, all map[string]bool) []string {
	rest, gone := *s.snapshot, s.snapshot.Tools[i].Name
	rest.Tools = slices.Delete(slices.Clone(rest.Tools), i, i+1)
	server, err := lock(&rest)
	var out *generator.Output
	if err == nil {
		out, err = generate(s.set, server)
	}
	var ids map[string]bool
	if err == nil {
		ids, err = exported((&subject{set: s.set, name: s.name, out: out}).goFiles())
	}
	if err != nil {
		return []string{fmt.Sprintf("without %s: %v", gone, err)}
	}
	var changes []string
	for id := range ids {
		if !all[id] {
			changes = append(changes, fmt.Sprintf("without %s there is a new %s", gone, id))
		}
	}
	own := s.tools[gone].Func
	for id := range all {
		if !ids[id] && !strings.HasPrefix(strings.TrimPrefix(id, "Client."), own) {
			changes = append(changes, fmt.Sprintf("without %s there is no %s", gone, id))
		}
	}
	slices.Sort(changes)
	return changes
}
