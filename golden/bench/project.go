package main

// Projects with many tools, on disk as mcpgen leaves them: a configuration, a lock
// and a snapshot.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/mcpgen/mcpgen/generator"
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
	if _, err := b.command(ctx, b.checkout, nil, "go", "build", "-o", path, "./cmd/mcpgen"); err != nil {
		return err
	}
	b.mcpgen = path
	return nil
}

// usage is what a process took.
type usage struct {
	wall, cpu float64 // seconds
	peak      float64 // bytes in memory; 0 where the system does not tell
	stdout    []byte
}

// command runs a program to its end.
func (b *bench) command(ctx context.Context, dir string, env []string, name string, args ...string) (usage, error) {
	return command(ctx, dir, env, name, args...)
}

func command(ctx context.Context, dir string, env []string, name string, args ...string) (usage, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	start := time.Now()
	err := cmd.Run()
	u := usage{wall: time.Since(start).Seconds(), stdout: out.Bytes()}
	if s := cmd.ProcessState; s != nil {
		u.cpu = (s.UserTime() + s.SystemTime()).Seconds()
		u.peak = peak(s)
	}
	if err != nil {
		return u, fmt.Errorf("%s %v: %w: %.2000s", filepath.Base(name), args, err, problems.String())
	}
	return u, nil
}

// mcpgen runs the program in the project; several times it keeps the least of each.
func (f *folder) mcpgen(ctx context.Context, rounds int, before func() error, args ...string) (usage, error) {
	least := usage{wall: math.Inf(1), cpu: math.Inf(1), peak: math.Inf(1)}
	for range rounds {
		if before != nil {
			if err := before(); err != nil {
				return usage{}, err
			}
		}
		u, err := command(ctx, f.dir, []string{"XDG_CACHE_HOME=" + f.cache, "HOME=" + f.cache}, f.tool, args...)
		if err != nil {
			return usage{}, err
		}
		least = usage{wall: min(least.wall, u.wall), cpu: min(least.cpu, u.cpu), peak: min(least.peak, u.peak)}
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
