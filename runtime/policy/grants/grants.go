// Package grants keeps what a user granted beside the configuration of a
// project: with mcpgen policy grant, or by answering a question with always.
//
// The grants of all projects are in one file of the user's own, never in the
// project: who writes a project must not be able to grant in its user's name.
package grants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/internal/statefile"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// version is that of the file's form.
const version = 1

// Store holds the grants of one project. Its methods are safe for concurrent
// use, by several processes as well. It is a [policy.GrantStore].
type Store struct {
	file    statefile.File
	project string
}

// Open returns the store of a project. The project is a folder; it is known by
// its real path, so that a link to it is the same project. Path is the file;
// "" is grants.json in the folder mcpgen of the user's configuration. Nothing is
// read or made yet.
func Open(path, project string) (*Store, error) {
	if path == "" {
		var err error
		if path, err = statefile.Path("grants.json"); err != nil {
			return nil, err
		}
	}
	project, err := filepath.Abs(project)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(project); err == nil {
		project = real
	}
	return &Store{file: statefile.File{Path: path}, project: project}, nil
}

// Path returns the file's path.
func (s *Store) Path() string { return s.file.Path }

// content is the file.
type content struct {
	Version  int                       `json:"version"`
	Projects map[string][]policy.Grant `json:"projects"`
}

func (s *Store) parse(data []byte) (content, error) {
	c := content{Version: version}
	if data != nil {
		if err := json.Unmarshal(data, &c); err != nil {
			return c, fmt.Errorf("%s: it is damaged (%w): restore or remove it, and grant again", s.file.Path, err)
		}
		if c.Version != version {
			return c, fmt.Errorf("%s: it is of version %d, and this program knows version %d: use the mcpgen that wrote it", s.file.Path, c.Version, version)
		}
	}
	if c.Projects == nil {
		c.Projects = map[string][]policy.Grant{}
	}
	return c, nil
}

// Grants returns the grants of the project, in the order in which they were
// given. Without a file there are none; a file that is damaged, or that others
// may write, is an error.
func (s *Store) Grants() ([]policy.Grant, error) {
	data, err := s.file.Read()
	if err != nil {
		return nil, err
	}
	c, err := s.parse(data)
	return c.Projects[s.project], err
}

// Add adds a grant. One that is there already is not added twice.
func (s *Store) Add(g policy.Grant) error {
	return s.update(func(all []policy.Grant) []policy.Grant {
		if slices.ContainsFunc(all, func(other policy.Grant) bool { return same(g, other) }) {
			return all
		}
		return append(all, g)
	})
}

// ErrNotGranted is a grant that is not there.
var ErrNotGranted = errors.New("no such grant")

// Remove removes the grants that gone reports, and returns them. If
// there is none to remove the error is [ErrNotGranted].
func (s *Store) Remove(gone func(policy.Grant) bool) ([]policy.Grant, error) {
	var removed []policy.Grant
	err := s.update(func(all []policy.Grant) []policy.Grant {
		return slices.DeleteFunc(all, func(g policy.Grant) bool {
			if gone(g) {
				removed = append(removed, g)
				return true
			}
			return false
		})
	})
	if err == nil && len(removed) == 0 {
		err = ErrNotGranted
	}
	return removed, err
}

func (s *Store) update(change func([]policy.Grant) []policy.Grant) error {
	return s.file.Update(context.Background(), func(data []byte) ([]byte, error) {
		c, err := s.parse(data)
		if err != nil {
			return nil, err
		}
		all := change(c.Projects[s.project])
		if len(all) == 0 {
			delete(c.Projects, s.project)
		} else {
			c.Projects[s.project] = all
		}
		out, err := json.MarshalIndent(c, "", "  ")
		return append(out, '\n'), err
	})
}

// same reports whether two grants allow the same, whenever they were given.
func same(a, b policy.Grant) bool {
	a.Time, a.By = b.Time, b.By
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
