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
// # Files of other systems
//
// A file is recognised by its path, and by its content where the path says nothing or
// two systems share it. JSON may have comments and trailing commas. A manifest of
// scarab may have any name and is recognised by its header, apiVersion: scarab/v1; its
// trust level is shown and decides nothing.
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
// What is wrong in a file is an error, save in those of tallow and indusr: they go
// on without the row or the file, and so does this package, with a [Notice] that
// has the place. So it does in [LoadServers] with what is not a server file of any form.
// Keys without effect here are notices, too. No file grants a
// permission silently: keys that let tools run unasked have no effect.
//
// Programs start in the project that a file belongs to, as far as their system
// does that, and get the whole environment of the parent, save the variables in which
// mcpgen finds secrets and inputs; those of Codex get what it names, and those of
// Gemini no variable that looks like a secret.
//
// # Merging
//
// Of files that are imported the first definition of a server wins whole, of paths of
// [LoadServers] the last one, of the files in one folder the first. [Search] and
// [Discover] read what a system reads by itself, by its own rule: a project's file
// before the user's mostly, the user's with the project's over it in tallow, and all of
// them with the later one counting in indusr, in a folder for [LoadServers] too. Files of a project that were not named are used
// only if the project is trusted: see [Environment.Trusted].
//
// [Project.Settings] says where each value of the result comes from.
package config
