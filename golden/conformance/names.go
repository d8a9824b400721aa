package main

// Names: does one tool's going change those of another, and are initialisms
// written as Go writes them?

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/internal/parallel"
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

// placesOf are the names after their places of the types and constants that are
// declared under short names, by short name.
func placesOf(files map[string][]byte) map[string][]string {
	out := map[string][]string{}
	f, err := parser.ParseFile(token.NewFileSet(), "names.go", append([]byte{}, files["names.go"]...), parser.SkipObjectResolution)
	if err != nil {
		return out // there are none
	}
	add := func(of ast.Expr, name *ast.Ident) {
		if id, ok := of.(*ast.Ident); ok {
			out[id.Name] = append(out[id.Name], name.Name)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			add(n.Type, n.Name)
		case *ast.ValueSpec:
			add(n.Values[0], n.Names[0])
		}
		return true
	})
	return out
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

// judgeNames drops tools from each server, and looks at the words.
func judgeNames(subjects []*subject, r *report, each bool) {
	r.heading("Names")
	r.list("names")
	dropped, moved, wrong, all := 0, 0, 0, 0
	for _, s := range subjects {
		if s.out == nil || s.set == setSuite || s.set == setPlaced { // its names are not those of people's tools
			continue
		}
		ids, err := exported(s.goFiles())
		if err != nil {
			r.fail("names", "%s: %v", s.name, err)
			continue
		}
		all += len(ids)
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			own := id[strings.Index(id, ".")+1:]
			for _, w := range wrongCase(own) {
				wrong++
				r.fail("names", "%s: %s: the initialism %q in the wrong case", s.name, id, w)
			}
		}
		dropped += len(drops(len(s.snapshot.Tools), each))
		for _, c := range s.dropEach(ids, each) {
			moved++
			r.fail("names", "%s: %s", s.name, c)
		}
	}
	r.note("exported identifiers", "%d", all)
	r.atMost(fmt.Sprintf("of other tools changed, in %d runs without some", dropped), float64(moved), 0, "")
	r.atMost("initialisms in the wrong case", float64(wrong), 0, "")
}

// maxEach is up to how many tools of a server are dropped one by one.
const maxEach = 150

// drops are the sets of tools, by index, that are dropped from a server of n: each
// alone or, of many and if not each is wanted, half of them at a time, so that of
// any two tools there is a set with the one and without the other.
func drops(n int, each bool) [][]int {
	var sets [][]int
	switch {
	case n < 2:
		return nil
	case each || n <= maxEach:
		for i := range n {
			sets = append(sets, []int{i})
		}
		return sets
	}
	for bit := 1; bit < n; bit *= 2 {
		var halves [2][]int
		for i := range n {
			half := i / bit % 2
			halves[half] = append(halves[half], i)
		}
		sets = append(sets, halves[0], halves[1])
	}
	return sets
}

// dropEach returns what changes in the names of the other tools when some go.
func (s *subject) dropEach(all map[string]bool, each bool) []string {
	sets := drops(len(s.snapshot.Tools), each)
	changes := make([][]string, len(sets))
	_ = parallel.Each(context.Background(), len(sets), func(i int) error { // nothing fails
		changes[i] = s.drop(sets[i], all)
		return nil
	})
	return slices.Concat(changes...)
}

func (s *subject) drop(set []int, all map[string]bool) []string {
	rest := *s.snapshot
	rest.Tools = nil
	var gone, owners []string
	for i, tool := range s.snapshot.Tools {
		if slices.Contains(set, i) {
			gone, owners = append(gone, tool.Name), append(owners, s.tools[tool.Name].Func)
		} else {
			rest.Tools = append(rest.Tools, tool)
		}
	}
	without := gone[0]
	if len(gone) > 1 {
		without = fmt.Sprintf("%s and %d more", gone[0], len(gone)-1)
	}
	server, err := project.Update(s.server, &rest)
	var out *generator.Output
	if err == nil {
		out, err = generate(s.set, server)
	}
	var ids map[string]bool
	if err == nil {
		ids, err = exported((&subject{set: s.set, name: s.name, out: out}).goFiles())
	}
	if err != nil {
		return []string{fmt.Sprintf("without %s: %v", without, err)}
	}
	var changes []string
	for id := range ids {
		if !all[id] {
			changes = append(changes, fmt.Sprintf("without %s there is a new %s", without, id))
		}
	}
	for id := range all {
		theirs := func(name string) bool {
			return slices.ContainsFunc(owners, func(owner string) bool { return strings.HasPrefix(name, owner) })
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(id, "Client."), ".")
		places := s.places[name] // of a short name: all of them are gone
		if !ids[id] && !theirs(name) && (len(places) == 0 || slices.ContainsFunc(places, func(place string) bool { return !theirs(place) })) {
			changes = append(changes, fmt.Sprintf("without %s there is no %s", without, id))
		}
	}
	slices.Sort(changes)
	return changes
}

// judgeWords measures the names that real servers' packages declare: how long they are,
// and those that say a thing twice or end in a number.
func judgeWords(subjects []*subject, r *report) {
	r.heading("Declared functions, types and constants of real servers")
	r.list("words")
	var all []int
	stutters, numbers := 0, 0
	for _, s := range subjects {
		if s.set != setReal || s.out == nil {
			continue
		}
		names, err := declares(s.goFiles())
		if err != nil {
			r.fail("words", "%s: %v", s.name, err)
			continue
		}
		var lengths []int
		repeated, numbered := 0, 0
		for _, name := range slices.Sorted(maps.Keys(names)) {
			lengths = append(lengths, len(name))
			if what := stutter(s.name, name, names); what != "" && !names[name] { // a value is the word of the server
				repeated++
				r.fail("words", "%s.%s repeats %s", s.name, name, what)
			}
			if other := beforeNumber(name, names); other != "" {
				numbered++
				r.fail("words", "%s.%s is beside %s", s.name, name, other)
			}
		}
		all, stutters, numbers = append(all, lengths...), stutters+repeated, numbers+numbered
		r.note(s.name, "%s; %d stutter, %d numbered", spread(lengths), repeated, numbered)
	}
	if len(all) > 0 {
		r.note("all", "%s", spread(all))
		r.atMost("names that repeat their package or themselves", float64(stutters), 0, "")
		r.atMost("names with a number of ours", float64(numbers), 0, "")
	}
}
