package main

// The JSON-Schema-Test-Suite: a folder for each draft, with files of groups, which
// are a schema and values each. Each group becomes a tool, each file a server.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// drafts are the folders of the suite, and what their schemas say they are where
// they do not say it themselves.
var drafts = []struct{ folder, dialect string }{
	{"draft7", "http://json-schema.org/draft-07/schema#"},
	{"draft2020-12", "https://json-schema.org/draft/2020-12/schema"},
}

func readSuite(dir string) ([]*subject, error) {
	var subjects []*subject
	for _, draft := range drafts {
		paths, err := filepath.Glob(filepath.Join(dir, draft.folder, "*.json"))
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("%s: no *.json in its folder %s: pass the testdata of github.com/google/jsonschema-go/jsonschema", dir, draft.folder)
		}
		for _, path := range paths {
			s, err := readGroups(path, draft.folder, draft.dialect)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			subjects = append(subjects, s)
		}
	}
	return subjects, nil
}

// readGroups makes a server of a file of the suite.
func readGroups(path, draft, dialect string) (*subject, error) {
	var groups []struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Data  json.RawMessage
			Valid bool
		}
	}
	if err := readJSON(path, &groups); err != nil {
		return nil, err
	}
	s := newSubject(setSuite, draft+"-"+baseName(path))
	for i, g := range groups {
		var valid, invalid []json.RawMessage
		for _, t := range g.Tests {
			if t.Valid {
				valid = append(valid, t.Data)
			} else {
				invalid = append(invalid, t.Data)
			}
		}
		name := fmt.Sprintf("%s %d", g.Description, i)
		if err := s.addSchema(name, ofDialect(g.Schema, dialect), valid, invalid); err != nil {
			return nil, fmt.Errorf("%q: %w", g.Description, err)
		}
	}
	return s, nil
}

// ofDialect is a schema that says of which dialect it is.
func ofDialect(raw json.RawMessage, dialect string) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	var said struct {
		Dialect string `json:"$schema"`
	}
	if raw[0] != '{' || json.Unmarshal(raw, &said) != nil || said.Dialect != "" {
		return raw
	}
	head := fmt.Appendf(nil, `{"$schema":%q`, dialect)
	if rest := bytes.TrimSpace(raw[1:]); rest[0] != '}' {
		head = append(head, ',')
	}
	return slices.Concat(head, raw[1:])
}

// newSubject is a server of schemas that come without one.
func newSubject(set, name string) *subject {
	return &subject{set: set, name: set + "-" + name, snapshot: &schema.Snapshot{
		Server: set + "-" + name, ProtocolVersion: "2025-11-25", Identity: json.RawMessage(`{"name":"` + set + `","version":"1"}`),
	}}
}
