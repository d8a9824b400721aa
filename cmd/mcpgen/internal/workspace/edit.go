package workspace

// This file changes which servers the configuration has.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/natefinch/atomic"
)

// Edit is a configuration that was changed.
type Edit struct {
	File    string // as the user would name it
	Created bool   // it was not there before
	// Pinned is the package of the added server with the version that was written beside
	// it; "" if the launch stands as it was given.
	Pinned string

	path          string
	before, after []byte
	name          string       // of the server that was added
	added         config.Entry // as it was added

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

// AddServer adds a server to the configuration that file names, or that is found, or to
// a first one beside go.mod. It is written by [Edit.Commit], once the server is locked: so
// no server stands in it that nobody has seen, whenever the run is killed. The error is on
// the user's side.
func AddServer(file, name string, s config.Entry) (*Edit, error) {
	if !modelName.MatchString(name) || len(name) > longestName {
		return nil, hint.With(fmt.Errorf("%q: model APIs would refuse tools of a server with this name", name),
			fmt.Sprintf("take up to %d letters, digits, and single - or _ between them", longestName))
	}
	e, err := openEdit(file)
	if err != nil {
		return nil, err
	}
	if at := e.defined[name]; at != "" {
		return nil, hint.With(fmt.Errorf("server %q is configured already, in %s", name, at), "choose another name", "remove that one first: mcpgen remove "+name)
	}
	if err := errors.Join(e.add(name, s), e.writable()); err != nil {
		return nil, err
	}
	return e, nil
}

// writable is why the configuration cannot be written later.
func (e *Edit) writable() error {
	file, err := os.CreateTemp(filepath.Dir(e.path), ".mcpgen-*")
	if err == nil {
		err = errors.Join(file.Close(), os.Remove(file.Name()))
	}
	return e.unwritable(err)
}

// unwritable is an error about writing the configuration; nil for nil.
func (e *Edit) unwritable(err error) error {
	if err == nil {
		return nil
	}
	return hint.With(fmt.Errorf("%s: cannot be written: %w", e.File, err), "make it and its folder writable")
}

// Text is what the configuration is to hold.
func (e *Edit) Text() []byte { return e.after }

// Commit writes the configuration with the added server, and with what somebody else has
// written into it meanwhile.
func (e *Edit) Commit() error {
	now, err := os.ReadFile(e.path)
	if err == nil && (e.Created || !bytes.Equal(now, e.before)) {
		e.Created, e.before = false, now
		if err := e.add(e.name, e.added); err != nil {
			return err
		}
	}
	return e.write(e.after)
}

// add makes the text of the configuration with one more server than it had.
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

// pin gives the added server arguments that name a version.
func (e *Edit) pin(pkg string, args []string) error {
	s := e.added
	s.Args, e.Pinned = args, pkg
	return e.add(e.name, s)
}

// unchanged returns an error if the file is not as it was written.
func (e *Edit) unchanged() error {
	now, err := os.ReadFile(e.path)
	if err != nil || !bytes.Equal(now, e.after) {
		return errors.Join(err, hint.With(fmt.Errorf("%s: it has changed meanwhile, so that the server stays in it", e.File), "remove it by hand"))
	}
	return nil
}

// RemoveServer takes a server out of the configuration that file names, or that is
// found. The error is on the user's side, and nothing has been written then.
func RemoveServer(file, name string) (*Edit, error) {
	e, err := openEdit(file)
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
	return e, e.write(after)
}

// unreadable is why the configuration cannot be read at all: nobody can edit it before
// that is put right. Nil is one that can be read.
func (e *Edit) unreadable() error {
	if _, partial := errors.AsType[*config.PartialError](e.err); e.project != nil || partial {
		return nil
	}
	return e.err
}

// Undo puts back what stood there before. What somebody else has written meanwhile is
// left alone: that is an error.
func (e *Edit) Undo() error {
	if err := e.unchanged(); err != nil {
		return err
	}
	if e.Created {
		return os.Remove(e.path)
	}
	return e.write(e.before)
}

// openEdit reads the configuration that is to be changed. One that is not there is
// made in the folder of the go.mod above the working directory.
func openEdit(file string) (*Edit, error) {
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
	e := &Edit{File: path, path: path, defined: map[string]string{}}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		e.path = real // a link stays one
	}
	if err := refuseLinkOut(path); err != nil && file == "" {
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

// write puts a text in the place of the configuration, whole.
func (e *Edit) write(text []byte) error {
	return e.unwritable(e.replace(text))
}

func (e *Edit) replace(text []byte) error {
	e.after = text
	if _, err := os.Lstat(e.path); e.Created && errors.Is(err, fs.ErrNotExist) {
		f, err := os.OpenFile(e.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		return errors.Join(err, f.Close())
	}
	return atomic.WriteFile(e.path, bytes.NewReader(text))
}
