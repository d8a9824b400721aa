package ledger

// This file makes the keys under which capabilities are enrolled.

import (
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// ContentKey returns the key that identifies a capability by its content: "bk_" and
// 32 hexadecimal digits over server, tool and input schema, as in a lock. It uses the
// server's name, so namesakes (see [naming.Plain]) share the keys of tools that both
// have. Enrolling the same tool twice is one enrolment; a changed schema has another
// key. The error is for a schema that is not JSON.
func ContentKey(c Capability) (string, error) {
	key, err := lockfile.ContentKey(naming.Plain(c.Server), c.Tool, c.InputSchema)
	if err != nil {
		return "", fmt.Errorf("key of %s/%s: %w", c.Server, c.Tool, err)
	}
	return key, nil
}

// NewULID returns a new key that sorts by time. The keys of a process strictly
// increase, over all goroutines: an earlier time than that of the last key, such as
// after a clock was set back, is replaced by that of the last key. The error is for
// times without a ULID (before 1970, after 10889), and if the keys of one millisecond
// are used up.
func NewULID(at time.Time) (string, error) {
	return ulids.next(at)
}

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
