package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema/validate"
	"go.yaml.in/yaml/v3"
)

// TestConfigSchema holds the schema that editors get to what the reader says.
func TestConfigSchema(t *testing.T) {
	text, err := json.Marshal(configSchema())
	if err != nil {
		t.Fatal(err)
	}
	check, err := validate.New(text)
	if err != nil {
		t.Fatal(err)
	}
	const server = "version: 1\nservers: {a: {command: x}}\n"
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"one server", server, true},
		{"no version", "servers: {a: {command: x}}\n", false},
		{"another version", "version: 2\nservers: {a: {command: x}}\n", false},
		{"unknown key", server + "server: {}\n", false},
		{"unknown key of a server", "version: 1\nservers: {a: {comand: x}}\n", false},
		{"naming", server + "naming: snake\n", false},
		{"ignore", server + "drift: {ignore: [{server: a, rule: tool-removed, after: 'sha256:1234567890123456789012345678901234567890123456789012345678901234', reason: r}]}\n", true},
		{"ignore without a reason", server + "drift: {ignore: [{server: a, rule: tool-removed, after: 'sha256:1234567890123456789012345678901234567890123456789012345678901234'}]}\n", false},
		{"secret", server + "policy: {secrets: [{secret: s, tool: '*'}]}\n", true},
		{"secret for nobody", server + "policy: {secrets: [{secret: s}]}\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mcpgen.yaml")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := config.Load(path); (err == nil) != tt.ok {
				t.Errorf("the reader says %v", err)
			}
			var value any
			if err := yaml.Unmarshal([]byte(tt.text), &value); err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if err := check.Validate(raw); (err == nil) != tt.ok {
				t.Errorf("the schema says %v", err)
			}
		})
	}
}
