package openai

// This file encodes the definitions of tools. It does not use the SDK's types, which
// hold schemas as maps and so lose order and digits.

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/mcpgen/mcpgen/runtime"
)

// function is the definition of a function in both APIs.
type function struct {
	Type         string          `json:"type,omitempty"`
	Name         string          `json:"name"`
	Description  string          `json:"description,omitempty"`
	Parameters   json.RawMessage `json:"parameters"`
	Strict       bool            `json:"strict"`
	DeferLoading bool            `json:"defer_loading,omitempty"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
}

// function describes a tool for the Responses API.
func (s *Set) function(spec runtime.Spec) function {
	f := function{Type: "function", Name: spec.Name, Description: spec.Description, Parameters: spec.InputSchema}
	if v, ok := s.inStrictMode(spec.Name); ok {
		f.Parameters, f.Strict = v.Schema, true
	}
	if s.OutputSchemas {
		f.OutputSchema = spec.OutputSchema
	}
	return f
}

// written returns v as JSON. Schemas of a spec are already JSON.
func written(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // the provider refuses it, and names the member
	}
	return data
}

func tool(f function) responses.ToolUnionParam {
	p := param.Override[responses.FunctionToolParam](written(f))
	return responses.ToolUnionParam{OfFunction: &p}
}

// Tools returns the tools for a request of the Responses API.
func (s *Set) Tools() []responses.ToolUnionParam {
	var tools []responses.ToolUnionParam
	for _, t := range s.tools.All() {
		tools = append(tools, tool(s.function(t.Spec())))
	}
	return tools
}

// namespace holds the tools of one server.
type namespace struct {
	Type        string     `json:"type"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Tools       []function `json:"tools"`
}

// Deferred returns the tools for a request of the Responses API whose model finds
// them by the provider's tool search: a namespace for each server, in the order of
// their first tools, whose functions are loaded when they are found, and the search
// itself. Tools without a server come first, and are loaded at once. The tools have
// the same names as in [Set.Tools], so [Set.Outputs] answers calls of both.
func (s *Set) Deferred() []responses.ToolUnionParam {
	var tools []responses.ToolUnionParam
	var order []*namespace
	byName := map[string]*namespace{}
	for _, t := range s.tools.All() {
		spec := t.Spec()
		f := s.function(spec)
		if spec.Server == "" {
			tools = append(tools, tool(f))
			continue
		}
		name := namespaceName(spec.Server)
		n := byName[name]
		if n == nil {
			n = &namespace{Type: "namespace", Name: name, Description: "The tools of the MCP server " + name + "."}
			byName[name] = n
			order = append(order, n)
		}
		f.DeferLoading = true
		n.Tools = append(n.Tools, f)
	}
	for _, n := range order {
		p := param.Override[responses.NamespaceToolParam](written(n))
		tools = append(tools, responses.ToolUnionParam{OfNamespace: &p})
	}
	if order != nil {
		tools = append(tools, responses.ToolUnionParam{OfToolSearch: &responses.ToolSearchToolParam{}})
	}
	return tools
}

// namespaceName returns the name of a server in the characters of function names.
// Servers with the same result share the namespace, since the names of their tools
// differ.
func namespaceName(server string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, server)
	return name[:min(len(name), 64)]
}

// ChatTools returns the tools for a request of chat completions.
func (s *Set) ChatTools() []sdk.ChatCompletionToolUnionParam {
	var tools []sdk.ChatCompletionToolUnionParam
	for _, t := range s.tools.All() {
		f := s.function(t.Spec())
		f.Type, f.OutputSchema = "", nil // this API has neither member here
		p := param.Override[sdk.ChatCompletionFunctionToolParam](written(map[string]any{"type": "function", "function": f}))
		tools = append(tools, sdk.ChatCompletionToolUnionParam{OfFunction: &p})
	}
	return tools
}
