package naming

import (
	"slices"
	"strings"
)

// Find returns the tools that id may mean, of those that are offered. Several of them
// mean that it is ambiguous; they are sorted. Names are those that [Assign] gave; nil
// is fine. What comes first counts alone:
//
//  1. the tool that was given the name;
//  2. tools of which it is server/tool, or what the scheme makes of them, as it is or
//     in its [Portable] form;
//  3. tools of which it is what another scheme makes that carries the server;
//  4. tools that are called so by their servers.
//
// So no server can take an id of the first three kinds away from another one by how
// it calls a tool of its own.
func Find(scheme Scheme, offered []Pair, names map[Pair]string, id string) []Pair {
	is := func(p Pair, s Scheme) bool {
		name := s.Qualify(p.Server, p.Tool)
		return name == id || Portable(name) == id
	}
	for _, means := range []func(Pair) bool{
		func(p Pair) bool { return names[p] == id && id != "" },
		func(p Pair) bool { return p.Server != "" && p.Server+"/"+p.Tool == id || is(p, scheme) },
		func(p Pair) bool {
			return slices.ContainsFunc(Schemes(), func(s Scheme) bool { return s != Bare && is(p, s) })
		},
		func(p Pair) bool { return p.Tool == id },
	} {
		var found []Pair
		for _, p := range offered {
			if means(p) {
				found = append(found, p)
			}
		}
		if found != nil {
			slices.SortFunc(found, comparePairs)
			return slices.Compact(found)
		}
	}
	return nil
}

// FindServer returns the tool that id means by the name of its server alone, written in any
// scheme that carries the server, or as server/tool: what it means where the tools of that
// server are not known. The server with the longest name that fits is taken. The zero value
// means none.
func FindServer(servers []string, id string) Pair {
	var found Pair
	longest := 0
	for _, server := range servers {
		prefixes := []string{server + "/"}
		for _, scheme := range Schemes() {
			prefixes = append(prefixes, scheme.Qualify(server, ""))
		}
		for _, prefix := range prefixes {
			if tool, ok := strings.CutPrefix(id, prefix); ok && tool != "" && len(prefix) > longest {
				longest, found = len(prefix), Pair{server, tool}
			}
		}
	}
	return found
}
