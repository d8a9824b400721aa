package main

// Reading a corpus: servers, hard schemas and values.

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema"
)

// The sets are measured apart.
const (
	setReal  = "real"
	setHard  = "hard"
	setSuite = "suite" // the JSON-Schema-Test-Suite, and schemas of our own of its form
	// setPlaced are the schemas of the others once more, inside of others.
	setPlaced = "placed"
)

// sets are all of them, in the order of the table.
var sets = []string{setReal, setHard, setSuite, setPlaced}

// The sides of a tool, as files of instances call them.
const (
	input  = "input"
	output = "output"
)

// undeclared is the class of values with members that no schema names.
const undeclared = "extra-props"

// subject is one server: a real one, or one around schemas.
type subject struct {
	set      string
	name     string
	snapshot *schema.Snapshot
	schemas  []*toolSchema
	twice    []string // tools that were left out, their names being taken

	server   generator.Server
	out      *generator.Output           // nil: it does not generate
	tools    map[string]generator.GoTool // by wire name
	places   map[string][]string         // names after places, by short name
	compiles bool
}

// toolSchema is one schema of a tool, and its values.
type toolSchema struct {
	subject        *subject
	tool, side     string
	raw            json.RawMessage
	valid, invalid []value
}

// value is one instance.
type value struct {
	class string
	raw   json.RawMessage
}

func (s *toolSchema) String() string {
	return s.subject.name + "/" + s.tool + " " + s.side
}

// find returns the schema of one side of a tool, nil if it has none.
func (s *subject) find(tool, side string) *toolSchema {
	for _, t := range s.schemas {
		if t.tool == tool && t.side == side {
			return t
		}
	}
	return nil
}

func readCorpus(o options) ([]*subject, error) {
	var subjects []*subject
	for _, folder := range []struct {
		dir  string
		read func(path string) (*subject, error)
	}{
		{o.servers, func(path string) (*subject, error) { return readServer(path, o.instances) }},
		{o.hard, readHard},
	} {
		if folder.dir == "" {
			continue
		}
		paths, err := filepath.Glob(filepath.Join(folder.dir, "*.json"))
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("%s: no *.json in it: pass a folder of the shape of golden/corpus", folder.dir)
		}
		for _, path := range paths {
			s, err := folder.read(path)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			subjects = append(subjects, s)
		}
	}
	if o.suite != "" {
		suite, err := readSuite(o.suite)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, suite...)
	}
	if o.numbers != "" {
		numbers, err := readGroups(o.numbers, "own", drafts[1].dialect)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.numbers, err)
		}
		subjects = append(subjects, numbers)
	}
	return subjects, nil
}

func baseName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

func readServer(path, instances string) (*subject, error) {
	var listing struct {
		ProtocolVersion string
		ServerInfo      json.RawMessage
		Tools           []json.RawMessage
	}
	if err := readJSON(path, &listing); err != nil {
		return nil, err
	}
	s := &subject{set: setReal, name: baseName(path)}
	s.snapshot = &schema.Snapshot{Server: s.name, ProtocolVersion: listing.ProtocolVersion, Identity: listing.ServerInfo}
	if s.snapshot.ProtocolVersion == "" {
		s.snapshot.ProtocolVersion = "2025-11-25"
	}
	aliases := map[string]string{}
	for _, raw := range listing.Tools {
		if err := s.addTool(raw, aliases); err != nil {
			return nil, err
		}
	}
	if instances == "" {
		return s, nil
	}
	return s, s.readInstances(filepath.Join(instances, s.name+".jsonl.gz"), aliases)
}

// listedTwice stands in for the tools that a server lists by a name that it has
// used before: nobody can call them.
const listedTwice = "\x00"

// addTool adds a tool as attaching would. Captures that were put together from
// one file for each tool say in _snap which; instances may go by that name.
func (s *subject) addTool(raw json.RawMessage, aliases map[string]string) error {
	it, err := schema.ParseItem(schema.KindTool, raw)
	if err != nil {
		return err
	}
	var tool struct {
		Snap         string `json:"_snap"`
		InputSchema  json.RawMessage
		OutputSchema json.RawMessage
	}
	if err := json.Unmarshal(raw, &tool); err != nil {
		return fmt.Errorf("tool %q: %w", it.Name, err)
	}
	snap := strings.TrimSuffix(tool.Snap, ".snap")
	if s.find(it.Name, input) != nil {
		s.twice = append(s.twice, it.Name)
		if snap != "" && snap != it.Name {
			aliases[snap] = listedTwice
		}
		return nil
	}
	s.snapshot.Tools = append(s.snapshot.Tools, it)
	if aliases[it.Name] == "" {
		aliases[it.Name] = it.Name
	}
	if snap != "" {
		aliases[snap] = it.Name
	}
	s.schemas = append(s.schemas, &toolSchema{subject: s, tool: it.Name, side: input, raw: tool.InputSchema})
	if tool.OutputSchema != nil {
		s.schemas = append(s.schemas, &toolSchema{subject: s, tool: it.Name, side: output, raw: tool.OutputSchema})
	}
	return nil
}

// instance is one value in a file of instances.
type instance struct {
	Cls string
	V   json.RawMessage
}

func values(list []instance) []value {
	var out []value
	for _, i := range list {
		out = append(out, value{i.Cls, i.V})
	}
	return out
}

// readInstances adds the values of a server. A server may have none.
func (s *subject) readInstances(path string, aliases map[string]string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		var line struct {
			Tool, Side     string
			Valid, Invalid []instance
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if aliases[line.Tool] == listedTwice {
			continue
		}
		t := s.find(aliases[line.Tool], line.Side)
		if t == nil {
			return fmt.Errorf("%s:%d: no tool of %s has the %s of %q", path, n, s.name, line.Side, line.Tool)
		}
		t.valid = append(t.valid, values(line.Valid)...)
		t.invalid = append(t.invalid, values(line.Invalid)...)
	}
	return lines.Err()
}

// readHard makes a server with one tool around a schema.
func readHard(path string) (*subject, error) {
	var file struct {
		Schema         json.RawMessage
		Valid, Invalid []json.RawMessage
	}
	if err := readJSON(path, &file); err != nil {
		return nil, err
	}
	s := newSubject(setHard, baseName(path))
	return s, s.addSchema(baseName(path), file.Schema, file.Valid, file.Invalid)
}

// addSchema adds a tool around a schema: its result, and its arguments. Arguments
// have to be an object, so that any other schema becomes the only property of one.
func (s *subject) addSchema(name string, raw json.RawMessage, valid, invalid []json.RawMessage) error {
	in, wrapped, err := asArguments(raw)
	if err != nil {
		return err
	}
	definition, err := json.Marshal(map[string]any{"name": name, "inputSchema": in, "outputSchema": raw})
	if err != nil {
		return err
	}
	if err := s.addTool(definition, map[string]string{}); err != nil {
		return err
	}
	for _, t := range s.schemas[len(s.schemas)-2:] {
		wrap := wrapped && t.side == input
		t.valid, t.invalid = bareValues(valid, wrap), bareValues(invalid, wrap)
	}
	return nil
}

func bareValues(list []json.RawMessage, wrap bool) []value {
	var out []value
	for _, v := range list {
		if wrap {
			v = slices.Concat([]byte(`{"`+wrapper+`":`), v, []byte("}"))
		}
		out = append(out, value{raw: v})
	}
	return out
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}
