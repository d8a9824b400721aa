package decide

// How wire names become Go names.
//
// A wire name is what a server calls a tool, a property, a definition or an enum
// value: any text at all. A Go name made from it has to be valid whatever the
// text is, the one a Go developer would have chosen where there is a choice, and
// above all the same tomorrow. So it is a pure function of the item's own path;
// it never looks at the neighbours, because a name that depends on them changes
// when they do. quicktype names by salvage (StickyOpen, FluffyAssignees), and
// dropping one GitHub tool renames 25 identifiers of others; generators that
// prefix constants "only where they clash" do the same on a smaller scale.
//
// Words. A name is cut at everything that is neither letter nor digit, and where
// the case changes: list_prs, list-prs, listPRs and "list prs" are all list·prs.
// A run of capitals ends before its last letter if a small one follows
// (HTMLParser is HTML·Parser), but a plural s stays with it (userIDs is
// user·IDs). Digits stay with the letters before them.
//
// Spelling. A word is written with a capital, an initialism as Go writes it (ID,
// URL, HTML: golint's list, staticcheck's, and what MCP servers talk about), its
// plural with a small s: list_prs is ListPRs, user_ids UserIDs, html_url
// HTMLURL. The words whose capitals are not at the front (OAuth, IPv4) are in the
// same table. Capitals inside mixed case were the author's choice and stay:
// exportGLTF is ExportGLTF, while LIST_ALL is ListAll. Where two words would
// join digit to digit they are kept apart by an underscore: v1_0 is V1_0, not
// V10.
//
// Odd names. The sign of a number is a word (+1 is Plus1, reactions--1 is
// ReactionsMinus1), and so are + and # at the end of a name (C++, C#). A name of symbols
// alone is read out: ">=" is GreaterEqual; and so is the one in front of a constant's
// value that is there without it, too: "-title" beside "title" is MinusTitle. What cannot be read out becomes X and
// its code points in hex, the empty name Empty. A name that would not start with
// a capital gets an X in front: X2FA, X搜索. Longer names than any reader can tell
// apart are cut and end in a hash of the whole.
//
// The package. What its own name would say twice is left out: in the package n8n the tool
// n8n_create_workflow is CreateWorkflow. That depends on what else there is (validate_workflow
// and n8n_validate_workflow are two tools), so it is decided when the tool is first locked,
// and written into the lock; a tool in a lock without such a name keeps its whole one.
//
// URLs. Constants that are URLs are named after the words in which the URLs differ:
// SchemaPostman and SchemaGetpostman for schema.postman.com and schema.getpostman.com. That
// depends on the other values, so it is written into the lock, too (constants.go).
//
// Paths. A type is named after its place: <Tool>Args<Path> and
// <Tool>Result<Path>, the path being property names, Item for the items of an
// array, Value for the values of a map, and for a definition its own name in
// place of the path that led to it. So ListPRsArgsState belongs to the property
// state, and APIPatchPageArgsParentRequest to the definition parentRequest,
// wherever that is used. Constants carry the name of their type. Longer and
// duller than StateOpen; but GitHub has eight different sets called state.
//
// Variants. A variant that is a definition keeps its own name: one type for all
// unions that it is in. Another is named after its union and what sets it apart
// from the others: the constant of its tag (ContentItemText), else its title, else its
// kind (ProximityString, ProximityObject), and where several are of that kind a
// member that only it has (ItemNodeID) or its items (IDsStringList). A short name says the
// constant also where variants share it (ActionTouch). A value that
// matches no variant is a <Union>Other. Branches that make no union, such as the one beside
// null, add nothing to a name.
//
// Collisions. Two items can still meet: list_prs and list-prs, the property
// bar_baz and the property baz of bar, a tool called "client". The package's own
// API and what vet has opinions about are taken from the start. The rest are
// numbered from 2 on, in byte order of their wire names; but an item that was
// there when the lock was written keeps its name, which is why numbered names are
// written into the lock and obeyed from there (assign.go). Of items that got one name in two branches
// none keeps it (twice.go).

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

const (
	maxWire  = 512 // bytes of a wire name that are looked at
	maxPart  = 64  // runes of one wire name's share of an identifier
	maxIdent = 200 // bytes of an identifier
	hashTail = 8   // hex digits that keep shortened names apart
)

// exported returns the exported Go name for wire.
func exported(wire string) string {
	return capital(part(wire))
}

// capital puts an X in front of a name that does not start with a capital.
func capital(name string) string {
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) {
		return name
	}
	return "X" + name
}

// part returns wire as a part of an identifier, never empty. It may start with a
// digit or with a letter without case, so it needs a prefix.
func part(wire string) string {
	name := spelled(safetext.Clip(wire, maxWire))
	if len(wire) <= maxWire && utf8.RuneCountInString(name) <= maxPart {
		return name
	}
	runes := []rune(name)
	return string(runes[:min(len(runes), maxPart-hashTail-1)]) + "X" + digest(wire)
}

// spelled is wire as a part of an identifier, however long.
func spelled(wire string) string {
	var name string
	for _, w := range words(wire) {
		name = join(name, w)
	}
	if name == "" {
		name = symbols(wire)
	}
	return name
}

// join appends a word to a name and keeps two digits from running into each
// other.
func join(name, word string) string {
	last, _ := utf8.DecodeLastRuneInString(name)
	first, _ := utf8.DecodeRuneInString(word)
	if unicode.IsDigit(last) && unicode.IsDigit(first) {
		return name + "_" + word
	}
	return name + word
}

// shorten cuts an identifier that grew too long with its path.
func shorten(name string) string {
	if len(name) <= maxIdent {
		return name
	}
	return safetext.Clip(name, maxIdent-hashTail-1) + "X" + digest(name)
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return strings.ToUpper(hex.EncodeToString(sum[:hashTail/2]))
}

// hexName spells wire in code points. The caller cuts it.
func hexName(wire string) string {
	var b strings.Builder
	b.WriteByte('X')
	for _, r := range wire {
		fmt.Fprintf(&b, "%X", r)
		if b.Len() > maxIdent {
			break
		}
	}
	return b.String()
}

// symbols reads out a name without letters and digits.
func symbols(wire string) string {
	if wire == "" {
		return "Empty"
	}
	var b strings.Builder
	for _, r := range wire {
		name := symbolName(r)
		if name == "" || b.Len() > maxPart {
			return hexName(wire)
		}
		b.WriteString(name)
	}
	return b.String()
}

// words cuts wire into words, each spelled as in an identifier.
func words(wire string) []string {
	var out []string
	var run []rune
	flush := func() {
		for _, w := range splitCase(run) {
			out = append(out, spell(w, run))
		}
		run = run[:0]
	}
	runes := []rune(wire)
	for i, r := range runes {
		switch {
		case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point): // some are invisible letters
			flush()
		case unicode.IsLetter(r), unicode.IsDigit(r):
			run = append(run, r)
		case unicode.IsMark(r): // an accent or vowel sign: not in identifiers, but no end of a word
		default:
			flush()
			if w := signWord(runes, i); w != "" {
				out = append(out, w)
			}
		}
	}
	flush()
	return out
}

// signWord reads out the signs that carry meaning between letters and digits.
func signWord(runes []rune, i int) string {
	r, rest := runes[i], runes[i+1:]
	if r != '+' && r != '-' && r != '#' {
		return ""
	}
	// A hyphen after a letter or digit joins words; after nothing or another
	// symbol it is the sign of the number that follows.
	sign := r != '#' && len(rest) > 0 && unicode.IsDigit(rest[0]) &&
		(i == 0 || !unicode.IsLetter(runes[i-1]) && !unicode.IsDigit(runes[i-1]))
	atEnd := r != '-' && strings.Trim(string(rest), "+#") == "" && strings.Trim(string(runes[:i]), "+#") != ""
	switch {
	case r == '+' && (atEnd || sign):
		return "Plus"
	case r == '-' && sign:
		return "Minus"
	case r == '#' && atEnd:
		return "Sharp"
	}
	return ""
}

// splitCase cuts a run of letters and digits where the case changes.
func splitCase(run []rune) []string {
	var out []string
	start := 0
	for i := 1; i < len(run); i++ {
		if startsWord(run, i) {
			out = append(out, string(run[start:i]))
			start = i
		}
	}
	if start < len(run) {
		out = append(out, string(run[start:]))
	}
	return out
}

// startsWord reports whether a word starts at the capital run[i].
func startsWord(run []rune, i int) bool {
	if !isUpper(run[i]) {
		return false
	}
	prev := run[i-1]
	if !isUpper(prev) && !unicode.IsDigit(prev) {
		return true
	}
	if i+1 == len(run) || !unicode.IsLower(run[i+1]) {
		return false
	}
	// The s of "PRs" and "userIDs" belongs to the capitals before it.
	plural := run[i+1] == 's' && isUpper(prev) && (i+2 == len(run) || !unicode.IsLower(run[i+2]))
	return !plural
}

func isUpper(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) }

// spell writes one word of run as in an identifier.
func spell(word string, run []rune) string {
	lower := strings.ToLower(word)
	if s := knownWord(lower); s != "" {
		return s
	}
	if len(strings.TrimLeft(lower, "0123456789")) == 1 {
		return strings.ToUpper(word) // 3D, 10K
	}
	runes := []rune(word)
	if !slices.ContainsFunc(run, unicode.IsLower) {
		for i := 1; i < len(runes); i++ {
			runes[i] = unicode.ToLower(runes[i])
		}
	}
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

// knownWord returns the Go spelling of an initialism, its plural, or one with a
// number after it. It returns "" for other words.
func knownWord(lower string) string {
	if s := initialism(lower); s != "" {
		return s
	}
	if digit := strings.IndexAny(lower, "0123456789"); digit > 0 {
		if s := initialism(lower[:digit]); s != "" {
			return s + lower[digit:]
		}
	}
	single, ok := strings.CutSuffix(lower, "s")
	if !ok || strings.HasSuffix(single, "s") {
		return "" // the plural of DNS is not written like this
	}
	if s := initialism(single); s != "" {
		return s + "s"
	}
	return ""
}

// numbered is the n-th name of those who met in base.
func numbered(base string, n int) string {
	return join(base, strconv.Itoa(n))
}
