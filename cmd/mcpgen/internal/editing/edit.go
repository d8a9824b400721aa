// Package editing begins a configuration and changes it: the commands init, add and remove. What it changes is written
// together with lock and code, or not at all.
package editing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
)

// Edit is a pending change of a configuration, or of the user's code. It is written together with lock and
// generated code, or not at all.
type Edit struct {
	File    string // as the user would name it
	Created bool   // the file does not exist yet
	// Pinned is the package of the added server with the version that was added to it; "" if the launch is
	// unchanged.
	Pinned string

	Path          string // absolute, with links resolved
	Before, After []byte
	Name          string       // of the added server; "" without one
	added         config.Entry // the added entry

	project *config.Project   // the configuration; nil if it cannot be read or does not exist
	err     error             // why it cannot be read
	defined map[string]string // file:line of its servers, by name
}

// modelName matches server names whose tool names every model API accepts: server, two underscores, tool.
var modelName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*$`)

// longestName bounds the name of a server, in bytes: model APIs accept 64 for server and tool together.
const longestName = 32

// AddServer returns an edit that adds a server to the configuration that file names, or that is found, or
// to a new one in the folder of go.mod. The error is the user's side.
func AddServer(ctx context.Context, file, name string, s config.Entry) (*Edit, error) {
	if !modelName.MatchString(name) || len(name) > longestName {
		err := fmt.Errorf("%q is not a valid server name: model APIs would refuse the names of its tools", name)
		return nil, hint.With(err,
			fmt.Sprintf("use up to %d characters: letters and digits, with a single - or _ between them", longestName))
	}
	e, err := openEdit(ctx, file)
	if err != nil {
		return nil, err
	}
	if at := e.defined[name]; at != "" {
		return nil, hint.With(fmt.Errorf("server %q is already configured in %s", name, at),
			"choose another name", "remove the other server first: mcpgen remove "+name)
	}
	return e, e.add(name, s)
}

// add sets the configuration to the original one with one more server.
func (e *Edit) add(name string, s config.Entry) error {
	text := e.Before
	if e.Created {
		text = []byte(starter.FirstConfig)
	}
	after, err := starter.AddServer(text, name, s, "")
	if err != nil {
		return cmp.Or(e.unreadable(), fmt.Errorf("%s: %w", e.File, err))
	}
	e.Name, e.added, e.After = name, s, after
	return nil
}

// Pin sets the version in the arguments of the added server.
func (e *Edit) Pin(pkg string, args []string) error {
	s := e.added
	s.Args, e.Pinned = args, pkg
	return e.add(e.Name, s)
}

// RemoveServer returns an edit that removes a server from the configuration that file names, or that is
// found. The error is the user's side.
func RemoveServer(ctx context.Context, file, name string) (*Edit, error) {
	e, err := openEdit(ctx, file)
	switch {
	case err != nil:
		return nil, err
	case e.Created:
		return nil, fmt.Errorf("%s: there is no configuration, so there is nothing to remove", e.File)
	}
	after, err := starter.RemoveServer(e.Before, name)
	if err != nil {
		if at := e.defined[name]; at != "" && !strings.HasPrefix(at, e.File+":") {
			err = hint.With(fmt.Errorf("server %q is defined in %s, and other programs read this file too", name, at),
				"remove the server there", fmt.Sprintf("disable the server for mcpgen: servers: {%s: {enabled: false}}", name))
		}
		return nil, cmp.Or(e.unreadable(), fmt.Errorf("%s: %w", e.File, err))
	}
	e.After = after
	return e, nil
}

// unreadable returns why the configuration cannot be read at all, so that it must be repaired before an
// edit; nil if it can be read.
func (e *Edit) unreadable() error {
	if _, partial := errors.AsType[*config.PartialError](e.err); e.project != nil || partial {
		return nil
	}
	return e.err
}

// openEdit reads the configuration to be changed. If there is none, it starts one in the folder of the
// go.mod above the working directory.
func openEdit(ctx context.Context, file string) (*Edit, error) {
	path := file
	if path == "" {
		found, err := config.Find(".")
		if errors.Is(err, config.ErrNotFound) {
			found, err = firstConfig()
		}
		if err != nil {
			return nil, err
		}
		path = found
	}
	e := &Edit{File: path, Path: RealPath(path), defined: map[string]string{}} // the link itself is kept
	if err := RefuseLinkOut(path); err != nil && file == "" {
		return nil, hint.With(err, "name the file itself: --config FILE")
	}
	if err := generator.Recover(ctx, filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if e.Before, e.Created = text, err != nil; e.Created {
		return e, nil
	}
	env, err := live.Environment()
	if err != nil {
		return nil, err
	}
	if e.project, e.err = env.Load(path); e.project == nil {
		return e, nil
	}
	for _, d := range e.project.Definitions {
		at := d.Server.Source
		e.defined[d.Server.Name] = cmp.Or(e.defined[d.Server.Name], fmt.Sprintf("%s:%d", at.Path, at.Line))
	}
	for _, f := range e.project.Skipped { // imported too, and not trusted
		for _, name := range f.Servers {
			e.defined[name] = cmp.Or(e.defined[name], f.Path)
		}
	}
	return e, nil
}

// RefuseLinkOut returns an error for a path that a link leads outside the repository. Without a
// repository, the border is the folder of the file. The author of a repository must not choose which
// files outside of it are changed.
func RefuseLinkOut(path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	inside := starter.Repository(filepath.Dir(abs))
	root, err := os.OpenRoot(inside)
	if err != nil {
		return err
	}
	defer root.Close()
	rel, err := filepath.Rel(inside, abs)
	if err != nil {
		return err
	}
	if _, err := root.Stat(rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: mcpgen does not change files outside %s: %w", path, inside, err)
	}
	return nil
}

// firstConfig returns the path for a first configuration.
func firstConfig() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	folder, err := firstFolder(dir)
	if err != nil {
		return "", err
	}
	return filepath.Rel(dir, filepath.Join(folder, config.FileNames()[0]))
}

// firstFolder returns the folder with the go.mod of dir. A go.mod above the repository is ignored, since
// anybody may have written it.
func firstFolder(dir string) (string, error) {
	mod, err := starter.GoMod(dir)
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(mod)
	if repository := starter.FolderWith(dir, ".git"); len(repository) > len(folder) {
		return "", hint.With(fmt.Errorf("%s: neither this folder nor a folder above it in the repository has a go.mod", dir),
			"run go mod init MODULE first")
	}
	return folder, nil
}

// Reader returns a function that reads edited files in their new form, and all others from the disk.
func Reader(edits []*Edit) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		for real, i := RealPath(path), 0; i < len(edits); i++ {
			if edits[i].Path == real {
				return edits[i].After, nil
			}
		}
		return nil, errors.ErrUnsupported
	}
}

// Added returns the edit that adds a server; nil if there is none.
func Added(edits []*Edit) *Edit {
	for _, e := range edits {
		if e.Name != "" {
			return e
		}
	}
	return nil
}

// RealPath returns an absolute path without links. The file need not exist.
func RealPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		return filepath.Join(folder, filepath.Base(abs))
	}
	return abs
}

// Split separates the edits of files below the root, which are written with everything else, from others.
func Split(root string, edits []*Edit) (below []generator.Edit, elsewhere []*Edit) {
	for _, e := range edits {
		if one, ok := e.below(root); ok {
			below = append(below, one)
		} else {
			elsewhere = append(elsewhere, e)
		}
	}
	return below, elsewhere
}

// WriteAll writes edits. Those below the root are written together or not at all, and the others
// only after them.
func WriteAll(ctx context.Context, root string, edits []*Edit) error {
	below, elsewhere := Split(root, edits)
	if _, err := generator.Write(ctx, root, nil, generator.WriteOptions{Edits: below}); err != nil {
		return err
	}
	return SaveAll(ctx, elsewhere)
}

// SaveAll writes each edit on its own.
func SaveAll(ctx context.Context, edits []*Edit) error {
	var errs []error
	for _, e := range edits {
		errs = append(errs, e.save(ctx))
	}
	return errors.Join(errs...)
}

// save writes only this file.
func (e *Edit) save(ctx context.Context) error {
	folder := filepath.Dir(e.Path)
	one, _ := e.below(folder)
	_, err := generator.Write(ctx, folder, nil, generator.WriteOptions{Edits: []generator.Edit{one}})
	return err
}

// below returns the edit with its path relative to root; false if the file is not below root.
func (e *Edit) below(root string) (generator.Edit, bool) {
	rel, err := filepath.Rel(RealPath(root), e.Path)
	one := generator.Edit{Path: filepath.ToSlash(rel), After: e.After}
	if !e.Created {
		one.Before = append([]byte{}, e.Before...)
	}
	return one, err == nil && filepath.IsLocal(rel)
}
