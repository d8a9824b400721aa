//go:build unix

package testserver

import "syscall"

// apartAttr puts a process into a session of its own.
func apartAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
