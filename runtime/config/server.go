// Checks of mcpgen.yaml and its servers beyond the types of their keys.

package config

import (
	"fmt"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// checker checks one mcpgen.yaml.
type checker struct {
	tree.Report
	dir string // absolute folder of the file; "" if there is none
}

// checkFile checks the keys that are not about one server.
func (k *checker) checkFile(file *File, root *tree.Node) {
	k.checkValue(root, "", "output", checkOutput)
	k.oneOf(root, "", "naming", string(naming.Dot), string(naming.Underscore), string(naming.DoubleUnderscore),
		string(naming.MCPDoubleUnderscore), string(naming.Bare))
	if n := root.Value("drift"); n != nil {
		k.checkDrift(file, n, "drift")
	}
	k.checkPolicy(file, root.Value("policy"), "policy")
	k.checkProfiles(file, root.Value("profiles"))
	k.checkBudget(file.Budget, root, "")
	k.checkValue(root, "", "store", func(text string) string { return checkStore(strings.TrimSuffix(text, "/") + "/mcp") })
}

// checkValue checks a member if it is a string.
func (k *checker) checkValue(n *tree.Node, at tree.Path, key string, check func(string) string) {
	if v := n.Value(key); v != nil && v.Kind == tree.String {
		if reason := check(v.Text); reason != "" {
			k.Fail(v.Pos, at.Key(key), reason)
		}
	}
}

// oneOf requires one of some words.
func (k *checker) oneOf(n *tree.Node, at tree.Path, key string, words ...string) {
	v := n.Value(key)
	if v == nil || v.Kind != tree.String || slices.Contains(words, v.Text) {
		return
	}
	word := v.Text
	switch nearest.Of(word, words) {
	case "yolo", "off", string(endpoint.ResourcesOpen), string(endpoint.TokenPassThrough):
		word = "" // no typo is answered by what switches a guard off
	}
	k.Fail(v.Pos, at.Key(key), "unknown value "+tree.Quote(v.Text), tree.Suggest(word, words))
}

// ownServers checks the entries and adds rows for entries that define a server.
func (l *loader) ownServers(file *File, root *tree.Node) {
	for _, m := range root.Value("servers").Entries() {
		at := tree.Path("servers").Key(m.Name)
		if reason := texts.ServerName(m.Name); reason != "" {
			l.Fail(m.Pos, at, reason)
		}
		if m.Value.Kind != tree.Map {
			continue
		}
		entry := file.Servers[m.Name]
		l.checkBuild(&entry, m.Value, at)
		l.checkLimits(&entry, m.Value, at)
		l.checkBudget(entry.Budget, m.Value, at)
		if m.Value.Value("command") != nil || m.Value.Value("url") != nil {
			l.merge([]dialect.Row{l.row(m, &entry, at)})
		}
	}
}

// row converts an entry with a command or a URL to a row.
func (k *checker) row(m tree.Member, entry *Entry, at tree.Path) dialect.Row {
	k.oneOf(m.Value, at, "transport", string(endpoint.Stdio), string(endpoint.HTTP), string(endpoint.SSE))
	k.checkLaunch(m, entry, at)
	s := endpoint.Server{Name: m.Name, Source: endpoint.Source{Path: k.Path, Line: m.Pos.Line}}
	auth := k.authOf(entry, m.Value, at)
	if m.Value.Value("command") != nil {
		s.Launch = &endpoint.Process{
			Command: entry.Command, Args: entry.Args, Env: entry.Env, Inherit: endpoint.Inherit(entry.InheritEnv), Dir: k.dir,
		}
	} else {
		s.Launch = &endpoint.Address{
			Transport: endpoint.Transport(entry.Transport), URL: entry.URL, Headers: entry.Headers, Auth: auth,
		}
	}
	vars := texts.Own(k.dir)
	checkTexts(&k.Report, vars, s, m.Value, at)
	s.Expand = vars.Expander()
	return dialect.Row{Server: s, Column: m.Pos.Column, Origins: originsOf(m.Value)}
}

// originsOf records the places of an entry's values.
func originsOf(n *tree.Node) []dialect.Origin {
	var origins []dialect.Origin
	for _, m := range n.Members {
		if m.Value.Kind != tree.Map {
			origins = append(origins, dialect.Origin{Key: m.Name, Pos: m.Value.Pos})
			continue
		}
		for _, inner := range m.Value.Members {
			origins = append(origins, dialect.Origin{Key: m.Name + "." + inner.Name, Pos: inner.Value.Pos})
			for _, own := range inner.Value.Members { // auth.oauth.scopes is auth.scopes
				origins = append(origins, dialect.Origin{Key: m.Name + "." + own.Name, Pos: own.Value.Pos})
			}
		}
	}
	return origins
}

// checkLaunch requires a command or a URL, and only keys that are valid with it.
func (k *checker) checkLaunch(m tree.Member, entry *Entry, at tree.Path) {
	n := m.Value
	_, hasCommand := n.Get("command")
	url, hasURL := n.Get("url")
	if hasCommand && hasURL {
		k.Fail(url.Pos, at.Key("url"), "both command and url", "keep one of them")
		return
	}
	foreign, needs := []string{"headers", "auth"}, "url"
	wrong := func(t string) bool { return t == string(endpoint.HTTP) || t == string(endpoint.SSE) }
	if hasURL {
		foreign, needs = []string{"args", "env", "inherit_env", "artifacts", "install_scripts"}, "command"
		wrong = func(t string) bool { return t == string(endpoint.Stdio) }
	}
	for _, key := range foreign {
		if v, ok := n.Get(key); ok {
			k.Fail(v.Pos, at.Key(key), "works only with a "+needs+", and this server has no "+needs, "remove it")
		}
	}
	if t := n.Value("transport"); t != nil && wrong(entry.Transport) {
		k.Fail(t.Pos, at.Key("transport"), entry.Transport+" needs a "+needs+", and this server has no "+needs,
			"remove the key transport: mcpgen infers the transport")
	}
}

// checkBuild checks the keys about the generated package.
func (k *checker) checkBuild(entry *Entry, n *tree.Node, at tree.Path) {
	k.checkValue(n, at, "package", gopkg.Reason)
	k.oneOf(n, at, "decode", "strict", "lenient")
	k.checkValue(n, at, "protocol", func(text string) string {
		if slices.Contains(endpoint.Revisions(), text) {
			return ""
		}
		return "unknown value " + tree.Quote(text) + ", want one of " + strings.Join(endpoint.Revisions(), ", ")
	})
	k.oneOf(n, at, "artifacts", lockfile.ArtifactsLocked)
	if scripts, ok := n.Get("install_scripts"); ok && entry.Artifacts == "" {
		k.Fail(scripts.Pos, at.Key("install_scripts"),
			"works only with artifacts: locked; without that key all install scripts run",
			"add artifacts: locked", "remove it")
	}
	k.oneOf(n, at, "resources", string(endpoint.ResourcesLocked), string(endpoint.ResourcesOpen))
	k.checkValue(n, at, "from", checkStore)
	if held, ok := n.Get("artifacts"); ok && entry.From != "" {
		k.Fail(held.Pos, at.Key("artifacts"), "cannot be combined with the key \"from\", which starts no server",
			"remove one of them")
	}
	tools, inTools := n.Value("tools"), at.Key("tools")
	k.checkGlobs(tools.Value("include"), inTools.Key("include"))
	k.checkGlobs(tools.Value("exclude"), inTools.Key("exclude"))
	k.noteAll(tools.Value("exclude"), inTools.Key("exclude"))
	k.checkRename(tools.Value("rename"), inTools.Key("rename"))
	k.checkTypes(n.Value("types"), at.Key("types"))
	results := n.Value("results")
	for _, m := range results.Entries() {
		k.checkValue(results, at.Key("results"), m.Name, checkInside)
	}
}

// checkStore requires the address of a repository; package store reads it.
func checkStore(text string) string {
	if path, ok := strings.CutPrefix(text, "oci://"); ok && strings.Contains(strings.Trim(path, "/"), "/") {
		return ""
	}
	return "want oci://REGISTRY/PATH"
}

func (k *checker) checkGlobs(n *tree.Node, at tree.Path) {
	for i, item := range n.Items() {
		if reason := checkGlob(item.Text); item.Kind == tree.String && reason != "" {
			k.Fail(item.Pos, at.Index(i), reason)
		}
	}
}

// noteAll adds a notice for a pattern that excludes every tool.
func (k *checker) noteAll(exclude *tree.Node, at tree.Path) {
	for i, item := range exclude.Items() {
		if item.Kind == tree.String && strings.Trim(item.Text, "*") == "" && item.Text != "" {
			k.Note(item.Pos, at.Index(i), "leaves out every tool, since exclude wins over include",
				"to go without the server, write enabled: false")
		}
	}
}

// checkRename requires Go identifiers, each for one tool.
func (k *checker) checkRename(n *tree.Node, at tree.Path) {
	tools := map[string]string{}
	for _, m := range n.Entries() {
		if m.Value.Kind != tree.String {
			continue
		}
		name := m.Value.Text
		first, taken := tools[name]
		switch {
		case !token.IsIdentifier(name) || !token.IsExported(name) || len(name) > texts.MaxName:
			k.Fail(m.Value.Pos, at.Key(m.Name), "want an exported Go identifier such as ListPRs, found "+tree.Quote(name))
		case taken:
			k.Fail(m.Value.Pos, at.Key(m.Name), fmt.Sprintf("%s is also the name of %s", name, tree.Quote(first)),
				"give each tool another name")
		}
		tools[name] = m.Name
	}
}

// maxCount bounds limits that are counts.
const maxCount = 1_000_000

// checkLimits checks counts. Times and sizes are checked when they are decoded.
func (k *checker) checkLimits(entry *Entry, n *tree.Node, at tree.Path) {
	limits := n.Value("limits")
	if limits == nil || entry.Limits == nil {
		return
	}
	counts := map[string]int{"tools": entry.Limits.Tools, "pages": entry.Limits.Pages, "log": entry.Limits.Log}
	for key, value := range counts {
		if v := limits.Value(key); v != nil && v.Kind == tree.Int && (value < 1 || value > maxCount) {
			k.Fail(v.Pos, at.Key("limits").Key(key), fmt.Sprintf("want a number from 1 to %d", maxCount))
		}
	}
}

// checkBudget checks the number of tokens.
func (k *checker) checkBudget(b *budgetKeys, n *tree.Node, at tree.Path) {
	v := n.Value("budget").Value("tokens")
	if b != nil && v != nil && v.Kind == tree.Int && (b.Tokens < 1 || b.Tokens > maxCount) {
		k.Fail(v.Pos, at.Key("budget").Key("tokens"), fmt.Sprintf("want a number from 1 to %d", maxCount))
	}
}

// configured checks the entries that configure an imported server. If an import could not be read, the
// set of servers is unknown.
func (l *loader) configured(file *File, root *tree.Node, allRead bool) {
	known := slices.Sorted(maps.Keys(l.rows))
	for _, m := range root.Value("servers").Entries() {
		if m.Value.Kind != tree.Map || m.Value.Value("command") != nil || m.Value.Value("url") != nil || misspelled(m.Value) {
			continue
		}
		at := tree.Path("servers").Key(m.Name)
		for _, key := range [...]string{"args", "env", "inherit_env", "headers", "auth", "transport"} {
			if k, ok := m.Value.Get(key); ok {
				l.Fail(k.Pos, at.Key(key), "belongs to the file that defines the server",
					"change it there", "define the server here with command or url")
			}
		}
		_, ok := l.rows[m.Name]
		switch {
		case ok || !allRead:
		case len(l.systems) > 0: // a system's own files differ between machines
			if !l.off[m.Name] {
				l.Note(m.Pos, at, "no imported file on this machine defines a server of this name, so the entry has no effect")
			}
		default:
			l.Fail(m.Pos, at,
				"the server has neither command nor url, and no imported file defines a server of this name",
				missingSteps(m.Name, file, known)...)
		}
	}
}

// misspelled reports whether an entry has a misspelled command or url. The unknown key is then the only
// error.
func misspelled(entry *tree.Node) bool {
	return slices.ContainsFunc(entry.Members, func(m tree.Member) bool {
		near := nearest.Of(m.Name, entryKeys())
		return near != m.Name && (near == "command" || near == "url")
	})
}

// entryKeys returns the keys of a server.
func entryKeys() []string {
	var keys []string
	for t := reflect.TypeFor[Entry](); len(keys) < t.NumField(); {
		name, _, _ := strings.Cut(t.Field(len(keys)).Tag.Get("json"), ",")
		keys = append(keys, name)
	}
	return keys
}

func missingSteps(name string, file *File, known []string) []string {
	steps := []string{nearest.Question(name, known), "add command or url"}
	if len(file.Import) == 0 {
		steps = append(steps, "import the file that defines it")
	}
	return steps
}
