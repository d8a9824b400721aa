package lockfile

// This file compares a snapshot with a lock.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema"
)

// Change is the kind of difference between a lock and an item or a part of a server.
type Change string

// The changes.
const (
	Added    Change = "added"    // not in the lock
	Removed  Change = "removed"  // not in the snapshot
	Changed  Change = "changed"  // the contract differs; for parts of a server: the content
	Reworded Change = "reworded" // the definition differs, but not its contract
	// Mismatched is a definition with its locked full hash but another contract or key than in the lock: the lock
	// was edited, or written by a version that computes them differently.
	Mismatched Change = "mismatched"
)

// Difference is one difference between a snapshot and a lock.
type Difference struct {
	Kind   schema.Kind
	Name   string // of the item; "" for parts of a server
	Change Change
}

// Verify compares s with the lock. It returns nil if they agree. Differences are ordered: identity,
// capabilities, instructions, protocol, tools, prompts, resources, templates, skills, apps; items by name. A
// definition that cannot be hashed is Changed.
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
		out = append(out, Difference{Kind: kind, Change: change})
	}
	part("identity", canonicalText(l.Identity), canonicalText(s.Identity))
	part("capabilities", canonicalText(l.Capabilities), canonicalText(s.Capabilities))
	part("instructions", l.Instructions, TextHash(s.Instructions))
	part("protocol", l.Protocol, s.ProtocolVersion)
	for _, list := range lists() {
		out = append(out, verifyList(s.Server, list.kind, l.Items(list.kind), *s.List(list.kind))...)
	}
	return out
}

// canonicalText returns raw in canonical form, or unchanged if it is not JSON.
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
			d.Change = Added
		case err != nil || before.Contract != after.Contract && before.Full != after.Full:
			d.Change = Changed
		case before.Full != after.Full:
			d.Change = Reworded
		case before.Contract != after.Contract || before.Key != after.Key:
			d.Change = Mismatched
		}
		seen[it.Name] = true
		if d.Change != "" {
			out = append(out, d)
		}
	}
	for name := range locked {
		if !seen[name] {
			out = append(out, Difference{Kind: kind, Name: name, Change: Removed})
		}
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return strings.Compare(a.Name, b.Name) })
	return out
}
