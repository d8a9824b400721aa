// Package regular reads files that somebody else may have created: only regular files, and only up to a
// limit. Opening a named pipe waits for a writer, and reading a device may never end; here both are
// errors at once.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular is the error for a path to a named pipe, a socket or a device.
var ErrNotRegular = errors.New("not a regular file")

// TooLargeError is the error for a file that exceeds the limit.
type TooLargeError struct{ Limit int64 } // bytes

func (e *TooLargeError) Error() string { return fmt.Sprintf("larger than %d bytes", e.Limit) }

// Open opens a regular file for reading. Symbolic links are followed. Open never waits for a writer.
// Errors are of type [*fs.PathError] and wrap [syscall.EISDIR] for a folder, and [ErrNotRegular] for
// other files that are not regular. The caller must close the file.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path) // checked first: opening a device may have side effects
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.Unwrap(err)}
	}
	if err := check(path, info); err != nil {
		return nil, err
	}
	// The path may have changed since: a pipe that is opened without blocking does not wait.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = check(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func check(path string, info fs.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	}
	return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("%w (%s)", ErrNotRegular, info.Mode().Type())}
}

// ReadFile reads a regular file of at most limit bytes. Its errors are the errors of [Open] and of
// reading, and a [*fs.PathError] that wraps a [*TooLargeError].
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, limit)
}

// Read reads the rest of an open file, at most limit bytes. Its errors are errors of reading, and a
// [*fs.PathError] that wraps a [*TooLargeError].
func Read(f *os.File, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &fs.PathError{Op: "read", Path: f.Name(), Err: &TooLargeError{limit}}
	}
	return data, nil
}
