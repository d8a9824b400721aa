package ledger_test

import (
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/ledger"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

func shuffleLog(log []ledger.Entry, seed uint64) []ledger.Entry {
	log = slices.Clone(log)
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })
	return log
}

func TestAlign(t *testing.T) {
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b", "x"), capabilityOf("other", "x"))
	same := mustLedger(t)(l.Align([]string{"s"}, []ledger.Capability{capabilityOf("s", "b", "x"), capabilityOf("s", "a")}, clock))
	if encodeJSON(t, same) != encodeJSON(t, l) {
		t.Errorf("nothing has changed, and the ledger is %s", encodeJSON(t, same))
	}
	reworded := capabilityOf("s", "a")
	reworded.Description = "Other words."
	next := mustLedger(t)(l.Align([]string{"s"}, []ledger.Capability{reworded, capabilityOf("s", "b", "y"), capabilityOf("s", "c"), capabilityOf("s", "c")}, clock))
	wantNames(t, next, "s__a", "other__x", "s__b", "s__c")
	if got := next.Live()[0].Capability.Description; got != "Other words." {
		t.Errorf("description %q", got)
	}
	if len(next.Log()) != 7 { // one retired, three enrolled
		t.Errorf("log %+v", next.Log())
	}
	if _, err := l.Align([]string{"s"}, []ledger.Capability{capabilityOf("other", "y")}, clock); err == nil {
		t.Error("Align with a capability of another server has no error, want one")
	}
	broken := capabilityOf("s", "a")
	broken.InputSchema = json.RawMessage("{")
	if got, err := l.Align([]string{"s"}, []ledger.Capability{capabilityOf("s", "new"), broken}, clock); err == nil || encodeJSON(t, got) != encodeJSON(t, l) {
		t.Errorf("half an alignment: %v", err)
	}
}

// A log that was read back is what it was, whatever its texts hold.
func TestAlignAfterReading(t *testing.T) {
	hostile := capabilityOf("s", "a", "\u202efdp.exe")
	hostile.Description = "\u009b2J"
	l := ledgerOf(t, hostile)
	var read ledger.Ledger
	if err := json.Unmarshal([]byte(encodeJSON(t, l)), &read); err != nil {
		t.Fatal(err)
	}
	if again := mustLedger(t)(read.Align([]string{"s"}, []ledger.Capability{hostile}, clock)); len(again.Log()) != 1 {
		t.Errorf("log %+v", again.Log())
	}
}

func TestFull(t *testing.T) {
	c := capabilityOf("s", "a")
	l := ledger.FromLog([]ledger.Entry{{Op: ledger.OpEnroll, Key: "k", Server: "s", Capability: &c, Seq: ledger.MaxSeq, At: clock}})
	if _, err := l.Enroll(ledger.EnrollRequest{Capability: c, At: clock}); !errors.Is(err, ledger.ErrFull) {
		t.Errorf("got %v", err)
	}
}

func TestEntriesThatAreNone(t *testing.T) {
	l := ledger.FromLog([]ledger.Entry{
		{Op: "odd", Key: "k", Seq: 5}, {Op: ledger.OpEnroll, Key: "k", Seq: 6}, {Op: ledger.OpRetire, Key: "k", Seq: -1},
		{Op: ledger.OpRetire, Key: "k", Server: "s", Seq: 2, At: clock},
	})
	if len(l.Log()) != 1 || l.NextSeq() != 3 {
		t.Errorf("log %+v, next %d", l.Log(), l.NextSeq())
	}
}

func TestRecorderKeepsWhatItHasWhenListingFails(t *testing.T) {
	var tools []runtime.Tool
	var fail error
	r := ledger.NewRecorder(ledger.Ledger{}, func() ([]runtime.Tool, error) { return tools, fail })
	tools = []runtime.Tool{capabilityOf("s", "a").Bridge(nil), capabilityOf("s", "b").Bridge(nil)}
	r.Event(event.Event{Kind: event.Call, Time: clock})
	wantNames(t, r.Ledger())
	r.Event(event.Event{Kind: event.Attached, Time: clock})
	wantNames(t, r.Ledger(), "s__a", "s__b")
	fail = errors.New("two tools of one name")
	r.Event(event.Event{Kind: event.ToolAdded, Time: clock})
	wantNames(t, r.Ledger(), "s__a", "s__b")
	if r.Err() != fail {
		t.Errorf("error %v", r.Err())
	}
	fail, tools = nil, nil
	r.Event(event.Event{Kind: event.Detached, Time: clock})
	wantNames(t, r.Ledger())
	if r.Err() != nil || len(r.Ledger().Log()) != 4 {
		t.Errorf("error %v, log %+v", r.Err(), r.Ledger().Log())
	}
}

func FuzzLedger(f *testing.F) {
	f.Add([]byte(`{"log":[{"op":"enroll","key":"k","server":"s","capability":{"name":"n","server":"s","tool":"t","inputSchema":{"a":"<"}},"seq":3,"at":"2026-01-02T03:04:05.678Z"},{"op":"retire","key":"k","server":"s","seq":3,"at":"2026-01-02T03:04:05Z"}],"snapshot":{},"next_seq":7}`))
	f.Add([]byte(`{"log":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var l ledger.Ledger
		if json.Unmarshal(data, &l) != nil {
			return
		}
		first, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		var again ledger.Ledger
		if err := json.Unmarshal(first, &again); err != nil {
			t.Fatalf("%s: %v", first, err)
		}
		second, err := json.Marshal(again)
		if err != nil || string(second) != string(first) {
			t.Fatalf("%s\nbecame\n%s: %v", first, second, err)
		}
		third, err := json.Marshal(ledger.FromLog(shuffleLog(l.Log(), 3)))
		if err != nil || string(third) != string(first) {
			t.Fatalf("%s\nshuffled\n%s: %v", first, third, err)
		}
	})
}

// The same log twice, or the files of two writers that share entries, amount to
// the bytes of one.
func TestFromLogFoldsDuplicates(t *testing.T) {
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b"))
	l = mustLedger(t)(l.WithdrawServer("s", clock))
	twice := ledger.FromLog(shuffleLog(append(l.Log(), l.Log()...), 1))
	if got, want := encodeJSON(t, twice), encodeJSON(t, l); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
