// Package npmregistry is an npm registry of a few packages, for tests with the real
// npm: it answers what npm asks for to install them.
package npmregistry

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Package is one version of a package.
type Package struct {
	Name, Version string
	Files         map[string]string // beside package.json
	Bin           string            // the file that is its program, which is called as the package is
	Scripts       map[string]string
	Dependencies  map[string]string
	Optional      map[string]string
	OS            []string // that it can be installed on; nil is all
}

// Server is a package that is an MCP server: it has one tool, called tool, or those of a
// list of definitions in JSON, and before it answers it writes the file that the variable
// RAN names, if it is set.
func Server(name, version, tool string) Package {
	tools := `[{"name": "` + tool + `", "inputSchema": {"type": "object"}}]`
	if strings.HasPrefix(tool, "[") {
		tool, tools = name, tool
	}
	return Package{Name: name, Version: version, Bin: "server.js", Files: map[string]string{
		"server.js": strings.NewReplacer("DEFINITIONS", tools, "TOOL", tool, "VERSION", version).Replace(serverJS),
	}}
}

const serverJS = `#!/usr/bin/env node
if (process.env.RAN) require('fs').appendFileSync(process.env.RAN, 'TOOL VERSION\n')
require('readline').createInterface({input: process.stdin}).on('line', line => {
  const m = JSON.parse(line)
  const results = {
    initialize: {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'fetched', version: '1'}},
    'tools/list': {tools: DEFINITIONS},
    'tools/call': {content: [{type: 'text', text: 'TOOL VERSION'}]},
  }
  if (m.id === undefined) return
  const answer = results[m.method] ? {result: results[m.method]} : {error: {code: -32601, message: 'no'}}
  console.log(JSON.stringify({jsonrpc: '2.0', id: m.id, ...answer}))
})
`

// Integrity is what npm calls the hash of a package.
func (p Package) Integrity() string {
	sum := sha512.Sum512(p.archive())
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (p Package) manifest() map[string]any {
	m := map[string]any{"name": p.Name, "version": p.Version}
	for key, value := range map[string]map[string]string{"dependencies": p.Dependencies, "optionalDependencies": p.Optional, "scripts": p.Scripts} {
		if value != nil {
			m[key] = value
		}
	}
	if p.Bin != "" {
		m["bin"] = p.Bin
	}
	if p.OS != nil {
		m["os"] = p.OS
	}
	return m
}

// archive is the package as it is downloaded; equal packages give equal bytes.
func (p Package) archive() []byte {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	files := tar.NewWriter(zip)
	manifest, _ := json.Marshal(p.manifest()) // texts can always be marshalled
	all := map[string]string{"package.json": string(manifest)}
	names := []string{"package.json"}
	for name, text := range p.Files {
		all[name] = text
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		_ = files.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o755, Size: int64(len(all[name]))}) // into memory
		_, _ = files.Write([]byte(all[name]))
	}
	_, _ = files.Close(), zip.Close()
	return out.Bytes()
}

// Handler serves packages.
func Handler(packages ...Package) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/")
		versions, latest := map[string]any{}, ""
		for _, p := range packages {
			tarball := fmt.Sprintf("%s/-/%s.tgz", p.Name, p.Version)
			if path == tarball {
				_, _ = w.Write(p.archive()) // who is gone needs nothing
				return
			}
			if p.Name != path {
				continue
			}
			m := p.manifest()
			m["dist"] = map[string]string{"tarball": "http://" + r.Host + "/" + tarball, "integrity": p.Integrity()}
			if p.Scripts["install"]+p.Scripts["preinstall"]+p.Scripts["postinstall"] != "" {
				m["hasInstallScript"] = true
			}
			versions[p.Version], latest = m, p.Version
		}
		if latest == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"name": path, "dist-tags": map[string]string{"latest": latest}, "versions": versions})
	})
}
