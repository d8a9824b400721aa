package gogen

// Examples: a value of the arguments, written as a user of the package would
// write it. The texts in it come from schemas, so each is a quoted literal.

import (
	"go/format"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

const (
	exampleWidth   = 96   // columns of code in one line
	longestExample = 1500 // bytes; longer ones are left out
)

// exampleOf is the call of a tool as code in a comment, or "".
func exampleOf(pkg string, t *ir.Tool) string {
	if t.Example == nil {
		return ""
	}
	function := pkg + "." + t.Go + "(ctx, "
	call := func(width int) string { return function + gotext.Value(pkg, t.Example, width) + ")" }
	code := call(exampleWidth)
	if columns(code) > maxColumns-2*tabColumns && !strings.Contains(code, "\n") {
		code = call(exampleWidth - len(function))
	}
	lines := strings.Split(aligned(code), "\n")
	if slices.ContainsFunc(lines, func(line string) bool { return inert(line) != line }) {
		lines = []string{call(longestExample)} // a line by itself would look like a directive
	}
	text := strings.Join(lines, "\n")
	if len(text) > longestExample || safetext.Strip(text) != text {
		return ""
	}
	return "```\n" + text + "\n```"
}

// aligned puts the values of a literal of several lines below each other.
func aligned(code string) string {
	if !strings.Contains(code, "\n") {
		return code
	}
	data, err := format.Source([]byte(code))
	if err != nil {
		return code
	}
	return string(data)
}
