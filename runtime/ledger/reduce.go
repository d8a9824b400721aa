package ledger

// This file defines the fold: the meaning of a log.

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
	Seq        int64      `json:"seq"` // of the latest enrolment
	At         time.Time  `json:"-"`
}

// A Snapshot is the result of folding a log. It must not be modified.
type Snapshot struct {
	// Live holds the capabilities in the order of their enrolment. Enrolling a live
	// key again keeps its position; after a retirement it comes last.
	Live []Enrolled `json:"live"`
	// ByServer counts the live capabilities by server; servers without any are left
	// out.
	ByServer map[string]int `json:"by_server"`
	// HighWater is the highest sequence number of the log; 0 if it is empty.
	HighWater int64 `json:"high_water"`
}

// sorted returns the entries in the order in which they apply.
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

// encoded returns an entry's JSON form, which orders entries that have no other
// order.
func encoded(e Entry) []byte {
	raw, err := json.Marshal(e)
	if err != nil {
		// The schema of the capability is not JSON, so the entry was not read from a
		// log.
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
