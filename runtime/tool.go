package runtime

import (
	"context"
	"encoding/json"
)

// Spec describes one tool to a model. Its JSON form is the protocol's Tool object,
// with the qualified name instead of the server's.
type Spec struct {
	Name         string          `json:"name"` // qualified, unique in its registry
	Title        string          `json:"title,omitzero"`
	Description  string          `json:"description,omitzero"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitzero"`
	Annotations  json.RawMessage `json:"annotations,omitzero"` // untrusted hints
	Icons        json.RawMessage `json:"icons,omitzero"`       // a list; their sources are not fetched
	Execution    json.RawMessage `json:"execution,omitzero"`   // whether it runs as a task
	Meta         json.RawMessage `json:"_meta,omitzero"`       // _meta as the server sends it to its clients

	// Definition is the whole tool as the server sent it, with the server's own name
	// and without white space; nil for native tools.
	Definition json.RawMessage `json:"-"`
	// ID is the exact name in the naming scheme, such as mcp.github.list_prs, which
	// need not be valid for models: registries and permissions use it. The tools of a
	// host and native tools have one; "" means that it is Name.
	ID     string `json:"-"`
	Server string `json:"-"` // configured server name; "" for native tools
	Tool   string `json:"-"` // name in the server's spelling
}

// A Tool is one callable tool.
//
// Call returns a nil error whenever the server answered; [Result.IsError] reports
// whether the tool failed. Options are as in a typed call; nil options are skipped.
type Tool interface {
	Spec() Spec
	Call(ctx context.Context, args json.RawMessage, opts ...CallOption) (*Result, error)
}

// A Registrar is anything that tools can be registered with, by Spec().Name.
type Registrar interface {
	Register(Tool) error
	Unregister(name string) error
}
