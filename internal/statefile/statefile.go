// Package statefile keeps small files with a user's own decisions (grants, trust,
// secrets). Only that user can read them; they are written completely or not at all,
// and by one process at a time.
package statefile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/natefinch/atomic"
)

// maxSize bounds a file, in bytes.
const maxSize = 8 << 20

// lockTimeout is how long another process may hold a file.
const lockTimeout = 10 * time.Second

// ErrOpen reports a file that others than its user may read or write.
var ErrOpen = errors.New("other users can read or write the file")

// Path returns the path of a file in the folder mcpgen of the user's configuration
// folder. If the system's own variables do not name the configuration folder, the
// folder .config of $USERPROFILE is used.
func Path(name string) (string, error) {
	dir, err := os.UserConfigDir()
	if home := os.Getenv("USERPROFILE"); err != nil && filepath.IsAbs(home) {
		dir, err = filepath.Join(home, ".config"), nil
	}
	if err != nil {
		return "", fmt.Errorf("there is no folder for %s: %w", name, err)
	}
	return filepath.Join(dir, "mcpgen", name), nil
}

// File is one file. Its methods are safe for concurrent use, also by several
// processes.
type File struct {
	Path string
	// Private refuses a file that others may read, since it holds secrets. Otherwise
	// only a file that others may write is refused.
	Private bool
}

// Read returns the content; nil if the file does not exist.
func (f File) Read() ([]byte, error) {
	file, err := regular.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, fs.ErrPermission) {
		err = hint.With(err, "make the file readable for you, or remove it")
	}
	if err != nil {
		return nil, f.errorf(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, f.errorf(err)
	}
	if err := f.check(info); err != nil {
		return nil, err
	}
	data, err := regular.Read(file, maxSize)
	if err != nil {
		return nil, f.errorf(err)
	}
	return data, nil
}

// check refuses a file that others may access. Windows has no such modes: there the
// folder protects the file.
func (f File) check(info fs.FileInfo) error {
	forbidden := fs.FileMode(0o022)
	if f.Private {
		forbidden = 0o077
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&forbidden != 0 {
		return f.errorf(hint.With(fmt.Errorf("%w (mode %04o)", ErrOpen, info.Mode().Perm()), "run chmod 600 on it"))
	}
	return nil
}

// Update passes the content to change and writes the result, while no other process
// updates the file. Content is nil if the file does not exist; a nil result leaves
// the file unchanged. The file has mode 0600, and its folder 0700 if Update makes it.
func (f File) Update(ctx context.Context, change func(content []byte) ([]byte, error)) error {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return f.errorf(err)
	}
	unlock, err := Lock(ctx, f.Path)
	if err != nil {
		return f.errorf(err)
	}
	defer unlock()
	before, err := f.Read()
	if err != nil {
		return err
	}
	after, err := change(before)
	if err != nil || after == nil || before != nil && bytes.Equal(before, after) {
		return err
	}
	if err := atomic.WriteFile(f.Path, bytes.NewReader(after)); err != nil {
		return f.errorf(err)
	}
	if err := os.Chmod(f.Path, 0o600); err != nil { // an older file may have given rights to others
		return f.errorf(err)
	}
	return nil
}

// Lock takes the lock of a file, which is a separate file with the added extension
// .lock. It waits up to ten seconds while another process holds the lock. The system
// releases the lock of a process that dies. The caller must call unlock.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	ok, err := lock.TryLockContext(ctx, 20*time.Millisecond)
	if err != nil || !ok {
		return nil, fmt.Errorf("another process holds the lock of the file: %w", errors.Join(err, ctx.Err()))
	}
	return func() { _ = lock.Unlock() }, nil // the lock ends with the process at the latest
}

// errorf puts the path before an error, once.
func (f File) errorf(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", e.Op, e.Err)
	}
	return fmt.Errorf("%s: %w", f.Path, err)
}

// Open returns the file at a path; "" is the file of this name in the user's
// configuration folder, see [Path]. Nothing is read or made yet.
func Open(path, name string) (File, error) {
	var err error
	if path == "" {
		path, err = Path(name)
	}
	return File{Path: path}, err
}

// UpdateJSON does the same as [File.Update] for a JSON value, which parse reads; its
// content is nil if the file does not exist.
func UpdateJSON[T any](ctx context.Context, f File, parse func(content []byte) (T, error), change func(*T) error) error {
	return f.Update(ctx, func(content []byte) ([]byte, error) {
		value, err := parse(content)
		if err == nil {
			err = change(&value)
		}
		if err != nil {
			return nil, err
		}
		out, err := json.MarshalIndent(value, "", "  ")
		return append(out, '\n'), err
	})
}
