package generator

// How a set of changes reaches the disk as one.
//
// All new content is first written into the folder .mcpgen-write below the root,
// and the files that will be replaced or removed are linked there under a
// number. Then a journal is written that says what is about to happen, then
// every file is renamed into place, then the journal is removed. Removing the
// journal is the moment of commitment: while there is one, the old files count.
// A reader takes them from the folder and changes nothing (tree.go); a writer,
// be it after an error of its own or after the death of another, puts them back.
// The folder also holds a file that is locked while somebody works here; the
// operating system frees it when its holder dies.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
)

const (
	stageDir    = ".mcpgen-write"
	stageLock   = stageDir + "/lock"
	stageNew    = stageDir + "/new"
	stageOld    = stageDir + "/old"
	journalFile = stageDir + "/journal"

	// A Write takes well under a second: if it takes this long, something is
	// broken.
	stageWait = 30 * time.Second
)

// Recover undoes what a killed [Write] left below root. Call it before reading
// the lock and the snapshots. It waits for a Write that is still running, and
// does nothing if there is nothing to undo.
func Recover(ctx context.Context, root string) error {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	return recoverRoot(ctx, dir)
}

func recoverRoot(ctx context.Context, dir *os.Root) error {
	if _, err := dir.Lstat(stageDir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s, err := openStage(ctx, dir)
	if err != nil {
		return err
	}
	s.close()
	return nil
}

// stage is the staging folder, locked.
type stage struct {
	dir  *os.Root
	lock *os.File
	step func() // called after each change of the file system, for tests; may be nil
}

// did counts a change of the file system.
func (s *stage) did() {
	if s.step != nil {
		s.step()
	}
}

// openStage takes the staging folder, waiting for its holder, and undoes what a
// dead holder left in it.
func openStage(ctx context.Context, dir *os.Root) (*stage, error) {
	deadline := time.Now().Add(stageWait)
	for {
		s, err := tryStage(dir)
		if err != nil {
			return nil, hint.With(fmt.Errorf("%s: nothing can be written into this folder: %w", dir.Name(), err), "make it writable")
		}
		if s != nil {
			if err := s.undo(); err != nil {
				s.lock.Close()
				return nil, hint.With(fmt.Errorf("%s: cannot undo an interrupted run: %w", stageDir, err), "fix the cause, then run mcpgen again")
			}
			return s, nil
		}
		if time.Now().After(deadline) {
			return nil, hint.With(fmt.Errorf("%s: another mcpgen is writing here", stageDir), "wait for it to end, then run mcpgen again")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// tryStage returns nil if somebody else holds the folder.
func tryStage(dir *os.Root) (*stage, error) {
	if err := dir.Mkdir(stageDir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	f, err := dir.OpenFile(stageLock, os.O_CREATE|os.O_RDWR, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // its holder has just removed it
	}
	if err != nil {
		return nil, err
	}
	locked, err := lockFile(f)
	if err == nil && locked {
		// The holder before us may have removed the file that we just locked.
		mine, err1 := f.Stat()
		there, err2 := dir.Lstat(stageLock)
		if err1 == nil && err2 == nil && os.SameFile(mine, there) {
			return &stage{dir: dir, lock: f}, nil
		}
	}
	f.Close()
	return nil, err
}

// close removes the folder and releases the lock. What cannot be removed is
// harmless: without a journal the next run clears it.
func (s *stage) close() {
	if _, err := s.dir.Lstat(journalFile); err == nil {
		s.lock.Close() // undoing failed: the next run tries again
		return
	}
	_ = s.dir.RemoveAll(stageNew)
	s.did()
	_ = s.dir.RemoveAll(stageOld)
	s.did()
	_ = s.dir.Remove(stageLock)
	s.did()
	_ = s.dir.Remove(stageDir)
	s.did()
	s.lock.Close()
}

// journal lists the planned steps.
type journal struct {
	Entries []entry  `json:"entries"`
	Folders []string `json:"folders"` // created, outermost first
}

// entry is one file; its number is its index.
type entry struct {
	Path    string `json:"path"`
	Sum     string `json:"sum"` // of the new content; empty: the file is removed
	Existed bool   `json:"existed"`
}

func newPath(i int) string { return stageNew + "/" + strconv.Itoa(i) }
func oldPath(i int) string { return stageOld + "/" + strconv.Itoa(i) }

// sum is the hash of a text, line endings aside: git may have changed them on
// checkout.
func sum(data []byte) string {
	h := sha256.Sum256(regular.WithLF(data))
	return hex.EncodeToString(h[:])
}

// apply carries out the changes: all or, if an error is returned, none.
func (s *stage) apply(ctx context.Context, changes []change) error {
	j, err := s.prepare(ctx, changes)
	if err != nil {
		return err
	}
	if err := s.writeJournal(j); err != nil {
		return err
	}
	err = s.rename(j)
	if err == nil {
		err = s.dir.Remove(journalFile)
	}
	if err != nil {
		if undoErr := s.undo(); undoErr != nil {
			err = fmt.Errorf("%w; the earlier files cannot be restored: %w", err, undoErr)
		} else {
			err = fmt.Errorf("%w: nothing was changed", err)
		}
		return hint.With(err, "fix the cause, then run mcpgen again")
	}
	s.did()
	s.removeEmpty(changes)
	return nil
}

// prepare writes the new content and keeps the old.
func (s *stage) prepare(ctx context.Context, changes []change) (*journal, error) {
	for _, folder := range []string{stageNew, stageOld} {
		if err := s.dir.Mkdir(folder, 0o777); err != nil {
			return nil, err
		}
		s.did()
	}
	j := new(journal)
	for i, c := range changes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e := entry{Path: c.path, Existed: c.existed}
		if c.data != nil {
			e.Sum = sum(c.data)
			if err := s.writeNew(newPath(i), c); err != nil {
				return nil, err
			}
			s.did()
			j.Folders = s.missingFolders(j.Folders, path.Dir(c.path))
		}
		if c.existed {
			if err := s.keep(c.path, oldPath(i)); err != nil {
				return nil, err
			}
			s.did()
		}
		j.Entries = append(j.Entries, e)
	}
	return j, ctx.Err()
}

func (s *stage) writeNew(name string, c change) error {
	f, err := s.dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(c.data)
	if err == nil && c.existed {
		err = f.Chmod(c.mode)
	}
	// Go files can be made again from the lock and the snapshots; those cannot.
	if err == nil && path.Ext(c.path) != ".go" {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// keep gives the file a second name, or copies it where the file system has no
// links.
func (s *stage) keep(name, as string) error {
	if s.dir.Link(name, as) == nil {
		return nil
	}
	info, err := s.dir.Stat(name)
	if err != nil {
		return err
	}
	data, err := s.dir.ReadFile(name)
	if err != nil {
		return err
	}
	return errors.Join(s.dir.WriteFile(as, data, 0o600), s.dir.Chmod(as, info.Mode().Perm()))
}

// missingFolders appends the folders on the way to name that do not exist.
func (s *stage) missingFolders(known []string, name string) []string {
	if name == "." || slices.Contains(known, name) {
		return known
	}
	if _, err := s.dir.Lstat(name); err == nil {
		return known
	}
	return append(s.missingFolders(known, path.Dir(name)), name)
}

func (s *stage) writeJournal(j *journal) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	draft := journalFile + ".new"
	f, err := s.dir.Create(draft)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	s.did()
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	err = s.dir.Rename(draft, journalFile)
	s.did()
	return err
}

func (s *stage) rename(j *journal) error {
	for _, folder := range j.Folders {
		if err := s.dir.Mkdir(folder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		s.did()
	}
	for i, e := range j.Entries {
		var err error
		if e.Sum == "" {
			err = s.dir.Remove(e.Path)
		} else {
			err = s.dir.Rename(newPath(i), e.Path)
		}
		if err != nil {
			return err
		}
		s.did()
	}
	return nil
}

// parseJournal reads a journal. It is input like everything else: what leads
// anywhere but to files of ours is refused.
func parseJournal(data []byte) (*journal, error) {
	j := new(journal)
	if err := json.Unmarshal(data, j); err != nil {
		return nil, fmt.Errorf("%s: %w", journalFile, err)
	}
	known := map[string]bool{}
	for _, e := range j.Entries {
		if err := checkPath(e.Path, known); err != nil {
			return nil, fmt.Errorf("%s: %w", journalFile, err)
		}
	}
	return j, nil
}

// undo puts everything in the journal back, then clears the folder.
// It may be interrupted and repeated. A file that somebody has edited since is
// left as it is.
func (s *stage) undo() error {
	data, err := s.dir.ReadFile(journalFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		j, err := parseJournal(data)
		if err != nil {
			return err
		}
		if err := s.restore(j); err != nil {
			return err
		}
		if err := s.dir.Remove(journalFile); err != nil {
			return err
		}
	}
	return errors.Join(s.dir.RemoveAll(stageNew), s.dir.RemoveAll(stageOld), s.dir.RemoveAll(journalFile+".new"))
}

func (s *stage) restore(j *journal) error {
	var errs []error
	for i, e := range j.Entries {
		errs = append(errs, s.restoreFile(i, e))
	}
	for _, folder := range slices.Backward(j.Folders) {
		if info, err := s.dir.Lstat(folder); err == nil && info.IsDir() {
			_ = s.dir.Remove(folder) // fails if somebody else has put something there
		}
	}
	return errors.Join(errs...)
}

func (s *stage) restoreFile(i int, e entry) error {
	info, err := s.dir.Lstat(e.Path)
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if there && info.Mode().IsRegular() {
		if _, err := s.dir.Lstat(newPath(i)); err == nil {
			return nil // not replaced yet
		}
	}
	var readErr error
	before := e.before(there, there && info.Mode().IsRegular(), func() string {
		var now []byte
		now, readErr = s.dir.ReadFile(e.Path)
		return sum(now)
	})
	switch {
	case readErr != nil:
		return readErr
	case before == absent && there:
		err = s.dir.Remove(e.Path)
	case before == kept:
		err = s.dir.Rename(oldPath(i), e.Path)
	default:
		return nil
	}
	s.did()
	return err
}

// before describes a file as it was before the step of a journal's entry.
type before uint8

const (
	asItIs before = iota // as it is on the disk: not touched yet, or edited since
	kept                 // under its number among the old files
	absent               // it was not there
)

// before says where the content is that a file had before, by what there is now.
func (e entry) before(there, regular bool, sum func() string) before {
	switch {
	case !there && e.Existed:
		return kept
	case !there:
		return absent
	case e.Sum == "" || !regular || sum() != e.Sum:
		return asItIs // not removed or replaced yet, or somebody else's
	case e.Existed:
		return kept
	}
	return absent
}

// removeEmpty removes the folders that lost their last file.
func (s *stage) removeEmpty(changes []change) {
	for _, c := range changes {
		if c.data != nil {
			continue
		}
		for folder := path.Dir(c.path); folder != "."; folder = path.Dir(folder) {
			if s.dir.Remove(folder) != nil {
				break // not empty
			}
			s.did()
		}
	}
}
