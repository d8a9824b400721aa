//go:build !unix

package testserver

import "syscall"

// apartAttr is nothing where there are no sessions.
func apartAttr() *syscall.SysProcAttr { return nil }
