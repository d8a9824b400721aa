package main

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
)

// ciScript makes a shell script of the commands in a file of CI jobs: ciscript
// FILE OUT. What such a system does itself is left out. The file has to be YAML in
// which no key is duplicated.
func ciScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: ciscript FILE OUT")
	}
	var doc yaml.Node
	ts.Check(yaml.Unmarshal([]byte(ts.ReadFile(args[0])), &doc))
	var plain map[string]any
	ts.Check(doc.Decode(&plain))
	commands := ciCommands(&doc)
	if len(commands) < 2 {
		ts.Fatalf("%s has %d commands", args[0], len(commands))
	}
	script := "set -e\ngo() { test \"$1\" = tool; shift; \"$@\"; }\ngh() { echo \"gh $*\" >> \"$RUNNER_TEMP/gh.txt\"; }\n" + strings.Join(commands, "\n") + "\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(script), 0o644))
}

// listingOf writes what a real server offered before or after an upgrade: listing FILE
// before|after OUT.
func listingOf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: listing FILE before|after OUT")
	}
	f, err := os.Open(args[0])
	ts.Check(err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	ts.Check(err)
	type side struct {
		Tools             []json.RawMessage `json:"tools,omitempty"`
		Prompts           []json.RawMessage `json:"prompts,omitempty"`
		Resources         []json.RawMessage `json:"resources,omitempty"`
		ResourceTemplates []json.RawMessage `json:"resourceTemplates,omitempty"`
		Instructions      string            `json:"instructions,omitempty"`
	}
	var pair struct{ Before, After side }
	ts.Check(json.NewDecoder(z).Decode(&pair))
	data, err := json.Marshal(map[string]side{"before": pair.Before, "after": pair.After}[args[1]])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), data, 0o644))
}

// ciCommands are the texts below the keys that hold commands.
func ciCommands(n *yaml.Node) []string {
	var out []string
	for i, child := range n.Content {
		holds := n.Kind == yaml.MappingNode && i%2 == 1 && (n.Content[i-1].Value == "run" || n.Content[i-1].Value == "script" || n.Content[i-1].Value == "entry")
		switch {
		case holds && child.Kind == yaml.ScalarNode:
			out = append(out, child.Value)
		case holds:
			for _, line := range child.Content {
				out = append(out, line.Value)
			}
		default:
			out = append(out, ciCommands(child)...)
		}
	}
	return out
}
