package gogen

// The layout of a text as a Go doc comment. A server's text is read as markdown or indented
// text, in blocks: paragraphs, headings, items of lists and code.

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

type blockKind int

const (
	prose blockKind = iota
	heading
	item
	code
)

// block is one part of a text, with its own line breaks.
type block struct {
	kind  blockKind
	mark  string // of an item
	lines []string
}

// layout arranges one text as the lines of a Go doc comment: its own line breaks
// are kept, long lines wrapped, lists and code indented as gofmt does.
func layout(text string) []string { return arrange(blocksOf(text)) }

// blocksOf reads a text. One that is too long is cut.
func blocksOf(text string) []block {
	short := safetext.Clip(text, longestText)
	clean := dedented(safetext.Strip(short))
	p := &page{text: clean, named: -1}
	all := strings.Split(clean, "\n")
	for i := 0; i < len(all); i++ {
		if n := braced(all[i:]); n > 0 && !p.fenced {
			for _, line := range all[i : i+n] {
				p.code(line)
			}
			i += n - 1
			continue
		}
		p.line(strings.TrimRight(all[i], " \t"))
	}
	for i, b := range p.blocks {
		for n := len(b.lines) - 1; n > 0 && b.lines[n] == ""; n-- {
			p.blocks[i].lines = b.lines[:n]
		}
	}
	if len(short) < len(text) {
		p.blocks = append(p.blocks, block{kind: prose, lines: []string{cutNote}})
	}
	return p.blocks
}

// braced returns the number of lines of a JSON value that begins on the first line and ends
// on a line with the same indentation; 0 if there is no such value.
func braced(lines []string) int {
	open := strings.TrimSpace(lines[0])
	if open != "{" && open != "[" {
		return 0
	}
	for i, line := range lines {
		if rest := strings.TrimLeft(line, " \t"); indentation(line) == indentation(lines[0]) && (rest == "}" || rest == "]") {
			return i + 1
		}
	}
	return 0
}

// arrange writes blocks as lines. Different blocks are kept apart by a blank line.
func arrange(blocks []block) []string {
	p := &lines{}
	for i, b := range blocks {
		if i > 0 && (b.kind != item || blocks[i-1].kind != item) {
			p.put("")
		}
		for n, line := range b.lines {
			switch {
			case b.kind == heading:
				p.put("# " + line)
			case b.kind == code && line != "":
				p.put("\t" + inert(line))
			case b.kind == code:
				p.put("")
			case b.kind == item && n == 0:
				p.wrap(line, b.mark, itemIndent)
			case b.kind == item:
				p.wrap(line, itemIndent, itemIndent)
			default:
				p.wrap(line, "", "")
			}
		}
	}
	return p.lines
}

// brokenLine is the length from which a line may end inside a sentence, and fullLine that from
// which it does if it has no full stop.
const (
	brokenLine = 50
	fullLine   = 70
)

const (
	bullet     = "  - "
	itemIndent = "    " // of the further lines of an item
)

var (
	listItem = regexp.MustCompile(`^\s*(?:([-*+•])|(\d{1,4})[.)])\s+(\S.*)$`)
	// A line such as "name: what it is" or "name (string): what it is", below one that ends
	// in a colon, as of the arguments in a docstring of Python.
	namedItem = regexp.MustCompile("^[`\"'*]*[\\p{L}_$][\\w$.\\[\\]/-]*[`\"'*]*(?: ?\\([^()]*\\))?: +\\S")
	title     = regexp.MustCompile(`^ {0,3}#{1,6}\s+(\S.*?)\s*#*$`)
	// sentence is no line of code.
	sentence = regexp.MustCompile(`^\p{Lu}(?:[^ ]* ){6,}.*[.:]$`)
	// tag opens or closes a part of a text, and may have text after it.
	tag = regexp.MustCompile(`^\s*<(/?)([A-Za-z][A-Za-z &/_-]{1,40})>\s*(.*)$`)
)

// page collects the blocks of one text.
type page struct {
	text   string // all of it
	blocks []block
	gap    bool // a blank line came after the last block
	fenced bool
	named  int   // the indentation of named items; -1 outside of them
	depths []int // how far the items around are indented, the outermost first
	// numbered says that the outermost item has a number.
	numbered bool
	inner    int // the level of headings that become first lines; 0: no heading does
	at       int // the indentation of the last line
	width    int // its length
}

func (p *page) line(line string) {
	if !p.fenced {
		line = unmarked(line)
	}
	trimmed := strings.TrimSpace(line)
	indent := indentation(line)
	switch last := p.last(); {
	case strings.HasPrefix(trimmed, "```"):
		p.fenced, p.gap = !p.fenced, true
		return
	case trimmed == "":
		if p.gap = p.gap || !p.fenced; p.fenced && !p.gap && last == code {
			p.more("")
		}
		return
	case p.fenced:
		p.code(line)
	case p.tagged(trimmed), p.labelled(trimmed):
		return
	case p.item(line, trimmed, indent):
	case last == item && p.continues(trimmed, indent):
		p.more(trimmed)
	case indent >= 4 && (last != prose || p.gap) && !sentence.MatchString(trimmed):
		p.code(trimmed)
	case strings.HasPrefix(trimmed, "|") && strings.Count(trimmed, "|") > 1:
		p.code(trimmed) // a row of a table
	case title.MatchString(line) && utf8.RuneCountInString(trimmed) < commentWidth:
		p.title(strings.IndexByte(trimmed, ' '), title.FindStringSubmatch(line)[1])
		p.gap = true
		return
	case last == prose && !p.gap:
		p.more(trimmed)
	default:
		p.add(block{kind: prose, lines: []string{trimmed}})
	}
	p.gap, p.at, p.width = false, indent, len(line)
}

// bold is a part of a line that markdown prints bold.
var bold = regexp.MustCompile("(^|[\\s(\"'[—–])\\*\\*([^\\s*/](?:[^*`]*[^\\s*/`])?)\\*\\*")

// unmarked returns a line without marks that Go's comments do not know: marks of bold text, and
// backslashes before backquotes.
func unmarked(line string) string {
	line = strings.ReplaceAll(line, "\\`", "`")
	if !strings.Contains(line, "**") {
		return line // the expression is slow
	}
	return bold.ReplaceAllString(line, "$1$2")
}

// title adds a heading. Doc comments have one level of headings: one right below another one
// becomes the first line of its part, and so do later headings of the same level.
func (p *page) title(level int, words string) {
	if p.last() == heading {
		p.inner = level
	}
	if p.inner == 0 || level < p.inner {
		p.inner = 0
		p.add(block{kind: heading, lines: []string{words}})
		return
	}
	if !gotext.Ended(words) {
		words += ":"
	}
	p.add(block{kind: prose, lines: []string{words}})
}

// last returns the kind of the last block, or -1 without blocks.
func (p *page) last() blockKind {
	if len(p.blocks) == 0 {
		return -1
	}
	return p.blocks[len(p.blocks)-1].kind
}

func (p *page) add(x block) {
	p.blocks = append(p.blocks, x)
	if x.kind != item {
		p.depths, p.named = p.depths[:0], -1
	}
}

// more adds a line to the last block. If the line before was broken for its length, the line
// continues its sentence and is joined to it.
func (p *page) more(line string) {
	last := &p.blocks[len(p.blocks)-1]
	n := len(last.lines) - 1
	if last.kind != code && p.broken(line) && !gotext.Ended(last.lines[n]) {
		last.lines[n] += " " + line
		return
	}
	last.lines = append(last.lines, line)
}

// broken reports whether the line before may have been broken for its length, so that this one
// goes on. One that begins with a capital may be the next of a list of lines.
func (p *page) broken(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	switch {
	case unicode.IsUpper(first) || unicode.IsDigit(first):
		return p.width >= fullLine && !namedItem.MatchString(line)
	case unicode.IsLower(first) || first == '`' || first == '(':
		return p.width >= brokenLine
	}
	return false
}

// code adds a line of code. After an item the line becomes part of the item, as gofmt reads
// it: doc comments have no code in lists.
func (p *page) code(line string) {
	switch last := p.last(); {
	case last == item:
		p.more(strings.TrimSpace(line))
	case last == code && p.gap:
		p.more("")
		fallthrough
	case last == code:
		p.more(line)
	default:
		p.add(block{kind: code, lines: []string{line}})
	}
}

// tagged takes a line with a tag that encloses a part of the text. "<Usage>" becomes a
// heading; at the start of the text it is dropped. Other tags stay, such as those of examples.
func (p *page) tagged(line string) bool {
	m := tag.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	closes, name, behind := m[1] != "", m[2], m[3]
	end := "</" + name + ">"
	switch {
	case closes:
		if p.gap = true; behind != "" || !strings.Contains(p.text, "<"+name+">") {
			return false
		}
		return true
	case !strings.Contains(p.text, end) || strings.Contains(strings.TrimSuffix(behind, end), end):
		return false
	}
	words := strings.NewReplacer("_", " ", "-", " ").Replace(name)
	words = strings.ToUpper(words[:1]) + words[1:]
	inside, whole := strings.CutSuffix(behind, end)
	p.gap = true
	switch {
	case len(p.blocks) == 0:
	case whole && inside != "":
		inside = words + ": " + inside
	default:
		p.add(block{kind: heading, lines: []string{words}})
	}
	if inside != "" {
		p.line(inside)
	}
	p.gap = p.gap || whole
	return true
}

// label is a line of a few words behind a picture, above a part of the text.
var label = regexp.MustCompile(`^[\p{So}\p{Sk}\x{FE0F}\x{200D}]+\s+(\pL[\pL\pN&/'-]*(?: [\pL\pN&/'-]+){0,3}):?$`)

// labelled takes such a line as a heading.
func (p *page) labelled(line string) bool {
	m := label.FindStringSubmatch(line)
	if m == nil || len(p.blocks) > 0 && !p.gap {
		return false
	}
	p.gap = true
	p.add(block{kind: heading, lines: []string{m[1]}})
	return true
}

// item takes a line that begins an item of a list. Doc comments have no nested lists: an item
// inside another one gets a second mark. Inside a numbered item it becomes a line of that item,
// because HTML would count it.
func (p *page) item(line, trimmed string, indent int) bool {
	words, number := "", ""
	if m := listItem.FindStringSubmatch(line); m != nil && !p.goesOn(m[2]) {
		words, number, p.named = m[3], m[2], -1
	} else if !p.names(trimmed, indent) {
		return false
	} else {
		words, p.named = trimmed, indent
	}
	listed, depth, mark := p.last() == item, p.depth(indent), bullet
	if !listed {
		p.numbered = number != ""
	} else if depth == 0 && p.numbered != (number != "") { // a list has one kind of items
		depth = 1
	}
	switch {
	case depth == 0 && number != "":
		mark = " " + number + ". "
	case depth == 0:
	case number != "":
		words = "(" + number + ") " + words
	case depth == 1:
		words = "– " + words
	default:
		words = "· " + words
	}
	if depth > 0 && p.numbered {
		p.more(words)
		return true
	}
	if p.last() == code { // gofmt reads code before a list as a part of it
		p.blocks[len(p.blocks)-1].kind = prose
	}
	p.add(block{kind: item, mark: mark, lines: []string{words}})
	return true
}

// names reports whether a line is a named item below a line that ends in a colon.
func (p *page) names(trimmed string, indent int) bool {
	if !namedItem.MatchString(trimmed) {
		return false
	}
	if p.named >= 0 {
		return indent == p.named
	}
	if p.last() != prose || p.gap || indent < p.at+2 {
		return false
	}
	above := p.blocks[len(p.blocks)-1].lines
	return strings.HasSuffix(above[len(above)-1], ":")
}

// continues reports whether a line belongs to the item before it: if it is indented further than
// the item, or there is no blank line between them and it begins inside of a sentence.
func (p *page) continues(trimmed string, indent int) bool {
	further := indent - p.depths[len(p.depths)-1]
	first, _ := utf8.DecodeRuneInString(trimmed)
	return further >= 2 || !p.gap && (further == 1 || unicode.IsLower(first))
}

// depth counts the items around an item, by its indentation. A difference of one column is
// ignored.
func (p *page) depth(indent int) int {
	for len(p.depths) > 0 && indent < p.depths[len(p.depths)-1] {
		p.depths = p.depths[:len(p.depths)-1]
	}
	if len(p.depths) == 0 || indent > p.depths[len(p.depths)-1]+1 {
		p.depths = append(p.depths, indent)
	}
	return len(p.depths) - 1
}

// indentation counts the columns before a line, with tabs of four.
func indentation(line string) int {
	n := 0
	for _, r := range line {
		switch r {
		case '\t':
			n += 4
		case ' ':
			n++
		default:
			return n
		}
	}
	return n
}

// dedented returns a text without the margin of its source: the margin of its first lines or,
// as in docstrings, of all lines after the first. A line with a smaller margin ends the
// removal. Lines that look like code keep their indentation.
func dedented(text string) string {
	if !strings.Contains(text, "\n ") && !strings.Contains(text, "\n\t") && strings.TrimLeft(text, " \t") == text {
		return text
	}
	lines := strings.Split(text, "\n")
	first := 0
	for first < len(lines)-1 && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	begin, margin := first, indentation(lines[first])
	sure := margin > 0
	if !sure {
		if begin++; strings.HasSuffix(lines[first], ":") || listItem.MatchString(lines[first]) {
			return text
		}
		margin = 1 << 10
	}
	end := begin
	for ; end < len(lines); end++ {
		line := lines[end]
		if strings.TrimSpace(line) == "" {
			continue
		}
		n := indentation(line)
		if n == 0 || sure && n < margin {
			break
		}
		margin = min(margin, n)
	}
	for _, line := range lines[begin:end] {
		sure = sure || indentation(line) == margin &&
			(listItem.MatchString(line) || strings.HasSuffix(line, ".") || strings.HasSuffix(line, ":"))
	}
	if !sure {
		return text
	}
	for i, line := range lines[begin:end] {
		lines[begin+i] = strings.Repeat(" ", max(indentation(line)-margin, 0)) + strings.TrimLeft(line, " \t")
	}
	return strings.Join(lines, "\n")
}
