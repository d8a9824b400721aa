package naming

import (
	"slices"
	"strconv"
	"strings"
)

// Namesake returns the id of a server whose name another one has whose file comes first:
// the name, @ and whose file its own is ("file" of one that is nobody's), and from the
// second one of these on a number: github@user, github@user-2.
//
// Both servers are attached, and [Scheme.Qualify] calls the tools of both by the name. The
// name alone is the id of the first server: where one means a server or a tool of several
// (server/tool, a name that two tools ask for, a rule that allows) it is that one's. A rule
// that denies is about both.
func Namesake(name, scope string, n int) string {
	id := name + "@" + scope
	if scope == "" {
		id += "file"
	}
	if n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// Plain returns the name that a server has in its file, by its id: what [Namesake] made is
// taken off, and every other id is the name.
func Plain(id string) string {
	at := strings.LastIndexByte(id, '@')
	if at <= 0 {
		return id
	}
	scope, number, numbered := strings.Cut(id[at+1:], "-")
	if n, err := strconv.Atoi(number); numbered && (err != nil || n < 2) {
		return id
	}
	if !slices.Contains([]string{"project", "local", "user", "system", "managed", "file"}, scope) {
		return id
	}
	return id[:at]
}
