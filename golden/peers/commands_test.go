//go:build peers

package peers

// Clients that are command lines: they take one step each time, of those that are marked with
// "command".

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// step is a line of testdata/steps that a command line takes.
type step struct {
	Step, Method string
	Command      bool
	Params       struct {
		Name, URI string
		Arguments json.RawMessage
	}
}

// commandLines are the clients that are command lines. Each of them reads its servers in a
// file: this one has the server "peer".
func commandLines() []peerClient {
	return []peerClient{
		{"inspector", []string{session2025, request2026}, nil, true, commands(inspectorLine)},
		{"mcporter", []string{session2025}, nil, true, commands(mcporterLine)},
	}
}

// inspectorLine is a step by the inspector; nil if it cannot take it.
func inspectorLine(r run, s step, config string) []string {
	era := "legacy"
	if r.revision == request2026 {
		era = "modern"
	}
	line := []string{bin("mcp-inspector"), "--cli", "--config", config, "--server", "peer", "--protocol-era", era, "--method", s.Method}
	switch s.Method {
	case "tools/call":
		return append(line, "--tool-name", s.Params.Name, "--tool-args-json", string(s.Params.Arguments))
	case "prompts/get":
		line = append(line, "--prompt-name", s.Params.Name, "--prompt-args")
		var args map[string]string
		_ = json.Unmarshal(s.Params.Arguments, &args) // the steps are ours
		for name, value := range args {
			line = append(line, name+"="+value)
		}
	case "resources/read":
		line = append(line, "--uri", s.Params.URI)
	}
	return line
}

// mcporterLine is a step by mcporter; nil if it cannot take it.
func mcporterLine(_ run, s step, config string) []string {
	line := []string{bin("mcporter"), "--config", config}
	switch s.Method {
	case "tools/list":
		return append(line, "list", "peer", "--schema", "--json")
	case "tools/call":
		return append(line, "call", "peer."+s.Params.Name, "--args", string(s.Params.Arguments), "--output", "json")
	case "resources/read":
		return append(line, "resource", "peer", s.Params.URI, "--json")
	}
	return nil
}

// commands takes steps with the lines of a program.
func commands(line func(r run, s step, config string) []string) func(person, run, string, []string, func()) (seen, error) {
	return func(p person, r run, steps string, target []string, _ func()) (seen, error) {
		server := map[string]any{"command": target[0], "args": target[1:]}
		if strings.HasPrefix(target[0], "http") {
			server = map[string]any{"type": "streamable-http", "url": target[0]}
		}
		config := filepath.Join(p.home, "servers.json")
		data, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"peer": server}})
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(config, data, 0o600); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(steps)
		if err != nil {
			return nil, err
		}
		got := seen{}
		for one := range strings.Lines(string(text)) {
			var s step
			if err := json.Unmarshal([]byte(one), &s); err != nil {
				return nil, err
			}
			args := line(r, s, config)
			if !s.Command || args == nil {
				continue
			}
			cmd := exec.Command("node", args...)
			cmd.Env = append(os.Environ(), "HOME="+p.home)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := toFile(cmd, filepath.Join(p.home, "out"))
			result := printed(out)
			if _, isJSON := result.(map[string]any); err != nil && !isJSON {
				return nil, fmt.Errorf("%s: %w\n%s%s", s.Step, err, out, stderr.String())
			}
			got[s.Step] = map[string]any{"result": result, "exit": cmd.ProcessState.ExitCode()}
		}
		return got, nil
	}
}

// toFile runs a command and returns what it wrote to standard output, which is a file:
// mcporter ends before a pipe has taken all.
func toFile(cmd *exec.Cmd, path string) ([]byte, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cmd.Stdout = f
	ran := cmd.Run()
	out, err := os.ReadFile(path)
	return out, errors.Join(ran, err)
}

// printed is what a command printed: JSON, or a text. What mcporter says of its own
// configuration is left out, and what it appends of a server's standard error.
func printed(out []byte) any {
	var v any
	if json.NewDecoder(bytes.NewReader(out)).Decode(&v) != nil {
		return string(out)
	}
	if o, ok := v.(map[string]any); ok && o["mode"] == "server" {
		return map[string]any{"tools": o["tools"]}
	}
	return v
}
