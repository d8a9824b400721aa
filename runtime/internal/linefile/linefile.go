// Package linefile keeps logs with one JSON object a line. Only their user can read
// them; they are appended to in whole lines, and read line by line with a limit on
// each.
package linefile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// File appends to one file. It is not safe for concurrent use within a process;
// several processes may append at the same time.
type File struct {
	path string
	file *os.File    // nil after Close, and after the path has come to name another file
	info fs.FileInfo // of file when it was opened, to identify it
	end  int64       // end of our last line, if no other process has written since; 0: unknown
}

// Open opens a file to append to. It makes the file with mode 0600 and its folder
// with 0700 if they are missing, and makes an existing file unreadable for others. A
// new folder gets a .gitignore for its contents, so that no log is committed by
// accident. Anything but a regular file is an error. The caller must close it.
func Open(path string) (*File, error) {
	dir := filepath.Dir(path)
	_, missing := os.Stat(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if errors.Is(missing, fs.ErrNotExist) {
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600); err != nil {
			return nil, err
		}
	}
	f := &File{path: path}
	return f, f.open()
}

// open opens the file.
func (f *File) open() error {
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: f.path, Err: errors.New("not a regular file")}
	}
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = file.Chmod(0o600)
	}
	if err != nil {
		file.Close()
		return err
	}
	f.file, f.info, f.end = file, info, 0
	return nil
}

// Close closes the file. Append opens it again.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}

// Append writes whole lines with one system call, so that no other process writes
// into them. An unfinished line of another process is ended first. If the file was
// moved or removed, as by log rotation, a new one begins.
func (f *File) Append(lines []byte) error {
	size, err := f.follow()
	if err != nil {
		return err
	}
	tail := int64(0)
	if size != f.end { // otherwise it ends with our own line
		if tail, err = f.unfinished(size); err != nil {
			return err
		}
	}
	if tail > 0 {
		lines = append([]byte{'\n'}, lines...)
	}
	n, err := f.file.Write(lines)
	if f.end = size + int64(n); err != nil {
		f.end = 0
	}
	return err
}

// Unfinished returns how many bytes follow the last newline: 0 unless a process was
// stopped while it wrote.
func (f *File) Unfinished() (int64, error) {
	size, err := f.follow()
	if err != nil {
		return 0, err
	}
	return f.unfinished(size)
}

func (f *File) unfinished(size int64) (int64, error) {
	block := make([]byte, 1) // one byte is mostly enough
	for end := size; end > 0; block = make([]byte, 64<<10) {
		from := max(0, end-int64(len(block)))
		n, err := f.file.ReadAt(block[:end-from], from)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			return size - from - int64(i) - 1, nil
		}
		end = from
	}
	return size, nil
}

// follow opens the file again if the path now names another one, and returns its
// size.
func (f *File) follow() (int64, error) {
	if f.file != nil {
		if there, err := os.Stat(f.path); err == nil && os.SameFile(there, f.info) {
			return there.Size(), nil
		}
		_ = f.file.Close()
		f.file = nil
	}
	if err := f.open(); err != nil {
		return 0, err
	}
	return f.info.Size(), nil
}

// A Line is one line without surrounding spaces. Empty lines are left out.
type Line struct {
	Number int // from 1
	Text   []byte
	Long   bool // it is too long; Text is its beginning
}

// Lines yields the lines of a log. Text is valid until the next line. A line longer
// than limit bytes is cut, and the lines after it are still read. An error of reading
// ends the sequence.
func Lines(in io.Reader, limit int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		lines := bufio.NewReaderSize(in, 64<<10)
		line := Line{Number: 1}
		for ; ; line.Number++ {
			var err error
			line.Text, line.Long, err = readLine(lines, line.Text[:0], limit)
			raw := line.Text
			line.Text = bytes.TrimSpace(raw)
			if (len(line.Text) > 0 || line.Long) && !yield(line, nil) {
				return
			}
			line.Text = raw // reused, whole
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Line{}, err)
				return
			}
		}
	}
}

// readLine appends a line to buf. Only the beginning of a line that is too long is
// kept.
func readLine(in *bufio.Reader, buf []byte, limit int) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(buf)+len(part) <= limit {
			buf = append(buf, part...)
		} else {
			long = true
		}
		if err != bufio.ErrBufferFull {
			return buf, long, err
		}
	}
}
