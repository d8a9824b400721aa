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

// ContentKey returns the key that a capability has by what it is: "bk_" and 32
// hexadecimal digits over server, tool and input schema, the same that locks
// hold. The server is its name, so namesakes (see [naming.Plain]) share the key of a tool
// that both have. Enrolling the same tool twice is one enrolment; a changed schema is
// another key. The error is for a schema that is not JSON.
func ContentKey(c Capability) (string, error) {
	key, err := lockfile.ContentKey(naming.Plain(c.Server), c.Tool, c.InputSchema)
	if err != nil {
		return "", fmt.Errorf("key of %s/%s: %w", c.Server, c.Tool, err)
	}
	return key, nil
}

// NewULID returns a fresh key that sorts by time. The keys of a process rise
// strictly, for all goroutines together: a time before that of the last key, such
// as one of a clock that was set back, counts as that of the last key. The error
// is for times that have no such key (before 1970, after 10889), and for more keys
// in one millisecond than there are.
func NewULID(at time.Time) (string, error) {
	return ulids.next(at)
}

// ulids has state because keys rise throughout the process: two ledgers of one
// program may end in one file.
var ulids = &ulidSource{entropy: ulid.Monotonic(rand.Reader, 0)}

// ulidSource makes keys that rise.
type ulidSource struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
	last    uint64 // milliseconds since 1970 in the last key
}

func (s *ulidSource) next(at time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ms := max(ulid.Timestamp(at), s.last) // a time before 1970 is beyond the largest here
	id, err := ulid.New(ms, s.entropy)
	if err != nil {
		return "", fmt.Errorf("ulid of %s: %w", at.UTC().Format(timeFormat), err)
	}
	s.last = ms
	return id.String(), nil
}
