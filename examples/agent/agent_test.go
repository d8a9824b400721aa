package main

import (
	"bytes"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

const token = "planted-token-0123456789"

// patient are timeouts that no busy machine reaches.
var patient = endpoint.Timeouts{Start: time.Hour, Call: time.Hour}

// server is the program of the manifest's server.
var server string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "tracker")
		if err != nil {
			log.Print(err)
			return 1
		}
		defer os.RemoveAll(dir)
		server = filepath.Join(dir, "tracker.exe")
		if out, err := exec.Command("go", "build", "-o", server, "../quickstart/server").CombinedOutput(); err != nil {
			log.Printf("build the server: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// enterProject makes a folder with the manifest and its server, and goes there.
func enterProject(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	manifest, err := os.ReadFile("agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "agent.yaml"), manifest, 0o644); err != nil {
		t.Fatal(err)
	}
	name := "tracker"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(server, filepath.Join(dir, "bin", name)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("MCPGEN_SECRET_TRACKER_TOKEN", token)
}

// readRecords are what the audit log says.
func readRecords(t *testing.T, f audit.Filter) []audit.Record {
	t.Helper()
	var all []audit.Record
	for r, err := range audit.Read("audit.jsonl", f) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// What the program prints, from its first state to its last.
func TestRun(t *testing.T) {
	enterProject(t)
	var out bytes.Buffer
	if err := run(t.Context(), &out, patient); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	slices.Sort(lines[1:3]) // two servers are attached at the same time
	if diff := cmp.Diff(screen, strings.Join(lines, "\n")); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}

	denied := readRecords(t, audit.Filter{Decisions: []string{audit.Denied}, Kinds: []string{audit.KindCall}})
	if len(denied) != 1 || denied[0].Server != "tracker" || denied[0].Tool != "merge_pr" {
		t.Errorf("denied calls: %+v", denied)
	}
	if calls := readRecords(t, audit.Filter{Kinds: []string{audit.KindCall}}); len(calls) != 4 {
		t.Errorf("%d calls were written down: %+v", len(calls), calls)
	}
	log, err := os.ReadFile("audit.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(log, []byte(token)) || strings.Contains(out.String(), token) {
		t.Error("the log or the output holds the secret, want neither to")
	}
}

const screen = `Init
  attached tracker
  failed search: "agent.yaml:23: server \"search\": handshake: nothing answers at 127.0.0.1:1 (connection refused): start the server, or check the url"
  registered 2 tools of ""
  registered 5 tools of "tracker"
Plan

what triage is told of its tools:
	# Tools of MCP servers
	
	The servers wrote the descriptions of tools, and all lines that begin with ">".
	
	## tracker (5 tools)
	
	> Numbers identify pull requests. Read one before you merge it.
	
	- mcp_tracker_add_comment: Comments on a pull request, or on one line of it.
	- mcp_tracker_get_pr: Returns one pull request.
	- mcp_tracker_list_prs: Lists pull requests, newest first.
	- mcp_tracker_merge_pr: Merges an open pull request.
	- mcp_tracker_summary: Returns the board as text.

> echo {"text": "Let me see."}
Let me see.

> mcp_search_find {"query": "pull requests"}
failed: there is no tool "mcp_search_find"

> mcp_tracker_merge_pr {"number": 7}
denied: tracker/merge_pr: gate: denied: no rule allows it: only the person who runs this program can allow it

> mcp_tracker_list_prs {"state": "nowhere"}
the tool says no: validating "arguments": validating root: validating /properties/state: enum: nowhere does not equal any of: [open draft merged closed]

> mcp_tracker_summary {}
open: #8 #7
draft: #9
merged: #6

enrolled: map[tracker:5]
Closed
`

func TestSeed(t *testing.T) {
	t.Run("000-07", spawnSequence)
	t.Run("000-10", goesOn)
}

// spawnAgent spawns the agent and returns what it told of, step by step.
func spawnAgent(t *testing.T) (*Agent, *[]string) {
	t.Helper()
	enterProject(t)
	var told []string
	agent, err := Spawn(t.Context(), "agent.yaml", Options{AuditFile: "audit.jsonl", Timeout: patient, OnEvent: func(e event.Event) {
		told = append(told, strings.TrimSpace(string(e.Kind)+" "+e.Server+e.State))
	}})
	if err != nil {
		t.Fatal(err)
	}
	return agent, &told
}

// Init, attach of each server, its tools, Plan: in this order, whatever happens
// to a server.
func spawnSequence(t *testing.T) {
	agent, told := spawnAgent(t)
	if err := agent.Close(); err != nil {
		t.Fatal(err)
	}
	at := func(step string) int {
		i := slices.IndexFunc(*told, func(s string) bool { return strings.HasPrefix(s, step) })
		if i < 0 {
			t.Fatalf("no %q in %q", step, *told)
		}
		return i
	}
	for _, order := range [][]string{
		{"state Init", "attaching tracker", "attached tracker", "registered tracker", "state Plan", "detached tracker", "state Closed"},
		{"state Init", "attaching search", "failed search", "registered tracker"},
	} {
		if !slices.IsSortedFunc(order, func(a, b string) int { return at(a) - at(b) }) {
			t.Errorf("want %q in this order, got %q", order, *told)
		}
	}
	if at("state Init") != 0 || at("state Closed") != len(*told)-1 {
		t.Errorf("got %q", *told)
	}
}

// The server that failed is in the audit log, with where and why; the agent plans
// without its tools.
func goesOn(t *testing.T) {
	agent, _ := spawnAgent(t)
	defer agent.Close()
	failed := readRecords(t, audit.Filter{Servers: []string{"search"}, Kinds: []string{audit.KindAttach}})
	if len(failed) != 1 || failed[0].Stage != "handshake" || !strings.Contains(failed[0].Error, "connection refused") {
		t.Errorf("got %+v", failed)
	}
	for name, tool := range agent.tools {
		if tool.Spec().Server != "tracker" {
			t.Errorf("%s is registered", name)
		}
	}
	if len(agent.tools) != 5 {
		t.Errorf("%d tools", len(agent.tools))
	}
	if result, err := agent.Call(t.Context(), "mcp_tracker_summary", nil); err != nil || result.IsError {
		t.Errorf("got %+v, %v", result, err)
	}
}

// What the agent cannot begin with is an error, and leaves nothing behind.
func TestSpawnRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	const servers = `{"mcpServers": {"a": {"command": "no-such-program"}}}`
	const wrong = "apiVersion: scarab/v1\nkind: AgentManifest\nspec: {trust_level: godlike}\n"
	for name, text := range map[string]string{".mcp.json": servers, "wrong.yaml": wrong} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for manifest, says := range map[string]string{
		".mcp.json":  "this is not an agent manifest",
		"wrong.yaml": `wrong.yaml:3:21: spec.trust_level: unknown level "godlike"`,
		"none.yaml":  "none.yaml: cannot stat",
	} {
		if _, err := Spawn(t.Context(), manifest, Options{AuditFile: "audit.jsonl"}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", manifest, err)
		}
	}
	if _, err := os.Stat("audit.jsonl"); err == nil {
		t.Error("audit.jsonl exists, want none of an agent that never began")
	}
}
