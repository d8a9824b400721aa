package compat

// This file compares the languages of patterns. It searches, state by state, for a shortest text that some
// patterns match and others do not. States are sets of regexp/syntax instructions, created on demand.

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"unicode"

	"github.com/mcpgen/mcpgen/schema/validate"
)

// machine runs one pattern, unanchored as JSON Schema requires.
type machine struct {
	prog  *syntax.Prog
	ids   map[string]int
	sets  []machineState
	steps map[[2]int]int // by state and character
}

// machineState is the state of a machine between two characters.
type machineState struct {
	pcs     []uint32 // before empty moves
	before  rune     // the character before, as a representative; -1 at the start
	matched bool     // for every continuation
}

func newMachine(re *regexp.Regexp) (*machine, error) {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	m := &machine{prog: prog, ids: map[string]int{}, steps: map[[2]int]int{}}
	m.id(machineState{before: -1})
	return m, nil
}

// class returns a representative of r's class as the preceding character.
func class(r rune) rune {
	switch {
	case r == -1 || r == '\n':
		return r
	case syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

func (m *machine) id(s machineState) int {
	key := strconv.Itoa(int(s.before)) + strconv.FormatBool(s.matched)
	if !s.matched {
		for _, pc := range s.pcs {
			key += "," + strconv.Itoa(int(pc))
		}
	}
	if id, ok := m.ids[key]; ok {
		return id
	}
	m.ids[key] = len(m.sets)
	m.sets = append(m.sets, s)
	return len(m.sets) - 1
}

// closure returns the instructions reachable by empty moves before next, and reports whether a match is among
// them. A search may start anywhere.
func (m *machine) closure(s machineState, next rune) (pcs []uint32, matched bool) {
	flags := syntax.EmptyOpContext(s.before, next)
	seen := make([]bool, len(m.prog.Inst))
	queue := append(slices.Clone(s.pcs), uint32(m.prog.Start))
	for len(queue) > 0 {
		pc := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch inst := &m.prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			queue = append(queue, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			queue = append(queue, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^flags == 0 {
				queue = append(queue, inst.Out)
			}
		case syntax.InstMatch:
			matched = true
		case syntax.InstFail:
		default:
			pcs = append(pcs, pc)
		}
	}
	return pcs, matched
}

// step returns the state after the character r.
func (m *machine) step(state int, r rune) int {
	key := [2]int{state, int(r)}
	if next, ok := m.steps[key]; ok {
		return next
	}
	s := m.sets[state]
	next := machineState{before: class(r), matched: s.matched}
	if !s.matched {
		var pcs []uint32
		pcs, next.matched = m.closure(s, r)
		for _, pc := range pcs {
			inst := &m.prog.Inst[pc]
			if inst.MatchRune(r) && !slices.Contains(next.pcs, inst.Out) {
				next.pcs = append(next.pcs, inst.Out)
			}
		}
		slices.Sort(next.pcs)
	}
	if next.matched {
		next.pcs, next.before = nil, 'a'
	}
	id := m.id(next)
	m.steps[key] = id
	return id
}

// accepts reports whether the text may end in a state.
func (m *machine) accepts(state int) bool {
	s := m.sets[state]
	if s.matched {
		return true
	}
	_, matched := m.closure(s, -1)
	return matched
}

// letters returns one character of each set that all machines treat alike, a printable one if there is one.
func letters(machines []*machine) []rune {
	// Each is the first character of a new set.
	cuts := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1, 0xD800, 0xE000, unicode.MaxRune + 1}
	for _, m := range machines {
		for i := range m.prog.Inst {
			inst := &m.prog.Inst[i]
			switch inst.Op {
			case syntax.InstRune, syntax.InstRune1:
				cuts = runeCuts(cuts, inst)
			}
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var all []rune
	for i := 0; i+1 < len(cuts); i++ {
		if lo, hi := cuts[i], cuts[i+1]-1; lo < 0xD800 || lo > 0xDFFF {
			all = append(all, nicest(lo, hi))
		}
	}
	slices.SortStableFunc(all, func(a, b rune) int { return plainness(b) - plainness(a) })
	return all
}

func runeCuts(cuts []rune, inst *syntax.Inst) []rune {
	if len(inst.Rune) == 1 {
		r := inst.Rune[0]
		cuts = append(cuts, r, r+1)
		if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				cuts = append(cuts, f, f+1)
			}
		}
		return cuts
	}
	for i := 0; i+1 < len(inst.Rune); i += 2 {
		cuts = append(cuts, inst.Rune[i], inst.Rune[i+1]+1)
	}
	return cuts
}

func nicest(lo, hi rune) rune {
	for _, r := range "ax0A1-_ ." {
		if lo <= r && r <= hi {
			return r
		}
	}
	for r := lo; r <= min(hi, lo+32); r++ {
		if unicode.IsPrint(r) {
			return r
		}
	}
	return lo
}

func plainness(r rune) int {
	switch {
	case r >= 'a' && r <= 'z':
		return 4
	case r < 128 && syntax.IsWordChar(r):
		return 3
	case r > 32 && r < 127:
		return 2
	case unicode.IsPrint(r):
		return 1
	}
	return 0
}

// language is a set of texts: those that match every pattern of match and no pattern of avoid, with a length
// from lo to hi.
type language struct {
	match, avoid []string
	lo, hi       int // characters; a hi of -1 means no bound
}

const (
	maxStates  = 20_000
	maxCounted = 3000 // the largest length that is counted
)

// patterns holds the compiled patterns.
type patterns struct {
	*budget
	compiled map[string]*regexp.Regexp
	machines map[string]*machine
}

// pattern compiles a pattern once and returns nil if RE2 does not support it.
func (c *patterns) pattern(text string) *regexp.Regexp {
	re, ok := c.compiled[text]
	if !ok {
		re, _ = validate.Pattern(text)
		c.compiled[text] = re
		c.spend(20)
	}
	return re
}

// find returns a shortest text of a language. If decided is true and found is false, the language is empty. If
// decided is false, nothing is known.
func (c *patterns) find(l language) (text string, found, decided bool) {
	if l.hi >= 0 && l.lo > l.hi {
		return "", false, true
	}
	if len(l.match)+len(l.avoid) == 0 {
		return repeat(max(l.lo, 0)), l.lo <= 100_000, l.lo <= 100_000
	}
	var machines []*machine
	for _, pattern := range slices.Concat(l.match, l.avoid) {
		m := c.machine(pattern)
		if m == nil {
			return "", false, false
		}
		machines = append(machines, m)
	}
	if l.lo > maxCounted {
		return "", false, false
	}
	if l.hi > maxCounted {
		// A bound this large seldom matters, so the first search ignores it.
		open := l
		open.hi = -1
		text, found, decided = c.find(open)
		if decided && (!found || len([]rune(text)) <= l.hi) {
			return text, found, true
		}
		return "", false, false
	}
	s := &search{c: c, language: l, machines: machines, letters: letters(machines)}
	return s.run()
}

// machine returns the machine of a pattern, or nil if the pattern does not compile.
func (c *patterns) machine(pattern string) *machine {
	m, ok := c.machines[pattern]
	if !ok {
		if re := c.pattern(pattern); re != nil {
			m, _ = newMachine(re)
		}
		c.machines[pattern] = m
	}
	return m
}

// search is one run over the product of machines, breadth first.
type search struct {
	c *patterns
	language
	machines []*machine
	letters  []rune
	seen     map[string]bool
	queue    []product
}

type product struct {
	states []int
	count  int
	parent int // in the queue; -1 means none
	letter rune
}

func (s *search) run() (text string, found, decided bool) {
	s.seen = map[string]bool{}
	s.add(product{states: make([]int, len(s.machines)), parent: -1})
	for at := 0; at < len(s.queue); at++ {
		p := s.queue[at]
		if p.count >= s.lo && s.accepts(p.states) {
			return s.text(at), true, true
		}
		if len(s.queue) > maxStates || !s.c.spend(1+len(s.letters)*len(s.machines)/8) {
			return "", false, false
		}
		if s.hi >= 0 && p.count == s.hi {
			continue
		}
		for _, r := range s.letters {
			next := product{states: make([]int, len(s.machines)), count: p.count + 1, parent: at, letter: r}
			if s.hi < 0 {
				next.count = min(next.count, s.lo)
			}
			for k, m := range s.machines {
				next.states[k] = m.step(p.states[k], r)
			}
			s.add(next)
		}
	}
	return "", false, true
}

func (s *search) add(p product) {
	key := strconv.AppendInt(nil, int64(p.count), 10)
	for _, state := range p.states {
		key = strconv.AppendInt(append(key, ','), int64(state), 10)
	}
	if !s.seen[string(key)] {
		s.seen[string(key)] = true
		s.queue = append(s.queue, p)
	}
}

func (s *search) accepts(states []int) bool {
	for i, m := range s.machines {
		if m.accepts(states[i]) != (i < len(s.match)) {
			return false
		}
	}
	return true
}

func (s *search) text(at int) string {
	var all []rune
	for ; s.queue[at].parent >= 0; at = s.queue[at].parent {
		all = append(all, s.queue[at].letter)
	}
	slices.Reverse(all)
	return string(all)
}
