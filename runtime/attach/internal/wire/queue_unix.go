//go:build unix

package wire

import "syscall"

// writeNow writes what a pipe takes without a wait, and returns how many bytes that are.
// Pipes of package os do not block. What went wrong, the next write says.
func writeNow(w syscall.RawConn, b []byte) (n int) {
	_ = w.Write(func(fd uintptr) bool {
		n, _ = syscall.Write(int(fd), b)
		return true
	})
	return max(n, 0)
}
