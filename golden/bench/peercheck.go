package main

// What changed between two releases of a server: mcpgen check of the listings, and oasdiff
// of the same schemas as an OpenAPI document. golden/corpus/releases/labels.json knows
// calls that the later release refuses, and results that the earlier one did not send.
// The tools that lock listings, such as mcplock, mcp-contract and mcpdrift, are Python's.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/golden/process"
)

// release is a server at two releases, and which of its tools are known to break callers.
type release struct {
	name          string
	before, after map[string]listed
	breaks        map[string]bool // by tool; false if it is said to break by a bound that no caller exceeds
}

// listed is a tool as it is listed.
type listed struct {
	Name, Description         string
	InputSchema, OutputSchema any
}

func (b *bench) labelled() ([]release, error) {
	folder := filepath.Join(b.checkout, "golden", "corpus", "releases")
	data, err := os.ReadFile(filepath.Join(folder, "labels.json"))
	if err != nil {
		return nil, err
	}
	type broken struct{ Bounds bool }
	var labels map[string]struct{ Arguments, Results map[string]broken }
	if err := json.Unmarshal(data, &labels); err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.json.gz"))
	if err != nil {
		return nil, err
	}
	var all []release
	for _, path := range paths {
		var pair struct {
			Before, After struct{ Tools []listed }
		}
		if err := readGzip(path, &pair); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		r := release{strings.TrimSuffix(filepath.Base(path), ".json.gz"), map[string]listed{}, map[string]listed{}, map[string]bool{}}
		for _, t := range pair.Before.Tools {
			r.before[t.Name] = t
		}
		for _, t := range pair.After.Tools {
			r.after[t.Name] = t
		}
		for _, side := range []map[string]broken{labels[r.name].Arguments, labels[r.name].Results} {
			for tool, b := range side {
				r.breaks[tool] = r.breaks[tool] || !b.Bounds
			}
		}
		all = append(all, r)
	}
	return all, nil
}

// checker says which tools of a release break callers. Its first call does what is done
// before the server changes.
type checker struct {
	name    string
	prepare func(ctx context.Context, f *folder, r release) error
	argv    []string
	found   func(out []byte) (tools []string, err error)
}

func (b *bench) checkers(ctx context.Context) ([]checker, error) {
	launch, err := b.stub(ctx, 0)
	if err != nil {
		return nil, err
	}
	return []checker{
		{"mcpgen check", func(ctx context.Context, f *folder, r release) error {
			listing := filepath.Join(f.dir, "listing.json")
			config := fmt.Appendf(nil, "version: 1\noutput: mcp\nservers:\n  s:\n    command: %q\n    args: [-listing, %q]\n", launch.Command, listing)
			if err := f.write(map[string][]byte{"go.mod": []byte("module example.com/check\n\ngo 1.26.0\n"), "mcpgen.yaml": config, "listing.json": listingOf(r.before)}); err != nil {
				return err
			}
			if _, err := f.mcpgen(ctx, 1, nil, "generate"); err != nil { // a text has to be looked at
				if _, err := f.mcpgen(ctx, 1, nil, "update", "--yes", "--accept", "s/*/*"); err != nil {
					return err
				}
			}
			return f.write(map[string][]byte{"listing.json": listingOf(r.after)})
		}, []string{b.mcpgen, "check", "--impact", "off", "--format", "json"}, foundByCheck},
		{"oasdiff breaking", func(_ context.Context, f *folder, r release) error {
			return f.write(map[string][]byte{"before.json": openAPI(r.before), "after.json": openAPI(r.after)})
		}, []string{b.installed("oasdiff"), "breaking", "--format", "json", "before.json", "after.json"}, foundByOasdiff},
	}, nil
}

// peerChecks judges each release by each tool.
func peerChecks(ctx context.Context, b *bench) ([]row, error) {
	releases, err := b.labelled()
	if err == nil {
		err = b.buildTool(ctx)
	}
	if err != nil {
		return nil, err
	}
	checkers, err := b.checkers(ctx)
	if err != nil {
		return nil, err
	}
	if b.quick {
		releases = releases[:min(len(releases), 5)]
	}
	var rows []row
	for i, c := range checkers {
		var took sample
		known, found, more, refused := 0, 0, 0, 0
		for _, r := range releases {
			f := &folder{dir: filepath.Join(b.dir, fmt.Sprintf("check%d", i), r.name), cache: filepath.Join(b.dir, "check.cache"), tool: b.mcpgen}
			if err := c.prepare(ctx, f, r); err != nil {
				return rows, fmt.Errorf("%s: %s: %w", c.name, r.name, err)
			}
			for _, breaks := range r.breaks {
				if breaks {
					known++
				}
			}
			u, err := process.Run(ctx, f.dir, f.env(), c.argv[0], c.argv[1:]...)
			if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
				err = nil // it found something
			}
			var tools []string
			if err == nil {
				tools, err = c.found(u.Stdout)
			}
			if err != nil {
				refused++
				continue
			}
			took = append(took, u.Wall)
			for _, tool := range tools {
				breaks, labelled := r.breaks[tool]
				switch _, stays := r.after[tool]; {
				case breaks:
					found++
				case stays && !labelled:
					more++
				}
			}
		}
		rows = append(rows, row{
			what: c.name, cost: took.in(1e3, "ms a release"),
			against: fmt.Sprintf("%d of %d releases refused; %d of %d tools that break callers found, and %d more named", refused, len(releases), found, known, more),
			ratio:   100 * float64(found) / float64(known), unit: "% found",
		})
	}
	return rows, nil
}

// listingOf is the listing of a server.
func listingOf(tools map[string]listed) []byte {
	all := make([]map[string]any, 0, len(tools))
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		t := map[string]any{"name": name, "description": tools[name].Description, "inputSchema": tools[name].InputSchema}
		if tools[name].OutputSchema != nil {
			t["outputSchema"] = tools[name].OutputSchema
		}
		all = append(all, t)
	}
	data, _ := json.Marshal(map[string]any{"tools": all}) // what was JSON marshals
	return data
}

// foundByCheck are the tools with a change on the wire that breaks or may break.
func foundByCheck(out []byte) (tools []string, err error) {
	var report struct {
		Servers []struct {
			Changes []struct{ Kind, Name, Class, Severity string }
		}
	}
	err = json.Unmarshal(out, &report)
	for _, s := range report.Servers {
		for _, c := range s.Changes {
			if c.Kind == "tool" && c.Class == "wire" && (c.Severity == "breaking" || c.Severity == "unknown") && !slices.Contains(tools, c.Name) {
				tools = append(tools, c.Name)
			}
		}
	}
	return tools, err
}

// foundByOasdiff are the operations with an error or a warning.
func foundByOasdiff(out []byte) (tools []string, err error) {
	var changes []struct{ Path string }
	if len(out) > 0 {
		err = json.Unmarshal(out, &changes)
	}
	for _, c := range changes {
		if tool := strings.TrimPrefix(c.Path, "/"); !slices.Contains(tools, tool) {
			tools = append(tools, tool)
		}
	}
	return tools, err
}

// openAPI is a document with an operation for each tool: arguments are the body of the
// request, results that of the response. Definitions are components there, and tuples
// are prefixItems.
func openAPI(tools map[string]listed) []byte {
	paths, components := map[string]any{}, map[string]any{}
	for name, t := range tools {
		body := func(side string, schema any) map[string]any {
			return map[string]any{"application/json": map[string]any{"schema": moveDefinitions(copied(schema), name+"."+side+".", components)}}
		}
		operation := map[string]any{
			"operationId": name,
			"requestBody": map[string]any{"required": true, "content": body("arguments", t.InputSchema)},
			"responses":   map[string]any{"200": map[string]any{"description": "the result"}},
		}
		if t.OutputSchema != nil {
			operation["responses"] = map[string]any{"200": map[string]any{"description": "the result", "content": body("result", t.OutputSchema)}}
		}
		paths["/"+name] = map[string]any{"post": operation}
	}
	data, _ := json.Marshal(map[string]any{"openapi": "3.1.0", "info": map[string]any{"title": "s", "version": "1"}, // what was JSON marshals
		"paths": paths, "components": map[string]any{"schemas": components}})
	return data
}

// moveDefinitions moves the definitions of a schema to components, under a prefix.
func moveDefinitions(v any, prefix string, components map[string]any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = moveDefinitions(v[i], prefix, components)
		}
	case map[string]any:
		for _, keyword := range []string{"$defs", "definitions"} {
			definitions, _ := v[keyword].(map[string]any)
			for name, d := range definitions {
				components[prefix+name] = moveDefinitions(d, prefix, components)
			}
			if definitions != nil {
				delete(v, keyword)
			}
		}
		if ref, ok := v["$ref"].(string); ok {
			for _, place := range []string{"#/$defs/", "#/definitions/"} {
				if name, ok := strings.CutPrefix(ref, place); ok {
					v["$ref"] = "#/components/schemas/" + prefix + name
				}
			}
		}
		if tuple, ok := v["items"].([]any); ok {
			v["prefixItems"] = tuple
			delete(v, "items")
		}
		for keyword, value := range v {
			switch members, _ := value.(map[string]any); keyword {
			case "enum", "const", "default", "examples": // hold no schemas
			case "properties", "patternProperties":
				for name := range members {
					members[name] = moveDefinitions(members[name], prefix, components)
				}
			default:
				v[keyword] = moveDefinitions(value, prefix, components)
			}
		}
	}
	return v
}

// copied is a copy of what was JSON.
func copied(v any) (out any) {
	data, _ := json.Marshal(v) // what was JSON marshals
	_ = json.Unmarshal(data, &out)
	return out
}
