package lockfile

// This file is the lock: the hashes that were accepted.

import (
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Lock is what was accepted, by configured server name.
type Lock struct {
	// Revision is the [schema.ContractRevision] that the contract hashes follow; 0 if
	// the file does not say. With another one they say nothing: [LockedServer.Rehash].
	Revision int
	Servers  map[string]*LockedServer
}

// LockedServer is what was accepted of one server.
type LockedServer struct {
	Identity           json.RawMessage // serverInfo as sent; nil if absent
	Capabilities       json.RawMessage // the server's; nil if absent
	ClientCapabilities json.RawMessage // what the client declared when it was listed; nil if absent
	Protocol           string          // revision that worked
	Launch             Launch          // how it was started or reached; the zero value is unknown
	Artifact           Artifact        // what that ran; the zero value is unknown
	Instructions       string          // hash of the instructions; "" if there are none
	Source             Source          // the file that configures it; the zero value is unknown
	Accepted           []Acceptance    // of the server itself, the oldest first; see [MaxAccepted]
	Go                 json.RawMessage // what the generator of Go decided, an object; nil is nothing
	// Unordered says that items and their members are not in the order in which the server
	// lists them: they were locked by a version that did not keep it. See
	// [LockedServer.KeepOrder].
	Unordered bool

	Tools, Prompts, Resources, Templates, Skills, Apps map[string]LockedItem // by [schema.Item.Name]
}

// LockedItem is what was accepted of one item.
type LockedItem struct {
	Full     string // [schema.FullHash]
	Contract string // [schema.ContractHash]
	Key      string // [ContentKey]; tools only
	// Result is the result schema of a tool that declares none itself; the zero
	// value means none.
	Result LockedResult
	// Suffix is what the tool's qualified name ends in, because another asked for the
	// same name when it was first locked; "" is nothing. Tools only.
	Suffix   string
	Place    int             // orders the items of a kind, see [LockedServer.InOrder]; 0 is unknown
	Accepted []Acceptance    // the oldest first; see [MaxAccepted]
	Go       json.RawMessage // what the generator of Go decided, an object; nil is nothing
}

// LockedResult is the schema by which the results of a tool are typed that
// declares none.
type LockedResult struct {
	Source ResultSource
	Hash   string // [schema.FullHash] of the schema
}

// ResultSource says where a result schema comes from that the server did not
// send.
type ResultSource string

// The sources of result schemas.
const (
	ResultUser     ResultSource = "user"     // a file that the configuration names
	ResultObserved ResultSource = "observed" // the shape of results that the tool returned
)

// NewLock returns a lock of nothing, of this version's [schema.ContractRevision].
func NewLock() *Lock {
	return &Lock{Revision: schema.ContractRevision, Servers: map[string]*LockedServer{}}
}

// Rehash gives the items that are in s exactly as they were locked the contract
// hashes and keys that this version computes. It is for locks of another
// [schema.ContractRevision]; what was accepted stays what it was.
func (l *LockedServer) Rehash(s *schema.Snapshot) {
	var locker itemLocker
	for it := range s.Items() {
		items := l.Items(it.Kind)
		before, ok := items[it.Name]
		if !ok {
			continue
		}
		if after, err := locker.lock(s.Server, it); err == nil && after.Full == before.Full {
			before.Contract, before.Key = after.Contract, after.Key
			items[it.Name] = before
		}
	}
}

// Items returns the locked items of one kind; nil for kinds that are not items, and for a
// nil server.
func (l *LockedServer) Items(kind schema.Kind) map[string]LockedItem {
	if l == nil {
		return nil
	}
	if items := l.list(kind); items != nil {
		return *items
	}
	return nil
}

// LockSnapshot hashes everything in s, whose order becomes that of the items. Launch,
// Source and what is decided are the caller's to fill in. It fails if a definition is not
// JSON that [schema.ParseItem] accepts, if a name occurs twice in one listing, or if an item's
// name is not the one in its definition; all such items are named.
func LockSnapshot(s *schema.Snapshot) (*LockedServer, error) {
	locked := &LockedServer{
		Identity:     s.Identity,
		Capabilities: s.Capabilities,
		Protocol:     s.ProtocolVersion,
		Instructions: TextHash(s.Instructions),

		ClientCapabilities: s.ClientCapabilities,
	}
	var errs []error
	var locker itemLocker
	for _, l := range lists() {
		items := make(map[string]LockedItem, len(*s.List(l.kind)))
		for i, it := range *s.List(l.kind) {
			it.Kind = l.kind
			if _, ok := items[it.Name]; ok {
				errs = append(errs, fmt.Errorf("%s: second %s named %s", s.Server, l.kind, tree.Quote(it.Name)))
				continue
			}
			item, err := locker.lock(s.Server, it)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %s %s: %w", s.Server, l.kind, tree.Quote(it.Name), err))
				continue
			}
			item.Place = (i + 1) * placeGap
			items[it.Name] = item
		}
		*locked.list(l.kind) = items
	}
	if err := joinErrors(errs); err != nil {
		return nil, err
	}
	return locked, nil
}

// list returns the locked items of one kind; nil for kinds that are not items.
func (l *LockedServer) list(kind schema.Kind) *map[string]LockedItem {
	switch kind {
	case schema.KindTool:
		return &l.Tools
	case schema.KindPrompt:
		return &l.Prompts
	case schema.KindResource:
		return &l.Resources
	case schema.KindTemplate:
		return &l.Templates
	case schema.KindSkill:
		return &l.Skills
	case schema.KindApp:
		return &l.Apps
	}
	return nil
}
