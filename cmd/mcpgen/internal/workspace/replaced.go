package workspace

// What the last update replaced is kept in the user's cache folder, so that code can be
// brought up to date where no commit has it. Losing it loses nothing else.

import (
	"bytes"
	"os"
	"path/filepath"
)

// keepReplaced keeps lock and snapshots as they were read, if the lock on disk is
// another one by now. What goes wrong is a detail.
func (w *Workspace) keepReplaced() {
	if err := w.copyReplaced(); err != nil {
		w.opts.Console.Detail("what was replaced is not kept for mcpgen fix: %v", err)
	}
}

func (w *Workspace) copyReplaced() error {
	before, err := w.tree.ReadFile(LockName)
	if err != nil {
		return nil // there was none
	}
	now, err := os.ReadFile(filepath.Join(w.Root, LockName))
	if err != nil || bytes.Equal(before, now) {
		return err
	}
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
