//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package generator

import "os"

// lockFile always succeeds: this system has no file locks.
func lockFile(*os.File) (bool, error) { return true, nil }
