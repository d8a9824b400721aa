package workspace

// This file finds the lines that a report is about: in snapshots, for what was
// locked, and in the configuration, for servers and accepted changes.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// setPositions fills in the positions of a report.
func (w *Workspace) setPositions(r *report.Report) {
	configs := map[string]report.Position{}
	for _, s := range w.Project.Servers {
		configs[s.Name] = report.Position{File: w.fromRepository(s.Source.Path), Line: s.Source.Line}
	}
	for i := range r.Servers {
		s := &r.Servers[i]
		s.Position = configs[s.Server]
		if len(s.Changes) == 0 {
			continue
		}
		path := w.snapshotPath(s.Server)
		data, err := w.tree.ReadFile(path)
		if err != nil {
			data = nil
		}
		for j := range s.Changes {
			s.Changes[j].Position = w.positionOf(s, &s.Changes[j].Change, path, data)
		}
	}
	for i := range r.Stale {
		r.Stale[i].Position = report.Position{File: w.fromRepository(filepath.Join(w.Root, filepath.FromSlash(r.Stale[i].Path)))}
	}
}

// positionOf is the line of the snapshot that holds what changed, or the line of the
// configuration that does.
func (w *Workspace) positionOf(s *report.Server, c *drift.Change, path string, snapshot []byte) report.Position {
	if c.Accept != nil {
		at := report.Position{File: w.fromRepository(w.Project.Path)}
		if i := slices.Index(w.Project.Drift.Ignore, *c.Accept); i >= 0 {
			at.Line = w.Project.Drift.IgnoreLines[i]
		}
		return at
	}
	if c.Path == "/launch" || c.Path == "/artifact" || snapshot == nil {
		return s.Position
	}
	at := report.Position{File: w.fromRepository(filepath.Join(w.Root, filepath.FromSlash(path)))}
	if offset := find(snapshot, c); offset > 0 {
		at.Line = 1 + bytes.Count(snapshot[:offset], []byte("\n"))
	}
	return at
}

// fromRepository is a path as those that read reports want it: relative to the
// folder with .git, or else to the project's, and with slashes.
func (w *Workspace) fromRepository(path string) string {
	if path == "" {
		return ""
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	rel, err := filepath.Rel(w.repository(), abs)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

// repository is the folder with .git that the project is in, or the project's.
func (w *Workspace) repository() string {
	for dir := w.Root; ; {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return w.Root
		}
		dir = parent
	}
}

// find returns the offset of what a change is about in a snapshot's file: as deep
// as its pointer leads, or of the item; 0 if the item is not there.
func find(data []byte, c *drift.Change) int64 {
	member := map[drift.Kind]string{
		drift.KindTool: "tools", drift.KindPrompt: "prompts", drift.KindResource: "resources", drift.KindTemplate: "resourceTemplates",
	}[c.Kind]
	path := strings.Split(c.Path, "/")[1:]
	if c.Kind == drift.KindServer {
		return descend(data, 0, path)
	}
	list := descend(data, 0, []string{member})
	if list == 0 {
		return 0
	}
	offset := int64(0)
	eachValue(data, list, func(_ string, start int64, raw json.RawMessage) bool {
		var named struct{ Name, URI, URITemplate string }
		if json.Unmarshal(raw, &named) != nil || itemName(c.Kind, named.Name, named.URI, named.URITemplate) != c.Name {
			return true
		}
		offset = descend(data, start, path)
		return false
	})
	return offset
}

func itemName(k drift.Kind, name, uri, template string) string {
	switch k {
	case drift.KindResource:
		return uri
	case drift.KindTemplate:
		return template
	}
	return name
}

// descend follows a pointer's segments from the value at start, as far as they
// lead, and returns the offset of the last value that is there; 0 if that is the
// file as a whole.
func descend(data []byte, start int64, path []string) int64 {
	for _, segment := range path {
		segment = jsontext.UnescapePointer(segment)
		next := int64(-1)
		eachValue(data, start, func(key string, offset int64, _ json.RawMessage) bool {
			if key == segment {
				next = offset
			}
			return next < 0
		})
		if next < 0 {
			return start
		}
		start = next
	}
	return start
}

// eachValue yields the values of the object or array at start, with their keys or
// indexes, until f returns false. The offset is the key's, or the value's in an
// array.
func eachValue(data []byte, start int64, f func(key string, offset int64, raw json.RawMessage) bool) {
	d := json.NewDecoder(bytes.NewReader(data[start:]))
	open, err := d.Token()
	if _, isKey := open.(string); isKey && err == nil { // a member: its value follows
		colon := bytes.IndexByte(data[start+d.InputOffset():], ':')
		if colon >= 0 {
			eachValue(data, start+d.InputOffset()+int64(colon)+1, f)
		}
		return
	}
	delim, ok := open.(json.Delim)
	if err != nil || !ok {
		return
	}
	for i := 0; d.More(); i++ {
		offset, key := valueStart(data, start+d.InputOffset()), strconv.Itoa(i)
		if delim == '{' {
			token, err := d.Token()
			if err != nil {
				return
			}
			key, _ = token.(string)
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil || !f(key, offset, raw) {
			return
		}
	}
}

// valueStart skips the comma and the space before a key or a value.
func valueStart(data []byte, offset int64) int64 {
	for offset < int64(len(data)) && strings.IndexByte(" \t\r\n,", data[offset]) >= 0 {
		offset++
	}
	return offset
}
