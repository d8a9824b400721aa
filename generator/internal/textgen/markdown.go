package textgen

// The only door from a server's text to markdown. What comes out shows the words
// and is nothing else: no HTML, link, image, heading, list, table or code that
// the server made, and nothing that a reader would not see.

import (
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// visible drops what leaves no mark on the page, such as marks that turn the
// direction of text, and gives all line breaks and spaces one form.
func visible(s string) string { return unmarked.Replace(safetext.Strip(s)) }

var unmarked = strings.NewReplacer("\t", " ", "\ufffd", "", "\ufe0e", "", "\ufe0f", "")

// marks are the characters that mean something inside of a line of markdown.
var marks = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "[", `\[`, "]", `\]`,
	"!", `\!`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`, "^", `\^`, "=", `\=`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
	"://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`, "mailto:", `mailto\:`, "xmpp:", `xmpp\:`, "@", "&#64;",
)

// inline is a text on one line, that may stand anywhere in a paragraph and in a
// cell of a table.
func inline(s string) string {
	return lineStart(marks.Replace(strings.Join(strings.Fields(visible(s)), " ")))
}

// lineStart defuses what means something at the start of a line alone: bullets,
// numbers of lists, rules, definitions.
func lineStart(line string) string {
	if line == "" {
		return ""
	}
	if strings.ContainsRune("-+:%", rune(line[0])) {
		return `\` + line
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if digits > 0 && digits < len(line) && (line[digits] == '.' || line[digits] == ')') {
		return line[:digits] + `\` + line[digits:]
	}
	return line
}

// maxIndent is how many spaces are shown in front of an item of a list.
const maxIndent = 8

// startsItem reports whether an escaped line begins an item of a list.
func startsItem(line string) bool {
	mark, _, found := strings.Cut(line, " ")
	digits, isNumber := strings.CutSuffix(strings.TrimRight(mark, ".)"), `\`)
	return found && (mark == `\-` || mark == `\*` || mark == `\+` || mark == "•" || isNumber && strings.Trim(digits, "0123456789") == "")
}

// quoted is a text of several lines as a block quote, so that a reader sees whose
// words they are. Its line breaks and paragraphs are kept, and how far the items of its
// lists are indented.
func quoted(s string) string {
	var out []string
	for line := range strings.SplitSeq(strings.TrimSpace(visible(strings.ReplaceAll(s, "\t", "    "))), "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if line = inline(line); indent > 0 && startsItem(line) {
			line = strings.Repeat("&nbsp;", min(indent, maxIndent)) + line
		}
		last := len(out) - 1
		switch {
		case line == "" && (last < 0 || out[last] == ">"):
			continue
		case line == "":
			out = append(out, ">")
			continue
		case last >= 0 && out[last] != ">":
			out[last] += `\`
		}
		out = append(out, "> "+line)
	}
	if len(out) > 0 && out[len(out)-1] == ">" {
		out = out[:len(out)-1]
	}
	return strings.Join(out, "\n")
}

// code is a name in a code span, that may stand in a cell of a table. What no
// code span can show there is shown as text.
func code(s string) string {
	if s == "" || s != visible(s) || strings.ContainsAny(s, "`|\\<>\n") || s != strings.TrimSpace(s) {
		return inline(s)
	}
	return "`" + s + "`"
}

// goCode is a block of Go code. Its fence is longer than any in it.
func goCode(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "go\n" + s + "\n" + fence
}

// maxBrief is how many characters the first sentence of a text may have.
const maxBrief = 120

func brief(s string) string { return inline(firstSentence(s)) }

// firstSentence is the first sentence of what is visible of a text, and not escaped.
func firstSentence(s string) string {
	s = strings.TrimSpace(visible(s))
	s, _, _ = strings.Cut(s, "\n")
	if first, _, ok := strings.Cut(s, ". "); ok {
		s = first + "."
	}
	if runes := []rune(s); len(runes) > maxBrief {
		s = strings.TrimSpace(string(runes[:maxBrief])) + "…"
	}
	return s
}
