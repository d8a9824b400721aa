// The files of Claude Desktop, Claude Code, VS Code, Cursor, Windsurf and Zed.

package config

import (
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// appData are the folders of a program's settings: a user's on each system.
func (e Environment) appData(below string) string {
	switch e.OS {
	case "windows":
		roaming := e.lookup("APPDATA")
		if roaming == "" {
			roaming = e.join(e.Home, "AppData/Roaming")
		}
		return e.join(roaming, below)
	case "darwin":
		return e.join(e.Home, "Library/Application Support/"+below)
	}
	return e.join(e.xdgConfig(), below)
}

// xdgConfig is $XDG_CONFIG_HOME if it is absolute, else ~/.config.
func (e Environment) xdgConfig() string {
	if folder := e.lookup("XDG_CONFIG_HOME"); e.isAbs(folder) {
		return folder
	}
	return e.join(e.Home, ".config")
}

// claudeDesktop is claude_desktop_config.json.
func claudeDesktop() dialect {
	return dialect{
		name:  "claude-desktop",
		path:  func(p parts) bool { return p.end("claude_desktop_config.json") },
		sniff: has("mcpServers", nil),
		files: func(env Environment) []file {
			files := []file{{path: env.appData("Claude/claude_desktop_config.json"), scope: scopeUser}}
			if env.OS != "windows" && env.OS != "darwin" {
				files = append(files, file{path: env.appData("claude/claude_desktop_config.json"), scope: scopeUser})
			}
			return files
		},
		read: in("mcpServers"),
		keys: []rowKey{transportKey("type"), commandKey("command"), argsKey(), envKey("env"), urlKey("url"), headersKey("headers"),
			disabledKey(), descriptionKey()},
		finish: decide, vars: noVars, inherit: whole(), merge: firstWins,
	}
}

// claudeCode is .mcp.json and its kin.
func claudeCode() dialect {
	return dialect{
		name: "claude-code",
		path: func(p parts) bool { return p.end(".mcp.json", ".claude.json", "managed-mcp.json") },
		sniff: func(root *tree.Node) bool {
			return has("mcpServers", nil)(root) || has("projects", hasKey("mcpServers"))(root)
		},
		files: claudeFiles,
		read:  readClaude,
		keys: []rowKey{
			transportKey("type"), transportKey("transport"), commandKey("command"), argsKey(), envKey("env"),
			urlKey("url"), headersKey("headers"), {"oauth", claudeOAuth}, enabledKey(), disabledKey(), descriptionKey(),
			noted("headersHelper", "mcpgen runs no shell for headers; write them into headers, or define the server in mcpgen.yaml"),
			{"alwaysLoad", func(*entry, *tree.Node, tree.Path) {}},
		},
		finish: func(e *entry) {
			if e.server.Name == "workspace" {
				e.left = "the name workspace is reserved in Claude Code, which skips it"
				return
			}
			decide(e)
		},
		vars: vars(claudeVars), inherit: whole(), start: startWorkspace, merge: firstWins,
	}
}

func claudeFiles(env Environment) []file {
	user := env.join(env.Home, ".claude.json")
	if folder := env.lookup("CLAUDE_CONFIG_DIR"); folder != "" {
		user = env.join(folder, ".claude.json")
	}
	managed := "/etc/claude-code/managed-mcp.json"
	switch env.OS {
	case "darwin":
		managed = "/Library/Application Support/ClaudeCode/managed-mcp.json"
	case "windows":
		managed = `C:\Program Files\ClaudeCode\managed-mcp.json`
	}
	return []file{
		{path: managed, scope: scopeManaged},
		{path: user, scope: scopeLocal},
		{path: env.join(env.Dir, ".mcp.json"), scope: scopeProject},
		{path: user, scope: scopeUser},
	}
}

// readClaude reads a user's servers for one project, then those for all. A
// search asks for each of them by its scope.
func readClaude(f *serverFile, root *tree.Node) {
	scope, found := f.scope, false
	if projects := root.Value("projects"); projects != nil && (scope == scopeLocal || !f.searched) {
		for _, m := range projects.Members {
			if servers := m.Value.Value("mcpServers"); servers != nil && f.env.Dir != "" && f.env.same(m.Name, f.env.Dir) {
				f.scope, f.workspace, found = scopeLocal, f.env.Dir, true
				f.rowsAt(servers, tree.Path("projects").Key(m.Name).Key("mcpServers"), false)
			}
		}
		f.scope = scope
	}
	if scope == scopeLocal && f.searched || found && root.Value("mcpServers") == nil {
		return
	}
	in("mcpServers")(f, root)
}

func claudeOAuth(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{
		clientIDKey("clientId"), clientSecretKey("clientSecret"), scopesKey("scopes"),
		authText("authServerMetadataUrl", "metadata_url", func(a *endpoint.Auth) *string { return &a.MetadataURL }),
		portKey("callbackPort"),
	})
}

func portKey(name string) rowKey {
	return rowKey{name, func(e *entry, v *tree.Node, at tree.Path) {
		if !e.want(tree.Int, v, at) {
			return
		}
		port, ok := v.Int()
		if !ok || port < 1 || port > 65535 {
			e.fail(v, at, "want a port from 1 to 65535", "")
			return
		}
		e.server.Auth.CallbackPort = int(port)
		e.server.Auth.Kind = endpoint.AuthOAuth
	}}
}

// vscode is .vscode/mcp.json.
func vscode() dialect {
	return dialect{
		name: "vscode",
		path: func(p parts) bool {
			return p.end(".vscode/mcp.json", "Code/User/mcp.json", "Code - Insiders/User/mcp.json")
		},
		sniff: func(root *tree.Node) bool {
			return has("servers", hasKey("type"))(root) || has("servers", nil)(root) && root.Value("inputs") != nil
		},
		files: func(env Environment) []file {
			return []file{
				{path: env.join(env.Dir, ".vscode/mcp.json"), scope: scopeProject},
				{path: env.appData("Code/User/mcp.json"), scope: scopeUser},
				{path: env.appData("Code - Insiders/User/mcp.json"), scope: scopeUser},
			}
		},
		read: func(f *serverFile, root *tree.Node) {
			f.inputs(root.Value("inputs"))
			in("servers")(f, root)
		},
		keys: concat([]rowKey{
			transportKey("type"), commandKey("command"), argsKey(), envKey("env"), envFileKey(), cwdKey(), urlKey("url"), headersKey("headers"),
			descriptionKey(), disabledKey(),
			noted("sandboxEnabled", "mcpgen starts the program without the sandbox of VS Code"),
		}, quiet("dev", "gallery", "version", "sandbox", "name")),
		finish: finishVSCode,
		vars: func(f *serverFile) *syntax {
			x := editorVars(f.builtins())
			x.forms = append([]form{inputForm()}, x.forms...)
			x.inputs = map[string]string{}
			return x
		},
		inherit: whole(), start: startWorkspace, merge: firstWins,
	}
}

// finishVSCode leaves out sockets. Its http falls back to SSE, as no transport
// does here.
func finishVSCode(e *entry) {
	for _, scheme := range [...]string{"unix:", "pipe:"} {
		if strings.HasPrefix(strings.ToLower(e.server.URL), scheme) {
			e.left = "a local socket, which mcpgen does not dial"
			return
		}
	}
	decide(e)
	if e.server.Transport == endpoint.HTTP {
		e.server.Transport = endpoint.Auto
	}
}

// inputs reads what the user is asked for.
func (f *serverFile) inputs(v *tree.Node) {
	if v == nil {
		return
	}
	if v.Kind != tree.List {
		f.fail(v.Pos, "inputs", "want a list, found "+v.Kind.String(), "")
		return
	}
	for _, input := range v.List {
		if id := input.Value("id"); id != nil && id.Kind == tree.String {
			f.vars.inputs[id.Text] = ""
			if d := input.Value("description"); d != nil && d.Kind == tree.String {
				f.vars.inputs[id.Text] = d.Text
			}
		}
	}
}

// builtins are the names that editors give a value.
func (f *serverFile) builtins() map[string]string {
	separator := "/"
	if f.env.OS == "windows" {
		separator = `\`
	}
	return map[string]string{
		"workspaceFolder": f.workspace, "workspaceFolderBasename": f.env.base(f.workspace), "workspaceRoot": f.workspace,
		"userHome": f.env.Home, "pathSeparator": separator, "/": separator,
	}
}

// cursor is .cursor/mcp.json.
func cursor() dialect {
	return dialect{
		name:  "cursor",
		path:  func(p parts) bool { return p.end(".cursor/mcp.json", "Cursor/User/mcp.json") },
		sniff: has("mcpServers", nil),
		files: func(env Environment) []file {
			return []file{
				{path: env.join(env.Dir, ".cursor/mcp.json"), scope: scopeProject},
				{path: env.join(env.Home, ".cursor/mcp.json"), scope: scopeUser},
				{path: env.appData("Cursor/User/mcp.json"), scope: scopeUser},
			}
		},
		read: in("mcpServers"),
		keys: concat([]rowKey{
			transportKey("type"), transportKey("transport"), commandKey("command"), argsKey(), envKey("env"), envFileKey(), cwdKey(),
			urlKey("url"), headersKey("headers"), {"auth", cursorAuth}, descriptionKey(), enabledKey(), disabledKey(),
		}, grants("autoApprove", "alwaysAllow")),
		finish: decide, vars: func(f *serverFile) *syntax { return editorVars(f.builtins()) },
		inherit: whole(), start: startWorkspace, merge: firstWins,
	}
}

func cursorAuth(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{clientIDKey("CLIENT_ID"), clientSecretKey("CLIENT_SECRET"), scopesKey("scopes")})
}

// windsurf is mcp_config.json.
func windsurf() dialect {
	return dialect{
		name:  "windsurf",
		path:  func(p parts) bool { return p.end("mcp_config.json") },
		sniff: has("mcpServers", nil),
		files: func(env Environment) []file {
			var files []file
			for _, folder := range [...]string{".codeium/windsurf", ".codeium/windsurf-next", ".windsurf", ".config/.codeium/windsurf", ".codeium"} {
				files = append(files, file{path: env.join(env.Home, folder+"/mcp_config.json"), scope: scopeUser})
			}
			if env.OS == "windows" {
				files = append(files, file{path: env.appData("Codeium/windsurf/mcp_config.json"), scope: scopeUser})
			}
			return files
		},
		read: in("mcpServers"),
		keys: concat([]rowKey{
			transportKey("type"), commandKey("command"), argsKey(), envKey("env"), urlKey("serverUrl"), urlKey("url"), headersKey("headers"),
			descriptionKey(), disabledKey(), excludeKey("disabledTools"),
		}, grants("alwaysAllow")),
		finish: decide,
		vars: func(f *serverFile) *syntax {
			x := editorVars(nil)
			x.forms = append(x.forms, form{open: "${file:", close: "}", kind: endpoint.FilePrefix, unset: fails})
			x.anchor = f.fileVariable
			return x
		},
		inherit: whole(), merge: firstWins,
	}
}

// fileVariable is the path in ${file:…}: the user's folder for ~, and else
// relative to the folder of the file that names it.
func (f *serverFile) fileVariable(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && f.env.Home != "" {
		return f.env.join(f.env.Home, rest)
	}
	if f.env.isAbs(path) || f.dir == "" {
		return path
	}
	return f.env.join(f.dir, path)
}

// zed is context_servers of Zed's settings.
func zed() dialect {
	return dialect{
		name:  "zed",
		path:  func(p parts) bool { return p.end(".zed/settings.json", "zed/settings.json") },
		sniff: has("context_servers", nil),
		files: func(env Environment) []file {
			files := []file{{path: env.join(env.Dir, ".zed/settings.json"), scope: scopeProject}}
			if env.OS == "windows" {
				files = append(files, file{path: env.appData("Zed/settings.json"), scope: scopeUser})
			}
			folder := env.join(env.Home, ".config")
			if env.OS == "linux" {
				folder = env.xdgConfig()
			}
			return append(files, file{path: env.join(folder, "zed/settings.json"), scope: scopeUser})
		},
		read: in("context_servers"),
		keys: concat([]rowKey{
			{"source", zedSource}, {"command", zedCommand}, argsKey(), orNull(envKey("env")), urlKey("url"), headersKey("headers"),
			enabledKey(), orNull(callKey("timeout", time.Second)), {"oauth", zedOAuth}, descriptionKey(),
		}, quiet("remote", "settings")),
		finish: finishZed, vars: noVars, inherit: whole(), start: startWorkspace, merge: firstWins,
	}
}

func zedSource(e *entry, v *tree.Node, at tree.Path) {
	if e.str(v, at) == "extension" {
		e.left = "an extension of Zed, which Zed alone can start"
	}
}

// zedCommand is a program, or in older files a mapping with all that starts it.
func zedCommand(e *entry, v *tree.Node, at tree.Path) {
	if v.Kind != tree.Map {
		commandKey("command").set(e, v, at)
		return
	}
	e.object(v, at, []rowKey{commandKey("path"), argsKey(), orNull(envKey("env")), orNull(callKey("timeout", time.Millisecond))})
	if !e.command {
		e.fail(v, at, "no path in it", "name the program")
	}
}

func zedOAuth(e *entry, v *tree.Node, at tree.Path) {
	e.object(v, at, []rowKey{clientIDKey("client_id"), clientSecretKey("client_secret")})
}

func finishZed(e *entry) {
	if e.left != "" {
		return
	}
	nested := e.n.Value("command") != nil && e.n.Value("command").Kind == tree.Map
	switch {
	case !e.command && !e.url && e.n.Value("settings") != nil:
		e.left = "an extension of Zed, which Zed alone can start"
	case e.command && (nested || e.n.Value("args") != nil):
		e.local()
	case e.url:
		e.remote(endpoint.Auto)
	case e.command:
		e.fail(e.n, e.at.Key("args"), "args is required: Zed does not load a server without it", `add "args": []`)
	default:
		e.neither()
	}
}
