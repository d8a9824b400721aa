package lockfile

// This file defines the lock: the accepted hashes.

import (
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Lock records what was accepted, by configured server name.
type Lock struct {
	// Revision is the [schema.ContractRevision] of the contract hashes; 0 if the file has none. Hashes of another
	// revision cannot be compared: see [LockedServer.Rehash].
	Revision int
	Servers  map[string]*LockedServer
}

// LockedServer records what was accepted of one server.
type LockedServer struct {
	Identity           json.RawMessage // serverInfo as sent; nil if absent
	Capabilities       json.RawMessage // the server's; nil if absent
	ClientCapabilities json.RawMessage // the client's when the server was listed; nil if absent
	Protocol           string          // protocol revision
	Launch             Launch          // how the server was started or reached; the zero value is unknown
	Artifact           Artifact        // what the launch executed; the zero value is unknown
	Store              string          // digest of the manifest of this surface in a registry; "" if there is none
	Instructions       string          // hash of the instructions; "" if there are none
	Source             Source          // the file that configures the server; the zero value is unknown
	Accepted           []Acceptance    // of the server itself, oldest first, at most 20
	Go                 json.RawMessage // decisions of the Go generator, an object; nil if none
	// Unordered reports that the order of items and their members is not the server's, because a version that did
	// not record it wrote the lock. See [LockedServer.KeepOrder].
	Unordered bool

	Tools, Prompts, Resources, Templates, Skills, Apps map[string]LockedItem // by [schema.Item.Name]
}

// LockedItem records what was accepted of one item.
type LockedItem struct {
	Full     string // [schema.FullHash]
	Contract string // [schema.ContractHash]
	Key      string // [ContentKey]; tools only
	// Result is the result schema of a tool that declares none; the zero value if there is no such schema.
	Result LockedResult
	// Suffix ends the tool's qualified name if another tool had the same name when this tool was first locked;
	// otherwise "". Tools only.
	Suffix   string
	Place    int             // position among the items of a kind, see [LockedServer.InOrder]; 0 is unknown
	Accepted []Acceptance    // oldest first, at most 20
	Go       json.RawMessage // decisions of the Go generator, an object; nil if none
}

// LockedResult is the result schema that types a tool without a declared one.
type LockedResult struct {
	Source resultSource
	Hash   string // [schema.FullHash] of the schema
}

// resultSource is the origin of a result schema that the server did not send.
type resultSource string

// The sources of result schemas.
const (
	ResultUser     resultSource = "user"     // a file named in the configuration
	ResultObserved resultSource = "observed" // the shape of observed results
)

// NewLock returns an empty lock with this version's [schema.ContractRevision].
func NewLock() *Lock {
	return &Lock{Revision: schema.ContractRevision, Servers: map[string]*LockedServer{}}
}

// Rehash recomputes contract hashes and keys for the items of s that match their locked full hash. It migrates
// locks of another [schema.ContractRevision]; acceptances are unchanged.
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

// Items returns the locked items of one kind; nil if kind is not an item, or l is nil.
func (l *LockedServer) Items(kind schema.Kind) map[string]LockedItem {
	if l == nil {
		return nil
	}
	if items := l.list(kind); items != nil {
		return *items
	}
	return nil
}

// LockSnapshot hashes everything in s and takes the order of its items. The caller fills in Launch, Source and
// the generator's decisions. It fails for definitions that [schema.ParseItem] rejects, duplicate names in a
// listing, and items whose name differs from that in the definition; the error names all such items.
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

// list returns the locked items of one kind; nil if kind is not an item.
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
