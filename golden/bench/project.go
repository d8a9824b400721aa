package main

// Projects with many tools, on disk as mcpgen leaves them: a configuration, a lock
// and a snapshot.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
)

// manyTools is a server with n tools of a usual shape: eight parameters, a list, an
// enum and an object among them, and a result with a list of objects. The first
// changed of them need one parameter more.
func manyTools(server string, n, changed int) (generator.Server, error) {
	s := &schema.Snapshot{Server: server, ProtocolVersion: "2025-11-25"}
	for i := range n {
		it, err := schema.ParseItem(schema.KindTool, oneTool(i, i < changed))
		if err != nil {
			return generator.Server{}, err
		}
		s.Tools = append(s.Tools, it)
	}
	return project.Lock(s)
}

func oneTool(i int, changed bool) json.RawMessage {
	raw := fmt.Sprintf(tool, i, i)
	if changed {
		raw = strings.Replace(raw, `"required":["owner","repo"]`, `"required":["owner","repo","page"]`, 1)
	}
	return json.RawMessage(raw)
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
	lines int    // of the module's own code
	edits int    // of that code
}

// project writes a project of one server with n tools, called big.
func (b *bench) project(ctx context.Context, n int) (*folder, error) {
	return b.projectOf(ctx, fmt.Sprintf("project%d", n), n, "big")
}

// projectOf writes a project whose servers have n tools each.
func (b *bench) projectOf(ctx context.Context, name string, n int, servers ...string) (*folder, error) {
	launch, err := b.stub(ctx, 0)
	if err == nil {
		err = b.buildTool(ctx)
	}
	if err != nil {
		return nil, err
	}
	f := &folder{dir: filepath.Join(b.dir, name), cache: filepath.Join(b.dir, name+".cache"), tool: b.mcpgen}
	config := "version: 1\noutput: " + output + "\nservers:\n"
	for _, server := range servers {
		config += fmt.Sprintf("  %s:\n    command: %q\n    args: [-listing, %q]\n", server, launch.Command, f.listing())
	}
	if err := f.write(map[string][]byte{
		"go.mod":      fmt.Appendf(nil, "module example.com/bench\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => %s\n", filepath.ToSlash(b.checkout)),
		"mcpgen.yaml": []byte(config),
	}); err != nil {
		return nil, err
	}
	if err := f.offer(n, 0); err != nil {
		return nil, err
	}
	_, err = f.mcpgen(ctx, 1, nil, "generate") // locks the servers
	return f, err
}

// listing is the file that the servers of the project offer.
func (f *folder) listing() string { return f.dir + ".json" }

// offer has the servers offer n tools, the first changed of them with one parameter
// more that they need.
func (f *folder) offer(n, changed int) error {
	var tools []json.RawMessage
	for i := range n {
		tools = append(tools, oneTool(i, i < changed))
	}
	data, err := json.Marshal(map[string]any{"tools": tools})
	if err != nil {
		return err
	}
	return os.WriteFile(f.listing(), data, 0o666)
}

// write writes files of the project.
func (f *folder) write(files map[string][]byte) error {
	for name, data := range files {
		path := filepath.Join(f.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
	return nil
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

// usages are what the runs of a program took, round by round.
type usages struct{ wall, cpu, peak sample }

// mcpgen runs the program in the project several times.
func (f *folder) mcpgen(ctx context.Context, rounds int, before func() error, args ...string) (usages, error) {
	return f.run(ctx, rounds, before, f.tool, args...)
}

// run runs a program in the project several times, with a home and a cache of its own.
func (f *folder) run(ctx context.Context, rounds int, before func() error, program string, args ...string) (usages, error) {
	var all usages
	for range rounds {
		if before != nil {
			if err := before(); err != nil {
				return usages{}, err
			}
		}
		u, err := process.Run(ctx, f.dir, f.env(), program, args...)
		if failed, ok := errors.AsType[*exec.ExitError](err); ok && failed.ExitCode() == 1 && args[0] == "check" {
			err = nil // it found what was changed
			if bytes.Contains(u.Stdout, []byte("could not be checked")) {
				err = fmt.Errorf("%s", u.Stderr)
			}
		}
		if err != nil {
			return usages{}, err
		}
		all.wall, all.cpu, all.peak = append(all.wall, u.Wall), append(all.cpu, u.CPU), append(all.peak, u.Peak)
	}
	return all, nil
}

// env are the variables of what runs in the project: a home and caches of its own, the
// modules of the machine, and no network.
func (f *folder) env() []string {
	return []string{"XDG_CACHE_HOME=" + f.cache, "HOME=" + f.cache, "GOCACHE=" + filepath.Join(filepath.Dir(f.dir), "gocache"),
		"GOMODCACHE=" + goEnv("GOMODCACHE"), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}
}

// goEnv is a setting of the go command.
func goEnv(name string) string {
	out, _ := exec.Command("go", "env", name).Output() // without the go command nothing here runs
	return strings.TrimSpace(string(out))
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
