// Servers of skills (SEP-2640) and of a page (SEP-1865), from files on disk.

package testserver

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// app has a tool that brings a page along, which is a file and read when it is asked for.
func app(s *server) {
	if s.cfg.file == "" {
		s.bad = errors.New("app needs a file")
		return
	}
	s.surface.Capabilities = json.RawMessage(`{"tools":{},"resources":{},"extensions":{"io.modelcontextprotocol/ui":{}}}`)
	s.surface.Tools = []json.RawMessage{json.RawMessage(`{"name":"show","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://show/page.html"}}}`)}
	s.on["resources/read"] = func(c *client, m message) {
		data, err := os.ReadFile(s.cfg.file)
		if err != nil {
			c.fail(m, -32602, "not found", nil)
			return
		}
		var p struct{ URI string }
		_ = json.Unmarshal(m.Params, &p) // an absent uri is echoed as ""
		c.reply(m, map[string]any{"contents": []any{map[string]any{"uri": p.URI, "mimeType": "text/html;profile=mcp-app", "text": string(data),
			"_meta": map[string]any{"ui": map[string]any{"prefersBorder": true}}}}})
	}
}

const skillScheme = "skill://"

// skills serves the folders in a folder that have a SKILL.md. Files are read when they
// are asked for, so that a test can change them. Each member of a frontmatter is one
// line.
func skills(s *server) {
	if s.cfg.file == "" {
		s.bad = errors.New("skills needs a folder")
		return
	}
	s.surface.Capabilities = json.RawMessage(`{"tools":{},"resources":{},"extensions":{"io.modelcontextprotocol/skills":{}}}`)
	folder := os.DirFS(s.cfg.file)
	s.on["skills/list"] = func(c *client, m message) {
		files, err := fs.Glob(folder, "*/SKILL.md")
		if err != nil {
			c.fail(m, -32603, err.Error(), nil)
			return
		}
		entries := []any{}
		for _, file := range files {
			entries = append(entries, skillEntry(folder, path.Dir(file)))
		}
		c.reply(m, map[string]any{"skills": entries})
	}
	s.on["resources/read"] = func(c *client, m message) {
		var p struct{ URI string }
		_ = json.Unmarshal(m.Params, &p) // an absent uri is not found
		data, err := os.ReadFile(filepath.Join(s.cfg.file, filepath.FromSlash(path.Clean("/"+strings.TrimPrefix(p.URI, skillScheme)))))
		if err != nil {
			c.fail(m, -32602, "not found", nil)
			return
		}
		c.reply(m, map[string]any{"contents": []any{map[string]any{"uri": p.URI, "mimeType": "text/markdown", "text": string(data)}}})
	}
}

// skillEntry is the entry of one folder.
func skillEntry(folder fs.FS, name string) map[string]any {
	files := []any{}
	front := map[string]string{}
	_ = fs.WalkDir(folder, name, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, file)
		sum := sha256.Sum256(data)
		files = append(files, map[string]any{"uri": skillScheme + file, "digest": "sha256:" + hex.EncodeToString(sum[:]), "size": len(data)})
		if file == name+"/SKILL.md" {
			for line := range strings.SplitSeq(strings.Split(string(data), "---")[1], "\n") {
				if key, value, ok := strings.Cut(line, ": "); ok {
					front[key] = value
				}
			}
		}
		return err
	})
	return map[string]any{"uri": skillScheme + name + "/SKILL.md", "frontmatter": front, "resources": files}
}
