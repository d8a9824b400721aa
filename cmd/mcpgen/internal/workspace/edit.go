package workspace

// This file changes which servers the configuration has.

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

// Edit is a configuration that is to be changed: see [Options.Edits]. It reaches the disk
// together with lock and code, or not at all.
type Edit struct {
	File    string // as the user would name it
	Created bool   // it is not there yet
	// Pinned is the package of the added server with the version that was written beside
	// it; "" if the launch stands as it was given.
	Pinned string

	path          string // absolute; a link is followed
	before, after []byte
	name          string       // of the server that is added; "" if none is
	added         config.Entry // as it is added

	project *config.Project   // what it says; nil if it cannot be read, or is not there
	err     error             // why it cannot be read
	defined map[string]string // file:line of the servers that it has, by name
}

// modelName is the form of a server's name for which every model API accepts the names of
// its tools: server, two underscores, tool.
var modelName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*$`)

// longestName is how long the name of a server can be, in bytes: model APIs take 64
// for server and tool.
const longestName = 32

// AddServer is one more server in the configuration that file names, or that is found, or
// in a first one beside go.mod. The error is on the user's side.
func AddServer(ctx context.Context, file, name string, s config.Entry) (*Edit, error) {
	if !modelName.MatchString(name) || len(name) > longestName {
		return nil, hint.With(fmt.Errorf("%q: not a valid server name, since model APIs refuse tool names made of it", name),
			fmt.Sprintf("take up to %d letters, digits, and single - or _ between them", longestName))
	}
	e, err := openEdit(ctx, file)
	if err != nil {
		return nil, err
	}
	if at := e.defined[name]; at != "" {
		return nil, hint.With(fmt.Errorf("server %q is configured already, in %s", name, at), "choose another name", "remove that one first: mcpgen remove "+name)
	}
	return e, e.add(name, s)
}

// add makes the configuration with one more server than it had.
func (e *Edit) add(name string, s config.Entry) error {
	text := e.before
	if e.Created {
		text = []byte(starter.FirstConfig)
	}
	after, err := starter.AddServer(text, name, s, "")
	if err != nil {
		return cmp.Or(e.unreadable(), fmt.Errorf("%s: %w", e.File, err))
	}
	e.name, e.added, e.after = name, s, after
	return nil
}

// pin names a version in the arguments of the added server.
func (e *Edit) pin(pkg string, args []string) error {
	s := e.added
	s.Args, e.Pinned = args, pkg
	return e.add(e.name, s)
}

// RemoveServer is the configuration that file names, or that is found, without a server.
// The error is on the user's side.
func RemoveServer(ctx context.Context, file, name string) (*Edit, error) {
	e, err := openEdit(ctx, file)
	switch {
	case err != nil:
		return nil, err
	case e.Created:
		return nil, fmt.Errorf("%s: there is no configuration, so there is nothing to remove", e.File)
	}
	after, err := starter.RemoveServer(e.before, name)
	if err != nil {
		if at := e.defined[name]; at != "" && !strings.HasPrefix(at, e.File+":") {
			err = hint.With(fmt.Errorf("server %q is defined in %s, which other programs read, too", name, at),
				"remove it there", fmt.Sprintf("disable it here: servers: {%s: {enabled: false}}", name))
		}
		return nil, cmp.Or(e.unreadable(), fmt.Errorf("%s: %w", e.File, err))
	}
	e.after = after
	return e, nil
}

// unreadable is why the configuration cannot be read at all: nobody can edit it before
// that is put right. Nil is one that can be read.
func (e *Edit) unreadable() error {
	if _, partial := errors.AsType[*config.PartialError](e.err); e.project != nil || partial {
		return nil
	}
	return e.err
}

// openEdit reads the configuration that is to be changed. One that is not there is
// made in the folder of the go.mod above the working directory.
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
	e := &Edit{File: path, path: realPath(path), defined: map[string]string{}} // a link stays one
	if err := refuseLinkOut(path); err != nil && file == "" {
		return nil, err
	}
	if err := generator.Recover(ctx, filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if e.before, e.Created = text, err != nil; e.Created {
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
	return e, nil
}

// refuseLinkOut refuses to write through a link that leads out of the repository. Without
// a repository the folder of the file is the border. The author of a repository must not
// choose which files outside of it are changed.
func refuseLinkOut(path string) error {
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
		return hint.With(fmt.Errorf("%s: not changed, since it is no file in %s: %w", path, inside, err), "name the file itself: --config FILE")
	}
	return nil
}

// firstConfig is where a first configuration goes.
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

// firstFolder is the folder of the go.mod of dir. One above the repository may be
// anybody's.
func firstFolder(dir string) (string, error) {
	mod, err := goMod(dir)
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(mod)
	if repository := starter.FolderWith(dir, ".git"); len(repository) > len(folder) {
		return "", hint.With(fmt.Errorf("%s: no go.mod in it or above it, up to the root of the repository", dir), "run go mod init MODULE first")
	}
	return folder, nil
}

// reader has configurations read edited files as what they become, and all others from the
// disk.
func reader(edits []*Edit) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		for real, i := realPath(path), 0; i < len(edits); i++ {
			if edits[i].path == real {
				return edits[i].after, nil
			}
		}
		return nil, errors.ErrUnsupported
	}
}

// added is the edit that adds a server; nil is none.
func (w *Workspace) added() *Edit {
	for _, e := range w.opts.Edits {
		if e.name != "" {
			return e
		}
	}
	return nil
}

// realPath is an absolute path without links. The file need not be there.
func realPath(path string) string {
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

// split tells the edits that are written with all else below the root from those elsewhere.
func (w *Workspace) split(edits []*Edit) (below []generator.Edit, elsewhere []*Edit) {
	for _, e := range edits {
		if one, ok := e.below(w.Root); ok {
			below = append(below, one)
		} else {
			elsewhere = append(elsewhere, e)
		}
	}
	return below, elsewhere
}

// writeEdits writes edits: all of those below the root, or none.
func (w *Workspace) writeEdits(ctx context.Context, edits []*Edit) error {
	below, elsewhere := w.split(edits)
	_, err := generator.Write(ctx, w.Root, nil, generator.WriteOptions{Edits: below})
	return errors.Join(err, saveAll(ctx, elsewhere))
}

func saveAll(ctx context.Context, edits []*Edit) error {
	var errs []error
	for _, e := range edits {
		errs = append(errs, e.save(ctx))
	}
	return errors.Join(errs...)
}

// save writes the file alone.
func (e *Edit) save(ctx context.Context) error {
	folder := filepath.Dir(e.path)
	one, _ := e.below(folder)
	_, err := generator.Write(ctx, folder, nil, generator.WriteOptions{Edits: []generator.Edit{one}})
	return err
}

// below is the edit as one of the files below a folder. It reports false for a file that
// is elsewhere.
func (e *Edit) below(root string) (generator.Edit, bool) {
	rel, err := filepath.Rel(realPath(root), e.path)
	one := generator.Edit{Path: filepath.ToSlash(rel), After: e.after}
	if !e.Created {
		one.Before = append([]byte{}, e.before...)
	}
	return one, err == nil && filepath.IsLocal(rel)
}
