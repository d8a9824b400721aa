package workspace

// What the last update replaced, or a generate that moved a package, is kept in the
// user's cache folder, so that code can be brought up to date where no commit has it.
// Losing it loses nothing else.

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// keepReplaced keeps lock and snapshots as they were read if packages got other names,
// which it reports, and after an update also if the lock on disk is another one by now.
// What goes wrong is a detail.
func (w *Workspace) keepReplaced(updated bool) (moved bool) {
	before, err := w.tree.ReadFile(LockName)
	if err != nil {
		return false // there was none
	}
	now, err := os.ReadFile(filepath.Join(w.Root, LockName))
	same := err == nil && bytes.Equal(before, now)
	// Where servers went, the lock is another one, and code has nothing to follow.
	if moved = same && w.leftFolder(); moved || updated && err == nil && !same {
		err = w.copyReplaced()
	}
	if err != nil {
		w.opts.Console.Detail("what was replaced is not kept for mcpgen fix: %v", err)
	}
	return moved
}

func (w *Workspace) copyReplaced() error {
	dir, err := w.cachePath("replaced")
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, name := range append(w.packageFiles("snapshot.json"), LockName) {
		data, err := w.tree.ReadFile(name)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// leftFolder reports whether a package that was read is not there any more.
func (w *Workspace) leftFolder() bool {
	return slices.ContainsFunc(w.packageFiles("snapshot.json"), func(name string) bool {
		_, err := os.Lstat(filepath.Join(w.Root, filepath.FromSlash(name)))
		return errors.Is(err, fs.ErrNotExist)
	})
}

// replaced reads what was kept; nil if there is nothing.
func (w *Workspace) replaced() *other {
	dir, err := w.cachePath("replaced")
	if err != nil {
		return nil
	}
	o, err := w.fromFile(filepath.Join(dir, LockName))
	if err != nil {
		return nil
	}
	return o
}
