package naming

import (
	"slices"
	"strconv"
	"strings"
)

// Namesake returns the ID of a server whose name another server has in an earlier
// file: the name, @, and the scope of the server's file ("file" without a scope).
// From the second such server on, a number follows: github@user, github@user-2.
//
// Both servers are attached, and [Scheme.Qualify] names the tools of both by the
// plain name. The plain name alone is the ID of the first server. If an ID could
// refer to several (server/tool, a name that two tools ask for, a rule that allows),
// it refers to the first. A rule that denies applies to both.
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

// Plain returns the name of a server in its file, from its ID: it removes what
// [Namesake] added. Any other ID is the name itself.
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
