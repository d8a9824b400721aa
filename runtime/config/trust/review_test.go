package trust

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reviewChanges are the changes of a review as text, one a line.
func reviewChanges(t *testing.T, s *Store, dir string) string {
	t.Helper()
	r, err := s.Review(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range r.Changes {
		b.WriteString(string(c.Kind) + " " + c.File)
		if c.Script {
			b.WriteString(" script")
		}
		for _, l := range []*Launch{c.Before, c.After} {
			if l != nil {
				b.WriteString(" | " + l.Place + ": " + strings.Join(l.Lines(), "; "))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// A number that JSON has not hides nothing of a file of TOML.
func TestReviewOfInfinity(t *testing.T) {
	s, dir := newStore(t), makeProject(t, map[string]string{".codex/config.toml": "x = [inf, {y = nan}]\n[mcp_servers.x]\ncommand = \"./run.sh\"\n", "run.sh": "one"})
	if got, want := reviewChanges(t, s, dir), "added .codex/config.toml | mcp_servers.x: ./run.sh\nadded run.sh script\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What a person is shown: everything of a new project, and what differs of one
// that was trusted before.
func TestReview(t *testing.T) {
	s, dir := newStore(t), makeProject(t, map[string]string{
		".mcp.json": `{"mcpServers":{
			"fs":{"command":"node","args":["server.js","a b"],"env":{"TOKEN":"hush-hush-1234","A":"1"}},
			"web":{"url":"https://me:pass-word-77@example.com/mcp","headers":{"Authorization":"Bearer 12345678"}}}}`,
		"server.js":             "one",
		".claude/settings.json": `{"theme":"dark","hooks":{"Stop":[{"hooks":[{"type":"command","command":"./notify.sh"}]}]}}`,
		".tallow/agents/a.md":   "text",
		".codex/config.toml":    "[mcp_servers.x]\ncommand = \"x-mcp\"\n",
		".cursor/mcp.json":      `{"mcpServers":{"z":{"command":["z","--flag"]}}}`,
	})
	check := func(want string) {
		t.Helper()
		if got := reviewChanges(t, s, dir); got != strings.TrimPrefix(want, "\n") {
			t.Errorf("got\n%s\nwant%s", got, want)
		}
	}
	check(`
added .claude/settings.json | hooks.Stop[0].hooks[0]: ./notify.sh
added .codex/config.toml | mcp_servers.x: x-mcp
added .cursor/mcp.json | mcpServers.z: z --flag
added .mcp.json | mcpServers.fs: node server.js "a b"; with A=1; with TOKEN=…
added .mcp.json | mcpServers.web: https://me:…@example.com/mcp; with the headers Authorization
added .tallow/agents/a.md
added server.js script
`)
	if _, err := s.Trust(dir); err != nil {
		t.Fatal(err)
	}
	check("")
	writeFile(t, dir, ".claude/settings.json", `{"theme":"light","hooks":{"Stop":[{"hooks":[{"type":"command","command":"./notify.sh"}]}]}}`)
	check("")
	writeFile(t, dir, "server.js", "two")
	writeFile(t, dir, ".codex/config.toml", "# all gone\n")
	writeFile(t, dir, ".mcp.json", `{"mcpServers":{
			"fs":{"command":"node","args":["server.js","a b"],"env":{"TOKEN":"hush-hush-5678","A":"1"}},
			"web":{"url":"https://example.org/mcp"},
			"web":{"command":"sh"}}}`)
	writeFile(t, dir, ".claude/settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./notify.sh"}]}]},"permissions":{"allow":["x"]}}`)
	if err := os.Remove(filepath.Join(dir, ".tallow", "agents", "a.md")); err != nil {
		t.Fatal(err)
	}
	check(`
changed .claude/settings.json
removed .codex/config.toml | mcp_servers.x: x-mcp
changed .mcp.json | mcpServers.fs: node server.js "a b"; with A=1; with TOKEN=… | mcpServers.fs: node server.js "a b"; with A=1; with TOKEN=…
changed .mcp.json | mcpServers.web: https://me:…@example.com/mcp; with the headers Authorization | mcpServers.web: https://example.org/mcp
added .mcp.json | mcpServers.web: sh
removed .tallow/agents/a.md
changed server.js script
`)
	kept, err := os.ReadFile(s.Path())
	if err != nil || strings.Contains(string(kept), "hush-hush") || strings.Contains(string(kept), "pass-word") || strings.Contains(string(kept), "12345678") {
		t.Errorf("the store holds a value: %s, %v", kept, err)
	}
}

// What is trusted is what was shown: an edit between the question and the answer
// is not accepted with it.
func TestAcceptWhatWasSeen(t *testing.T) {
	s, dir := newStore(t), makeProject(t, map[string]string{".mcp.json": `{"mcpServers":{"a":{"command":"good"}}}`})
	r, err := s.Review(dir)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, ".mcp.json", `{"mcpServers":{"a":{"command":"evil"}}}`)
	if _, err := s.Accept(r); err != nil {
		t.Fatal(err)
	}
	if got := statusOf(t, s, dir); got != Stale {
		t.Errorf("got %s", got)
	}
	if got := reviewChanges(t, s, dir); got != "changed .mcp.json | mcpServers.a: good | mcpServers.a: evil\n" {
		t.Errorf("got %s", got)
	}
}

// An entry of an older version has a fingerprint alone: all is shown again.
func TestReviewOfOlderEntry(t *testing.T) {
	s, dir := newStore(t), makeProject(t, map[string]string{".mcp.json": `{"mcpServers":{"a":{"command":"x"}}}`})
	if _, err := s.Trust(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.update(false, func(all map[string]entry) {
		for name, e := range all {
			all[name] = entry{Fingerprint: strings.Repeat("0", 64), TrustedAt: e.TrustedAt, Version: 1}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if got := reviewChanges(t, s, dir); got != "added .mcp.json | mcpServers.a: x\n" {
		t.Errorf("got %s", got)
	}
	if r, err := s.Review(dir); !r.Unknown || r.Since.IsZero() || r.Status != Stale || err != nil {
		t.Errorf("got %+v, %v", r, err)
	}
}

// A list that nobody can read is not accepted.
func TestReviewTooMuch(t *testing.T) {
	var b strings.Builder
	for range maxLaunches + 1 {
		b.WriteString(`,{"command":"x"}`)
	}
	s, dir := newStore(t), makeProject(t, map[string]string{".mcp.json": `{"servers":[` + b.String()[1:] + `]}`})
	if _, err := s.Trust(dir); err == nil || !strings.Contains(err.Error(), "more than 500 programs") {
		t.Errorf("got %v", err)
	}
}

// FuzzLaunches reads files of a project: whatever they hold, a launch is shown
// with a place and something that it starts, and no file is read twice in two ways.
func FuzzLaunches(f *testing.F) {
	f.Add([]byte(`{"mcpServers":{"a":{"command":"x","args":[1,null,"z"],"env":["A=1"]}}}`), false)
	f.Add([]byte(`{"a":{"command":{"path":"x","args":["y"],"env":{"B":2}}},"a":[{"url":["u","v"]}]`), false)
	f.Add([]byte("[a]\ncommand = 'x'\nf = inf\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, isTOML bool) {
		file := "a.json"
		if isTOML {
			file = "a.toml"
		}
		var one, two digest
		one.launches(file, data, nil)
		two.launches(file, data, nil)
		if len(one.Launches) != len(two.Launches) || len(one.Launches) > maxLaunches+1 {
			t.Fatalf("%d and %d launches", len(one.Launches), len(two.Launches))
		}
		for i, l := range one.Launches {
			if l.File != file || l.Hash == "" || len(l.Command) == 0 && l.URL == "" || !slices.Equal(l.Lines(), two.Launches[i].Lines()) {
				t.Fatalf("%+v", l)
			}
		}
	})
}

// A manifest is known by its kind: other YAML of the name is no concern of trust.
func TestReviewOfManifest(t *testing.T) {
	s, dir := newStore(t), makeProject(t, map[string]string{
		"agent.yaml": `apiVersion: scarab/v1
kind: AgentManifest
spec:
  mcp_servers:
    - name: github
      transport: Stdio
      command: ./github-mcp
      args: [--read-only]
      env_template: [["GITHUB_TOKEN", "{{secret:github-token}}"]]
    - {name: search, transport: Http, url: "https://search.example"}
`,
		"manifest.yaml": "kind: Deployment\nspec: {command: x}\n",
		"github-mcp":    "#!/bin/sh\n",
	})
	if err := os.Chmod(filepath.Join(dir, "github-mcp"), 0o700); err != nil {
		t.Fatal(err)
	}
	want := "added agent.yaml | spec.mcp_servers[0]: ./github-mcp --read-only; with GITHUB_TOKEN=…\n" +
		"added agent.yaml | spec.mcp_servers[1]: https://search.example\nadded github-mcp script\n"
	if got := reviewChanges(t, s, dir); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := s.Trust(dir); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "manifest.yaml", "kind: Service\n")
	if got := statusOf(t, s, dir); got != Trusted {
		t.Errorf("another program's file was edited: %s", got)
	}
	agent := filepath.Join(dir, "agent.yaml")
	text, err := os.ReadFile(agent)
	if err != nil {
		t.Fatal(err)
	}
	if reason, _ := s.Refuses(agent, text); reason != "" {
		t.Errorf("refused: %s", reason)
	}
	if reason, _ := s.Refuses(agent, []byte(strings.ReplaceAll(string(text), "kind: AgentManifest", `kind: "Agent\x4danifest"`))); reason == "" {
		t.Error("Refuses gives no reason for a manifest that hides its kind, want one")
	}
	writeFile(t, dir, "agent.yaml", strings.Replace(string(text), "--read-only", "--write", 1))
	if got := statusOf(t, s, dir); got != Stale {
		t.Errorf("the manifest was edited: %s", got)
	}
}

// What is run of a project without being named is said, and nothing of a launch is
// pushed off the screen by what is long.
func TestLaunchLines(t *testing.T) {
	long := strings.Repeat("x", 500)
	s, dir := newStore(t), makeProject(t, map[string]string{".mcp.json": `{"mcpServers":{
		"a":{"command":"go","args":["run","./cmd/server"],"cwd":"sub dir","env":{"NODE_OPTIONS":"--require=./x.js","PLAIN":"1"}},
		"b":{"command":"sh","args":["-c","` + long + `; curl evil"],"envFile":".env"},
		"c":{"command":"env","args":["A=1","python3","-m","server"]},
		"d":{"command":"make"},
		"e":{"command":"npx","args":["-y","pkg"]},
		"f":{"command":"docker","args":["compose","up"]},
		"g":{"command":"npm","args":["start"]}}}`})
	const edits = "): mcpgen does not ask again after edits of that code"
	want := "added .mcp.json | mcpServers.a: go run ./cmd/server; in the folder \"sub dir\"; with NODE_OPTIONS=--require=./x.js; with PLAIN=1; runs code of the project (go run" + edits + "\n" +
		"added .mcp.json | mcpServers.b: sh; -c; \"" + long[:79] + "…" + long[:68] + "; curl evil\" (513 characters); with the variables of .env; runs code of the project (sh -c" + edits + "\n" +
		"added .mcp.json | mcpServers.c: env A=1 python3 -m server; runs code of the project (python3 -m" + edits + "\n" +
		"added .mcp.json | mcpServers.d: make; runs code of the project (make" + edits + "\n" +
		"added .mcp.json | mcpServers.e: npx -y pkg\n" +
		"added .mcp.json | mcpServers.f: docker compose up; runs code of the project (docker compose" + edits + "\n" +
		"added .mcp.json | mcpServers.g: npm start; runs code of the project (npm start" + edits + "\n"
	if got := reviewChanges(t, s, dir); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
