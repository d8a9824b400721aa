// Agents in markdown, whose front matter lists the servers that they use.

package config

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/tree"
)

// Agent is the part of an agent's markdown file about servers.
type Agent struct {
	Path    string
	Name    string   // of the agent; the file's name without extension by default
	Servers []string // names, in the order of the file; nil means all, empty means none
	Notices []Notice
}

// Env returns the variable, as NAME=value, that limits a subprocess to the agent's servers. It is "" for
// an agent with all servers. For an agent without servers the value is a comma, since an empty variable
// means all servers. See [Scope].
func (a *Agent) Env() string {
	if a.Servers == nil {
		return ""
	}
	if len(a.Servers) == 0 {
		return "PI_MCP_SERVERS=,"
	}
	return "PI_MCP_SERVERS=" + strings.Join(a.Servers, ",")
}

// LoadAgent reads an agent's markdown file. The front matter is YAML between two lines of three dashes at
// the beginning. Its mcpServers is one name, several separated by commas, or a list of names. Server
// definitions in it are not supported: they lead to a notice, and only the listed names count. An empty
// list allows no server. Front matter without its second line of dashes is an error. An agent without
// mcpServers gets all servers.
func LoadAgent(path string) (*Agent, error) {
	data, err := regular.ReadFile(path, maxConfigFile)
	if err != nil {
		return nil, unreadable(path, err, "name an agent's markdown file")
	}
	return parseAgent(path, data)
}

func parseAgent(path string, data []byte) (*Agent, error) {
	r := &tree.Report{Path: path, Skipped: 1} // the dashes
	a := &Agent{Path: path, Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	front, closed := tree.FrontMatter(data)
	first, _, _ := bytes.Cut(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
	if !closed && strings.TrimRight(string(first), " \t\r") == "---" {
		r.Skipped = 0
		r.Fail(tree.Pos{Line: 1, Column: 1}, "", "the front matter is not closed", "end it with a line of three dashes")
		return nil, inOrder(r)
	}
	if len(bytes.TrimSpace(front)) == 0 {
		return a, nil
	}
	root := tree.ParseYAML(r, front)
	switch {
	case root == nil:
		return nil, inOrder(r)
	case root.Kind != tree.Map:
		r.Fail(root.Pos, "", "want a mapping, found "+root.Kind.String())
		return nil, inOrder(r)
	}
	r.Doubles(root, "", "mcpServers")
	r.NoteDoubles(root, "", "mcpServers")
	for _, m := range root.Members {
		if m.Name != "mcpServers" && strings.EqualFold(strings.NewReplacer("_", "", "-", "").Replace(m.Name), "mcpServers") {
			r.Note(m.Pos, tree.Path("").Key(m.Name), "without effect here", "write mcpServers")
		}
	}
	if name := root.Value("name"); name != nil && name.Kind == tree.String {
		a.Name = name.Text
	}
	if servers := root.Value("mcpServers"); servers != nil && servers.Kind != tree.Null {
		a.Servers = agentServers(r, servers)
	}
	a.Notices = noticesOf(r.Notices)
	return a, inOrder(r)
}

// agentServers reads the three forms of mcpServers. The result is never nil.
func agentServers(r *tree.Report, n *tree.Node) []string {
	const inline = "definitions of servers are not supported here"
	const step = "define the server in a server file and write its name"
	names := []string{}
	switch n.Kind {
	case tree.String:
		names = append(names, scopeNames(n.Text)...)
	case tree.List:
		for i, item := range n.List {
			if item.Kind != tree.String {
				r.Note(item.Pos, tree.Path("mcpServers").Index(i), inline, step)
				continue
			}
			names = append(names, scopeNames(item.Text)...)
		}
	case tree.Map:
		r.Note(n.Pos, "mcpServers", inline, step)
	default:
		r.Fail(n.Pos, "mcpServers", "want names of servers, found "+n.Kind.String())
	}
	return names
}
