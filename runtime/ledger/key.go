package ledger

// This file makes the keys under which capabilities are enrolled.

import (
	"fmt"
	"time"

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
// are used up. In a program that is built with -tags mcpgen_lean it always fails.
func NewULID(at time.Time) (string, error) {
	return ulids.next(at)
}
