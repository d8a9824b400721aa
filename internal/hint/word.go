package hint

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word quotes a word for a POSIX shell. Non-printable characters use quotes that only bash and zsh
// support.
func Word(text string) string {
	plain := func(r rune) bool {
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./:@%+=,-", r))
	}
	switch {
	case text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0:
		return text
	case strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) < 0 && !strings.Contains(text, "##"):
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	quoted := strconv.QuoteToASCII(text)
	quoted = strings.NewReplacer(`'`, `\'`, `##`, `#\x23`, `\"`, `"`).Replace(quoted[1 : len(quoted)-1])
	return "$'" + quoted + "'"
}
