package naming

import (
	"slices"
	"strings"
)

// Find returns the offered tools that id may refer to, sorted. If there are several,
// id is ambiguous. Names are the result of [Assign]; nil is allowed. Only the first
// of these rules that matches applies:
//
//  1. the tool with this assigned name;
//  2. tools whose server/tool is id, or whose name in the scheme is id, as it is or in [Portable] form;
//  3. tools whose name is id in another scheme that contains the server;
//  4. tools whose name at their servers is id.
//
// So a server cannot take over an id of the first three rules by the name of one of
// its tools.
func Find(scheme Scheme, offered []Pair, names map[Pair]string, id string) []Pair {
	is := func(p Pair, s Scheme) bool {
		name := s.Qualify(p.Server, p.Tool)
		return name == id || Portable(name) == id
	}
	for _, means := range []func(Pair) bool{
		func(p Pair) bool { return names[p] == id && id != "" },
		func(p Pair) bool { return p.Server != "" && p.Server+"/"+p.Tool == id || is(p, scheme) },
		func(p Pair) bool {
			return slices.ContainsFunc(schemes(), func(s Scheme) bool { return s != Bare && is(p, s) })
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

// FindServer returns the tool that id names by a server's name, in any scheme that
// contains the server, or as server/tool. It is for servers whose tools are unknown.
// The server with the longest matching name is used. The zero value means none.
func FindServer(servers []string, id string) Pair {
	var found Pair
	longest := 0
	for _, server := range servers {
		prefixes := []string{server + "/"}
		for _, scheme := range schemes() {
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
