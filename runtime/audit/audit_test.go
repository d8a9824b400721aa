package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/mask"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// asWriter makes this test binary a process that writes lines.
const asWriter = "AUDIT_WRITER"

const perWriter = 400

func TestMain(m *testing.M) {
	if path := os.Getenv(asEndless); path != "" {
		writeEndlessly(path)
	}
	if path := os.Getenv(asWriter); path != "" {
		l, err := Open(path, nil)
		if err == nil {
			writeRecords(l, perWriter)
			err = errors.Join(l.Close())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writeRecords writes records of very different lengths.
func writeRecords(l *Log, n int) {
	for i := range n {
		l.Event(event.Event{Kind: event.Notice, Server: "s", Detail: strings.Repeat("x", i*7%1500)})
	}
}

func openLog(t *testing.T, path string, opts *Options) *Log {
	t.Helper()
	l, err := Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func readRecords(t *testing.T, path string, f Filter) []Record {
	t.Helper()
	var out []Record
	for r, err := range Read(path, f) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func callOf(server, tool, args string) runtime.Request {
	return runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool, Args: json.RawMessage(args)}
}

func answering(res *runtime.Result, err error) runtime.Invoker {
	return runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return res, err })
}

func TestCallRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "audit.jsonl")
	l := openLog(t, path, &Options{Key: func(server, tool string) string { return "bk_" + server + tool }})
	denied := &runtime.CallError{Server: "fs", Name: "rm", Stage: stage.Gate, Err: fmt.Errorf("%w: no rule", runtime.ErrDenied)}
	late := &runtime.CallError{Server: "fs", Name: "slow", Stage: stage.Receive, Sent: true, Err: runtime.ErrTimeout}
	for _, c := range []struct {
		req runtime.Request
		inv runtime.Invoker
	}{
		{callOf("fs", "read", `{"path":"private"}`), answering(&runtime.Result{Raw: json.RawMessage(`{"content":[]}`)}, nil)},
		{callOf("fs", "read", ""), answering(&runtime.Result{IsError: true}, nil)},
		{callOf("fs", "rm", "{}"), answering(nil, denied)},
		{callOf("fs", "slow", "{}"), answering(nil, late)},
		{runtime.Request{Server: "docs", Method: protocol.MethodGetPrompt, Name: "review", Options: runtime.Options{Caller: "ann"}}, answering(&runtime.Result{}, nil)},
	} {
		_, err := runtime.Chain(c.inv, l.Middleware()).Invoke(t.Context(), c.req)
		if _, want := c.inv.Invoke(t.Context(), c.req); err != want {
			t.Errorf("the middleware changes the error: %v", err)
		}
	}
	got := readRecords(t, path, Filter{})
	for i, want := range []Record{
		{Kind: KindCall, Agent: "tool:read", Server: "fs", Tool: "read", Key: "bk_fsread", Decision: Allowed, ArgsBytes: 18, ResultBytes: 14},
		{Kind: KindCall, Agent: "tool:read", Server: "fs", Tool: "read", Key: "bk_fsread", Decision: Allowed, IsError: true},
		{Kind: KindCall, Agent: "tool:rm", Server: "fs", Tool: "rm", Key: "bk_fsrm", Decision: Denied, Stage: "gate", Error: "denied: no rule", ArgsBytes: 2},
		{Kind: KindCall, Agent: "tool:slow", Server: "fs", Tool: "slow", Key: "bk_fsslow", Decision: Allowed, Stage: "receive", Error: "timed out", ArgsBytes: 2},
		{Kind: KindCall, Agent: "tool:review", Server: "docs", Tool: "review", Method: "prompts/get", Caller: "ann", Decision: Allowed},
	} {
		if i >= len(got) {
			t.Fatalf("only %d records", i)
		}
		r := got[i]
		if r.Time.IsZero() || r.Milliseconds < 0 {
			t.Errorf("%+v: no time", r)
		}
		r.Time, r.Milliseconds = time.Time{}, 0
		if fmt.Sprintf("%+v", r) != fmt.Sprintf("%+v", want) {
			t.Errorf("got  %+v\nwant %+v", r, want)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || bytes.Contains(data, []byte("private")) {
		t.Errorf("the values of arguments are written: %s", data)
	}
	if goruntime.GOOS != "windows" {
		for p, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if info, err := os.Stat(p); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v", p, info.Mode())
			}
		}
	}
}

// staged is an error that knows where a server failed, as attach has one.
type staged struct {
	error
	at string
}

func (s staged) FailedStage() string { return s.at }

func TestEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := openLog(t, path, &Options{Launch: func(server string) string { return "npx -y " + server }})
	lost := staged{errors.New("exit status 7"), "session"}
	for _, tt := range []struct {
		event event.Event
		want  Record // the zero value: nothing is written
	}{
		{event.Event{Kind: event.Attaching}, Record{}},
		{event.Event{Kind: event.Attached, Tools: []string{"a", "b"}}, Record{Kind: KindAttach, Decision: Allowed, Tools: 2, Launch: "npx -y s"}},
		{event.Event{Kind: event.Failed, Err: staged{errors.New("no such file"), "start"}}, Record{Kind: KindAttach, Stage: "start", Error: "no such file", Launch: "npx -y s"}},
		{event.Event{Kind: event.Failed, Err: lost}, Record{Kind: KindDetach, Stage: "session", Error: "exit status 7", Launch: "npx -y s"}},
		{event.Event{Kind: event.Restarting}, Record{Kind: KindRestart, Launch: "npx -y s"}},
		{event.Event{Kind: event.Reconnecting}, Record{Kind: KindRestart, Launch: "npx -y s"}},
		{event.Event{Kind: event.Unavailable, Err: lost}, Record{}},
		{event.Event{Kind: event.Detached, Before: "ready"}, Record{Kind: KindDetach}},
		{event.Event{Kind: event.Detached, Before: "connecting"}, Record{Kind: KindAttach, Error: "detached before it was ready", Launch: "npx -y s"}},
		{event.Event{Kind: event.Detached, Before: "failed"}, Record{}},
		{event.Event{Kind: event.Detached, Before: "unstarted"}, Record{}},
		{event.Event{Kind: event.Check, Tool: "x", Method: protocol.MethodCallTool, Allowed: true, Detail: "a rule"}, Record{Kind: KindCheck, Agent: "tool:x", Tool: "x", Decision: Allowed, Detail: "a rule"}},
		{event.Event{Kind: event.Check, Tool: "x", Detail: "no rule", Err: runtime.ErrDenied}, Record{Kind: KindCheck, Agent: "tool:x", Tool: "x", Decision: Denied, Detail: "no rule"}},
		{event.Event{Kind: event.Check, Detail: "the secret", Allowed: true}, Record{Kind: KindCheck, Decision: Allowed, Detail: "the secret"}},
		{event.Event{Kind: event.Drift, Tool: "x", State: "changed", Detail: "input-property-removed"}, Record{Kind: KindDrift, Agent: "tool:x", Tool: "x", Detail: "changed: input-property-removed"}},
		{event.Event{Kind: event.ToolRemoved, Tool: "x"}, Record{Kind: KindChange, Agent: "tool:x", Tool: "x", Detail: "tool-removed"}},
		{event.Event{Kind: event.Elicitation, Detail: "declined"}, Record{Kind: KindNotice, Detail: "elicitation: declined"}},
		{event.Event{Kind: event.Call, Tool: "x"}, Record{}},
		{event.Event{Kind: "of the future"}, Record{}},
	} {
		before := len(readRecords(t, path, Filter{}))
		tt.event.Server = "s"
		l.Event(tt.event)
		got := readRecords(t, path, Filter{})[before:]
		if tt.want.Kind == "" {
			if len(got) != 0 {
				t.Errorf("%s: got %+v", tt.event.Kind, got)
			}
			continue
		}
		if len(got) != 1 {
			t.Fatalf("%s: %d records", tt.event.Kind, len(got))
		}
		r := got[0]
		r.Time, tt.want.Server = time.Time{}, "s"
		if fmt.Sprintf("%+v", r) != fmt.Sprintf("%+v", tt.want) {
			t.Errorf("%s: got  %+v\nwant %+v", tt.event.Kind, r, tt.want)
		}
	}
}

// Several processes and goroutines write one file: every line is whole.
func TestWholeLines(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := openLog(t, path, nil)
	var work sync.WaitGroup
	for range 3 {
		work.Go(func() {
			cmd := exec.CommandContext(t.Context(), self)
			cmd.Env = append(os.Environ(), asWriter+"="+path)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		work.Go(func() { writeRecords(l, perWriter) })
	}
	work.Wait()
	if n := len(readRecords(t, path, Filter{})); n != 6*perWriter {
		t.Errorf("%d records", n)
	}
	if n, err := Damaged(path); n != 0 || err != nil {
		t.Errorf("%d damaged lines, %v", n, err)
	}
}

// A crash cuts a line off wherever it likes. What was written before and what is
// written after is there.
func TestTornLine(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.jsonl")
	l := openLog(t, whole, nil)
	l.Event(event.Event{Kind: event.Notice, Detail: `first {"time":"`})
	l.Event(event.Event{Kind: event.Notice, Detail: "second"})
	data, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	end := bytes.IndexByte(data, '\n') + 1
	for cut := end; cut < len(data); cut++ {
		path := filepath.Join(dir, fmt.Sprintf("torn-%d.jsonl", cut))
		if err := os.WriteFile(path, data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		next := openLog(t, path, nil)
		next.Event(event.Event{Kind: event.Notice, Detail: "after"})
		next.Close()
		details := detailsIn(t, path)
		// Only the line break was lost of the last one.
		want := []string{`notice: first {"time":"`, "notice: after"}
		if cut == len(data)-1 {
			want = slices.Insert(want, 1, "notice: second")
		}
		if !slices.Equal(details, want) {
			t.Fatalf("cut at %d: %q", cut, details)
		}
	}
}

func detailsIn(t *testing.T, path string) []string {
	var out []string
	for _, r := range readRecords(t, path, Filter{}) {
		out = append(out, r.Detail)
	}
	return out
}

// A process that has the file open ends the line that another one left torn, and
// loses no record of its own. What stands inside the torn line is not a record,
// whoever chose its text.
func TestTornByAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := openLog(t, path, nil)
	l.Event(event.Event{Kind: event.Notice, Detail: "first"})
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"time":"2026-01-01T00:00:00Z","kind":"call","arguments":{"x":{"time":"2026-01-01T00:00:00Z","kind":"notice","detail":"forged"}`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if got := detailsIn(t, path); !slices.Equal(got, []string{"notice: first"}) {
		t.Errorf("got %q before the next record", got)
	}
	l.Event(event.Event{Kind: event.Notice, Detail: "second"})
	if got := detailsIn(t, path); !slices.Equal(got, []string{"notice: first", "notice: second"}) {
		t.Errorf("got %q", got)
	}
	if n, err := Damaged(path); n != 1 || err != nil {
		t.Errorf("%d damaged, %v", n, err)
	}
}

// The system's log rotation moves the file away: the next line begins a new one.
func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := openLog(t, path, nil)
	l.Event(event.Event{Kind: event.Notice, Detail: "old"})
	if err := os.Rename(path, path+".1"); err != nil {
		t.Skip("a file in use cannot be moved here: ", err)
	}
	l.Event(event.Event{Kind: event.Notice, Detail: "new"})
	if a, b := detailsIn(t, path+".1"), detailsIn(t, path); !slices.Equal(a, []string{"notice: old"}) || !slices.Equal(b, []string{"notice: new"}) {
		t.Errorf("got %q, %q", a, b)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l.Event(event.Event{Kind: event.Notice, Detail: "newer"})
	if got := detailsIn(t, path); !slices.Equal(got, []string{"notice: newer"}) {
		t.Errorf("got %q", got)
	}
}

// What cannot be written is told; calls go on.
func TestCannotWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "audit.jsonl")
	var failures []error
	l := openLog(t, path, &Options{OnError: func(err error) { failures = append(failures, err) }})
	if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
		t.Skip("a folder in use cannot be removed here: ", err)
	}
	if _, err := runtime.Chain(answering(&runtime.Result{}, nil), l.Middleware()).Invoke(t.Context(), callOf("s", "x", "")); err != nil || len(failures) != 1 {
		t.Errorf("got %v, %d failures", err, len(failures))
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	l.Event(event.Event{Kind: event.Notice, Detail: "back"})
	if got := detailsIn(t, path); len(got) != 1 {
		t.Errorf("got %q", got)
	}
	if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		l.Event(event.Event{Kind: event.Notice, Detail: "lost"})
	}
	if len(failures) != 2 {
		t.Errorf("%d failures are told, want one for each time that lines were lost", len(failures))
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	l.Event(event.Event{Kind: event.Notice, Detail: "back again"})
	if _, err := Open(dir, nil); err == nil {
		t.Error("Open of a folder has no error, want one")
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	l.Event(event.Event{Kind: event.Notice})
	if got := detailsIn(t, path); len(got) != 1 || l.Close() != nil {
		t.Errorf("after Close the log has %q, want the one line from before", got)
	}
}

// A nil log writes nothing.
func TestNilLog(t *testing.T) {
	var l *Log
	l.Event(event.Event{Kind: event.Notice})
	if _, err := runtime.Chain(answering(&runtime.Result{}, nil), l.Middleware()).Invoke(t.Context(), callOf("s", "x", "")); err != nil || l.Close() != nil {
		t.Error(err)
	}
}

// Secrets are not written, whatever writes them in whatever spelling; arguments
// only if they are asked for.
func TestMasked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var hidden mask.Set
	const secret = `planted"secret/<0001>`
	hidden.Add(secret)
	l := openLog(t, path, &Options{Arguments: true, Mask: &hidden, Launch: func(string) string { return "run --token " + secret }})
	quoted, _ := json.Marshal(map[string]string{"token": secret, secret: "key"})
	for _, s := range credentials.Spellings(secret) {
		l.Event(event.Event{Kind: event.Failed, Server: s, Tool: s, Detail: s, Err: errors.New("failed with " + s)})
	}
	inv := runtime.Chain(answering(nil, &runtime.CallError{Stage: "receive", Err: errors.New("it says " + secret)}), l.Middleware())
	_, _ = inv.Invoke(t.Context(), callOf("s", secret, string(quoted)))
	_, _ = inv.Invoke(t.Context(), callOf("s", "x", `{"ok":[1,9007199254740993]}`))
	_, _ = inv.Invoke(t.Context(), callOf("s", "x", `{broken`))
	_, _ = inv.Invoke(t.Context(), callOf("s", "x", `{"long":"`+strings.Repeat("x", maxArguments)+`"}`))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range credentials.Spellings(secret) {
		if bytes.Contains(data, []byte(s)) {
			t.Errorf("%q is written", s)
		}
	}
	got := readRecords(t, path, Filter{Kinds: []string{KindCall}})
	if len(got) != 4 || string(got[0].Arguments) != `{"***":"key","token":"***"}` || string(got[1].Arguments) != `{"ok":[1,9007199254740993]}` ||
		string(got[2].Arguments) != `"{broken"` || len(got[3].Arguments) > maxArguments+10 {
		t.Errorf("got %+v", got)
	}
}

// Characters that a terminal could obey, or a reader could not see, are escaped.
func TestInvisible(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := openLog(t, path, &Options{Arguments: true})
	inv := runtime.Chain(answering(nil, nil), l.Middleware())
	_, _ = inv.Invoke(t.Context(), callOf("s", "x\u009b2J", "{\"to\":\"\u202efdp.exe\"}"))
	data, err := os.ReadFile(path)
	if err != nil || strings.ContainsAny(string(data), "\u009b\u202e") {
		t.Errorf("%q, %v", data, err)
	}
	if got := readRecords(t, path, Filter{}); len(got) != 1 || got[0].Tool != "x\u009b2J" || string(got[0].Arguments) != `{"to":"\u202efdp.exe"}` {
		t.Errorf("got %+v", got)
	}
}

func TestFilter(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	r := Record{Time: day(2), Kind: KindCall, Server: "github", Tool: "list_prs", Caller: "anna", Decision: Allowed}
	for _, tt := range []struct {
		f    Filter
		want bool
	}{
		{Filter{}, true},
		{Filter{Servers: []string{"search", "git*"}, Tools: []string{"list_prs"}, Kinds: []string{KindCall}, Decisions: []string{Allowed}, Since: day(2), Until: day(3)}, true},
		{Filter{Servers: []string{"search"}}, false},
		{Filter{Tools: []string{"list"}}, false},
		{Filter{Kinds: []string{KindAttach}}, false},
		{Filter{Decisions: []string{Denied}}, false},
		{Filter{Callers: []string{"ci", "an*"}}, true},
		{Filter{Callers: []string{"ci", LocalCaller}}, false},
		{Filter{Since: day(3)}, false},
		{Filter{Until: day(2)}, false},
	} {
		if tt.f.Match(r) != tt.want {
			t.Errorf("%+v: not %v", tt.f, tt.want)
		}
	}
	local := Filter{Callers: []string{LocalCaller}}
	if !local.Match(Record{Kind: KindCheck}) || local.Match(Record{Kind: KindAttach}) {
		t.Error("the filter local: want a check without a caller, and no attach")
	}
	if (Filter{Tools: []string{"["}}).Check() == nil || (Filter{Tools: []string{"[a]"}}).Check() != nil {
		t.Error(`Check: want an error for "[" and none for "[a]"`)
	}
}

// FuzzRead reads any file: no panic, and each line that was written before is
// there.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"time":"2026-01-01T00:00:00Z","kind":"call"}` + "\n" + `{"time":"x{"time":"2026-01-01T00:00:00Z","kind":"call"}`))
	f.Add([]byte("\x00\n\n\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		const line = `{"time":"2026-01-01T00:00:00Z","kind":"mine"}` + "\n"
		mine := 0
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		if err := os.WriteFile(path, append([]byte(line), data...), 0o600); err != nil {
			t.Fatal(err)
		}
		for r, err := range Read(path, Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Kind == "mine" {
				mine++
			}
		}
		if mine == 0 {
			t.Error("a record that was written whole is missing")
		}
	})
}

// BenchmarkLog is what a call's record costs.
func BenchmarkLog(b *testing.B) {
	l, err := Open(filepath.Join(b.TempDir(), "audit.jsonl"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	inv := runtime.Chain(answering(&runtime.Result{Raw: json.RawMessage("{}")}, nil), l.Middleware())
	req := callOf("github", "list_prs", `{"repo":"a/b","state":"open"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := inv.Invoke(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}
