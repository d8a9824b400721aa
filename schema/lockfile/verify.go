package lockfile

// This file compares a snapshot with a lock.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema"
)

// Change says how an item or a part of a server differs from the lock.
type Change string

// The changes.
const (
	Added    Change = "added"    // not in the lock
	Removed  Change = "removed"  // not in the snapshot
	Changed  Change = "changed"  // the contract differs; of server parts: the content
	Reworded Change = "reworded" // the definition differs, the contract does not
	// Mismatched is a definition that is the locked one while contract or key
	// in the lock are not its own: the lock was edited, or written by a version
	// that computes them differently.
	Mismatched Change = "mismatched"
)

// Difference is one thing that a snapshot and a lock do not agree on.
type Difference struct {
	Kind   schema.Kind
	Name   string // of the item; "" for parts of a server
	Change Change
	// Before is what the lock has, After what the snapshot has; "" is nothing.
	// Of items: the contract hash if Change is Changed or Mismatched, else the
	// full hash. Of identity and capabilities: canonical JSON. Of instructions:
	// their hash. Of the protocol: the revision.
	Before, After string
}

// Verify compares s with what was locked. It returns nothing if s is exactly
// what was locked. Differences come in the order identity, capabilities,
// instructions, protocol, tools, prompts, resources, templates, skills, apps; items by name.
// A definition that cannot be hashed is Changed to "".
func (l *LockedServer) Verify(s *schema.Snapshot) []Difference {
	var out []Difference
	part := func(kind schema.Kind, before, after string) {
		if before == after {
			return
		}
		change := Changed
		if before == "" {
			change = Added
		} else if after == "" {
			change = Removed
		}
		out = append(out, Difference{Kind: kind, Change: change, Before: before, After: after})
	}
	part(schema.KindIdentity, canonicalText(l.Identity), canonicalText(s.Identity))
	part(schema.KindCapabilities, canonicalText(l.Capabilities), canonicalText(s.Capabilities))
	part(schema.KindInstructions, l.Instructions, TextHash(s.Instructions))
	part(schema.KindProtocol, l.Protocol, s.ProtocolVersion)
	for _, list := range lists() {
		out = append(out, verifyList(s.Server, list.kind, l.Items(list.kind), *s.List(list.kind))...)
	}
	return out
}

// canonicalText returns raw in canonical form; as it is if it is not JSON.
func canonicalText(raw json.RawMessage) string {
	if raw == nil {
		return ""
	}
	text, err := schema.Canonical(raw)
	if err != nil {
		return string(bytes.TrimSpace(raw))
	}
	return string(text)
}

func verifyList(server string, kind schema.Kind, locked map[string]LockedItem, items []schema.Item) []Difference {
	var out []Difference
	seen := make(map[string]bool, len(items))
	var locker itemLocker
	for _, it := range items {
		before, ok := locked[it.Name]
		it.Kind = kind
		after, err := locker.lock(server, it)
		d := Difference{Kind: kind, Name: it.Name}
		switch {
		case !ok || seen[it.Name]:
			d.Change, d.After = Added, after.Full
		case err != nil || before.Contract != after.Contract && before.Full != after.Full:
			d.Change, d.Before, d.After = Changed, before.Contract, after.Contract
		case before.Full != after.Full:
			d.Change, d.Before, d.After = Reworded, before.Full, after.Full
		case before.Contract != after.Contract || before.Key != after.Key:
			d.Change, d.Before, d.After = Mismatched, before.Contract, after.Contract
		}
		seen[it.Name] = true
		if d.Change != "" {
			out = append(out, d)
		}
	}
	for name, before := range locked {
		if !seen[name] {
			out = append(out, Difference{Kind: kind, Name: name, Change: Removed, Before: before.Full})
		}
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return strings.Compare(a.Name, b.Name) })
	return out
}
