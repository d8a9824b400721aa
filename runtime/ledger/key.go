package ledger

// This file makes the keys under which capabilities are enrolled.

import (
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/mcpgen/mcpgen/schema"
)

// ContentKey returns the key that a capability has by what it is: "bk_" and 32
// hexadecimal digits over server, tool and input schema, the same that locks
// hold. Enrolling the same tool twice is one enrolment; a changed schema is
// another key. The error is for a schema that is not JSON.
func ContentKey(c Capability) (string, error) {
	key, err := schema.ContentKey(c.Server, c.Tool, c.InputSchema)
	if err != nil {
		return "", fmt.Errorf("key of %s/%s: %w", c.Server, c.Tool, err)
	}
	return key, nil
}

// NewULID returns a fresh key that sorts by time. Within one millisecond the
// keys of a process rise strictly, whoever asks for them. The error is for times
// that have no such key (before 1970, after 10889), and for more keys in one
// millisecond than there are.
func NewULID(at time.Time) (string, error) {
	id, err := ulid.New(ulid.Timestamp(at), ulid.DefaultEntropy())
	if err != nil {
		return "", fmt.Errorf("ulid of %s: %w", at.UTC().Format(timeFormat), err)
	}
	return id.String(), nil
}
