// The table of dialects: how the files of each system are read.

package config

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// dialect is what one system's files mean. Its functions are never nil.
type dialect struct {
	name string

	path  func(p parts) bool           // does the name of a file say that it is one?
	sniff func(root *tree.Node) bool   // does its content?
	files func(env Environment) []file // where they are, by precedence, the highest first
	owns  func(f *serverFile) bool     // is a file that was found there one of its own? nil: others have no files of these names

	read   func(f *serverFile, root *tree.Node) // finds the rows of a file
	keys   []rowKey                             // what the keys of a row mean
	finish func(e *entry)                       // what several keys mean together, the transport among them

	vars    func(f *serverFile) *syntax // nil: texts are literal
	expands bool                        // rows bring an expander of their own

	inherit endpoint.Inherit // which variables of the parent a process gets
	start   startIn          // where processes start
	restart endpoint.Restart
	lenient bool // what is wrong leaves a row or a file out and is no error
	coerce  bool // a value of another type counts as if it were not there
	merge   func(rows [][]row) []row

	naming naming.Scheme // how it names tools; "" is not one of the schemes, or not known
	denies bool          // its gate is on by itself: what no permission allows is denied, and every call is written down
	native []string      // the tools that it has itself, beside those of servers
	guides []string      // the sections of its own in an agent's instructions

	grammar  policy.Grammar // how it writes rules about tools; "" if it has none
	allowKey string         // where its files list those that allow; "" if they are granted

	gated bool // it uses a project's file only if the project is trusted, wherever it comes from
	asked bool // whoever names the system gets a project's file that is not trusted, too

	// home is the folder below the user's in which a system keeps what holds in every
	// project: grants and the log. "" is the project's own folder.
	home string

	commands []string // commands as its own users spell them: they find its files, too
}

// profile reports whether the system is known as a whole: how it names tools, and
// what else its files leave unsaid.
func (d dialect) profile() bool { return d.naming != "" }

// file is one place where a dialect's files are.
type file struct {
	path  string
	scope string
}

// Whose file it is.
const (
	scopeProject = "project"
	scopeLocal   = "local"
	scopeUser    = "user"
	scopeSystem  = "system"
	scopeManaged = "managed"
)

// dialects are all of them. Where several could be meant by a content the first
// one is, so the most particular stand first.
func dialects() []dialect {
	return []dialect{
		scarab(), registry(), docker(), covenant(), codex(),
		openCodeAgents(), openCode(), zed(), mcporter(),
		claudeCode(), claudeDesktop(), cursor(), windsurf(), gemini(), tallow(),
		coreAgent(), vscode(), indusr(), plain(),
	}
}

// Formats are the names of the dialects, for [Search].
func Formats() []string {
	var names []string
	for _, d := range dialects() {
		if d.name != plainName {
			names = append(names, d.name)
		}
	}
	return names
}

// parts are the elements of a path, the last one first.
type parts []string

func (e Environment) parts(path string) parts {
	if e.OS == "windows" {
		path = strings.ReplaceAll(path, "\\", "/")
	}
	elements := strings.Split(path, "/")
	p := make(parts, len(elements))
	for i, element := range elements {
		p[len(elements)-1-i] = element
	}
	return p
}

// end reports whether a path ends like one of these slash paths. Letters' case
// counts not: it does not on two of three systems.
func (p parts) end(paths ...string) bool {
	for _, path := range paths {
		want := strings.Split(path, "/")
		ok := len(want) <= len(p)
		for i := 0; ok && i < len(want); i++ {
			ok = strings.EqualFold(p[i], want[len(want)-1-i])
		}
		if ok {
			return true
		}
	}
	return false
}

// detect finds the dialect of a file: by its path, and by its content where the
// path says nothing, or says something that the content contradicts.
func detect(env Environment, path string, root *tree.Node) dialect {
	all, p := dialects(), env.parts(path)
	var named []dialect
	for _, d := range all {
		if d.name != plainName && d.path(p) {
			named = append(named, d)
		}
	}
	for _, d := range named {
		if d.sniff(root) {
			return d
		}
	}
	for _, d := range all {
		if d.name != plainName && sniffable(d) && d.sniff(root) {
			return d
		}
	}
	if len(named) > 0 && (named[0].lenient || !plain().sniff(root)) {
		return named[0]
	}
	return all[len(all)-1]
}

// sniffable reports whether content alone can tell a dialect. The systems that
// call their container mcpServers cannot be told apart by it.
func sniffable(d dialect) bool {
	switch d.name {
	case "claude-code", "claude-desktop", "cursor", "windsurf", "gemini", "tallow", "mcporter":
		return false
	}
	return true
}

// dialectByPath is the dialect of a file whose content cannot be read.
func dialectByPath(env Environment, path string) dialect {
	all, p := dialects(), env.parts(path)
	for _, d := range all {
		if d.path(p) {
			return d
		}
	}
	return all[len(all)-1]
}

// has reports whether the root has a mapping of the name, and one whose entries
// satisfy a test if there is one.
func has(name string, test func(entry *tree.Node) bool) func(*tree.Node) bool {
	return func(root *tree.Node) bool {
		v := root.Value(name)
		if v == nil || v.Kind != tree.Map {
			return false
		}
		if test == nil {
			return true
		}
		for _, m := range v.Members {
			if test(m.Value) {
				return true
			}
		}
		return false
	}
}

func hasKey(name string) func(*tree.Node) bool {
	return func(n *tree.Node) bool { return n.Value(name) != nil }
}

func stringIn(n *tree.Node, words ...string) bool {
	if n == nil || n.Kind != tree.String {
		return false
	}
	for _, w := range words {
		if n.Text == w {
			return true
		}
	}
	return false
}

func noVars(*serverFile) *syntax { return nil }

func vars(x func() *syntax) func(*serverFile) *syntax {
	return func(*serverFile) *syntax { return x() }
}

// whole is the environment of most systems' processes.
func whole() endpoint.Inherit { return endpoint.Inherit{All: true} }

func concat(lists ...[]rowKey) []rowKey {
	var all []rowKey
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

const plainName = "plain"

// plain is for files that no system is known for, and for those of Cline, Roo and
// Kiro, which are like them.
func plain() dialect {
	return dialect{
		name: plainName,
		path: func(p parts) bool {
			return p.end("cline_mcp_settings.json", ".kiro/settings/mcp.json", ".roo/mcp.json", "mcp.json")
		},
		sniff: func(root *tree.Node) bool { return root.Value("mcpServers") != nil || root.Value("servers") != nil },
		files: func(Environment) []file { return nil },
		read:  readPlain,
		keys: concat([]rowKey{
			transportKey("type"), transportKey("transport"), commandKey("command"), argsKey(), envKey("env"), cwdKey(),
			urlKey("url"), headersKey("headers"), descriptionKey(), enabledKey(), disabledKey(), excludeKey("disabledTools"),
		}, grants("autoApprove", "alwaysAllow")),
		finish: decide, vars: noVars, inherit: whole(), merge: firstWins,
	}
}

// readPlain finds the member that holds the servers.
func readPlain(f *serverFile, root *tree.Node) {
	mcp, isMCP := root.Get("mcpServers")
	plain, isPlain := root.Get("servers")
	switch {
	case isMCP && isPlain:
		f.fail(plain.Pos, "servers", "the file has mcpServers too, so it is not clear which one counts", "keep one of them")
	case isMCP:
		f.rowsAt(mcp.Value, "mcpServers", false)
	case isPlain:
		f.rowsAt(plain.Value, "servers", true)
	default:
		f.fail(root.Pos, "", "no mcpServers and no servers in it", "this is no server file of a form that mcpgen reads")
	}
}
