package ledger

// This file is the ledger and its transitions.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// A Ledger is a log and its [Snapshot]. It is immutable: each transition returns a
// new one. The zero value is the ledger without events, whose next sequence number is 1.
type Ledger struct {
	log      []Entry // by sequence number; never modified below its length
	snapshot Snapshot
}

// ErrFull reports a ledger whose sequence numbers are used up.
var ErrFull = errors.New("the ledger has no sequence numbers left")

// FromLog returns the ledger of a log. It is pure and total. Entries may be in any
// order, and may be repeated: sequence numbers decide. Of two entries with the same
// number, the one whose JSON form is greater in byte order counts as the later. Invalid
// entries (see [Entry.UnmarshalJSON]) are ignored. The next sequence number is one above
// the highest.
func FromLog(entries []Entry) Ledger {
	log := slices.DeleteFunc(sorted(entries), func(e Entry) bool { return e.check() != nil })
	log = slices.CompactFunc(log, func(a, b Entry) bool { return a.Seq == b.Seq && bytes.Equal(encoded(a), encoded(b)) })
	return Ledger{log: log, snapshot: fold(log)}
}

// Log returns the entries by sequence number. The caller may modify the slice, but
// not what its elements point to.
func (l Ledger) Log() []Entry { return slices.Clone(l.log) }

// Snapshot returns the live capabilities and the high-water mark.
func (l Ledger) Snapshot() Snapshot { return fold(l.log) }

// NextSeq returns the sequence number of the next entry.
func (l Ledger) NextSeq() int64 { return l.snapshot.HighWater + 1 }

// Live returns the live capabilities in the order of their enrolment.
func (l Ledger) Live() []Enrolled { return slices.Clone(l.snapshot.Live) }

// LiveOf returns the live capabilities of one server, in the same order.
func (l Ledger) LiveOf(server string) []Enrolled {
	return slices.DeleteFunc(l.Live(), func(e Enrolled) bool { return e.Server != server })
}

// Names returns the qualified names of the live capabilities of one server, in
// the same order. It needs no live server.
func (l Ledger) Names(server string) []string {
	var names []string
	for _, e := range l.LiveOf(server) {
		names = append(names, e.Capability.Name)
	}
	return names
}

// At returns the ledger as it was at a time: without entries of later times.
func (l Ledger) At(t time.Time) Ledger {
	log := slices.DeleteFunc(l.Log(), func(e Entry) bool { return e.At.After(t) })
	return Ledger{log: log, snapshot: fold(log)}
}

// UpTo returns the ledger as it was when the entry with this number was the last.
func (l Ledger) UpTo(seq int64) Ledger {
	log := slices.DeleteFunc(l.Log(), func(e Entry) bool { return e.Seq > seq })
	return Ledger{log: log, snapshot: fold(log)}
}

// An EnrollRequest requests one enrolment.
type EnrollRequest struct {
	Capability Capability
	Key        string // "" is the [ContentKey]
	At         time.Time
}

// Enroll appends enrolments, in their order. A key that is already live is replaced
// and keeps its position. If a key cannot be derived, Enroll changes nothing.
func (l Ledger) Enroll(requests ...EnrollRequest) (Ledger, error) {
	entries := make([]Entry, 0, len(requests))
	for _, r := range requests {
		key := r.Key
		if key == "" {
			var err error
			if key, err = ContentKey(r.Capability); err != nil {
				return l, err
			}
		}
		entries = append(entries, Entry{Op: OpEnroll, Key: key, Server: r.Capability.Server, Capability: &r.Capability, At: r.At})
	}
	return l.append(entries)
}

// Retire ends the enrolment of a key. For a key that is not live, only the log
// changes.
func (l Ledger) Retire(key, server string, at time.Time) (Ledger, error) {
	if key == "" {
		return l, fmt.Errorf("retire: server %q: the key is missing", server)
	}
	return l.append([]Entry{{Op: OpRetire, Key: key, Server: server, At: at}})
}

// WithdrawServer retires all live capabilities of one server. If there are none, it
// returns the same ledger.
func (l Ledger) WithdrawServer(server string, at time.Time) (Ledger, error) {
	var entries []Entry
	for _, e := range l.LiveOf(server) {
		entries = append(entries, Entry{Op: OpRetire, Key: e.Key, Server: server, At: at})
	}
	return l.append(entries)
}

// Align makes the capabilities the only live ones of the given servers, and leaves
// other servers unchanged: new or changed capabilities are enrolled, missing ones are
// retired, and unchanged ones cause no entry. Of two with one key the later one
// counts. A capability of a server that is not given is an error. If there is nothing
// to do, Align returns the same ledger.
func (l Ledger) Align(servers []string, capabilities []Capability, at time.Time) (Ledger, error) {
	var entries []Entry
	wanted := make(map[string]Capability, len(capabilities))
	var keys []string
	live := make(map[string]Enrolled, len(l.snapshot.Live))
	for _, e := range l.snapshot.Live {
		live[e.Key] = e
	}
	for _, c := range capabilities {
		if !slices.Contains(servers, c.Server) {
			return l, fmt.Errorf("align: %s/%s belongs to a server that is not being aligned", c.Server, c.Tool)
		}
		key, err := ContentKey(c)
		if err != nil {
			return l, err
		}
		if _, again := wanted[key]; !again {
			keys = append(keys, key)
		}
		wanted[key] = c
	}
	for _, key := range keys {
		c := wanted[key]
		if old, ok := live[key]; !ok || !old.Capability.equal(c) {
			entries = append(entries, Entry{Op: OpEnroll, Key: key, Server: c.Server, Capability: &c, At: at})
		}
	}
	var gone []Entry
	for _, e := range l.snapshot.Live {
		if _, stays := wanted[e.Key]; slices.Contains(servers, e.Server) && !stays {
			gone = append(gone, Entry{Op: OpRetire, Key: e.Key, Server: e.Server, At: at})
		}
	}
	return l.append(append(gone, entries...))
}

// equal compares the JSON forms of two capabilities: after a log was read back, its
// strings may be escaped differently.
func (c Capability) equal(d Capability) bool {
	a, errA := json.Marshal(c)
	b, errB := json.Marshal(d)
	return errA == nil && errB == nil && bytes.Equal(safetext.JSON(a), safetext.JSON(b))
}

// append numbers entries and appends them to a copy of the log.
func (l Ledger) append(entries []Entry) (Ledger, error) {
	if len(entries) == 0 {
		return l, nil
	}
	if maxSeq-l.snapshot.HighWater < int64(len(entries)) {
		return l, ErrFull
	}
	log := slices.Grow(slices.Clone(l.log), len(entries))
	for i, e := range entries {
		e.Seq, e.At = l.NextSeq()+int64(i), e.At.UTC().Truncate(time.Millisecond) // as it is written
		log = append(log, e)
	}
	return Ledger{log: log, snapshot: fold(log)}, nil
}

type wireLedger struct {
	Log      []Entry  `json:"log"`
	Snapshot Snapshot `json:"snapshot"`
	NextSeq  int64    `json:"next_seq"`
}

// MarshalJSON writes the log, the snapshot, and the next sequence number. Equal logs
// give equal bytes.
func (l Ledger) MarshalJSON() ([]byte, error) {
	w := wireLedger{Log: l.log, Snapshot: l.Snapshot(), NextSeq: l.NextSeq()}
	if w.Log == nil {
		w.Log = []Entry{}
	}
	raw, err := json.Marshal(w)
	return safetext.JSON(raw), err
}

// UnmarshalJSON reads the log from the output of MarshalJSON; the rest is derived. It
// fails if [Entry.UnmarshalJSON] fails.
func (l *Ledger) UnmarshalJSON(data []byte) error {
	var w struct {
		Log []Entry `json:"log"`
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	*l = FromLog(w.Log)
	return nil
}
