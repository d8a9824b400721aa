package live_test

// Ledgers of whole programs: which tools there were when a call was made.

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/ledger"
	"github.com/mcpgen/mcpgen/runtime/live"
)

const enrolled = `version: 1
servers:
  a: {command: PROGRAM, args: [echo], inherit_env: all}
  b: {command: PROGRAM, args: [echo], inherit_env: all}
audit: {}
ledger: {}
`

// runsOf reads a ledger without a damaged line.
func runsOf(t *testing.T, path string) []ledger.Run {
	t.Helper()
	runs, damaged, err := ledger.Read(path)
	if err != nil || len(damaged) > 0 {
		t.Fatalf("damaged %v, %v", damaged, err)
	}
	return runs
}

// Each call is in the audit log with its run, and the ledger says which tools the run
// had at that time: what changed before a call is written before it. After Close
// nothing is enrolled, and what other runs have stays.
func TestLedger(t *testing.T) {
	work := enterProject(t, map[string]string{"mcpgen.yaml": enrolled})
	path := filepath.Join(work, filepath.FromSlash(config.DefaultLedgerFile))
	other, err := live.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	host, err := live.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if _, err := callTool(t, host, "a", "echo"); err != nil {
		t.Fatal(err)
	}
	if err := host.Detach("b"); err != nil {
		t.Fatal(err)
	}
	if _, err := callTool(t, host, "a", "echo"); err != nil {
		t.Fatal(err)
	}
	runs := runsOf(t, path)
	if len(runs) != 2 || len(runs[0].Ledger.LiveOf("b")) == 0 || len(runs[1].Ledger.LiveOf("b")) != 0 {
		t.Fatalf("two hosts, of which the second lost b: %+v", runs)
	}
	calls := recordsIn(t, filepath.Join(work, filepath.FromSlash(config.DefaultAuditFile)), audit.Filter{Kinds: []string{audit.KindCall}})
	if len(calls) != 2 {
		t.Fatalf("calls %+v", calls)
	}
	for i, want := range []int{1, 0} {
		c := calls[i]
		then := runs[1].Ledger.UpTo(c.Seq)
		if c.Run != runs[1].ID || len(then.LiveOf("a")) == 0 || min(len(then.LiveOf("b")), 1) != want {
			t.Errorf("call %d, of run %s: %+v", i, c.Run, then.Live())
		}
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	runs = runsOf(t, path)
	if len(runs[1].Ledger.Live()) != 0 || len(runs[0].Ledger.Live()) == 0 {
		t.Errorf("after the second is closed: %+v", runs)
	}
}

// A ledger that a program does not keep is an error, and so is one that cannot be
// opened: nothing in the configuration is without effect.
func TestLedgerRequired(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": enrolled, "bad.yaml": strings.Replace(enrolled, "ledger: {}", "ledger: {file: folder}", 1), "folder/x": ""})
	p, err := config.Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, err = attach.Connect(t.Context(), p.Servers, nil)
	if err == nil || !strings.Contains(err.Error(), "audit, ledger") || !strings.Contains(err.Error(), `[]endpoint.Requirement{"audit", "ledger"}`) {
		t.Errorf("got %v", err)
	}
	_, err = live.Open(t.Context(), live.Options{File: "bad.yaml"})
	if err == nil || !strings.Contains(err.Error(), "bad.yaml: the ledger cannot be opened: ") {
		t.Errorf("got %v", err)
	}
}
