// Package trust remembers which projects may say what is started.
//
// A file that a program finds by searching a folder, rather than being given, is
// not its user's word: whoever wrote the folder wrote it. Such files are used
// only where the user has trusted the project, which mcpgen trust add does. What
// is trusted is the state of the files that matter, as a fingerprint: an edit of
// one of them makes the trust stale. An mcpgen.yaml needs no trust: running a
// command in its folder is consent to it, as running make is to a Makefile.
//
// The fingerprint covers the server files of all systems that mcpgen reads. Of
// files that hold other settings as well, only the keys count that decide what is
// started; which they are says the table of dialects. It also covers the content of the
// programs, scripts and files of variables inside the project that such a file names;
// what those load in turn is not looked at, and neither is what a launch builds or runs
// without naming a file, such as go run or make: see [Launch].Runs.
package trust

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/internal/statefile"
)

// Status says whether a project is trusted.
type Status string

// The statuses.
const (
	Untrusted Status = "untrusted"         // nobody trusted it
	Trusted   Status = "trusted"           // as it is now
	Stale     Status = "stale_fingerprint" // as it was: a file that matters has changed since
)

// Reason says in words why a status is not [Trusted]; "" if it is.
func (s Status) Reason() string {
	switch s {
	case Trusted:
		return ""
	case Stale:
		return "stale: it changed since it was trusted"
	}
	return "untrusted"
}

// State is what is known of a project.
type State struct {
	Project     string // its real path
	Status      Status
	Fingerprint string // of its files as they are now, in hex
	Stored      string // the one that was trusted; "" if none was
}

// Store remembers the trusted projects of a user. Its methods are safe for
// concurrent use, by several processes as well.
type Store struct{ file statefile.File }

// Open returns a store. Path is its file; "" is trust.json in the folder mcpgen
// of the user's configuration. Nothing is read or made yet.
func Open(path string) (*Store, error) {
	file, err := statefile.Open(path, "trust.json")
	return &Store{file}, err
}

// Path returns the file's path.
func (s *Store) Path() string { return s.file.Path }

// entry is what is stored of one project.
type entry struct {
	Fingerprint string    `json:"fingerprint"`
	TrustedAt   time.Time `json:"trusted_at"`
	Version     int       `json:"version"`
	details
}

// status compares an entry with a fingerprint.
func (e entry) status(fingerprint string) Status {
	if e.Version == fingerprintVersion && e.Fingerprint == fingerprint {
		return Trusted
	}
	return Stale
}

// Status compares a project with what was trusted. A store that is damaged, or
// that others may write, trusts nothing: the status is [Untrusted], and the
// error says why. The error of a project whose files cannot be read comes with
// [Untrusted] as well.
func (s *Store) Status(project string) (State, error) {
	return s.status(project, nil)
}

// status is Status of a project in which one file holds what was read of it.
func (s *Store) status(project string, seen *file) (State, error) {
	st := State{Project: canonical(project), Status: Untrusted}
	var err error
	if st.Fingerprint, err = fingerprint(st.Project, seen); err != nil {
		return st, err
	}
	data, err := s.file.Read()
	if err != nil {
		return st, err
	}
	all, err := s.parse(data)
	if err != nil {
		return st, err
	}
	e, ok := all[st.Project]
	if !ok {
		return st, nil
	}
	st.Stored, st.Status = e.Fingerprint, e.status(st.Fingerprint)
	return st, nil
}

// Trusted returns the status of the project that a file belongs to (see
// [ProjectOf]), where that file has the content that the caller has read and is
// about to use. What the file holds by now does not count, so nobody can show one
// content to the reader and another one to the store.
func (s *Store) Trusted(path string, content []byte) (Status, error) {
	project := ProjectOf(path)
	abs, err := filepath.Abs(path)
	if err != nil {
		return Untrusted, err
	}
	rel, err := filepath.Rel(project, abs)
	if err != nil {
		return Untrusted, err
	}
	st, err := s.status(project, &file{filepath.ToSlash(rel), content})
	return st.Status, err
}

// Refuses says why a file of a project, with the content that was read of it, is
// not to be used, and what to do about it; "" if its project is trusted. It is
// what config.Environment.Trusted wants. A store that cannot be read trusts
// nobody, and the hint says so.
func (s *Store) Refuses(path string, content []byte) (reason, hint string) {
	status, err := s.Trusted(path, content)
	if reason = status.Reason(); reason == "" {
		return "", ""
	}
	if err != nil {
		return reason, err.Error()
	}
	return reason, "read the file, then run mcpgen trust add " + ProjectOf(path)
}

// Trust trusts a project as it is now, unseen: it accepts its [Store.Review].
func (s *Store) Trust(project string) (State, error) {
	r, err := s.Review(project)
	if err != nil {
		return r.State, err
	}
	return s.Accept(r)
}

// Untrust forgets a project. One that is not known is not an error.
func (s *Store) Untrust(project string) (State, error) {
	st := State{Project: canonical(project), Status: Untrusted}
	var err error
	if st.Fingerprint, err = Fingerprint(st.Project); err != nil {
		st.Fingerprint = "" // it can be forgotten all the same
	}
	return st, s.update(false, func(all map[string]entry) {
		st.Stored = all[st.Project].Fingerprint
		delete(all, st.Project)
	})
}

func (s *Store) update(anew bool, change func(map[string]entry)) error {
	parse := func(data []byte) (map[string]entry, error) {
		all, err := s.parse(data)
		if err != nil && anew {
			all, err = map[string]entry{}, os.WriteFile(s.file.Path+".damaged", data, 0o600)
		}
		return all, err
	}
	return statefile.UpdateJSON(context.Background(), s.file, parse, func(all *map[string]entry) error {
		change(*all)
		return nil
	})
}

func (s *Store) parse(data []byte) (map[string]entry, error) {
	all := map[string]entry{}
	if data == nil {
		return all, nil
	}
	if err := json.Unmarshal(data, &all); err != nil || all == nil {
		return nil, hint.With(fmt.Errorf("%s: it is damaged, so no project is trusted", s.file.Path), "trust them again with mcpgen trust add")
	}
	return all, nil
}

// ProjectOf returns the project that a file belongs to: its folder, or the one
// above the folder of settings in which it stands, such as .tallow or
// .kiro/settings. A folder is its own project.
func ProjectOf(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	depth := 1 // how many elements of the path are not the project's
	for _, c := range dialect.AllCounted() {
		own := filepath.FromSlash("/" + c.Path)
		if strings.HasSuffix(path, own) || c.Tree && strings.HasSuffix(filepath.Dir(path), own) {
			elements := strings.Count(c.Path, "/") + 1
			if c.Tree {
				elements++
			}
			depth = max(depth, elements)
		}
	}
	for range depth {
		path = filepath.Dir(path)
	}
	return path
}

// canonical returns the real path of a folder, so that a project has one name.
func canonical(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return filepath.Clean(abs)
}

// bare is what the system said, without the path.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
