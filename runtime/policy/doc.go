// Package policy decides who may call what. A [Policy] is made of rules and stands as
// middleware before an invoker, so that typed calls, registered tools, native tools and
// the command line pass the same gate.
//
// A rule is about a server as it is configured and a tool as the server spells it, never
// about the name that a model sees:
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
// Patterns are those of path.Match, except that a * at the end takes everything; outside
// of mcp: a backslash takes the next character for itself. A rule about a tool means any
// arguments. Rules about tools allow tools alone; a rule that denies every tool of a
// server also denies everything else of that server.
//
// Deny beats allow. Annotations of a server grant nothing. A rule that allows means names
// byte for byte. One that denies also means what a server may take for the same: another
// case of letters, invisible characters, and the wide forms of ASCII.
//
// Parsers do not agree on the addresses of resources, so an address is put into every form
// that common parsers make of it: a pattern that allows has to take all of them, and a rule
// that denies has to take one. No pattern allows an address with control characters, with
// broken escapes, or whose host parsers do not agree on.
//
// mcp:a_b_c may mean the tool b_c of the server a, or c of a_b. With [Config.Servers] a
// rule that allows means the longest configured name that fits, and one that denies means
// each of them. Two servers that the rule cannot tell apart are an error of [New].
//
// A handle such as {{secret:github-token}} in the environment of a server is replaced only
// where a [SecretRule] allows that server the secret: see [Policy.Secrets].
package policy
