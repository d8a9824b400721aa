package schema

// This file is the lock: the hashes that were accepted.

import (
	"encoding/json"
	"fmt"
)

// Lock is what was accepted, by configured server name.
type Lock struct {
	// Revision is the [ContractRevision] that the contract hashes follow; 0 if
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
	// Package is the Go package name, if another server asked for the same one when
	// this one was first locked; "" is the one made of its name.
	Package string

	Tools, Prompts, Resources, Templates map[string]LockedItem // by [Item.Name]
}

// LockedItem is what was accepted of one item.
type LockedItem struct {
	Full     string // [FullHash]
	Contract string // [ContractHash]
	Key      string // [ContentKey]; tools only
	// Result is the result schema of a tool that declares none itself; the zero
	// value is none.
	Result LockedResult
	// Was holds the names that a tool had before, when it was recognised under
	// another one: wire names, and the Go names of their functions. Nil is none.
	// Callers of the old functions are served until somebody drops them here.
	Was map[string]string
	// Suffix is what the tool's qualified name ends in, because another asked for the
	// same name when it was first locked; "" is nothing. Tools only.
	Suffix string
	// Names holds the Go names that had to be numbered when they were first
	// locked, by JSON pointer into the definition; "" is the item itself.
	Names map[string]string
}

// LockedResult is the schema by which the results of a tool are typed that
// declares none.
type LockedResult struct {
	Source ResultSource
	Hash   string // [FullHash] of the schema
}

// ResultSource says where a result schema comes from that the server did not
// send.
type ResultSource string

// The sources of result schemas.
const (
	ResultUser     ResultSource = "user"     // a file that the configuration names
	ResultObserved ResultSource = "observed" // the shape of results that the tool returned
)

// NewLock returns a lock of nothing, of this version's [ContractRevision].
func NewLock() *Lock {
	return &Lock{Revision: ContractRevision, Servers: map[string]*LockedServer{}}
}

// Rehash gives the items that are in s exactly as they were locked the contract
// hashes and keys that this version computes. It is for locks of another
// [ContractRevision]; what was accepted stays what it was.
func (l *LockedServer) Rehash(s *Snapshot) {
	lists := l.lists()
	for i, list := range s.lists() {
		for _, it := range *list.items {
			before, ok := (*lists[i].items)[it.Name]
			if after, err := lockItem(s.Server, list.kind, it); ok && err == nil && after.Full == before.Full {
				before.Contract, before.Key = after.Contract, after.Key
				(*lists[i].items)[it.Name] = before
			}
		}
	}
}

// lockList is one of the four lists of a locked server.
type lockList struct {
	member string
	kind   Kind
	items  *map[string]LockedItem
}

func (l *LockedServer) lists() [4]lockList {
	return [4]lockList{
		{"tools", KindTool, &l.Tools},
		{"prompts", KindPrompt, &l.Prompts},
		{"resources", KindResource, &l.Resources},
		{"resourceTemplates", KindTemplate, &l.Templates},
	}
}

// Items returns the locked items of one kind; nil for kinds that are no items.
func (l *LockedServer) Items(kind Kind) map[string]LockedItem {
	for _, list := range l.lists() {
		if list.kind == kind {
			return *list.items
		}
	}
	return nil
}

// LockSnapshot hashes everything in s. Launch, ClientCapabilities and the Go
// names are the caller's to fill in. It fails if a definition is not JSON that
// [ParseItem] accepts, if a name occurs twice in one listing, or if an item's
// name is not the one in its definition; all such items are named.
func LockSnapshot(s *Snapshot) (*LockedServer, error) {
	locked := &LockedServer{
		Identity:     s.Identity,
		Capabilities: s.Capabilities,
		Protocol:     s.ProtocolVersion,
		Instructions: TextHash(s.Instructions),
	}
	var errs []error
	lists := locked.lists()
	for i, from := range s.lists() {
		items := make(map[string]LockedItem, len(*from.items))
		for _, it := range *from.items {
			if _, ok := items[it.Name]; ok {
				errs = append(errs, fmt.Errorf("%s: second %s named %s", s.Server, from.kind, quote(it.Name)))
				continue
			}
			item, err := lockItem(s.Server, from.kind, it)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %s %s: %w", s.Server, from.kind, quote(it.Name), err))
				continue
			}
			items[it.Name] = item
		}
		*lists[i].items = items
	}
	if err := joinErrors(errs); err != nil {
		return nil, err
	}
	return locked, nil
}

func lockItem(server string, kind Kind, it Item) (LockedItem, error) {
	v, err := parseJSON(it.Raw)
	if err != nil {
		return LockedItem{}, err
	}
	name, err := itemName(kind, v)
	if err != nil {
		return LockedItem{}, err
	}
	if name != it.Name {
		return LockedItem{}, &Error{Pointer: "/" + kind.nameMember(), Reason: "is " + quote(name)}
	}
	item := LockedItem{}
	if kind == KindTool {
		item.Key = contentKey(server, name, v.get("inputSchema"))
	}
	item.Contract = hashBytes(contract(kind, v))
	v.sort(compareUTF16)
	item.Full = hashBytes(appendCanonical(make([]byte, 0, len(it.Raw)), v))
	return item, nil
}
