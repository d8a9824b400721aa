package schema

import "encoding/json"

// FormatVersion is the value of the member "mcpgen" that opens every snapshot
// and lock.
const FormatVersion = 1

// Kind says which listing an item stands in.
type Kind string

// The kinds of items.
const (
	KindTool     Kind = "tool"
	KindPrompt   Kind = "prompt"
	KindResource Kind = "resource"
	KindTemplate Kind = "template"
)

// Item is one definition of a surface, as the server sent it.
type Item struct {
	Kind Kind
	Name string          // name; of resources their URI, of templates their URI template
	Raw  json.RawMessage // the definition, canonical only in a snapshot that was read from disk
}

// Snapshot is what one server offers. Items are sorted by name.
type Snapshot struct {
	Server          string          // configured name
	ProtocolVersion string          // revision of the session that listed it
	Identity        json.RawMessage // serverInfo as sent; nil if absent
	Capabilities    json.RawMessage // the server's; nil if absent
	Instructions    string
	Tools           []Item
	Prompts         []Item
	Resources       []Item
	Templates       []Item
}
