package plain

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Fit returns a tool as models of a provider take it: its schema and its description are
// those of [view.Fit], and its calls have the server's names again. The title stands in for
// a description that is blank. A schema that no object matches is replaced by the schema of
// any object: the server then refuses the call. So is one for a provider that is not among
// [view.Providers].
func Fit(provider string, tool runtime.Tool) runtime.Tool {
	f := &fitted{Tool: tool, spec: tool.Spec()}
	var err error
	if f.view, err = view.Fit(provider, f.spec.InputSchema); err != nil {
		f.view.Schema = json.RawMessage(`{"type":"object"}`)
	}
	f.spec.InputSchema = f.view.Schema
	if strings.TrimSpace(f.spec.Description) == "" {
		f.spec.Description = f.spec.Title
	}
	if f.view.Note != "" {
		f.spec.Description += "\n" + f.view.Note
	}
	return f
}

type fitted struct {
	runtime.Tool
	spec runtime.Spec
	view view.View
}

func (f *fitted) Spec() runtime.Spec { return f.spec }

func (f *fitted) Call(ctx context.Context, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
	if named, err := f.view.Arguments(args); err == nil {
		args = named // otherwise the tool reports the error
	}
	return f.Tool.Call(ctx, args, opts...)
}
