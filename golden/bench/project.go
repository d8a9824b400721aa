package main

// Projects with many tools, on disk as mcpgen leaves them: a configuration, a lock
// and a snapshot.

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// manyTools is a server with n tools of a usual shape: eight parameters, a list, an
// enum and an object among them, and a result with a list of objects.
func manyTools(server string, n int) (generator.Server, error) {
	s := &schema.Snapshot{Server: server, ProtocolVersion: "2025-11-25"}
	for i := range n {
		raw := fmt.Sprintf(tool, i, i)
		it, err := schema.ParseItem(schema.KindTool, json.RawMessage(raw))
		if err != nil {
			return generator.Server{}, err
		}
		s.Tools = append(s.Tools, it)
	}
	return project.Lock(s)
}

const tool = `{"name":"list_things_%05d","description":"Lists the things of kind %d. Use it before you change one of them.",
"inputSchema":{"type":"object","required":["owner","repo"],"properties":{
"owner":{"type":"string","description":"Owner of the repository"},"repo":{"type":"string","description":"Name of the repository"},
"page":{"type":"integer","minimum":1},"per_page":{"type":"integer","minimum":1,"maximum":100},"since":{"type":"string","format":"date-time"},
"state":{"type":"string","enum":["open","closed","all"]},"labels":{"type":"array","items":{"type":"string"}},
"filter":{"type":"object","properties":{"author":{"type":"string"},"draft":{"type":"boolean"}}}}},
"outputSchema":{"type":"object","required":["items","total"],"properties":{"total":{"type":"integer"},
"items":{"type":"array","items":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"title":{"type":"string"},"url":{"type":"string"}}}}}}}`

// output is the folder of the generated packages.
const output = "mcp"

// folder is a project on disk.
type folder struct {
	dir   string
	cache string
	tool  string // the program mcpgen
}

// project writes a project of one server with n tools.
func (b *bench) project(ctx context.Context, n int) (*folder, error) {
	if err := b.buildTool(ctx); err != nil {
		return nil, err
	}
	f := &folder{dir: filepath.Join(b.dir, fmt.Sprintf("project%d", n)), cache: filepath.Join(b.dir, fmt.Sprintf("cache%d", n)), tool: b.mcpgen}
	server, err := manyTools("big", n)
	if err != nil {
		return nil, err
	}
	lock := project.LockFile("mcpgen.lock", server)
	for name, data := range map[string][]byte{
		"go.mod":                      fmt.Appendf(nil, "module example.com/bench\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => %s\n", filepath.ToSlash(b.checkout)),
		"mcpgen.yaml":                 []byte("version: 1\noutput: " + output + "\nservers:\n  big:\n    command: none\n"),
		lock.Path:                     lock.Data,
		output + "/big/snapshot.json": lockfile.EncodeSnapshot(server.Snapshot),
	} {
		path := filepath.Join(f.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (b *bench) buildTool(ctx context.Context) error {
	if b.mcpgen != "" {
		return nil
	}
	path := filepath.Join(b.dir, "mcpgen.exe")
	if err := process.Build(ctx, b.checkout, path, "./cmd/mcpgen"); err != nil {
		return err
	}
	b.mcpgen = path
	return nil
}

// mcpgen runs the program in the project; several times it keeps the least of each.
func (f *folder) mcpgen(ctx context.Context, rounds int, before func() error, args ...string) (process.Usage, error) {
	least := process.Usage{Wall: math.Inf(1), CPU: math.Inf(1), Peak: math.Inf(1)}
	for range rounds {
		if before != nil {
			if err := before(); err != nil {
				return process.Usage{}, err
			}
		}
		u, err := process.Run(ctx, f.dir, []string{"XDG_CACHE_HOME=" + f.cache, "HOME=" + f.cache}, f.tool, args...)
		if err != nil {
			return process.Usage{}, err
		}
		least = process.Usage{Wall: min(least.Wall, u.Wall), CPU: min(least.CPU, u.CPU), Peak: min(least.Peak, u.Peak)}
	}
	return least, nil
}

// forget takes the project back to where generate starts from the lock.
func (f *folder) forget() error {
	if err := os.RemoveAll(f.cache); err != nil {
		return err
	}
	files, err := f.generated()
	if err != nil {
		return err
	}
	for _, path := range files {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// generated are the Go files that generate writes: the package over all servers, that
// of the server, and its fake.
func (f *folder) generated() ([]string, error) {
	var files []string
	for _, pattern := range []string{"*.go", "*/*.go", "*/*/*.go"} {
		found, err := filepath.Glob(filepath.Join(f.dir, output, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}
