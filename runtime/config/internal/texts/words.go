// Splitting a command line, as a shell would.

package texts

import "strings"

// Words splits a command line at white space. Single quotes keep everything inside them. Double quotes do
// too, except for a backslash before a double quote, a backslash or a dollar. Outside quotes a backslash
// keeps the next character. Nothing is expanded. The result is false if a quote is not closed.
func Words(line string) ([]string, bool) {
	var (
		words []string
		word  strings.Builder
		open  bool // a word has begun, perhaps an empty one
		quote byte
	)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'':
			word.WriteByte(c)
		case c == '\\' && i+1 < len(line) && (quote == 0 || strings.IndexByte("\"\\$", line[i+1]) >= 0):
			i++
			word.WriteByte(line[i])
			open = true
		case quote == '"':
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words, quote == 0
}

// Line joins arguments into one line, and quotes them where necessary.
func Line(args []string) string {
	shown := make([]string, len(args))
	for i, arg := range args {
		shown[i] = arg
		if arg == "" || strings.ContainsAny(arg, " \t\r\n'\"\\") {
			shown[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(shown, " ")
}
