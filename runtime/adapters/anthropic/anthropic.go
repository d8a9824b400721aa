// Package anthropic offers tools to models through anthropic-sdk-go.
//
//	go get github.com/mcpgen/mcpgen/runtime/adapters/anthropic@latest
//	go mod tidy
//
//	set, err := anthropic.New(tools...)
//	message, err := client.Messages.New(ctx, sdk.MessageNewParams{Tools: set.Params(), …})
//	results, err := set.Results(ctx, message) // the content of the next user message
//
// Schemas that the API takes are sent as the server wrote them, with its order and digits
// and the same bytes each time, so that the prompt cache can be used; the SDK escapes <, >
// and &. Others have the form of [plain.Fit].
// A failed tool, a refused call and an unknown name are results that are marked as
// errors, with all their blocks.
package anthropic

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"sync"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Set is a set of tools for requests, and a [runtime.Registrar]: a set that follows a
// host (Sync) has in each request the tools that may be called then. The zero value has
// none. It is safe for concurrent use.
type Set struct{ tools adapter.Tools }

// New returns a set of tools, in their order. The error names each tool that is nil,
// or whose name is duplicated or not valid for models.
func New(tools ...runtime.Tool) (*Set, error) { return adapter.Filled(&Set{}, tools) }

// Register adds a tool to later requests and replaces a tool with the same name. The
// error is for a name that models cannot call.
func (s *Set) Register(t runtime.Tool) error { return s.tools.Register("anthropic", t) }

// Unregister removes a tool from the requests that follow.
func (s *Set) Unregister(name string) error { return s.tools.Unregister(name) }

// Params returns the tools for a request.
func (s *Set) Params() []sdk.ToolUnionParam {
	params := make([]sdk.ToolUnionParam, 0, len(s.tools.All()))
	for _, t := range s.tools.All() {
		spec := t.Spec()
		params = append(params, sdk.ToolUnionParam{OfTool: &sdk.ToolParam{
			Name: spec.Name, Description: sdk.String(spec.Description),
			InputSchema: param.Override[sdk.ToolInputSchemaParam](spec.InputSchema),
		}})
	}
	return params
}

// Results carries out the calls in a message, all at the same time, and returns their
// results in the message's order: the content of the user message that follows. It is
// empty if the message has no calls. The error is the error of a context that ended.
func (s *Set) Results(ctx context.Context, message *sdk.Message) ([]sdk.ContentBlockParamUnion, error) {
	var calls []sdk.ToolUseBlock
	for _, block := range message.Content {
		if block.Type == "tool_use" {
			calls = append(calls, block.AsToolUse())
		}
	}
	return adapter.Each(calls, func(call sdk.ToolUseBlock) (sdk.ContentBlockParamUnion, error) { return s.Result(ctx, call) })
}

// Result carries out one call. The error is the error of a context that ended.
func (s *Set) Result(ctx context.Context, call sdk.ToolUseBlock) (sdk.ContentBlockParamUnion, error) {
	answer, err := s.tools.Call(ctx, adapter.Anthropic, call.Name, call.Input)
	if err != nil {
		return sdk.ContentBlockParamUnion{}, err
	}
	result := &sdk.ToolResultBlockParam{ToolUseID: call.ID, IsError: sdk.Bool(answer.IsError)}
	for _, b := range answer.Blocks {
		var block sdk.ToolResultBlockParamContentUnion
		switch data := base64.StdEncoding.EncodeToString(b.Data); b.Type {
		case protocol.ContentImage:
			block.OfImage = sdk.NewImageBlockBase64(b.MIMEType, data).OfImage
		case protocol.ContentResource:
			block.OfDocument = sdk.NewDocumentBlock(sdk.Base64PDFSourceParam{Data: data}).OfDocument
		default:
			block.OfText = &sdk.TextBlockParam{Text: b.Text}
		}
		result.Content = append(result.Content, block)
	}
	return sdk.ContentBlockParamUnion{OfToolResult: result}, nil
}

// Runner is the part of a [*sdk.BetaToolRunner] that adds and removes tools while it
// runs.
type Runner interface {
	AddTools(tools ...sdk.BetaTool)
	RemoveToolsByNames(names ...string)
}

// Registrar collects the changes of a registry for a Runner, which must not be
// changed while it handles a message: call [Registrar.Apply] between two of its
// messages. The runner rounds integers beyond 2^53 in arguments, and has no blocks
// for errors.
type Registrar struct {
	mu      sync.Mutex
	changes []func(Runner)
}

// Register adds a tool at the next Apply.
func (r *Registrar) Register(t runtime.Tool) error {
	if err := adapter.Check(t); err != nil {
		return err
	}
	r.later(func(to Runner) { to.AddTools(BetaTool(t)) })
	return nil
}

// Unregister removes a tool at the next Apply.
func (r *Registrar) Unregister(name string) error {
	r.later(func(from Runner) { from.RemoveToolsByNames(name) })
	return nil
}

func (r *Registrar) later(change func(Runner)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = append(r.changes, change)
}

// Apply makes the changes since the previous Apply, in their order.
func (r *Registrar) Apply(to Runner) {
	r.mu.Lock()
	changes := r.changes
	r.changes = nil
	r.mu.Unlock()
	for _, change := range changes {
		change(to)
	}
}

// BetaTool returns a tool for runners.
func BetaTool(t runtime.Tool) sdk.BetaTool { return betaTool{plain.Fit("anthropic", t)} }

type betaTool struct{ tool runtime.Tool }

func (t betaTool) Name() string        { return t.tool.Spec().Name }
func (t betaTool) Description() string { return t.tool.Spec().Description }

func (t betaTool) InputSchema() sdk.BetaToolInputSchemaParam {
	return param.Override[sdk.BetaToolInputSchemaParam](t.tool.Spec().InputSchema)
}

// Execute calls the tool. An error becomes a result that is marked as an error.
func (t betaTool) Execute(ctx context.Context, args json.RawMessage) ([]sdk.BetaToolResultBlockParamContentUnion, error) {
	answer, err := adapter.Call(ctx, adapter.Anthropic, t.tool, args)
	if err != nil {
		return nil, err
	}
	if answer.IsError {
		return nil, errors.New(answer.Text)
	}
	var blocks []sdk.BetaToolResultBlockParamContentUnion
	for _, b := range answer.Blocks {
		var block sdk.BetaToolResultBlockParamContentUnion
		switch data := base64.StdEncoding.EncodeToString(b.Data); b.Type {
		case protocol.ContentImage:
			source := sdk.BetaBase64ImageSourceParam{Data: data, MediaType: sdk.BetaBase64ImageSourceMediaType(b.MIMEType)}
			block.OfImage = sdk.NewBetaImageBlock(source).OfImage
		case protocol.ContentResource:
			block.OfDocument = sdk.NewBetaDocumentBlock(sdk.BetaBase64PDFSourceParam{Data: data}).OfDocument
		default:
			block.OfText = &sdk.BetaTextBlockParam{Text: b.Text}
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}
