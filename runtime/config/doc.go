// Package config reads the files that say which MCP servers a program uses:
// mcpgen.yaml, and the server files of other systems that it imports.
//
// All of them become one [Project] with a list of [endpoint.Server], whatever
// file a server came from. Nothing is started, nothing is connected and no
// variable is looked up here: a text that holds a variable stays as it is
// written, and its server carries the rule by which it is expanded when a
// session starts.
//
// mcpgen.yaml is read strictly. Unknown keys, duplicate keys, wrong types and
// values that cannot mean anything are errors with line and column, and all
// errors of a file are reported together, joined, each an [*Error].
//
// # Files
//
// The name of a file decides how it is read:
//
//	file                          form            variables                  working directory
//	mcpgen.yaml, .yml, .json      [File]          ${env:NAME}, $${ is ${     the file's folder
//	.mcp.json                     plain servers   ${NAME}, ${NAME:-default}  the file's folder
//	any other file                plain servers   none, texts are literal    the program's own
//
// Plain servers are the JSON forms {"mcpServers": {name: {…}}} and
// {"servers": {name: {…}}} or {"servers": [{"name": …}]}, with comments and
// trailing commas. Their processes get the whole environment of the parent,
// as the systems that these files come from do it.
//
// An unset variable without a default is an error when the session starts. It
// names the variable and the place, never a value.
package config
