package gogen

// Breaking long lines. Jennifer writes each declaration and each statement on one line,
// and gofmt does not break lines.

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxColumns = 120
	tabColumns = 4 // of a tab
)

// wrapper breaks the lines of unformatted source that gofmt would make longer than
// maxColumns: between the elements of a list of parameters, arguments or members. A
// line without such a list stays as it is. Jennifer writes a file at once.
type wrapper struct{ out []byte }

func (w *wrapper) Write(source []byte) (int, error) {
	w.out = slices.Grow(w.out, len(source)+len(source)/16)
	depth := 0
	for line := range bytes.Lines(source) {
		line = bytes.TrimRight(line, "\n")
		if len(line)+depth*tabColumns > maxColumns*3/4 && columns(string(line)) > room(depth) {
			for _, part := range breakLine(string(line), depth) {
				w.out = append(append(w.out, part...), '\n')
			}
		} else {
			w.out = append(append(w.out, line...), '\n')
		}
		eachCode(line, func(_ int, c byte) {
			depth += nesting(c)
		})
	}
	return len(source), nil
}

// room is the width of a line inside of depth brackets.
func room(depth int) int { return maxColumns - depth*tabColumns }

// nesting is 1 for an opening bracket, -1 for a closing one, and 0 for all else.
func nesting(c byte) int {
	switch c {
	case '(', '{', '[':
		return 1
	case ')', '}', ']':
		return -1
	}
	return 0
}

// eachCode calls f for each byte of a line that is in no literal and no comment.
func eachCode[T string | []byte](line T, f func(i int, c byte)) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"' || c == '`':
			for i++; i < len(line) && line[i] != c; i++ {
				if c == '"' && line[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(line) && line[i+1] == '/':
			return
		default:
			f(i, c)
		}
	}
}

// columns is the width that gofmt gives an unformatted line without its indentation,
// or a little more.
func columns(line string) int {
	n := utf8.RuneCountInString(line)
	eachCode(line, func(i int, c byte) {
		rest := line[i+1:]
		switch {
		case c == ',' && rest != "" && rest[0] != ' ':
			n++
		case c == ' ' && i > 0 && strings.IndexByte("*&.]", line[i-1]) >= 0,
			c == ' ' && strings.HasPrefix(rest, ". "),
			c == ' ' && strings.HasPrefix(rest, "(") && line[:i] != "func" && line[i-1] != ')':
			n--
		}
	})
	return n
}

// bracketed is a list in brackets.
type bracketed struct {
	open, close int
	commas      []int // between its elements
}

// longestList is the list of a line that takes the most room, so that it is in no other
// one; nil if there is none. Brackets that the line does not close do not count, nor
// does a receiver.
func longestList(line string) *bracketed {
	var longest *bracketed
	var open []*bracketed
	eachCode(line, func(i int, c byte) {
		last := len(open) - 1
		switch {
		case c == ',' && last >= 0:
			open[last].commas = append(open[last].commas, i)
		case nesting(c) > 0:
			open = append(open, &bracketed{open: i})
		case nesting(c) < 0 && last >= 0:
			list := open[last]
			open = open[:last]
			list.close = i
			if i > list.open+1 && line[:list.open] != "func " && (longest == nil || i-list.open > longest.close-longest.open) {
				longest = list
			}
		}
	})
	return longest
}

// breakLine breaks a line inside of its longest list, as late as possible each time.
func breakLine(line string, depth int) []string {
	list := longestList(line)
	if columns(line) <= room(depth) || list == nil {
		return []string{line}
	}
	lines := []string{line[:list.open+1]}
	begin := list.open + 1
	for i := range len(list.commas) + 1 {
		element := line[begin:]
		if i < len(list.commas) {
			begin = list.commas[i] + 1
			element = element[:len(element)-len(line)+begin]
		}
		last := len(lines) - 1
		// A first element that no line has room for stays on its line.
		stays := i == 0 && columns(element) > room(depth+1) && longestList(element) == nil
		if longer := lines[last] + element; stays || columns(longer) <= room(depth+min(last, 1)) {
			lines[last] = longer
		} else if element = strings.TrimLeft(element, " "); element != "" {
			lines = append(lines, element)
		}
	}
	if len(lines) == 1 {
		return lines
	}
	var out []string
	for i, part := range lines {
		out = append(out, breakLine(part, depth+min(i, 1))...)
	}
	return out
}
