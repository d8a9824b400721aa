// Package policy decides who may call what. A [Policy] consists of rules and is used
// as middleware, so that typed calls, registered tools, native tools and the command
// line pass the same gate.
//
// A rule names a server by its configured name and a tool in the server's spelling,
// never by the name that a model sees:
//
//	tool:github/list_*                server, slash, tool
//	prompt:github/review              a prompt, and the completion of its arguments
//	resource:docs/file:///guide/*     a resource or template, and the completion of its variables
//	tool.invoke:mcp.github.*          scarab: segments; * is one of them or a part of one, ** is
//	                                  many, and a * at the end crosses segments
//	mcp:filesystem_read_file          core-agent: server and tool with all but A-Z, a-z, 0-9 and _
//	filesystem_*                      made _, joined by _; the tool also as it is
//	mcp:fs_rm {"path":"/tmp/*         after a space: arguments as JSON, compared by value
//	tool.call.echo                    Covenant: the tool of that name, whatever server has it
//
// Patterns have the syntax of path.Match, except that a * at the end matches
// everything; except in mcp: rules, a backslash makes the next character literal. A
// rule about a tool covers any arguments. Rules about tools allow only tools; a rule
// that denies every tool of a server also denies everything else of that server.
//
// Deny takes precedence over allow. Annotations of a server grant nothing. A rule
// that allows matches names byte for byte. A rule that denies also matches names that
// a server may consider equal: with another case of letters, invisible characters, or
// the wide forms of ASCII.
//
// Parsers read the addresses of resources differently, so an address is converted
// into every form that common parsers produce: a pattern that allows must match all
// of them, and a pattern that denies must match one. No pattern allows an address
// with control characters or broken escapes, or one about whose host parsers
// disagree.
//
// mcp:a_b_c may refer to the tool b_c of the server a, or to c of a_b. With
// [Config.Servers], a rule that allows refers to the longest configured name that
// matches, and a rule that denies refers to each of them. Two servers that the rule
// cannot distinguish are an error of [New].
//
// A handle such as {{secret:github-token}} in the environment of a server is only
// replaced if a [SecretRule] allows the server the secret: see [Policy.Secrets].
package policy
