//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package generator

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks f until it is closed. False means that somebody else has it. On
// a file system without locks everybody gets it.
func lockFile(f *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil, errors.Is(err, errors.ErrUnsupported):
			return true, nil
		case err == syscall.EWOULDBLOCK:
			return false, nil
		case err != syscall.EINTR:
			return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}
