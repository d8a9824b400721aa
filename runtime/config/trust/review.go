package trust

// This file compares a project with its trusted state, for the person who decides.

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// A Review is what trusting a project accepts: its current state, and the differences from its trusted
// state. The texts come from the project's files: a caller that shows them must escape them first.
type Review struct {
	State
	// Since is when the project was last trusted; zero if it never was.
	Since time.Time
	// Unknown says that the details of the trusted state were not stored, because an older version trusted
	// the project. Changes then lists everything, as for a project that was never trusted.
	Unknown bool
	// Changes are the differences, in the order of files and places. Nil: no relevant change.
	Changes []Change

	details
}

// details are stored for a trusted project together with its fingerprint. The next review compares the
// project with them.
type details struct {
	Launches []Launch          `json:"launches,omitempty"`
	Files    map[string]string `json:"files"`             // content hash by slash path; nil from older versions
	Scripts  map[string]string `json:"scripts,omitempty"` // the same for files that launches name
}

// A Change is one difference. Without Before it is an addition; without After, a removal.
type Change struct {
	File string `json:"file"` // slash path below the project
	// Script says that File is a program, script or file of variables inside the project that a launch names.
	Script bool `json:"script,omitempty"`
	// Before and After are the launches, if the change is about a launch. If both are nil, the content of the
	// file changed, and Kind says how.
	Before *Launch `json:"before,omitempty"`
	After  *Launch `json:"after,omitempty"`
	Kind   Kind    `json:"kind"`
}

// A Kind is the kind of a change.
type Kind string

// The kinds.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
)

// Review compares a project with its trusted state. A damaged store counts as one without the project. It
// is an error if the project's files cannot be read, or if they start more than a person can review.
func (s *Store) Review(project string) (Review, error) {
	r := Review{State: State{Project: canonical(project), Status: Untrusted}}
	info, err := os.Stat(r.Project)
	if err == nil && !info.IsDir() {
		err = hint.New("not a folder", "name the project's")
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", r.Project, bare(err))
	}
	p, err := take(r.Project, nil)
	if err != nil {
		return r, err
	}
	if len(p.Launches) > maxLaunches {
		err := fmt.Errorf("%s: its files start more than %d programs, too many to review", r.Project, maxLaunches)
		return r, hint.With(err, "remove some")
	}
	r.Fingerprint, r.details = p.sum(), p.details
	before, known := s.known(r.Project)
	if known {
		r.Stored, r.Since, r.Status = before.Fingerprint, before.TrustedAt, before.status(r.Fingerprint)
	}
	if r.Status != Trusted {
		r.Unknown = known && before.Files == nil
		r.Changes = compare(before.details, r.details)
	}
	return r, nil
}

// known returns the stored entry of a project.
func (s *Store) known(project string) (entry, bool) {
	data, err := s.file.Read()
	if err != nil {
		return entry{}, false
	}
	all, err := s.parse(data)
	e, ok := all[project]
	return e, err == nil && ok
}

// Accept trusts the state that a review has seen, whatever the project holds now: later edits make the
// trust stale at once. A damaged store is renamed with the suffix .damaged, and a new one is created.
func (s *Store) Accept(r Review) (State, error) {
	st := r.State
	st.Status, st.Stored = Trusted, st.Fingerprint
	return st, s.update(true, func(all map[string]entry) {
		all[st.Project] = entry{
			Fingerprint: st.Fingerprint, TrustedAt: time.Now().UTC().Truncate(time.Second),
			Version: fingerprintVersion, details: r.details,
		}
	})
}

// compare lists the differences. A file is only listed if it has no listed launch.
func compare(was, is details) []Change {
	var all []Change
	before, after := byKeyPath(was.Launches), byKeyPath(is.Launches)
	shown := map[string]bool{}
	kinds := differences(before, after, Launch.same)
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		c := Change{File: cmp.Or(after[key].File, before[key].File), Kind: kinds[key]}
		if l, ok := before[key]; ok {
			c.Before = &l
		}
		if l, ok := after[key]; ok {
			c.After = &l
		}
		shown[c.File] = true
		all = append(all, c)
	}
	same := func(a, b string) bool { return a == b }
	for file, kind := range differences(was.Files, is.Files, same) {
		if !shown[file] {
			all = append(all, Change{File: file, Kind: kind})
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.keyPath(), b.keyPath()))
	})
	scripts := differences(was.Scripts, is.Scripts, same)
	for _, file := range slices.Sorted(maps.Keys(scripts)) {
		all = append(all, Change{File: file, Kind: scripts[file], Script: true})
	}
	return all
}

func (c Change) keyPath() string {
	switch {
	case c.After != nil:
		return c.After.Place
	case c.Before != nil:
		return c.Before.Place
	}
	return ""
}

// differences returns the keys whose values differ, and how.
func differences[V any](was, is map[string]V, same func(a, b V) bool) map[string]Kind {
	out := map[string]Kind{}
	for key := range was {
		if _, ok := is[key]; !ok {
			out[key] = Removed
		}
	}
	for key, value := range is {
		if old, ok := was[key]; !ok {
			out[key] = Added
		} else if !same(old, value) {
			out[key] = Changed
		}
	}
	return out
}

// byKeyPath maps launches by their file and key path; duplicates are numbered.
func byKeyPath(launches []Launch) map[string]Launch {
	out := make(map[string]Launch, len(launches))
	for _, l := range launches {
		key := l.File + "\x00" + l.Place
		for n := 2; ; n++ {
			if _, taken := out[key]; !taken {
				break
			}
			key = fmt.Sprintf("%s\x00%s\x00%d", l.File, l.Place, n)
		}
		out[key] = l
	}
	return out
}
