// Package trust stores which projects are trusted to start programs.
//
// A file that a program finds in a folder was written by the author of the folder, not by the user. Such
// files are used only if the user has trusted the project, with mcpgen trust add. Trust applies to one
// state of the files that matter, stored as a fingerprint: an edit of one of them makes the trust stale.
// An mcpgen.yaml needs no trust: running a command in its folder is consent to it, as running make is to
// a Makefile.
//
// The fingerprint covers the server files of all systems that mcpgen reads. In files that also hold other
// settings, only the keys that decide what is started count; the table of dialects lists them. The
// fingerprint also covers the content of programs, scripts and files of variables inside the project that
// such a file names. It does not cover files that those load in turn, nor code that a launch builds or
// runs without naming a file, such as go run or make: see [Launch].Runs.
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
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
)

// Status says whether a project is trusted.
type Status string

// The statuses.
const (
	Untrusted Status = "untrusted"         // was never trusted
	Trusted   Status = "trusted"           // is trusted in its current state
	Stale     Status = "stale_fingerprint" // is not trusted
)

// Reason returns why a status is not [Trusted]; "" if it is.
func (s Status) Reason() string {
	switch s {
	case Trusted:
		return ""
	case Stale:
		return "stale: it changed since it was trusted"
	}
	return "untrusted"
}

// State is the trust status of a project.
type State struct {
	Project     string // its real path
	Status      Status
	Fingerprint string // of its current files, in hex
	Stored      string // the trusted fingerprint; "" if there is none
}

// Store holds the trusted projects of a user. Its methods are safe for concurrent use, also by several
// processes.
type Store struct{ file statefile.File }

// Open returns a store. Path is its file; "" is trust.json in the folder mcpgen of the user's
// configuration. Open neither reads nor creates the file.
func Open(path string) (*Store, error) {
	file, err := statefile.Open(path, "trust.json")
	return &Store{file}, err
}

// Path returns the file's path.
func (s *Store) Path() string { return s.file.Path }

// entry is the stored state of one project.
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

// Status compares a project with its trusted state. A store that is damaged, or that others may write,
// trusts no project: the status is [Untrusted], and the error says why. If the project's files cannot be
// read, the status is [Untrusted] too, with an error.
func (s *Store) Status(project string) (State, error) {
	return s.status(project, nil)
}

// status is Status with seen in place of the file on disk.
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

// Trusted returns the status of the project that a file belongs to (see [ProjectOf]). Content is the
// file's content as the caller has read it and is about to use it. The file on disk does not count, so
// that another program cannot swap the content between reading and checking.
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

// Refuses returns why a project's file with this content must not be used, and the next step; "" if its
// project is trusted. It fits config.Environment.Trusted. A store that cannot be read trusts no project,
// and the hint reports it.
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

// Trust trusts the current state of a project without a review by the user: it accepts its
// [Store.Review].
func (s *Store) Trust(project string) (State, error) {
	r, err := s.Review(project)
	if err != nil {
		return r.State, err
	}
	return s.Accept(r)
}

// Untrust removes a project. An unknown project is not an error.
func (s *Store) Untrust(project string) (State, error) {
	st := State{Project: canonical(project), Status: Untrusted}
	var err error
	if st.Fingerprint, err = fingerprintOf(st.Project); err != nil {
		st.Fingerprint = "" // it can be removed all the same
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
		return nil, hint.With(fmt.Errorf("%s: the file is damaged, so mcpgen trusts no project", s.file.Path),
			"trust your projects again: mcpgen trust add")
	}
	return all, nil
}

// ProjectOf returns the project that a file belongs to: its folder, or the parent of the settings folder
// that contains it, such as .tallow or .kiro/settings. A folder is its own project.
func ProjectOf(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	depth := 1 // number of path elements below the project
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

// bare returns the error of the operating system, without the path.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
