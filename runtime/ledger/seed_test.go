package ledger_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/ledger"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row.
func TestSeed(t *testing.T) {
	for row, f := range map[string]func(*testing.T){
		"004-20": seedAdapter, "004-22": seedCancel, "004-23": seedImmutable, "004-24": seedEmpty,
		"004-25": seedEnroll, "004-26": seedRetire, "004-27": seedRetireUnknown, "004-28": seedWithdraw,
		"004-29": seedFromLog, "004-30": seedReduce, "004-31": seedSnapshot, "004-32": seedProjections,
		"004-33": seedReplay, "004-34": seedEntries, "004-35": seedVectors, "004-36": seedIdempotent,
		"004-37": seedSchemaChange, "004-38": seedULID, "004-39": seedExplicitKey,
		"004-18": seedAttach, "004-19": seedInfallible, "004-40": seedDetach, "004-47": seedReaders,
	} {
		t.Run(row, f)
	}
}

// clock is the time of everything here that has one.
var clock = time.Date(2026, 1, 2, 3, 4, 5, 678_901_234, time.FixedZone("", 3600))

// capabilityOf is a capability whose schema declares these members.
func capabilityOf(server, tool string, members ...string) ledger.Capability {
	properties := map[string]any{}
	for _, m := range members {
		properties[m] = map[string]string{"type": "string"}
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		panic(err) // a map of strings has a JSON form
	}
	return ledger.Capability{Name: server + "__" + tool, Server: server, Tool: tool, Description: "Does <b>" + tool + "</b>.", InputSchema: schema}
}

// mustLedger takes the ledger of a transition that has to work.
func mustLedger(t *testing.T) func(ledger.Ledger, error) ledger.Ledger {
	return func(l ledger.Ledger, err error) ledger.Ledger {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
}

// ledgerOf is a ledger with these capabilities under their content keys.
func ledgerOf(t *testing.T, cards ...ledger.Capability) ledger.Ledger {
	t.Helper()
	l := ledger.Ledger{}
	for _, c := range cards {
		l = mustLedger(t)(l.Enroll(ledger.EnrollRequest{Capability: c, At: clock}))
	}
	return l
}

func keyOf(t *testing.T, c ledger.Capability) string {
	t.Helper()
	key, err := ledger.ContentKey(c)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func namesOf(l ledger.Ledger) []string {
	list := []string{}
	for _, e := range l.Live() {
		list = append(list, e.Capability.Name)
	}
	return list
}

func wantNames(t *testing.T, l ledger.Ledger, want ...string) {
	t.Helper()
	if got := namesOf(l); !slices.Equal(got, want) {
		t.Errorf("live: %q, want %q", got, want)
	}
}

func encodeJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw) + "\n"
}

func seedAdapter(t *testing.T) {
	var calls []ledger.Call
	run := func(_ context.Context, c ledger.Call) (*runtime.Result, error) {
		calls = append(calls, c)
		return &runtime.Result{}, nil
	}
	tool := capabilityOf("github", "create_issue", "title").Bridge(run)
	if _, err := tool.Call(t.Context(), json.RawMessage(`{"title":"x"}`)); err != nil {
		t.Fatal(err)
	}
	if len(calls) != 1 || calls[0].ID != "bridge_github__create_issue" || calls[0].Server != "github" ||
		calls[0].Tool != "create_issue" || string(calls[0].Args) != `{"title":"x"}` {
		t.Errorf("recorded %+v", calls)
	}
	if s := tool.Spec(); s.Name != "github__create_issue" || s.Tool != "create_issue" || s.InputSchema == nil {
		t.Errorf("spec %+v", s)
	}
}

func seedImmutable(t *testing.T) {
	// Five: a log that has grown so far has room behind it, which no other may write to.
	a := ledgerOf(t, capabilityOf("other", "x"), capabilityOf("other", "y"), capabilityOf("other", "z"), capabilityOf("s", "a"), capabilityOf("s", "b"))
	before := encodeJSON(t, a)
	key := a.LiveOf("s")[0].Key
	b := mustLedger(t)(a.Enroll(ledger.EnrollRequest{Capability: capabilityOf("s", "c"), At: clock}))
	beside := encodeJSON(t, b)
	c := mustLedger(t)(a.Enroll(ledger.EnrollRequest{Capability: capabilityOf("s", "d"), At: clock}))
	d := mustLedger(t)(a.Retire(key, "s", clock))
	e := mustLedger(t)(a.WithdrawServer("s", clock))
	a.Log()[0].Key, a.Live()[0].Key, a.Snapshot().ByServer["s"] = "changed", "changed", 99
	if after := encodeJSON(t, a); after != before {
		t.Errorf("the old ledger has changed:\n%s\nwas\n%s", after, before)
	}
	if after := encodeJSON(t, b); after != beside {
		t.Errorf("a ledger of the same origin has changed:\n%s\nwas\n%s", after, beside)
	}
	rest := []string{"other__x", "other__y", "other__z"}
	wantNames(t, b, append(rest, "s__a", "s__b", "s__c")...)
	wantNames(t, c, append(rest, "s__a", "s__b", "s__d")...) // and nothing of b's
	wantNames(t, d, append(rest, "s__b")...)
	wantNames(t, e, rest...)
}

func seedEmpty(t *testing.T) {
	for _, l := range []ledger.Ledger{{}, ledger.FromLog(nil)} {
		if got := encodeJSON(t, l); got != encodeJSON(t, json.RawMessage(`{"log":[],"snapshot":{"live":[],"by_server":{},"high_water":0},"next_seq":1}`)) {
			t.Errorf("got %s", got)
		}
	}
}

func seedEnroll(t *testing.T) {
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b"), capabilityOf("s", "c"))
	again := capabilityOf("s", "a")
	again.Description = "New words."
	l = mustLedger(t)(l.Enroll(ledger.EnrollRequest{Capability: again, At: clock}))
	wantNames(t, l, "s__a", "s__b", "s__c") // set again: keeps its place
	if got := l.Live()[0]; got.Capability.Description != "New words." || got.Seq != 4 {
		t.Errorf("the later entry does not replace: %+v", got)
	}
	l = mustLedger(t)(l.Retire(keyOf(t, again), "s", clock))
	l = mustLedger(t)(l.Enroll(ledger.EnrollRequest{Capability: again, At: clock}))
	wantNames(t, l, "s__b", "s__c", "s__a") // retired and enrolled: last
}

func seedRetire(t *testing.T) {
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b"), capabilityOf("s", "c"), capabilityOf("s", "d"))
	l = mustLedger(t)(l.Retire(keyOf(t, capabilityOf("s", "b")), "s", clock))
	wantNames(t, l, "s__a", "s__c", "s__d") // in their order
	if log := l.Log(); len(log) != 5 || log[4].Op != ledger.OpRetire || log[4].Capability != nil {
		t.Errorf("log %+v", log)
	}
}

func seedRetireUnknown(t *testing.T) {
	l := ledgerOf(t, capabilityOf("s", "a"))
	after := mustLedger(t)(l.Retire("bk_unknown", "s", clock))
	wantNames(t, after, "s__a")
	if len(after.Log()) != 2 || after.NextSeq() != 3 {
		t.Errorf("the event is not in the log: %+v", after.Log())
	}
}

func seedWithdraw(t *testing.T) {
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("other", "x"), capabilityOf("s", "b"))
	after := mustLedger(t)(l.WithdrawServer("s", clock))
	wantNames(t, after, "other__x")
	if got := after.Snapshot().ByServer; len(got) != 1 || got["other"] != 1 || len(after.Log()) != 5 {
		t.Errorf("by server %v, log of %d", got, len(after.Log()))
	}
	for i, e := range after.Log()[3:] { // in one batch, in the order of the live view
		if e.Op != ledger.OpRetire || e.Server != "s" || e.Seq != int64(4+i) || e.Key != l.LiveOf("s")[i].Key || e.Capability != nil {
			t.Errorf("entry %+v", e)
		}
	}
	if again := mustLedger(t)(after.WithdrawServer("s", clock)); len(again.Log()) != 5 {
		t.Errorf("withdrawing nothing makes a log of %d entries, want 5 as before", len(again.Log()))
	}
}

func seedFromLog(t *testing.T) {
	entry := func(seq int64, key string) ledger.Entry {
		c := capabilityOf("s", key)
		return ledger.Entry{Op: ledger.OpEnroll, Key: key, Server: "s", Capability: &c, Seq: seq, At: clock}
	}
	l := ledger.FromLog([]ledger.Entry{entry(9, "b"), entry(3, "a")})
	if l.NextSeq() != 10 {
		t.Errorf("next seq %d", l.NextSeq())
	}
	wantNames(t, l, "s__a", "s__b")
	l = mustLedger(t)(l.Enroll(ledger.EnrollRequest{Capability: capabilityOf("s", "c"), At: clock}))
	if log := l.Log(); log[2].Seq != 10 {
		t.Errorf("log %+v", log)
	}
}

// busyLedger is a ledger that has seen much.
func busyLedger(t *testing.T) ledger.Ledger {
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b"), capabilityOf("other", "x"), capabilityOf("s", "c"))
	l = mustLedger(t)(l.Retire(keyOf(t, capabilityOf("s", "b")), "s", clock))
	l = mustLedger(t)(l.Enroll(ledger.EnrollRequest{Capability: capabilityOf("s", "a"), Key: "own", At: clock.Add(time.Hour)}))
	l = mustLedger(t)(l.WithdrawServer("other", clock))
	return mustLedger(t)(l.Enroll(ledger.EnrollRequest{Capability: capabilityOf("s", "b"), At: clock}))
}

func seedReduce(t *testing.T) {
	log := busyLedger(t).Log()
	// Two writers may have taken the same number.
	rival := capabilityOf("s", "rival")
	log = append(log, ledger.Entry{Op: ledger.OpEnroll, Key: log[0].Key, Server: "s", Capability: &rival, Seq: log[0].Seq, At: clock})
	before := encodeJSON(t, log)
	want := encodeJSON(t, ledger.FromLog(log).Snapshot())
	wantLedger := encodeJSON(t, ledger.FromLog(log))
	for seed := range uint64(200) {
		shuffled := shuffleLog(log, seed)
		if got := encodeJSON(t, ledger.FromLog(shuffled).Snapshot()); got != want {
			t.Fatalf("seed %d: %s\nwant %s", seed, got, want)
		}
		if got := encodeJSON(t, ledger.FromLog(shuffled)); got != wantLedger {
			t.Fatalf("seed %d: %s\nwant %s", seed, got, wantLedger)
		}
	}
	if encodeJSON(t, log) != before {
		t.Errorf("after reducing the input is %s, want %s", encodeJSON(t, log), before)
	}
	later := capabilityOf("s", "later")
	log = append(log, ledger.Entry{Op: ledger.OpEnroll, Key: "own", Server: "s", Capability: &later, Seq: 99, At: clock})
	for _, e := range ledger.FromLog(shuffleLog(log, 7)).Snapshot().Live {
		if e.Key == "own" && e.Capability.Name != "s__later" {
			t.Errorf("the later number does not win: %+v", e)
		}
	}
}

func seedSnapshot(t *testing.T) {
	compareGolden(t, "snapshot.json", encodeJSON(t, busyLedger(t).Snapshot()))
}

func seedProjections(t *testing.T) {
	l := busyLedger(t)
	for range 20 {
		wantNames(t, l, "s__a", "s__c", "s__a", "s__b")
		if got := l.LiveOf("s"); len(got) != 4 || got[2].Key != "own" {
			t.Fatalf("of s: %+v", got)
		}
		if got := l.LiveOf("other"); len(got) != 0 {
			t.Fatalf("of other: %+v", got)
		}
	}
}

func seedReplay(t *testing.T) {
	l := busyLedger(t)
	want := encodeJSON(t, l)
	if got := encodeJSON(t, ledger.FromLog(l.Log())); got != want {
		t.Errorf("replayed: %s\nwant %s", got, want)
	}
	var read ledger.Ledger
	if err := json.Unmarshal([]byte(want), &read); err != nil {
		t.Fatal(err)
	}
	if got := encodeJSON(t, read); got != want {
		t.Errorf("read back: %s\nwant %s", got, want)
	}
}

func seedEntries(t *testing.T) {
	compareGolden(t, "log.json", encodeJSON(t, busyLedger(t).Log()))
	for _, bad := range []string{
		`{"op":"rename","key":"k","server":"s","seq":1,"at":"2026-01-02T03:04:05.000Z"}`,
		`{"op":"enroll","key":"k","server":"s","seq":1,"at":"2026-01-02T03:04:05.000Z"}`,
		`{"op":"retire","key":"k","server":"s","capability":{"name":"n","server":"s","tool":"t"},"seq":1,"at":"2026-01-02T03:04:05.000Z"}`,
		`{"op":"retire","key":"","server":"s","seq":1,"at":"2026-01-02T03:04:05.000Z"}`,
		`{"op":"retire","key":"k","server":"s","seq":0,"at":"2026-01-02T03:04:05.000Z"}`,
		`{"op":"retire","key":"k","server":"s","seq":9007199254740992,"at":"2026-01-02T03:04:05.000Z"}`,
		`{"op":"retire","key":"k","server":"s","seq":1,"at":"yesterday"}`,
	} {
		var e ledger.Entry
		if err := json.Unmarshal([]byte(bad), &e); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// The published vectors; see also the root of package schema.
func seedVectors(t *testing.T) {
	for _, v := range []struct{ tool, schema, want string }{
		{"create_issue", ``, "bk_189bf8c3e054c2302eaf3bd87efd8ea7"},
		{"create_issue", `{"type":"object","properties":{"title":{"type":"string"},"body":{"type":"string"}},"required":["title"]}`, "bk_ba6bd1fa9cc8ee5e269d8fa370b46114"},
		{"create_issue", `{"required":["title"],"properties":{"body":{"type":"string"},"title":{"type":"string"}},"type":"object"}`, "bk_ba6bd1fa9cc8ee5e269d8fa370b46114"},
		{"create_issue", `{"type":"object","properties":{"title":{"type":"string"},"body":{"type":"string"}},"required":["title","body"]}`, "bk_ee796720852ded24bc2bb81a58ea93b3"},
	} {
		c := ledger.Capability{Name: "anything", Server: "github", Tool: v.tool, InputSchema: json.RawMessage(v.schema)}
		if v.schema == "" {
			c.InputSchema = nil
		}
		if got := keyOf(t, c); got != v.want {
			t.Errorf("%s %s: %s, want %s", v.tool, v.schema, got, v.want)
		}
	}
	// The document's formula, computed by hand: "bk_" and the first 32 digits of the
	// SHA-256 of name and schema with sorted members.
	sum := sha256.Sum256([]byte(`{"name":"github__create_issue","schema":{"properties":{"title":{"type":"string"}},"required":["title","a"],"type":"object"}}`))
	by := ledger.Capability{Server: "github", Tool: "create_issue", InputSchema: json.RawMessage(`{"type":"object", "required":["title","a"], "properties":{"title":{"type":"string"}}}`)}
	if got, want := keyOf(t, by), "bk_"+hex.EncodeToString(sum[:])[:32]; got != want {
		t.Errorf("by hand: %s, want %s", got, want)
	}
	read := ledger.Capability{Server: "fs", Tool: "read", InputSchema: json.RawMessage("{\"type\":\"object\",\"description\":\"a<b>&c\u2028d é\"}")}
	if got := keyOf(t, read); got != "bk_72b443a716ac89986a4e693349fa6a99" {
		t.Errorf("fs__read: %s", got)
	}
	if _, err := ledger.ContentKey(ledger.Capability{Server: "s", Tool: "t", InputSchema: json.RawMessage("{")}); err == nil {
		t.Error("ContentKey of a schema that is not JSON has no error, want one")
	}
}

func seedIdempotent(t *testing.T) {
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "a"))
	wantNames(t, l, "s__a")
	if len(l.Log()) != 2 {
		t.Errorf("log %+v", l.Log())
	}
}

func seedSchemaChange(t *testing.T) {
	a, b := capabilityOf("s", "a", "x", "y"), capabilityOf("s", "a", "x", "z")
	if keyOf(t, a) == keyOf(t, b) {
		t.Errorf("two schemas have the key %s, want two keys", keyOf(t, a))
	}
	d := a
	d.InputSchema = json.RawMessage(`{"type":"object","required":["x","y"]}`)
	e := a
	e.InputSchema = json.RawMessage(`{"type":"object","required":["y","x"]}`)
	if keyOf(t, d) == keyOf(t, e) {
		t.Errorf("arrays of another order have the key %s, want two keys", keyOf(t, d))
	}
	c := a
	c.InputSchema = json.RawMessage(`{"properties":{"y":{"type":"string"},"x":{"type":"string"}},"type":"object"}`)
	c.Description = "Other words."
	if keyOf(t, a) != keyOf(t, c) {
		t.Errorf("members of another order have the keys %s and %s, want one", keyOf(t, a), keyOf(t, c))
	}
}

func seedExplicitKey(t *testing.T) {
	l := mustLedger(t)(ledger.Ledger{}.Enroll(ledger.EnrollRequest{Capability: capabilityOf("s", "a"), Key: "mine", At: clock}))
	if got := l.Live()[0].Key; got != "mine" {
		t.Errorf("key %s", got)
	}
	if _, err := l.Retire("", "s", clock); err == nil {
		t.Error("Retire of an empty key has no error, want one")
	}
}

func seedCancel(t *testing.T) {
	tool := capabilityOf("s", "slow").Bridge(func(ctx context.Context, _ ledger.Call) (*runtime.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tool.Call(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	seedCancelLive(t)
}

// compareGolden compares with a file of testdata.
func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: run go test -update and read the difference; got\n%s", file, got)
	}
}
