package trust

// This file computes fingerprints of the files that matter in a project.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
)

// fingerprintVersion is the version of what a fingerprint covers. It is part of every fingerprint, so a
// change makes all of them stale.
const fingerprintVersion = 4

// Larger projects are not trusted: they hold more than configuration.
const (
	maxFile  = 8 << 20
	maxFiles = 2000
)

// file is a file whose content was read.
type file struct {
	path    string // slash path below the project
	content []byte
}

// fingerprintOf returns the SHA-256 of what matters in a project, in hex. A project without such files has
// one too. A file that cannot be read, or is too large to be a configuration, is an error.
func fingerprintOf(project string) (string, error) { return fingerprint(project, nil) }

// fingerprint is fingerprintOf with seen, if it is not nil, in place of the file on disk.
func fingerprint(project string, seen *file) (string, error) {
	p, err := take(project, seen)
	if err != nil {
		return "", err
	}
	return p.sum(), nil
}

// take reads what matters in a project, as for fingerprint.
func take(project string, seen *file) (*digest, error) {
	p := &digest{
		project: project, seen: seen, hash: sha256.New(), scripts: map[string]bool{},
		details: details{Files: map[string]string{}, Scripts: map[string]string{}},
	}
	fmt.Fprintf(p.hash, "mcpgen project trust %d\n", fingerprintVersion)
	used := seen == nil
	for _, c := range dialect.AllCounted() {
		path := filepath.Join(project, filepath.FromSlash(c.Path))
		var err error
		if c.Tree {
			err = p.tree(path)
			used = used || strings.HasPrefix(seen.path, c.Path+"/")
		} else {
			err = p.file(c)
			used = used || seen.path == c.Path && marked(c, seen.content)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: mcpgen cannot check this path, so the project is not trusted: %w", path, bare(err))
		}
	}
	if !used {
		p.add("other "+seen.path, seen.content) // no trusted project can contain it
	}
	if err := p.started(); err != nil {
		return nil, err
	}
	return p, nil
}

// digest is a fingerprint in progress.
type digest struct {
	project string
	seen    *file
	hash    hash.Hash
	scripts map[string]bool // paths that the files name, to be read later
	details
}

// sum returns the fingerprint of everything that was added.
func (p *digest) sum() string { return hex.EncodeToString(p.hash.Sum(nil)) }

// add hashes a piece, preceded by its name and length, so that different lists of pieces never hash the
// same bytes.
func (p *digest) add(name string, data []byte) {
	fmt.Fprintf(p.hash, "%d:%s %d\n", len(name), name, len(data))
	p.hash.Write(data)
}

// read returns the content of seen, or reads the file.
func (p *digest) read(path string) ([]byte, error) {
	if p.seen != nil && p.seen.path == path {
		return p.seen.content, nil
	}
	return regular.ReadFile(filepath.Join(p.project, filepath.FromSlash(path)), maxFile)
}

// marked reports whether a file with this content counts.
func marked(c dialect.Counted, content []byte) bool { return bytes.Contains(content, []byte(c.Mark)) }

func (p *digest) file(c dialect.Counted) error {
	data, err := p.read(c.Path)
	switch {
	case c.Mark != "" && err != nil, !marked(c, data):
		return nil // no program uses a file that cannot be read
	case errors.Is(err, fs.ErrNotExist):
		p.add("missing "+c.Path, nil)
		return nil
	case err != nil:
		return err
	}
	plain := tree.Parse(new(tree.Report), c.Path, data).AppendJSON(nil) // empty if it cannot be parsed
	p.names(c.Path, plain)
	if picked, ok := pick(plain, c.Keys); ok {
		p.add("keys of "+c.Path, picked)
		if len(picked) > 0 {
			p.Files[c.Path] = hashOf(picked)
		}
		p.launches(c.Path, plain, c.Keys)
		return nil
	}
	p.add(c.Path, data)
	p.Files[c.Path] = hashOf(data)
	p.launches(c.Path, plain, nil)
	return nil
}

// pick returns the members of an object that count. It returns false if the whole file counts: if there
// are no keys, if it is not an object, or if a member that counts is duplicated. Values keep their
// spelling, since other readers may interpret them differently.
func pick(plain []byte, keys []string) ([]byte, bool) {
	if len(keys) == 0 || jsontext.First(plain) != '{' {
		return nil, false
	}
	values := map[string]json.RawMessage{}
	items := jsontext.NewItems(plain)
	for items.Next() {
		name := string(items.Key())
		// Some readers ignore the case of keys.
		if !slices.ContainsFunc(keys, func(key string) bool { return strings.EqualFold(key, name) }) {
			continue
		}
		if _, twice := values[strings.ToLower(name)]; twice {
			return nil, false
		}
		values[strings.ToLower(name)] = append([]byte(name+"="), jsontext.Compact(items.Value)...)
	}
	if items.Err != nil {
		return nil, false
	}
	var picked []byte
	for _, key := range keys {
		if value, ok := values[strings.ToLower(key)]; ok {
			picked = append(append(picked, value...), '\n')
		}
	}
	return picked, true
}

// tree hashes every file below a folder. Links are hashed by their targets, and not followed.
func (p *digest) tree(root string) error {
	n := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if n++; n > maxFiles {
			return fmt.Errorf("the folder has more than %d files", maxFiles)
		}
		rel, err := filepath.Rel(p.project, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if e.Type()&fs.ModeSymlink != 0 {
			leads, err := os.Readlink(path)
			p.add("link "+name, []byte(leads))
			p.Files[name] = hashOf([]byte("link " + leads))
			return err
		}
		data, err := p.read(name)
		p.add(name, data)
		p.Files[name] = hashOf(data)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) && n == 0 {
		p.add("missing "+filepath.ToSlash(root[len(p.project):]), nil)
		return nil
	}
	return err
}
