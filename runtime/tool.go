package runtime

import (
	"context"
	"encoding/json"
)

// Spec describes one tool to a model. Its JSON form is the protocol's Tool
// object, with the qualified name in place of the server's.
type Spec struct {
	Name         string          `json:"name"` // qualified, unique in its registry
	Title        string          `json:"title,omitzero"`
	Description  string          `json:"description,omitzero"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitzero"`
	Annotations  json.RawMessage `json:"annotations,omitzero"` // untrusted hints
	Icons        json.RawMessage `json:"icons,omitzero"`       // a list; their sources are not fetched
	Execution    json.RawMessage `json:"execution,omitzero"`   // whether it runs as a task
	Meta         json.RawMessage `json:"_meta,omitzero"`       // what the server says to its own clients

	// Definition is the whole tool as the server sent it, by its own name there, without
	// white space; nil of native tools.
	Definition json.RawMessage `json:"-"`
	// ID is the name by the naming scheme as it is, such as mcp.github.list_prs, which
	// a model need not be able to take: registries and permissions know tools by it.
	// The tools of a host and native ones have it; "" is Name.
	ID     string `json:"-"`
	Server string `json:"-"` // configured server name; "" is native
	Tool   string `json:"-"` // name as the server spells it
}

// A Tool is one callable tool.
//
// Call returns a nil error whenever the server answered; [Result.IsError] tells
// whether the tool failed. Options are those of a typed call; nil ones are skipped.
type Tool interface {
	Spec() Spec
	Call(ctx context.Context, args json.RawMessage, opts ...CallOption) (*Result, error)
}

// A Registrar is anything that tools can be registered with, by Spec().Name.
type Registrar interface {
	Register(Tool) error
	Unregister(name string) error
}
