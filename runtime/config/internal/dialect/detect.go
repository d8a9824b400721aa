// Detection of a file's dialect by its path and its content.

package dialect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
)

// parts are the elements of a path in reverse order.
type parts []string

func (m Machine) parts(path string) parts {
	if m.OS == "windows" {
		path = strings.ReplaceAll(path, "\\", "/")
	}
	elements := strings.Split(path, "/")
	slices.Reverse(elements)
	return elements
}

// end reports whether a path ends like one of these slash paths. Case is ignored, as on two of three
// systems.
func (p parts) end(paths ...string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		want := strings.Split(path, "/")
		slices.Reverse(want)
		return len(want) <= len(p) && slices.EqualFunc(p[:len(want)], want, strings.EqualFold)
	})
}

// detect finds the dialect of a file that was read: by its path, or by its content if the path is not
// known or the content contradicts it. A file in the folder of a system whose rules mcpgen applies is that
// system's, whatever it contains.
func detect(f *File, path string) Dialect {
	all, p, root := All(), f.m.parts(path), f.root
	var named []Dialect
	for _, d := range all {
		if d.Name != plainName && p.end(d.names...) {
			named = append(named, d)
		}
	}
	for _, d := range named {
		if d.isIn(root) {
			return d
		}
	}
	for _, d := range named {
		owns := d.owns != nil && d.owns(f)
		if d.owns == nil && (d.Profile() || d.Gate == GateAll) {
			owns = slices.ContainsFunc(d.names, func(name string) bool { return strings.Contains(name, "/") && p.end(name) })
		}
		if owns { // a file with missing parts belongs to no other system
			return d
		}
	}
	for _, d := range all {
		if d.Name != plainName && !d.shared && d.isIn(root) {
			return d
		}
	}
	if len(named) > 0 && (named[0].Lenient || !plain().isIn(root)) {
		return named[0]
	}
	return all[len(all)-1]
}

// isIn reports whether the content of a file is of the dialect.
func (d Dialect) isIn(root *tree.Node) bool {
	if d.sniff != nil {
		return d.sniff(root)
	}
	return has(d.rows, nil)(root)
}

// dialectByPath returns the dialect of a file whose content cannot be read.
func dialectByPath(m Machine, path string) Dialect {
	all, p := All(), m.parts(path)
	for _, d := range all {
		if p.end(d.names...) {
			return d
		}
	}
	return all[len(all)-1]
}

// has returns a test of whether the root has a mapping with the name and, if test is not nil, an entry in
// it that satisfies test.
func has(name string, test func(entry *tree.Node) bool) func(*tree.Node) bool {
	return func(root *tree.Node) bool {
		v := root.Value(name)
		if v == nil || v.Kind != tree.Map {
			return false
		}
		return test == nil || slices.ContainsFunc(v.Members, func(m tree.Member) bool { return test(m.Value) })
	}
}

func hasKey(name string) func(*tree.Node) bool {
	return func(n *tree.Node) bool { return n.Value(name) != nil }
}

func stringIn(n *tree.Node, words ...string) bool {
	return n != nil && n.Kind == tree.String && slices.Contains(words, n.Text)
}

// IsFlagged reports whether a file named by --mcp can belong to the system with that flag, judged by its
// path: a JSON file that is not at another system's place.
func IsFlagged(m Machine, path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml", ".toml":
		return false
	}
	d := dialectByPath(m, path)
	return d.Name == plainName || d.Flag
}
