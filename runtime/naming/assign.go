package naming

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Pair is one tool of one server, both in the server's spelling. The server "" means
// native tools.
type Pair struct{ Server, Tool string }

// String returns the pair as people write it, quoted: "github/list_prs".
func (p Pair) String() string {
	if p.Server == "" {
		return fmt.Sprintf("%q", p.Tool)
	}
	return fmt.Sprintf("%q", p.Server+"/"+p.Tool)
}

// Clash reports tools that ask for the same name.
type Clash struct {
	Name  string   // the requested name
	Tools []Pair   // at least two, in order
	Names []string // the resulting names, parallel to Tools
}

// String names the tools, and what each is called now.
func (c Clash) String() string {
	quoted, now := make([]string, len(c.Tools)), make([]string, len(c.Tools))
	for i, p := range c.Tools {
		quoted[i] = p.String()
		now[i] = fmt.Sprintf("%v is called %q", p, c.Names[i])
	}
	return fmt.Sprintf("%s have the same name %q: %s", strings.Join(quoted, " and "), c.Name, strings.Join(now, ", "))
}

// Assign gives each tool its portable qualified name: the [Portable] form of its name
// in the scheme, or its earlier name in held, which may be nil. The result depends on
// the tools and on held, not on any order. A repeated pair counts once.
//
// If several tools ask for one name, the tool that holds the name keeps it. A tool of
// the server that has its plain name also keeps it, before tools of the server's
// namesakes. All others get a suffix, see [Suffixed], so that no tool takes a name
// silently. Each such case is in the clashes, sorted by name. Held names that are
// duplicated or not portable are ignored.
//
// The error is for an unknown scheme and, with [Dot], for a server with a dot in its
// name.
func Assign(scheme Scheme, pairs []Pair, held map[Pair]string) (map[Pair]string, []Clash, error) {
	if _, err := ParseScheme(string(scheme)); err != nil {
		return nil, nil, err
	}
	sorted := slices.Compact(slices.SortedFunc(slices.Values(pairs), comparePairs))
	if err := errors.Join(dottedServers(scheme, sorted)...); err != nil {
		return nil, nil, err
	}
	a := assigner{scheme: scheme, keeps: keepers(sorted, held), level: make(map[Pair]int)}
	names := make(map[Pair]string, len(sorted))
	met := map[string][]Pair{}
	for again := true; again; {
		owners := make(map[string][]Pair, len(sorted))
		for _, p := range sorted {
			names[p] = a.name(p)
			owners[names[p]] = append(owners[names[p]], p)
		}
		again = false
		for name, all := range owners {
			if len(all) < 2 {
				continue
			}
			met[name] = append(met[name], all...)
			nearest := nearestOf(all)
			for _, p := range all {
				if a.keeps[p] == "" && p != nearest {
					a.level[p]++
					again = true
				}
			}
		}
	}
	return names, clashes(met, names), nil
}

// nearestOf returns the tool that takes precedence over the tools of its server's
// namesakes; the zero value if other tools ask for the name, too.
func nearestOf(all []Pair) (nearest Pair) {
	for _, p := range all {
		switch {
		case Plain(p.Server) != Plain(all[0].Server) || p.Tool != all[0].Tool:
			return Pair{}
		case p.Server == Plain(p.Server):
			nearest = p
		}
	}
	return nearest
}

// assigner holds the names given so far.
type assigner struct {
	scheme Scheme
	keeps  map[Pair]string // held names, all different
	level  map[Pair]int    // how often a tool clashed; at 0 it has no suffix
}

func (a *assigner) name(p Pair) string {
	if name := a.keeps[p]; name != "" {
		return name
	}
	name := Portable(a.scheme.Qualify(p.Server, p.Tool))
	if a.level[p] > 0 {
		name = Suffixed(name, digest(p, a.level[p]))
	}
	return name
}

// digest returns the suffix of a tool: hex digits of the hash of its wire name, more
// of them at each level.
func digest(p Pair, level int) string {
	text := p.Server + "\x00" + p.Tool
	if level > maxSuffix/shortHash { // only if another tool holds that very name
		text += "\x00" + strconv.Itoa(level)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:min(level, maxSuffix/shortHash)*shortHash]
}

// maxSuffix is the length of the longest suffix: so many digits of a hash that no two
// tools have the same.
const maxSuffix = 40

// Suffixed appends an underscore and a suffix to a portable name, which it cuts so
// that the result is portable. Suffixes are lower-case hex digits.
func Suffixed(name, suffix string) string {
	return name[:min(len(name), MaxLen-1-len(suffix))] + "_" + suffix
}

// keepers returns the held names that can be kept.
func keepers(sorted []Pair, held map[Pair]string) map[Pair]string {
	keeps, owner := map[Pair]string{}, map[string]Pair{}
	twice := map[string]bool{}
	for _, p := range sorted {
		name := held[p]
		if !isPortable(name) {
			continue
		}
		if _, taken := owner[name]; taken {
			twice[name] = true
		}
		owner[name], keeps[p] = p, name
	}
	for p, name := range keeps {
		if twice[name] {
			delete(keeps, p)
		}
	}
	return keeps
}

// clashes lists the tools that clashed, after all names are assigned.
func clashes(met map[string][]Pair, names map[Pair]string) []Clash {
	var out []Clash
	for name, all := range met {
		c := Clash{Name: name, Tools: slices.Compact(slices.SortedFunc(slices.Values(all), comparePairs))}
		for _, p := range c.Tools {
			c.Names = append(c.Names, names[p])
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Clash) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// dottedServers returns errors for servers whose tools' names could not be split.
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

func comparePairs(a, b Pair) int {
	return cmp.Or(strings.Compare(a.Server, b.Server), strings.Compare(a.Tool, b.Tool))
}
