package naming

import "slices"

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
