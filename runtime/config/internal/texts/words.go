// A command line in one text, as a shell would take it apart.

package texts

import "strings"

// Words takes a command line apart at white space. Single quotes keep all
// that stands between them, double quotes all but a backslash before a double
// quote, a backslash or a dollar; elsewhere a backslash keeps the next character.
// Nothing is expanded. It is false if a quote is not closed.
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

// Line writes arguments on one line, with quotes where a word needs them.
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
