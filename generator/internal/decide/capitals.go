package decide

// Initialisms that the server itself writes. A word of its names is spelled UDID if the
// server's texts always write it so. That is decided when the word is first locked, and
// written into the lock: what has a name keeps it, whatever texts say later.

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/schema"
)

// capitals are words in capitals that names are spelled with, sorted.
type capitals []string

// enoughUses is how often a text or name has to have a word in capitals.
const enoughUses = 3

// maxCapitals bounds the words of one server.
const maxCapitals = 100

var (
	initials = regexp.MustCompile(`^[A-Z]{3,5}$`)
	inCode   = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|'\\S*'|\\S*[^\\s\\pL(][\\pL\\pN_]\\S*|\\pL+:")
)

// wordUses says how a server writes words, by the word in lower case.
type wordUses struct {
	named, constant, otherwise map[string]bool // in names, in names without small letters, in texts
	capitals                   map[string]int
}

// usesOf reads everything that a server says of its items.
func usesOf(s *schema.Snapshot) wordUses {
	u := wordUses{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]int{}}
	for it := range s.Items() {
		var said any
		if json.Unmarshal(it.Raw, &said) == nil {
			u.walk(said)
		}
	}
	return u
}

func (u wordUses) walk(said any) {
	switch said := said.(type) {
	case map[string]any:
		for key, value := range said {
			u.name(key)
			if words, ok := value.(string); ok && (key == "title" || key == "description") {
				u.text(words)
				continue
			}
			u.walk(value)
		}
	case []any:
		for _, value := range said {
			u.walk(value)
		}
	case string:
		if strings.ContainsAny(said, " \n") {
			u.text(said)
		} else {
			u.name(said)
		}
	}
}

// name reads a name: the capitals inside it are a choice only if it has small letters, too.
func (u wordUses) name(name string) {
	if len(name) > maxPart {
		return // an address or an image
	}
	constant := !strings.ContainsFunc(name, unicode.IsLower)
	for run := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, w := range splitCase([]rune(run)) {
			lower := strings.ToLower(w)
			u.named[lower] = true
			switch {
			case constant:
				u.constant[lower] = true
			case initials.MatchString(w):
				u.capitals[lower]++
			}
		}
	}
}

// text reads words that are for people. Code and quotes in it count for nothing.
func (u wordUses) text(text string) {
	text = inCode.ReplaceAllString(text, " ")
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		single := strings.TrimSuffix(w, "s")
		switch {
		case initials.MatchString(w):
			u.capitals[strings.ToLower(w)]++
		case initials.MatchString(single):
			u.capitals[strings.ToLower(single)]++
		default:
			u.otherwise[strings.ToLower(w)] = true
		}
	}
}

// Capitals returns the words of names that a server writes in capitals, for [ServerPins]. It
// keeps the locked words, and adds no word that names of the snapshot before have.
func Capitals(now, before *schema.Snapshot, locked []string) []string {
	u, was := usesOf(now), wordUses{}
	if before != nil {
		was = usesOf(before)
	}
	out := slices.Clone(locked)
	for _, lower := range slices.Sorted(maps.Keys(u.capitals)) {
		word := strings.ToUpper(lower)
		switch {
		case u.capitals[lower] < enoughUses || !u.named[lower] || u.constant[lower] || u.otherwise[lower] || was.named[lower]:
		case knownWord(lower) != "" || emphasised(lower) || len(out) == maxCapitals || slices.Contains(out, word):
		default:
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return out
}

// emphasised reports whether texts write a word in capitals to be noticed, for a method of
// HTTP, or for a product whose name is a word of everyday English.
func emphasised(lower string) bool {
	return strings.Contains(" all also and any are both each exact first for from full get has head last line may more"+
		" must never new no none not note now null of off on one only or patch post put read same set some text that the"+
		" then this time to true two use used user when will with yes you your ", " "+lower+" ")
}

// spell writes the words of a Go name in these capitals.
func (c capitals) spell(name string) string {
	if len(c) == 0 {
		return name
	}
	var out strings.Builder
	for _, w := range splitCase([]rune(name)) {
		letters := strings.TrimRight(w, "0123456789_")
		upper := strings.ToUpper(letters)
		single := strings.TrimSuffix(upper, "S")
		switch {
		case slices.Contains(c, upper):
			w = upper + w[len(letters):]
		case strings.HasSuffix(letters, "s") && slices.Contains(c, single):
			w = single + "s" + w[len(letters):]
		}
		out.WriteString(w)
	}
	return out.String()
}
