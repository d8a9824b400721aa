package gogen

// All comments are made here. Texts of servers reach Go source as comments only by this
// file: every line gets its own marker, invisible characters are removed, and no line
// can be read as a directive.

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

const (
	commentWidth = 104      // columns of text in one line
	longestWord  = 200      // longer ones are broken
	longestText  = 16 << 10 // bytes of one text; the whole is in the snapshot
	cutNote      = "(The text is cut here. The whole is in " + snapshotName + ".)"
)

// directive is a comment that the go command obeys. There are no others than
// these.
type directive string

const (
	embedSnapshot directive = "//go:embed " + snapshotName
	fixInline     directive = "//go:fix inline"
	goGenerate    directive = "//go:generate go tool mcpgen generate"
)

// deprecated begins the paragraph by which tools know what is deprecated.
const deprecated = "Deprecated:"

// text is one of the texts of a comment.
type text struct {
	words string
	ours  bool // it may say that something is deprecated
}

// comment makes one comment of several texts, a blank line between them. Empty
// texts are skipped; without any text it returns "".
func comment(texts ...string) string {
	var all []text
	for _, words := range texts {
		all = append(all, text{words: words})
	}
	return commentOf(all...)
}

func commentOf(texts ...text) string {
	var out []string
	for _, t := range texts {
		lines := layout(t.words)
		if len(lines) == 0 {
			continue
		}
		if rest, ok := strings.CutPrefix(lines[0], `"`+deprecated+`" `); ok && t.ours {
			lines[0] = deprecated + " " + rest
		}
		if len(out) > 0 {
			if strings.HasPrefix(out[len(out)-1], " ") && lines[0][0] == '\t' {
				out = append(out, "", "For example:") // or gofmt reads the code as a part of the list
			}
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	for i, line := range out {
		switch {
		case line == "":
			out[i] = "//"
		case looksLikeHeading(out, i):
			out[i] = "// " + line + "."
		case line[0] == '\t':
			out[i] = "//" + line
		default:
			out[i] = "// " + line
		}
	}
	return strings.Join(out, "\n")
}

// looksLikeHeading says that gofmt may take the line for a heading: a short
// paragraph without a full stop, between two others.
func looksLikeHeading(lines []string, i int) bool {
	if i == 0 || i+2 >= len(lines) || lines[i+1] != "" || lines[i][0] == ' ' || lines[i][0] == '\t' || lines[i][0] == '#' {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(lines[i])
	return lines[i-1] == "//" && (unicode.IsLetter(last) || unicode.IsDigit(last))
}

// oneLine is text without line breaks, cut to fit a line.
func oneLine(text string) string {
	words := strings.Join(strings.Fields(safetext.Strip(safetext.Clip(text, 4*commentWidth))), " ")
	if runes := []rune(words); len(runes) > commentWidth {
		return string(runes[:commentWidth-1]) + "…"
	}
	return words
}

var (
	listItem = regexp.MustCompile(`^\s*(?:([-*+•])|(\d{1,4})[.)])\s+(\S.*)$`)
	// What tools act on although a space follows the slashes, and what looks so much
	// like it that a reader might think they did.
	directiveLike = regexp.MustCompile(`^(\+build|go:\S*|#cgo|nolint\S*|lint:\S*|line|export|extern|` +
		`Code generated|` + deprecated + `|Output:|Unordered output:)(\s|:|$)`)
	lineDirective = regexp.MustCompile(`^line \S*:\d`)
	oneArgument   = regexp.MustCompile(`^(export|extern) \S+$`)
)

// inert quotes the first word of a line that looks like a directive.
func inert(line string) string {
	text := strings.TrimLeft(line, " \t")
	if text == "" || !strings.Contains("+g#nleCDOU", text[:1]) {
		return line
	}
	m := directiveLike.FindStringSubmatch(text)
	if m == nil {
		return line
	}
	switch word := m[1]; {
	case word == "line" && !lineDirective.MatchString(text),
		(word == "export" || word == "extern") && !oneArgument.MatchString(text):
		return line // plain English
	default:
		indent := line[:len(line)-len(text)]
		return indent + `"` + word + `"` + text[len(word):]
	}
}

// layout arranges one text as the lines of a Go doc comment: its own line breaks
// are kept, long lines wrapped, lists and code indented as gofmt does.
func layout(text string) []string {
	short := safetext.Clip(text, longestText)
	p := &page{}
	for line := range strings.SplitSeq(untagged(safetext.Strip(short)), "\n") {
		p.line(strings.TrimRight(line, " \t"))
	}
	if len(short) < len(text) {
		p.begin(prose)
		p.put(cutNote)
	}
	for len(p.lines) > 0 && p.lines[len(p.lines)-1] == "" {
		p.lines = p.lines[:len(p.lines)-1]
	}
	return p.lines
}

// tag is a line with a tag that opens or closes a part of a text, or with all of the part.
var tag = regexp.MustCompile(`(?m)^[ \t]*<(/?)([A-Za-z][A-Za-z_-]{1,40})>(?:(.*)</([A-Za-z_-]+)>)?[ \t]*$`)

// untagged is a text in which tags that enclose its parts are words before them: "<Usage>" is
// "Usage:". What the text begins with needs none. Other tags stay, such as those of examples.
func untagged(text string) string {
	if !strings.Contains(text, "</") || strings.Contains(text, "```") {
		return text
	}
	first := true
	return tag.ReplaceAllStringFunc(text, func(line string) string {
		m := tag.FindStringSubmatch(line)
		closes, name, inside := m[1] != "", m[2], m[3]
		switch {
		case closes && strings.Contains(text, "<"+name+">"):
			return ""
		case closes || m[4] != "" && m[4] != name || m[4] == "" && !strings.Contains(text, "</"+name+">"):
			return line
		case first && strings.HasPrefix(strings.TrimSpace(text), "<"+name+">"):
			first = false
			return inside
		}
		first = false
		words := strings.NewReplacer("_", " ", "-", " ").Replace(name)
		return "\n" + strings.ToUpper(words[:1]) + words[1:] + ":\n" + inside
	})
}

type block int

const (
	blank block = iota
	prose
	list
	code
)

// page collects the lines of one text.
type page struct {
	lines  []string
	at     block
	listed bool // only code came after a list
	fenced bool
	depths []int // how far the items around are indented, the outermost first
}

func (p *page) line(line string) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "```") {
		p.fenced = !p.fenced
		p.begin(blank)
		return
	}
	var item []string
	if strings.ContainsAny(firstRune(trimmed), "-*+•0123456789") {
		item = listItem.FindStringSubmatch(line)
	}
	indented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
	switch {
	case trimmed == "" && p.at == code && p.fenced:
		p.put("")
	case trimmed == "":
		p.begin(blank)
	case p.fenced:
		p.code(line)
	case item != nil:
		p.begin(list)
		p.item(line, item)
	case (indented || strings.HasPrefix(line, "  ")) && p.at == list:
		p.wrap(trimmed, "    ", "    ")
	case indented && p.at != prose:
		p.code(trimmed)
	default:
		p.begin(prose)
		p.wrap(trimmed, "", "")
	}
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// begin enters a block. Different blocks are kept apart by a blank line.
func (p *page) begin(next block) {
	last := len(p.lines) == 0 || p.lines[len(p.lines)-1] == ""
	if next != p.at && !last {
		p.lines = append(p.lines, "")
	}
	p.at = next
	p.listed = next == list || p.listed && next != prose
	if next == prose {
		p.depths = p.depths[:0]
	}
}

// code adds a line of code. Behind a list it is a paragraph of the last item: gofmt
// reads it as one, and doc comments have no code there.
func (p *page) code(line string) {
	p.begin(code)
	if p.listed {
		p.wrap(line, "    ", "    ")
		return
	}
	p.put("\t" + inert(line))
}

// item adds an item of a list. Doc comments have no lists in lists: an item inside of
// another one is a part of its text, behind a mark that begins no item there.
func (p *page) item(line string, m []string) {
	mark, number := "", m[2]
	switch depth := p.depth(line); {
	case depth == 0 && number != "":
		mark = " " + number + ". "
	case depth == 0:
		mark = "  - "
	case number != "":
		mark = "    (" + number + ") "
	case depth == 1:
		mark = "    – "
	default:
		mark = "    · "
	}
	p.wrap(m[3], mark, "    ")
}

// depth is how many items the item on a line is in, by its indentation. One column more
// than the item before is not meant.
func (p *page) depth(line string) int {
	indent := 0
	for _, r := range line {
		if r == '\t' {
			indent += 4
		} else if r == ' ' {
			indent++
		} else {
			break
		}
	}
	for len(p.depths) > 0 && indent < p.depths[len(p.depths)-1] {
		p.depths = p.depths[:len(p.depths)-1]
	}
	if len(p.depths) == 0 || indent > p.depths[len(p.depths)-1]+1 {
		p.depths = append(p.depths, indent)
	}
	return len(p.depths) - 1
}

func (p *page) put(line string) { p.lines = append(p.lines, line) }

// wrap breaks a line between words.
func (p *page) wrap(text, first, rest string) {
	if len(first)+len(text) <= commentWidth && !strings.Contains(text, "  ") && !strings.Contains(text, "\t") {
		p.put(inert(first + text))
		return
	}
	line, width := first, utf8.RuneCountInString(first)
	empty := true
	for _, word := range words(text) {
		n := utf8.RuneCountInString(word)
		if !empty && width+1+n > commentWidth {
			p.put(inert(line))
			line, width, empty = rest, len(rest), true
		}
		if !empty {
			line, width = line+" ", width+1
		}
		line, width, empty = line+word, width+n, false
	}
	p.put(inert(line))
}

// words returns the words of text, cut to the length of a line.
func words(text string) []string {
	fields := strings.Fields(text)
	var out []string
	for _, w := range fields {
		for r := []rune(w); len(r) > longestWord; r = []rune(w) {
			out, w = append(out, string(r[:longestWord])), string(r[longestWord:])
		}
		out = append(out, w)
	}
	return out
}
