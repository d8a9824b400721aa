package gogen

// All comments are made here. Texts of servers reach Go source as comments only by this
// file: every line gets its own marker, invisible characters are removed, and no line
// can be read as a directive.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

const (
	commentWidth = 104      // columns of text in one line
	longestWord  = 200      // longer ones are broken
	longestText  = 16 << 10 // bytes of one text; the whole is in the snapshot
	// longestSynopsis is the bytes of the longest sentence that a comment begins with.
	longestSynopsis = 500
	cutNote         = "(The text is cut here. The whole is in " + snapshotName + ".)"
)

// directive is a comment that the go command obeys. There are no others than
// these and goGenerate.
type directive string

const (
	embedSnapshot directive = "//go:embed " + snapshotName
	fixInline     directive = "//go:fix inline"
)

// goGenerate is the directive by which go generate runs mcpgen, which a command starts.
func goGenerate(command string) directive {
	return directive("//go:generate " + command + " generate")
}

// deprecated begins the paragraph by which tools know what is deprecated.
const deprecated = "Deprecated:"

// text is one of the texts of a comment.
type text struct {
	words  string
	blocks []block // instead of words
	ours   bool    // it may say that something is deprecated
	limit
}

// limit bounds the lines of a server's text. The zero value is no limit.
type limit struct {
	most  int
	whole string // the command that shows all of a text that is cut
}

// lines are the text's lines in a comment.
func (t text) lines() []string {
	if t.blocks == nil {
		t.blocks = blocksOf(t.words)
	}
	lines := arrange(t.blocks)
	if t.most == 0 || len(lines) <= t.most {
		return lines
	}
	return append(append(cutLines(lines, t.most-2), ""), layout("more: "+t.whole)...)
}

// cutLines keeps the first lines of a text. It cuts at the end of a paragraph, an item or a
// sentence if there is one in the second half.
func cutLines(lines []string, most int) []string {
	for n := most; n > most/2; n-- {
		last, next := lines[n-1], lines[n]
		ends := next == "" || next[0] == ' ' && !strings.HasPrefix(next, itemIndent) || strings.HasSuffix(last, ".")
		if ends && last != "" && last[0] != '#' && !strings.HasSuffix(last, ":") {
			return lines[:n]
		}
	}
	last := strings.TrimSpace(lines[most-1] + " …")
	if lines[most-1] != "" && lines[most-1][0] == '\t' { // a row of a table
		last = "\t…"
	}
	return append(slices.Clip(lines[:most-1]), last)
}

// comment makes one comment of several texts, a blank line between them. Empty
// texts are skipped; without any text it returns "".
func comment(words ...string) string { return commentOf(texts(words...)...) }

func texts(words ...string) []text {
	var all []text
	for _, w := range words {
		all = append(all, text{words: w})
	}
	return all
}

func commentOf(texts ...text) string {
	var out []string
	for _, t := range texts {
		lines := t.lines()
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
	indented := func(line string) bool { return strings.TrimLeft(line, " \t") != line }
	if i == 0 || i+2 >= len(lines) || lines[i+1] != "" || indented(lines[i+2]) ||
		indented(lines[i]) || strings.HasPrefix(lines[i], "#") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(lines[i])
	last, _ := utf8.DecodeLastRuneInString(lines[i])
	return lines[i-1] == "//" && unicode.IsUpper(first) && (unicode.IsLetter(last) || unicode.IsDigit(last)) &&
		!strings.ContainsAny(lines[i], ";:!?+*/=[]{}_^°&§~%#@<\">\\")
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

// goesOn reports whether a line that begins with a number goes on with a sentence: a list that
// follows a sentence begins at 1.
func (p *page) goesOn(number string) bool {
	if n, _ := strconv.Atoi(number); n < 2 || p.last() != prose || p.gap {
		return false
	}
	lines := p.blocks[len(p.blocks)-1].lines
	return !strings.HasSuffix(lines[len(lines)-1], ":")
}

// lines collects the lines of one text.
type lines struct{ lines []string }

func (p *lines) put(line string) { p.lines = append(p.lines, line) }

// wrap breaks a line between words.
func (p *lines) wrap(text, first, rest string) {
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
