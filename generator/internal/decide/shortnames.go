package decide

// Short names of nested types. A short name is the last part of the type's path, in the
// singular for the elements of a list. If several types want one name, the type with the
// most places gets it. The others put parts of their path in front until the name is free,
// then the name of their tool. A repeated word is written once, and the name of the package
// is left out. A definition gives its type its own name. A type with several places takes
// the words that the names of these places share, or else the most frequent name. A union
// of basic types with members of different names takes the names of the types (basics.go).
// A type that members of different names refer to takes what they have in common (called.go).
// A vague word gets the name of its owner or tool in front. The elements of lists of one name
// inside each other have their level in the name (ItemLevel2). A name gets a number only if all
// other names are taken.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// wish lists the names that a shape without a name wants.
type wish struct {
	s       *shape
	home    *decl
	names   []string // the best first
	variant bool     // the best has the name of the union in front
}

// newShapes gives short names to shapes without one: first the best name that each wants,
// then the next best to those that did not get it, and last a number. A type that the lock
// gives no short name keeps its name by place.
func (a *assigner) newShapes() {
	var open []*shape
	for _, s := range a.shapes {
		if len(s.names) == 0 && !a.leaveUnnamed(s) {
			open = append(open, s)
		}
	}
	slices.SortStableFunc(open, func(x, y *shape) int {
		return cmp.Or(cmp.Compare(len(y.occurrences), len(x.occurrences)), cmp.Compare(y.size(), x.size()))
	})
	a.nameUnions(open)
	wishes := a.wishes(slices.DeleteFunc(open, func(s *shape) bool { return len(s.names) > 0 }))
	unions := a.unionsOf()
	a.grant(slices.DeleteFunc(slices.Clone(wishes), func(w wish) bool { return unions[w.s] != nil }))
	var variants []wish
	for _, w := range wishes {
		if u := unions[w.s]; u != nil {
			variants = append(variants, w.behind(u))
		}
	}
	a.grant(variants)
	for _, s := range a.shapes {
		if len(s.names) == 0 && len(s.occurrences) > 1 {
			s.keepPlaceName()
		}
		for _, n := range s.names {
			a.free(n.members())
		}
	}
}

// nameUnions names such unions after their variants, and a union that is a definition after
// the definition. If the name is taken, unions ask for the same names as other types.
func (a *assigner) nameUnions(open []*shape) {
	for _, s := range open {
		home := s.home()
		name := s.basics()
		if home.definition != "" {
			name = capital(home.definition)
		}
		if name != "" {
			a.claimNew(s, home, name)
		}
	}
}

// grant gives each shape the best of its names that is free, or else a number.
func (a *assigner) grant(wishes []wish) {
	left := slices.Clone(wishes)
	for level := 0; len(left) > 0; level++ {
		left = slices.DeleteFunc(left, func(w wish) bool {
			return level >= len(w.names) || a.claimNew(w.s, w.home, w.names[level])
		})
	}
	for _, w := range wishes {
		if of := w.home; len(w.s.names) == 0 && !of.unnamed && !of.side.it.known &&
			(of.t.Go != shorten(of.asks()) || once(of.t.Go) != of.t.Go) {
			a.number(w)
		}
	}
}

// unionsOf returns the union of each shape whose places are all variants of that union, and
// that has no definition.
func (a *assigner) unionsOf() map[*shape]*shape {
	of, unions := shapesByType(a.shapes), map[*shape]*shape{}
	for _, u := range a.shapes {
		for _, v := range u.occurrences[0].t.Variants {
			if s := of[v.Type]; s != nil && !slices.ContainsFunc(s.occurrences, func(d *decl) bool {
				p := d.position()
				return !p.variant || p.exact || d.definition != ""
			}) {
				if _, several := unions[s]; several {
					unions[s] = nil
				} else {
					unions[s] = u
				}
			}
		}
	}
	return unions
}

// longName is the length of a name that is too long to be in front of others.
const longName = 25

// behind puts the name of its union in front of the word for a variant, as the best name.
func (w wish) behind(u *shape) wish {
	if len(u.names) == 0 || len(u.names[0].t.Go) >= longName {
		return w
	}
	name := join(u.names[0].t.Go, w.home.position().word)
	if u.basics() == "" { // a union that is named after its variants has their words
		name = once(name)
	}
	w.variant, w.names = true, slices.Insert(slices.Clone(w.names), 0, shorten(name))
	return w
}

// claimNew gives a shape a new name if the name is short, telling and free. A type that code
// knows by its name by place keeps that, also if another name gets free for it: the lock
// says so from then on.
func (a *assigner) claimNew(s *shape, home *decl, name string) bool {
	if len(name) >= len(home.t.Go) || generic(name) || a.chosen.reserves(name, s) || a.scope.claimable(name) != nil {
		return false
	}
	if a.placed(s) {
		s.leaveUnnamed()
		return true
	}
	return s.claim(a.scope, home, name) == nil
}

// leaveUnnamed leaves a shape without a short name.
func (s *shape) leaveUnnamed() {
	for _, d := range s.occurrences {
		d.unnamed = true
	}
}

// leaveUnnamed does so if the lock has it, and reports whether it does.
func (a *assigner) leaveUnnamed(s *shape) bool {
	pinned := slices.ContainsFunc(s.occurrences, func(d *decl) bool {
		return d.side.it.given[d.key(placedKey)] != "" || a.kept[d.side.it.id()][d.key(placedKey)] != ""
	})
	if pinned {
		s.leaveUnnamed()
	}
	return pinned
}

// placed reports whether the type was there before, and had no short name anywhere.
func (a *assigner) placed(s *shape) bool {
	was := false
	for _, d := range s.occurrences {
		kept := a.kept[d.side.it.id()]
		if kept[d.key(shapeKey)] != "" {
			return false
		}
		was = was || kept[d.key(typeKey)] != ""
	}
	return was
}

// number adds a number to a name of a shape whose names are all taken.
func (a *assigner) number(w wish) {
	base := w.names[min(1, len(w.names)-1)]
	if w.variant {
		base = w.names[0]
	}
	for n := 2; n < len(a.shapes)+2 && !a.claimNew(w.s, w.home, numbered(base, n)); n++ {
	}
}

// fewTools is the largest number of tools for which a vague word may be a name.
const fewTools = 8

// wishes returns the names that shapes want, in the order of the shapes.
func (a *assigner) wishes(open []*shape) []wish {
	tools := len(a.those(func(it *item) bool { return it.kind == schema.KindTool }))
	out := make([]wish, len(open))
	count := map[string]int{}
	for i, s := range open {
		w := wish{s: s, home: s.home()}
		w.names = w.home.shortNames()
		if common := s.common(); common != "" && w.names[0] != common {
			w.names = slices.Insert(slices.DeleteFunc(w.names, func(name string) bool { return name == common }), 0, common)
		}
		count[w.names[0]]++
		out[i] = w
	}
	if tools <= fewTools {
		return out
	}
	var little []int
	about := map[string]int{}
	for i, w := range out {
		if w.saysLittle(count) {
			little = append(little, i)
			about[w.about()]++
		}
	}
	for _, i := range little {
		out[i].names = out[i].qualified(about)
	}
	return out
}

// saysLittle reports whether the best name is a single word that is vague or that other
// types want too.
func (w wish) saysLittle(count map[string]int) bool {
	name := w.names[0]
	single := len(splitCase([]rune(name))) == 1 || w.home.position().level > 1
	return single && !w.home.position().exact && w.home.definition == "" && (count[name] > 1 || vague(name))
}

// about puts the subject of the tool in front of the word.
func (w wish) about() string {
	return w.home.behind(subject(w.home.side.it.goName()), w.home.lastPart())
}

// behind puts the owner in front of the name of a type.
func (d *decl) behind(of, name string) string {
	return withoutPackage(d.side.it.pkg, shorten(capital(once(overlap(of, name)))))
}

// qualified returns the same names, those with an owner first: the name of the type's owner,
// the subject of the tool, or the tool if other tools have that subject. A type of several
// tools gets an owner that all its places share.
func (w wish) qualified(about map[string]int) []string {
	p, tool := w.home.position(), w.home.side.it.goName()
	first := []string{w.about(), w.home.behind(tool, w.home.lastPart())}
	switch {
	case len(p.parts) > 1 && !p.mixed && vague(p.parts[len(p.parts)-2]):
		first = []string{w.home.behind(subject(tool), w.names[1])}
	case len(p.parts) > 1 && !p.mixed:
		first = w.names[1:2]
	case len(p.parts) == 1 && about[first[0]] > 1:
		first[0], first[1] = first[1], first[0]
	}
	if w.s.tools() == 1 {
		first = append(first, w.names[1:]...)
		if w.home.t.Kind == ir.Enum && vague(w.names[0]) {
			return first
		}
		return append(first, w.names[0])
	}
	for _, name := range append(first, w.about()) {
		if !slices.ContainsFunc(w.s.occurrences, func(d *decl) bool { return !slices.Contains(d.shortNames(), name) }) {
			return append([]string{name}, w.names...)
		}
	}
	var paths, subjects []string
	for _, d := range w.s.occurrences {
		paths = append(paths, strings.Join(d.position().parts, ""))
		subjects = append(subjects, subject(d.side.it.goName()))
	}
	if end := splitCase([]rune(backWords(paths))); vague(w.names[0]) && len(end) > 1 && len(end) < 4 && !generic(end[0]) {
		return append([]string{w.home.behind("", strings.Join(end, ""))}, w.names...)
	}
	if of := frontWords(subjects); of != "" && len(p.parts) == 1 && vague(w.names[0]) {
		return append([]string{w.home.behind(of, w.home.lastPart())}, w.names...)
	}
	return w.names
}

// tools counts the items that contain the shape.
func (s *shape) tools() int {
	of := map[*item]bool{}
	for _, d := range s.occurrences {
		of[d.side.it] = true
	}
	return len(of)
}

// home returns the place that gives the shape its new name: a definition if there is one,
// else the first place with the most frequent name. A type that is a variant at few places
// and a plain member at most is not named after the union.
func (s *shape) home() *decl {
	var alone []*decl
	for _, d := range s.occurrences {
		p := d.position()
		if p.exact || d.definition != "" {
			return d
		}
		if !p.variant && len(p.parts) > 0 {
			alone = append(alone, d)
		}
	}
	of := s.occurrences
	if of[0].position().variant && 2*len(alone) > len(of) {
		of = alone
	}
	count := map[string]int{}
	for _, d := range of {
		switch name, p := d.lastPart(), d.position(); {
		case strings.HasPrefix(p.member, "{") || strings.HasPrefix(p.member, "<"): // in place of any name
		case !vague(name) && !generic(name) && p.level < 2:
			count[name] += len(of) // more than all vague names and levels together
		default:
			count[name]++
		}
	}
	best := of[0]
	for _, d := range of {
		if count[d.lastPart()] > count[best.lastPart()] {
			best = d
		}
	}
	return best
}

// size counts the fields, constants and variants of a type.
func (s *shape) size() int {
	t := s.occurrences[0].t
	return len(t.Consts) + len(t.Fields) + len(t.Variants)
}

// shortNames returns the names that a type wants, the best first, each once. They omit the
// name of the package if the rest is a name.
func (d *decl) shortNames() []string {
	parts := d.position().parts
	if len(parts) == 0 {
		parts = []string{"Item"} // of a list without a name
	}
	if d.definition != "" {
		parts = []string{d.definition}
	}
	it := d.side.it
	var out, whole []string
	add := func(name string) {
		name = shorten(capital(once(name)))
		if short := withoutPackage(it.pkg, name); short != name {
			name, whole = short, append(whole, name)
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	name := ""
	for _, p := range slices.Backward(parts) {
		if name == "" || p == "Item" || !generic(p) {
			name = overlap(p, name)
			add(name)
		}
	}
	for _, of := range []string{subject(it.goName()), it.goName()} {
		add(overlap(of, parts[len(parts)-1]))
		add(overlap(of, name))
	}
	return append(out, whole...)
}

// overlap joins two parts of a name. Words that end the first and begin the second are
// written once.
func overlap(left, right string) string {
	l, r := splitCase([]rune(left)), splitCase([]rune(right))
	for n := min(len(l), len(r)); n > 0; n-- {
		if slices.EqualFunc(l[len(l)-n:], r[:n], sameWord) {
			return join(left, strings.Join(r[n:], ""))
		}
	}
	return join(left, right)
}

// sameWord reports whether two words are the same, or one is the plural of the other.
func sameWord(x, y string) bool {
	return strings.EqualFold(x, y) || x == singular(y) || singular(x) == y
}

// once returns a name whose words that follow themselves are written once.
func once(name string) string {
	words := splitCase([]rune(name))
	for n := 1; 2*n <= len(words); n++ {
		for i := 0; i+2*n <= len(words); {
			if slices.EqualFunc(words[i:i+n], words[i+n:i+2*n], strings.EqualFold) {
				words = slices.Delete(words, i, i+n)
			} else {
				i++
			}
		}
	}
	return strings.Join(words, "")
}

// withoutPackage returns a Go name without a leading package name; the name itself if it has
// none, or if the rest is not a name.
func withoutPackage(pkg, name string) string {
	n := len(pkg)
	if n == 0 || len(name) <= n || !strings.EqualFold(name[:n], pkg) {
		return name
	}
	at := 0
	for _, w := range splitCase([]rune(name)) {
		if at == n {
			return name[n:]
		}
		at += len(w)
	}
	return name
}

// subject returns the noun of a tool's name that begins with a verb, or with an initialism,
// Batch or Bulk and a verb: Issue for ListIssues, Page for APIPatchPage. Another word in front
// of the verb stays: AtlasAlert for AtlasListAlerts.
func subject(tool string) string {
	words := splitCase([]rune(tool))
	if len(words) < 2 {
		return tool
	}
	skip := slices.Contains([]string{"Batch", "Bulk", strings.ToUpper(words[0])}, words[0])
	if len(words) > 2 && !skip && !isVerb(words[0]) &&
		strings.Contains(" Create Delete Get List Set Update ", " "+words[1]+" ") {
		return words[0] + singular(strings.Join(words[2:], ""))
	}
	for i := 0; i+1 < len(words) && (i == 0 || i == 1 && skip); i++ {
		if !isVerb(words[i]) {
			continue
		}
		if rest := words[i+1:]; len(rest) > 1 && slices.Contains([]string{"A", "All", "An", "The"}, rest[0]) {
			words = rest[1:]
		} else {
			words = words[i+1:]
		}
		return singular(strings.Join(words, ""))
	}
	return tool
}

// isVerb reports whether a word at the start of a tool's name says what the tool does.
func isVerb(word string) bool {
	return strings.Contains(" add analyze apply archive assign attach audit boot broadcast cancel check clean click"+
		" clone close commit compare configure connect convert copy count crawl create decline delete deploy describe"+
		" detach diagnose disable disconnect discover dismiss download drop duplicate edit enable evaluate execute explain"+
		" export extract fetch fill find follow fork generate get hover import insert inspect install invite invoke kill"+
		" launch learn lint list load lookup make manage mark merge modify move mute navigate notify open optimize parse"+
		" patch pause pin ping poll post press preview prune publish push put query read rebuild receive record refresh"+
		" register reject remove rename render reopen replace reply request rerun reset resolve restart restore resume"+
		" retrieve retry revoke rotate run save scan scrape search select send set show simulate start stop submit"+
		" subscribe suspend sync take test toggle transfer translate trigger unassign uninstall unlock unmute unpin"+
		" unpublish unsubscribe update upgrade upload upsert validate verify view write ",
		" "+strings.ToLower(word)+" ")
}

// generic reports whether a name is too general to be used alone.
func generic(name string) bool {
	return strings.Contains(" Arg Args Bool Data Element Entry Int Item List Map Number Object"+
		" Option Options Param Params Result String Type Value ", " "+name+" ")
}

// vague reports whether a word is too general without an owner.
func vague(name string) bool {
	return strings.Contains(" Accept Action Add And Arguments Body Category Code Config Configuration Context Content"+
		" Contents Default Definition Detail Details Direction Dynamic Eq Error Event Field Filter Filters Flag Format"+
		" Header Headers Include Info Input Key Kind Label Level Method Mode Model Name Ne Not OnError Operation Or Order"+
		" Origin Output Path Position Property Properties Query Raw Reason Region Remove Request Response Role Scope"+
		" Section Setting Settings Size Sort Source State Status Strategy Style Summary Tag Target Task Text Theme Type"+
		" Unit View Visibility ", " "+name+" ")
}
