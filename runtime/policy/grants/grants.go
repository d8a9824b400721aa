// Package grants keeps a user's grants in addition to the configuration of a project:
// by mcpgen policy grant, or by the answer always.
//
// The grants of all projects are in one file of the user, never in the project: the
// author of a project must not be able to grant in the user's name.
package grants

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// version is the version of the file format.
const version = 1

// Store holds the grants of one project. Its methods are safe for concurrent
// use, by several processes as well. It is a [policy.GrantStore].
type Store struct {
	file    statefile.File
	project string   // "" for none
	files   []string // agent manifests with separate grants
}

// Open returns the store of a project. The project is a folder, identified by its
// real path, so that a link to it is the same project. Files are the files with
// separate grants, wherever the project is: agent manifests, by their real paths. If
// all servers come from such files, project is "" and has no other grants. Path is
// the file; "" is grants.json in the folder mcpgen of the user's configuration.
// Nothing is read or made yet.
func Open(path, project string, files ...string) (*Store, error) {
	file, err := statefile.Open(path, "grants.json")
	s := &Store{file: file, files: files}
	if err != nil || project == "" {
		return s, err
	}
	if s.project, err = filepath.Abs(project); err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(s.project); err == nil {
		s.project = real
	}
	return s, nil
}

// Files returns the files with separate grants, and "" if the project has other
// grants: the possible values of [policy.Grant.File] here.
func (s *Store) Files() []string {
	if s.project == "" {
		return slices.Clone(s.files)
	}
	return append([]string{""}, s.files...)
}

// Path returns the file's path.
func (s *Store) Path() string { return s.file.Path }

// content is the content of the file.
type content struct {
	Version  int                       `json:"version"`
	Projects map[string][]policy.Grant `json:"projects"`
}

func (s *Store) parse(data []byte) (content, error) {
	c := content{Version: version}
	if data != nil {
		if err := json.Unmarshal(data, &c); err != nil {
			return c, hint.With(fmt.Errorf("%s: it is damaged (%w)", s.file.Path, err),
				"restore or remove the file, then grant again")
		}
		if c.Version != version {
			err := fmt.Errorf("%s: the file has version %d, but this program reads only version %d",
				s.file.Path, c.Version, version)
			return c, hint.With(err, "use the version of mcpgen that wrote the file")
		}
	}
	if c.Projects == nil {
		c.Projects = map[string][]policy.Grant{}
	}
	return c, nil
}

// Grants returns the grants of the project, in the order in which they were given.
// Without a file there are none; a file that is damaged, or that others may write, is
// an error.
func (s *Store) Grants() ([]policy.Grant, error) {
	data, err := s.file.Read()
	if err != nil {
		return nil, err
	}
	c, err := s.parse(data)
	var all []policy.Grant
	for _, file := range s.Files() {
		for _, g := range c.Projects[cmp.Or(file, s.project)] {
			g.File = file
			all = append(all, g)
		}
	}
	return all, err
}

// Add adds a grant for its file, which must be one of [Store.Files]. A grant that
// exists already is not added again.
func (s *Store) Add(g policy.Grant) error {
	if !slices.Contains(s.Files(), g.File) {
		return fmt.Errorf("the grant names the file %q, which defines no server of this project", g.File)
	}
	key := cmp.Or(g.File, s.project)
	g.File = "" // the key has it
	return s.update(key, func(all []policy.Grant) []policy.Grant {
		if slices.ContainsFunc(all, func(other policy.Grant) bool { return same(g, other) }) {
			return all
		}
		return append(all, g)
	})
}

// ErrNotGranted reports a grant that does not exist.
var ErrNotGranted = errors.New("no such grant")

// Remove removes the grants for which gone returns true, and returns them. If there
// are none, the error is [ErrNotGranted].
func (s *Store) Remove(gone func(policy.Grant) bool) ([]policy.Grant, error) {
	var (
		removed []policy.Grant
		err     error
	)
	for _, file := range s.Files() {
		err = errors.Join(err, s.update(cmp.Or(file, s.project), func(all []policy.Grant) []policy.Grant {
			return slices.DeleteFunc(all, func(g policy.Grant) bool {
				g.File = file
				if gone(g) {
					removed = append(removed, g)
					return true
				}
				return false
			})
		}))
	}
	if err == nil && len(removed) == 0 {
		err = ErrNotGranted
	}
	return removed, err
}

// update changes the grants that are stored under a key.
func (s *Store) update(key string, change func([]policy.Grant) []policy.Grant) error {
	return statefile.UpdateJSON(context.Background(), s.file, s.parse, func(c *content) error {
		all := change(c.Projects[key])
		if len(all) == 0 {
			delete(c.Projects, key)
		} else {
			c.Projects[key] = all
		}
		return nil
	})
}

// same reports whether two grants allow the same, regardless of their times.
func same(a, b policy.Grant) bool {
	a.Time, a.By = b.Time, b.By
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
