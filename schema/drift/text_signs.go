package drift

// This file finds the signals of text_signals.go in the new text of one item. All its new text is read as one
// text, so that an instruction split over two fields is found too.

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// reading is the new text of one item, sentence by sentence.
type reading struct {
	clear, low string
	old        string // the known text, in lower case
	parts      []part
	names      []hit  // of parameters and constants
	tool       string // the words of the item's name, in lower case, if it is new
	members    string // of its members' names
	server     string // its name, in lower case
}

// part records where a text begins in a reading and which parts of it were encoded.
type part struct {
	start int
	located
	fresh   string // its new sentences
	flag    bool   // describes a boolean
	decoded []decoded
}

// hit is an occurrence of a concept.
type hit struct {
	concept
	start, end int
}

// encoded notes the new texts that are written in a code.
func (r *reading) encoded() (notes []note) {
	for _, p := range r.parts {
		for _, d := range p.decoded {
			if d.code != "" {
				notes = append(notes, flagged(textEncodedBlob, p.located, "has text that is written in "+d.code+": "+quote(d.text)))
			}
		}
	}
	return notes
}

// read collects the sentences of fresh that before lacks.
func read(before, fresh []located) *reading {
	var old, clear strings.Builder
	known := map[string]bool{}
	for _, l := range before {
		for sentence := range sentences(lower(shown(l.text))) {
			known[sentence] = true
			old.WriteString(sentence + "\n")
		}
	}
	r := &reading{old: old.String()}
	for _, l := range fresh {
		text := shown(l.text)
		if keyword(l) {
			continue
		}
		p := part{start: clear.Len(), located: l}
		for sentence := range sentences(apart(text)) {
			if !known[lower(sentence)] {
				clear.WriteString(sentence + "\n")
			}
		}
		p.fresh = clear.String()[p.start:]
		if p.fresh != "" && named(l) {
			start := clear.Len()
			clear.WriteString(strings.Join(wordsOf(p.fresh), " ") + "\n")
			r.names = append(r.names, hit{"name", start, clear.Len() - 1})
		}
		p.decoded = decode(p.fresh)
		for _, d := range p.decoded {
			clear.WriteString(d.text + "\n")
		}
		if p.fresh != "" {
			r.parts = append(r.parts, p)
		}
	}
	r.clear = clear.String()
	r.low = lower(r.clear)
	return r
}

// keyword reports whether a text is a JSON Schema keyword or type rather than the author's text.
func keyword(l located) bool {
	parent, last := path.Split(l.path)
	return last == "$schema" || len(l.text) < 24 && (strings.Trim(l.text, "abcdefghijklmnopqrstuvwxyz") == "" ||
		last == l.text && !strings.HasSuffix(parent, "/properties/") &&
			strings.Trim(strings.ToLower(l.text), "abcdefghijklmnopqrstuvwxyz") == "")
}

// named reports whether a text is a constant or member name of several words.
func named(l located) bool {
	parent, last := path.Split(l.path)
	return !strings.ContainsAny(l.text, " \n") && leastName <= len(wordsOf(apart(l.text))) &&
		(strings.HasSuffix(parent, "/properties/") && last == jsontext.EscapePointer(l.text) ||
			strings.HasSuffix(parent, "/enum/") || last == "const")
}

// leastName is the number of words from which a name may be an instruction.
const leastName = 4

func wordsOf(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '\n' })
}

// apart splits a camel-case name into words.
func apart(text string) string {
	if strings.ContainsAny(text, " \n/") {
		return text
	}
	var b strings.Builder
	last := ' '
	for _, r := range text {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// sentences yields the sentences of a shown text, each on one line. A line that starts with a small letter
// continues the sentence.
func sentences(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		cut := func(end int) bool {
			sentence := strings.ReplaceAll(strings.TrimSpace(text[start:end]), "\n", " ")
			start = end
			return sentence == "" || yield(sentence)
		}
		last := rune(0)
		for i, r := range text {
			ends := strings.ContainsRune(".!?", last)
			switch next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):]); r {
			case '\n':
				ends = ends || last == ':' || !unicode.IsLower(next)
			case ' ':
			default:
				ends = strings.ContainsRune("。।؟", last)
			}
			if ends && !cut(i) {
				return
			}
			last = r
		}
		cut(len(text))
	}
}

// hits returns the occurrences of all concepts, in order.
func (r *reading) hits(names map[string]foreign) []hit {
	var out []hit
	spoken := r.spoken()
	for _, t := range tokens() {
		text := r.low
		if t.cased {
			text = r.clear
		}
		if !t.pattern.possible(text) {
			continue
		}
		for _, m := range t.pattern.FindAllStringSubmatchIndex(text, maxMatches) {
			if len(m) > 2 && m[2] >= 0 {
				m = m[2:]
			}
			if t.harmless(text[m[0]:m[1]]) {
				continue
			}
			out = append(out, hit{t.concept, m[0], m[1]})
			if t.concept == "url" { // a word in an address says nothing
				spoken = slices.DeleteFunc(spoken, func(h hit) bool { return m[0] <= h.start && h.end <= m[1] })
			}
		}
	}
	out = append(out, spoken...)
	out = append(append(out, r.foreign(names)...), r.names...)
	slices.SortStableFunc(out, func(a, b hit) int { return a.start - b.start })
	return out
}

// spoken returns the occurrences of concepts expressed in words.
func (r *reading) spoken() []hit {
	var out []hit
	var has trigrams
	has.add(r.low)
	for _, s := range stems() {
		if !has.all(s.text) {
			continue
		}
		for from := 0; len(out) < maxMatches; {
			i := strings.Index(r.low[from:], s.text)
			if i < 0 {
				break
			}
			start := from + i
			from = start + len(s.text)
			end := from
			if s.word {
				before, _ := utf8.DecodeLastRuneInString(r.low[:start])
				if end += lettersAt(r.low[from:]); unicode.IsLetter(before) || s.whole && end > from {
					continue
				}
			}
			out = append(out, hit{s.concept, start, end})
		}
	}
	return out
}

// lettersAt returns the length of the leading letters of a text.
func lettersAt(text string) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		return i
	}
	return len(text)
}

// signs notes the first new occurrence of each signal.
func (r *reading) signs(hits []hit) (notes []note) {
	for _, sig := range signals() {
		start, end := r.find(sig, hits)
		if end > 0 {
			found := strings.Trim(r.clear[start:end], " \n.,;:")
			notes = append(notes, flagged(sig.rule, r.partAt(start).located, sig.message+": "+quote(found)))
		}
	}
	return notes
}

// partAt returns the part that contains a position.
func (r *reading) partAt(start int) *part {
	at := slices.IndexFunc(r.parts, func(p part) bool { return p.start > start })
	if at < 0 {
		at = len(r.parts)
	}
	return &r.parts[max(at-1, 0)]
}

// excused reports whether a signal is ignored in its context.
func (r *reading) excused(sig signal, start, end int, hits []hit) bool {
	p := r.partAt(start)
	within := end <= p.start+len(p.fresh)
	place := r.low[start:end]
	marked := r.low[max(0, start-around):start] + "⟦" + place + "⟧" + r.low[end:min(len(r.low), end+around)]
	return slices.ContainsFunc(sig.but, func(e excuse) bool {
		switch e {
		case ofFlag, ofTool:
			sentence := strings.LastIndexByte(r.low[:start], '\n') + 1
			flag := within && (p.flag || strings.HasPrefix(r.low[sentence:], "whether "))
			return flag || e == ofTool && (says(r.tool, "delete") || within && (says(r.tool, "spoil") || says(r.tool, "renew")))
		case ofForce:
			return within && p.flag && path.Base(path.Dir(p.path)) == "force"
		case ofPeers:
			return strings.Contains(place, "other "+r.server+" ") || strings.Contains(place, "for every tool")
		case onlyIf:
			return slices.ContainsFunc(hits, func(h hit) bool {
				return h.concept == "if" && h.end <= start && strings.TrimSpace(r.low[h.end:start]) == ""
			})
		case ofOwn:
			return within && says(lower(apart(path.Base(path.Dir(p.path)))), "secret")
		case ofSubject:
			return r.isAbout(p, place, sig)
		case ofServer:
			return r.ownVariable(place)
		}
		if strings.ContainsAny(string(e), "⟦⟧") {
			return excuses()[e].MatchString(marked)
		}
		return excuses()[e].MatchString(place)
	})
}

// isAbout reports whether a tool that is new is called by what a signal needs first. For secrets, a member that is
// called so excuses the description of the tool as well.
func (r *reading) isAbout(p *part, place string, sig signal) bool {
	if r.tool == "" {
		return false
	}
	if c := sig.needs[0][0]; len(sig.needs) == 1 {
		return strings.Contains(r.tool, strings.TrimSuffix(place, "s"))
	} else if c != "secret" {
		return says(r.tool, "instructions") || says(r.tool, "limits")
	}
	return says(r.tool, "secret") || p.path == "/description" && says(r.members, "secret")
}

// ownVariable reports whether a tool that is new names a variable with a word of the server's name: its own
// credentials are no secret to it.
func (r *reading) ownVariable(name string) bool {
	own := func(word string) bool { return len(word) >= 4 && strings.Contains(r.server, word) }
	return r.tool != "" && slices.ContainsFunc(wordsOf(name), own)
}

// says reports whether a name has a word of a concept.
func says(name string, c concept) bool {
	for _, h := range (&reading{low: name, clear: name}).spoken() {
		if h.concept == c {
			return true
		}
	}
	return false
}

// maxLooked bounds the occurrences of a signal that are looked up in the known text.
const maxLooked = 500

// find returns the first new range in which all concepts of a signal occur within its span; end is 0 if there
// is none. If the first concept is a name, all others must occur within the name.
func (r *reading) find(sig signal, hits []hit) (start, end int) {
	looked, last := 0, make([]*hit, len(sig.needs))
	for i := range hits {
		for n, concepts := range sig.needs {
			if slices.Contains(concepts, hits[i].concept) {
				last[n] = &hits[i]
			}
		}
		if slices.Contains(last, nil) {
			continue
		}
		start, end = len(r.clear), 0
		for _, h := range last {
			start, end = min(start, h.start), max(end, h.end)
		}
		near := len(last) == 1 || end-start <= utf8.UTFMax*sig.span && utf8.RuneCountInString(r.clear[start:end]) <= sig.span
		if last[0].concept == "name" {
			near = start == last[0].start && end == last[0].end
		}
		if !near || !r.together(start, end) || r.excused(sig, start, end, hits) {
			continue
		}
		if looked++; looked > maxLooked || !strings.Contains(r.old, r.low[start:end]) {
			return start, end
		}
	}
	return 0, 0
}

// together reports whether a place is within a sentence, or goes from one text, which is no
// constant and does not end its sentence, to the next but one at most: their names stand
// between them.
func (r *reading) together(start, end int) bool {
	place := r.clear[start:end]
	line := strings.IndexByte(place, '\n')
	next := start + line + 1
	return line < 0 || line > 0 && !strings.ContainsRune(".!?", rune(place[line-1])) && strings.Count(place, "\n") <= 2 &&
		slices.ContainsFunc(r.parts, func(p part) bool { return p.start == next }) &&
		path.Base(path.Dir(r.partAt(start).path)) != "enum"
}

// foreign is a name of another server or of its tool.
type foreign struct {
	concept
	plain bool // may be an ordinary word
}

// foreignNames indexes the names of other servers and their tools, except names that this server has too.
func foreignNames(others map[string][]string, own []string) map[string]foreign {
	names := map[string]foreign{}
	for server, tools := range others {
		for _, name := range tools {
			low := strings.ToLower(name)
			names[low] = foreign{"othertool", !strings.ContainsAny(name, "_-./") && low == name || len(name) < 5}
		}
		if low := strings.ToLower(server); len(server) > 2 {
			names[low] = foreign{"otherserver", false}
		}
	}
	for _, name := range own {
		delete(names, strings.ToLower(name))
	}
	return names
}

// foreign returns the occurrences of foreign names. A name that may be an ordinary word counts only in quotes.
func (r *reading) foreign(names map[string]foreign) []hit {
	var out []hit
	for start := 0; start < len(r.low) && len(names) > 0; {
		if !wordByte(r.low[start]) {
			start++
			continue
		}
		end := start
		for end < len(r.low) && wordByte(r.low[end]) {
			end++
		}
		word := strings.TrimRight(r.low[start:end], ".-/")
		for from := start; ; {
			if name, ok := names[word]; ok && (!name.plain || from > 0 && strings.IndexByte(`'"`, r.low[from-1]) >= 0) {
				out = append(out, hit{name.concept, from, from + len(word)})
			}
			i := strings.IndexAny(word, "./")
			if i < 0 {
				break
			}
			word, from = word[i+1:], from+i+1
		}
		start = end
	}
	return out
}

func wordByte(c byte) bool {
	return asciiLetter(c) || c >= '0' && c <= '9' || strings.IndexByte("_-./", c) >= 0
}
