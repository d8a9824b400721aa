package naming

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Pair is one tool of one server, both as they are spelled there. The server ""
// stands for native tools.
type Pair struct{ Server, Tool string }

// String returns the pair as people write it, quoted: "github/list_prs".
func (p Pair) String() string {
	if p.Server == "" {
		return fmt.Sprintf("%q", p.Tool)
	}
	return fmt.Sprintf("%q", p.Server+"/"+p.Tool)
}

// Assign gives each tool its portable qualified name: the [Portable] form of
// what the scheme makes of it. The result depends on the pairs alone, not on
// their order.
//
// There is no name at all if one of these is found, and the error names every
// case, with both tools and what to do: two tools that meet in one name, a pair
// that stands there twice, a tool without a name, an unknown scheme, and under
// [Dot] a server with a dot in its name.
func Assign(scheme Scheme, pairs []Pair) (map[Pair]string, error) {
	if _, err := ParseScheme(string(scheme)); err != nil {
		return nil, err
	}
	sorted := slices.SortedFunc(slices.Values(pairs), comparePairs)
	errs := dottedServers(scheme, sorted)
	names := make(map[Pair]string, len(pairs))
	owners := make(map[string]Pair, len(pairs))
	for _, p := range sorted {
		name := Portable(scheme.Qualify(p.Server, p.Tool))
		owner, taken := owners[name]
		switch {
		case p.Tool == "":
			errs = append(errs, fmt.Errorf("server %q: a tool without a name: exclude it", p.Server))
		case taken && owner == p:
			errs = append(errs, fmt.Errorf("%v is listed twice: the server has to name its tools apart", p))
		case taken:
			errs = append(errs, fmt.Errorf("%v and %v are both called %q under the naming %q: %s",
				owner, p, name, cmp.Or(scheme, DoubleUnderscore), remedy(scheme, owner, p)))
		default:
			names[p], owners[name] = name, p
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return names, nil
}

// dottedServers reports the servers whose tools' names could not be taken apart.
func dottedServers(scheme Scheme, sorted []Pair) []error {
	var errs []error
	last := ""
	for _, p := range sorted {
		if scheme == Dot && p.Server != last && strings.Contains(p.Server, ".") {
			errs = append(errs, fmt.Errorf("server %q: a dot in its name makes %q ambiguous: rename the server, or choose another naming",
				p.Server, scheme.Qualify(p.Server, p.Tool)))
		}
		last = p.Server
	}
	return errs
}

// remedy says how two tools that meet can be told apart.
func remedy(scheme Scheme, a, b Pair) string {
	switch {
	case a.Server == b.Server:
		return "exclude one of them"
	case scheme == Bare:
		return "choose a naming that carries the server, or exclude one of them"
	}
	return "rename one of the servers, choose another naming, or exclude one of them"
}

func comparePairs(a, b Pair) int {
	return cmp.Or(strings.Compare(a.Server, b.Server), strings.Compare(a.Tool, b.Tool))
}
