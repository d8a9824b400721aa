//go:build !mcpgen_lean

package ledger

// This file makes ULIDs.

import (
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// ulids is global since keys must increase throughout the process: two ledgers of one
// program may be written to one file.
var ulids = &ulidSource{entropy: ulid.Monotonic(rand.Reader, 0)}

// ulidSource makes increasing keys.
type ulidSource struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
	last    uint64 // milliseconds since 1970 in the last key
}

func (s *ulidSource) next(at time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ms := max(ulid.Timestamp(at), s.last) // a time before 1970 wraps to a value above the maximum
	id, err := ulid.New(ms, s.entropy)
	if err != nil {
		return "", fmt.Errorf("ulid of %s: %w", at.UTC().Format(timeFormat), err)
	}
	s.last = ms
	return id.String(), nil
}
