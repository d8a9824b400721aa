// Package eino offers tools to agents of cloudwego/eino.
//
//	go get github.com/mcpgen/mcpgen/runtime/adapters/eino@latest
//	go mod tidy
//
//	tools, err := eino.New(tools...)
//	node, err := compose.NewToolNode(ctx, &compose.ToolsNodeConfig{Tools: tools})
//
// A tool that fails and a call that is refused are answers that begin with "error: ":
// an error would end the graph. Keywords of vendors do not reach the model.
//
// An answer is one text, which names images: the clients of eino-ext refuse to send others
// (openai v0.1.7 does), which ends the conversation. [Set.Images] is for clients that do not.
//
// A node keeps the tools that it was made with: where a [Set] follows a host (Sync), make
// the node of [Set.Tools] for each run. A node that is older refuses the calls of a tool
// that is gone, as the host does.
package eino

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// New returns tools, in their order. Each is a [tool.InvokableTool]. The error names each tool that is nil, or whose name
// is duplicated or not valid for models. A schema that eino cannot parse is replaced
// by the schema of any object; the server then reports invalid arguments.
func New(tools ...runtime.Tool) ([]tool.BaseTool, error) {
	s := &Set{}
	if err := runtime.RegisterAll(s, tools...); err != nil {
		return nil, err
	}
	return s.Tools(), nil
}

// Set is a [runtime.Registrar] whose tools nodes and agents are made of. The zero value has
// none. It is safe for concurrent use.
type Set struct {
	// Images keeps images in answers: each tool is a [tool.EnhancedInvokableTool].
	Images bool

	tools adapter.Tools
}

// Register adds a tool, in place of one of its name. The error is for a name that models
// cannot call.
func (s *Set) Register(t runtime.Tool) error { return s.tools.Register("any", t) }

// Unregister removes a tool.
func (s *Set) Unregister(name string) error { return s.tools.Unregister(name) }

// Tools returns the current tools of the set, in the form that [New] returns.
func (s *Set) Tools() []tool.BaseTool {
	var list []tool.BaseTool
	for _, remote := range s.tools.All() {
		enhanced := &invokable{describe(remote.Spec()), remote}
		if s.Images {
			list = append(list, enhanced)
		} else {
			list = append(list, plainText{enhanced})
		}
	}
	return list
}

func describe(spec runtime.Spec) *schema.ToolInfo {
	parameters := &jsonschema.Schema{}
	if err := json.Unmarshal(spec.InputSchema, parameters); err != nil {
		parameters = &jsonschema.Schema{Type: "object"}
	}
	return &schema.ToolInfo{
		Name: spec.Name, Desc: spec.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(parameters),
	}
}

type invokable struct {
	info *schema.ToolInfo
	tool runtime.Tool
}

// Info describes the tool.
func (t *invokable) Info(context.Context) (*schema.ToolInfo, error) { return t.info, nil }

// InvokableRun carries out a call. The error is the error of a context that ended.
func (t *invokable) InvokableRun(ctx context.Context, args *schema.ToolArgument, _ ...tool.Option) (*schema.ToolResult, error) {
	answer, err := adapter.Call(ctx, adapter.AnyModel, t.tool, json.RawMessage(args.Text))
	if err != nil {
		return nil, err
	}
	if answer.IsError {
		return &schema.ToolResult{Parts: []schema.ToolOutputPart{{Type: schema.ToolPartTypeText, Text: answer.Marked()}}}, nil
	}
	result := &schema.ToolResult{}
	for _, b := range answer.Blocks {
		part := schema.ToolOutputPart{Type: schema.ToolPartTypeText, Text: b.Text}
		if b.Type == protocol.ContentImage {
			data := base64.StdEncoding.EncodeToString(b.Data)
			common := schema.MessagePartCommon{Base64Data: &data, MIMEType: b.MIMEType}
			part = schema.ToolOutputPart{Type: schema.ToolPartTypeImage, Image: &schema.ToolOutputImage{MessagePartCommon: common}}
		}
		result.Parts = append(result.Parts, part)
	}
	return result, nil
}

// plainText is a tool whose answers are texts.
type plainText struct{ *invokable }

// InvokableRun carries out a call. The error is the error of a context that ended.
func (t plainText) InvokableRun(ctx context.Context, args string, _ ...tool.Option) (string, error) {
	answer, err := adapter.Call(ctx, adapter.TextOnly, t.tool, json.RawMessage(args))
	return answer.Marked(), err
}
