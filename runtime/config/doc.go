// Package config reads the files that say which MCP servers a program uses:
// mcpgen.yaml, and the server files of other systems that it imports.
//
// Every file becomes a part of one [Project] with a list of [endpoint.Server]. This package starts
// nothing, connects to nothing, and looks up no variables: a text with a variable stays as written, and
// its server holds the rule that expands it when a session starts.
//
// mcpgen.yaml is read strictly. Unknown keys, duplicate keys, wrong types and meaningless values are
// errors with line and column. All errors of a file are joined and reported together, each as an
// [*Error].
//
// # Files of other systems
//
// A file is recognised by its path, or by its content if the path is ambiguous or unknown. JSON may have
// comments and trailing commas. A manifest of scarab may have any name and is recognised by its header,
// apiVersion: scarab/v1; its trust level is shown and has no effect.
//
//	format           file                              variables                           unset
//	scarab           agent.yaml, manifest.yaml         {{secret:name}} in env              error
//	coreagent        .agents/mcp.json                  ${env:NAME} in env and headers      empty
//	covenant         secrets.toml                      $NAME                               empty
//	tallow           .tallow/settings.json             none
//	indusr           .indusvx/mcp.json                 none
//	claude-desktop   claude_desktop_config.json        none
//	claude-code      .mcp.json, .claude.json           ${NAME}, ${NAME:-default}           error
//	vscode           .vscode/mcp.json                  ${env:NAME}, ${input:id}            empty; error
//	cursor           .cursor/mcp.json                  ${env:NAME}                         empty
//	windsurf         mcp_config.json                   ${env:NAME}, ${file:path}           empty; error
//	zed              settings.json, context_servers    none
//	codex            config.toml                       names of variables in keys for them error
//	gemini           .gemini/settings.json             $NAME, ${NAME}, ${NAME:-default}    literal; empty in env
//	copilot-cli      .copilot/mcp-config.json          ${NAME}, ${NAME:-default}           empty
//	kiro             .kiro/settings/mcp.json           ${NAME}                             error
//	crush            crush.json                        $NAME, ${NAME}, ${NAME:-default}    empty
//	goose            goose/config.yaml                 $NAME, ${NAME} in headers           literal; error in env_keys
//	opencode         opencode.json, .agents/mcp.json   {env:NAME}, {file:path}             empty; error
//	mcporter         mcporter.json                     ${NAME}, ${NAME:-default}, $env:X   error
//	server.json      server.json                       {name} of its inputs                error if required
//	docker-catalog   docker-mcp.yaml                   {{name|filter}} of config.yaml      empty
//	plain            any other JSON                    none
//
// An input is the environment variable MCPGEN_INPUT_ and its id in upper case.
// mcpgen.yaml itself has ${env:NAME}, an error if unset; ${env:NAME:-default}, the
// default if unset or empty; ${dir}, the absolute folder of the file; {{secret:name}}
// in env; and $${ for ${.
//
// Problems in a file are errors, except in files of tallow and indusr. Those systems ignore a broken row
// or file, and so does this package, with a [Notice] that has the place. [LoadServers] treats files that
// are not server files of any form in the same way. Keys without effect are notices, too. No file grants
// a permission silently: keys that let tools run without asking have no effect.
//
// Programs start in the project that a file belongs to if their system does that. They inherit the whole
// environment, except the variables in which mcpgen finds secrets and inputs. Programs of Codex inherit
// the variables that their file names, and programs of Gemini no variable that looks like a secret.
//
// # Merging
//
// If several files define a server, one whole definition wins: the first one among imported files, the
// last one among paths of [LoadServers], the first one among the files in one folder. [Search] and
// [Discover] apply a system's own rule to the files that it reads by itself: mostly, a project's file
// wins over the user's. In tallow the project's settings are merged over the user's, and in indusr the
// later file wins, also in a folder for [LoadServers]. Files of a project that were not named are used
// only if the project is trusted: see [Environment.Trusted].
//
// [Project.Settings] lists where each value of the result comes from.
package config
