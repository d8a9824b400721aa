// Package genkit offers tools to models of Firebase Genkit.
//
//	tools, err := genkit.New(tools...)
//	response, err := sdk.Generate(ctx, g, ai.WithTools(tools...), …)
//
// Genkit cannot take a registered tool back, so these are for requests and are not
// registered. A tool that fails and a call that is refused are outputs that begin with
// "error: ": an error would end the request. Genkit checks arguments against the
// schema itself, and decodes them into floating-point numbers before anybody sees
// them, so integers beyond 2^53 arrive rounded.
package genkit

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/firebase/genkit/go/ai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adapter"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// New returns tools, in their order, for one request or many. The error names each
// tool that is nil, or whose name is taken or is not one that models can call.
func New(tools ...runtime.Tool) ([]ai.ToolRef, error) {
	t, err := adapter.New(tools)
	if err != nil {
		return nil, err
	}
	list := make([]ai.ToolRef, 0, len(tools))
	for _, remote := range t.All() {
		spec := remote.Spec()
		var parameters map[string]any
		decoder := json.NewDecoder(bytes.NewReader(adapter.Parameters(spec)))
		decoder.UseNumber()
		if err := decoder.Decode(&parameters); err != nil {
			return nil, fmt.Errorf("tool %q: its schema: %w", spec.Name, err)
		}
		list = append(list, ai.NewMultipartTool(spec.Name, adapter.Described(spec), run(remote), ai.WithInputSchema(parameters)))
	}
	return list, nil
}

// run carries out the calls of a tool. Its error is that of a context that ended.
func run(t runtime.Tool) ai.MultipartToolFunc[any] {
	return func(ctx *ai.ToolContext, input any) (*ai.MultipartToolResponse, error) {
		args, err := json.Marshal(input)
		if err != nil {
			return nil, err
		}
		answer, err := adapter.Call(ctx, t, args)
		if err != nil {
			return nil, err
		}
		response := &ai.MultipartToolResponse{Output: answer.Marked()}
		for _, b := range answer.Blocks {
			if b.Type == protocol.ContentImage {
				url := "data:" + b.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(b.Data)
				response.Content = append(response.Content, ai.NewMediaPart(b.MIMEType, url))
			}
		}
		return response, nil
	}
}
