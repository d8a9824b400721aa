package ledger

// This file is the fold: the one place that says what a log means.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// Enrolled is one live capability.
type Enrolled struct {
	Key        string     `json:"key"`
	Server     string     `json:"server"`
	Capability Capability `json:"capability"`
	Seq        int64      `json:"seq"` // of the enrolment that counts
	At         time.Time  `json:"-"`
}

// A Snapshot is what a log amounts to. It is not to be written to.
type Snapshot struct {
	// Live holds the capabilities in the order of their enrolment. Enrolling a
	// live key again keeps its place; after a retirement it comes last.
	Live []Enrolled `json:"live"`
	// ByServer counts them; servers without any are left out.
	ByServer map[string]int `json:"by_server"`
	// HighWater is the highest sequence number of the log; 0 if it is empty.
	HighWater int64 `json:"high_water"`
}

// Reduce folds entries into what is live. It is pure and total, and the order of
// the slice does not matter: sequence numbers decide, and of two entries with
// the same number the one whose JSON form comes last in byte order counts as the
// later. Invalid entries (see [Entry.UnmarshalJSON]) are ignored.
func Reduce(entries []Entry) Snapshot { return fold(sorted(entries)) }

// sorted returns the entries in the order in which they count.
func sorted(entries []Entry) []Entry {
	list := slices.Clone(entries)
	slices.SortStableFunc(list, func(a, b Entry) int {
		if c := cmp.Compare(a.Seq, b.Seq); c != 0 {
			return c
		}
		return bytes.Compare(encoded(a), encoded(b))
	})
	return list
}

// encoded is an entry's JSON form, to order what has no other order.
func encoded(e Entry) []byte {
	raw, err := json.Marshal(e)
	if err != nil {
		// A capability whose schema is not JSON: an entry that nobody could have
		// read from a log.
		return []byte(string(e.Op) + e.Key + e.Server)
	}
	return raw
}

func fold(entries []Entry) Snapshot {
	live := make([]*Enrolled, 0, len(entries)) // nil: retired
	at := make(map[string]int, len(entries))
	s := Snapshot{Live: []Enrolled{}, ByServer: map[string]int{}}
	for _, e := range entries {
		if e.check() != nil {
			continue
		}
		s.HighWater = max(s.HighWater, e.Seq)
		i, known := at[e.Key]
		switch {
		case e.Op == OpRetire && known:
			live[i] = nil
			delete(at, e.Key)
		case e.Op == OpRetire:
		case known:
			live[i] = enrolled(e)
		default:
			at[e.Key] = len(live)
			live = append(live, enrolled(e))
		}
	}
	for _, c := range live {
		if c != nil {
			s.Live = append(s.Live, *c)
			s.ByServer[c.Server]++
		}
	}
	return s
}

func enrolled(e Entry) *Enrolled {
	return &Enrolled{Key: e.Key, Server: e.Server, Capability: *e.Capability, Seq: e.Seq, At: e.At}
}
