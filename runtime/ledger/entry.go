package ledger

// This file defines the entries of a log, and their JSON form.

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
)

// An Op is the operation of an [Entry].
type Op string

// The operations.
const (
	OpEnroll Op = "enroll" // the capability is live from now on, under its key
	OpRetire Op = "retire" // the key is not live any more
)

// maxSeq is the highest sequence number: the largest integer that all JSON parsers
// keep exactly.
const maxSeq = 1<<53 - 1

// A Capability is one tool, as it was enrolled. Descriptions and schemas come from
// the server and may be hostile.
type Capability struct {
	Name         string          `json:"name"` // qualified: the name for models
	Server       string          `json:"server"`
	Tool         string          `json:"tool"` // in the server's spelling
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema,omitempty"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
}

// capabilityFrom returns the capability that a spec describes.
func capabilityFrom(s runtime.Spec) Capability {
	return Capability{
		Name: s.Name, Server: s.Server, Tool: s.Tool, Title: s.Title, Description: s.Description,
		InputSchema: s.InputSchema, OutputSchema: s.OutputSchema, Annotations: s.Annotations,
	}
}

// Spec returns the spec of the capability, for a registry.
func (c Capability) Spec() runtime.Spec {
	return runtime.Spec{
		Name: c.Name, Server: c.Server, Tool: c.Tool, Title: c.Title, Description: c.Description,
		InputSchema: c.InputSchema, OutputSchema: c.OutputSchema, Annotations: c.Annotations,
	}
}

// An Entry is one event of a log.
type Entry struct {
	Op         Op          `json:"op"`
	Key        string      `json:"key"`
	Server     string      `json:"server"`
	Capability *Capability `json:"capability,omitempty"` // of enrolments, else nil; must not be modified
	Seq        int64       `json:"seq"`                  // from 1 to 2^53-1
	At         time.Time   `json:"at"`
}

// timeFormat is ISO 8601 in UTC, with a fixed number of digits.
const timeFormat = "2006-01-02T15:04:05.000Z"

// fields has the fields of an entry without its methods; a wireEntry has the time as
// a string.
type fields Entry

type wireEntry struct {
	fields
	At string `json:"at"`
}

// MarshalJSON writes the entry, with the time in UTC to the millisecond.
func (e Entry) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireEntry{fields(e), e.At.UTC().Format(timeFormat)})
}

// UnmarshalJSON reads the output of MarshalJSON. It refuses other operations, an
// enrolment without a capability, a retirement with one, a missing key, and invalid
// sequence numbers and times.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var w wireEntry
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("ledger entry: %w", err)
	}
	at, err := time.Parse(time.RFC3339Nano, w.At)
	if err != nil {
		return fmt.Errorf("ledger entry %d: at: %w", w.Seq, err)
	}
	read := Entry(w.fields)
	read.At = at.UTC()
	if err := read.check(); err != nil {
		return fmt.Errorf("ledger entry %d: %w", w.Seq, err)
	}
	*e = read
	return nil
}

func (e Entry) check() error {
	switch {
	case e.Op != OpEnroll && e.Op != OpRetire:
		return fmt.Errorf("op %q: must be %q or %q", string(e.Op), OpEnroll, OpRetire)
	case e.Key == "":
		return errors.New("key: missing")
	case e.Seq < 1 || e.Seq > maxSeq:
		return fmt.Errorf("seq: must be from 1 to %d", int64(maxSeq))
	case e.At.UTC().Year() < 0 || e.At.UTC().Year() > 9999:
		return errors.New("at: the year must be from 0 to 9999")
	case e.Op == OpEnroll && e.Capability == nil:
		return errors.New("capability: missing in an enrolment")
	case e.Op == OpRetire && e.Capability != nil:
		return errors.New("capability: allowed only in an enrolment")
	}
	return nil
}
