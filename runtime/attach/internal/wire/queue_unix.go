//go:build unix

package wire

import "syscall"

// writeNow writes as much as a pipe takes without blocking, and returns the number of
// bytes. Pipes of package os do not block. Errors are left to the next write.
func writeNow(w syscall.RawConn, b []byte) (n int) {
	_ = w.Write(func(fd uintptr) bool {
		n, _ = syscall.Write(int(fd), b)
		return true
	})
	return max(n, 0)
}
