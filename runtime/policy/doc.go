// Package policy decides who may call what. A [Policy] is made of rules about
// servers and their tools, and stands as middleware before an invoker, so that
// typed calls, registered tools, native tools and the command line pass the same
// gate.
//
// # Rules
//
// A rule is about a server and a tool, as they are configured and as the server
// spells it. It is never about the name that a model sees. Rules are read in the
// form in which three systems write them, and in one of mcpgen's own:
//
//	tool.invoke:mcp.github.list_prs   segments: * is one of them, or a part of one; ** is many;
//	tool.invoke:mcp.github.*          a * at the end crosses segments
//	tool.invoke:mcp.*                 every tool of every server
//	mcp:filesystem_read_file          the server's name with all but A-Z, a-z, 0-9 and _ made _,
//	mcp:filesystem_*                  then _ and the tool, as it is or made so as well; a * at the
//	filesystem_*                      end takes everything, others are those of path.Match; mcp: may
//	                                  be left out
//	mcp:fs_rm {"path":"/tmp/*         after a space: arguments as JSON, compared by value; texts are
//	                                  patterns, and a * at the end allows further members
//	tool.call.echo                    the tool of that name, whatever server has it, native ones too
//	tool:github/list_*                server, slash, tool
//	prompt:github/review              a prompt, and the completion of its arguments
//	resource:docs/file:///guide/*     a resource or template, and the completion of its variables
//
// In the last three forms patterns are as in path.Match, except that a * at the
// end takes everything, and a backslash takes the next character for itself.
//
// A rule about a tool means that tool with any arguments. Rules about tools
// allow tools alone: prompts and resources have forms of their own. A rule that
// denies every tool of a server denies everything else of that server, too.
//
// What denies beats what allows. Annotations of a server grant nothing.
//
// A rule that allows means names as they are spelled, byte for byte. One that
// denies also means what a server may take for the same: another case of letters,
// invisible characters, and the wide forms of ASCII.
//
// # Addresses
//
// Parsers do not agree on the addresses of resources: on escapes, backslashes, dot
// segments, and where the host ends. An address is put into every form that those
// of WHATWG, RFC 3986, net/url and Python's urllib make of it. A pattern that
// allows has to take all of these forms, and a rule that denies has to take one.
// No pattern allows an address that holds control characters or broken escapes, or
// whose host parsers do not agree on: only a rule that is exactly that address
// does. The completion of a template is about the template, and about what it
// makes with the values that the server is sent.
//
// # What names could confuse
//
// mcp:a_b_c may mean the tool b_c of the server a, or c of a_b. With
// [Config.Servers] a rule that allows means the longest configured name that
// fits, and one that denies means each of them. Two servers that the rule cannot
// tell apart are an error of [New].
//
// # Secrets
//
// A handle such as {{secret:github-token}} in the environment of a server is
// replaced only where a [SecretRule] allows that server the secret:
// [Policy.Secrets] is the function for it.
package policy
