//go:build linux || darwin

package process

import (
	"os"
	"runtime"
	"syscall"
)

// peak is how much memory a process had at most.
func peak(s *os.ProcessState) float64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(u.Maxrss) // bytes
	}
	return float64(u.Maxrss) * 1024
}
