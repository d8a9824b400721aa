// Package adapter is what the adapters of agent frameworks share: tools by the names
// that a model calls them by, and what a model is told of a call. It knows no
// framework.
package adapter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Tools are tools by name. They are safe for concurrent use as far as the tools are.
type Tools struct {
	list   []runtime.Tool
	byName map[string]runtime.Tool
}

// portable is what each model provider takes as the name of a tool.
var portable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// New returns tools, in their order. A tool that is nil, a name that a model provider
// would refuse and a name of two tools are errors.
func New(tools []runtime.Tool) (*Tools, error) {
	t := &Tools{list: slices.Clone(tools), byName: map[string]runtime.Tool{}}
	if err := runtime.RegisterAll(t, tools...); err != nil {
		return nil, err
	}
	return t, nil
}

// Register adds a tool by its name.
func (t *Tools) Register(tool runtime.Tool) error {
	name := tool.Spec().Name
	if !portable.MatchString(name) {
		return fmt.Errorf("the name %q is not one that every model takes: letters, digits, _ and -, at most 64, beginning with a letter or _", name)
	}
	t.byName[name] = tool
	return nil
}

// Unregister removes the tool of a name.
func (t *Tools) Unregister(name string) error {
	delete(t.byName, name)
	return nil
}

// All returns the tools in their order.
func (t *Tools) All() []runtime.Tool { return t.list }

// Answer is what a model is told of a call.
type Answer struct {
	Blocks  []runtime.Content // text that is not blank, and images of types that each provider takes; at least one
	Text    string            // the same in one text: structured content as JSON with the server's digits, images named
	IsError bool
	Result  *runtime.Result // as the server sent it; nil if there is none
}

// Marked returns the text for a framework that cannot mark an answer as an error.
func (a Answer) Marked() string {
	if a.IsError {
		return "error: " + a.Text
	}
	return a.Text
}

// Call calls the tool of a name. A refusal, a failure and a name that no tool has are
// answers for the model to read, so that a conversation goes on; the error is that of
// a context that ended.
func (t *Tools) Call(ctx context.Context, name string, args json.RawMessage, opts ...runtime.CallOption) (Answer, error) {
	tool := t.byName[name]
	if tool == nil {
		return failure(fmt.Errorf("there is no tool %q", name)), nil
	}
	return Call(ctx, tool, args, opts...)
}

// Call is [Tools.Call] of one tool.
func Call(ctx context.Context, tool runtime.Tool, args json.RawMessage, opts ...runtime.CallOption) (Answer, error) {
	res, err := tool.Call(ctx, args, opts...)
	if toolError, ok := errors.AsType[*runtime.ToolError](err); ok && toolError.Result != nil {
		res, err = toolError.Result, nil
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return Answer{}, err
	case err != nil:
		return failure(err), nil
	}
	a := Answer{Text: plain.Text(res), IsError: res.IsError, Result: res}
	images, seen := "", false
	for _, b := range plain.Blocks(res) {
		switch {
		case b.Type == protocol.ContentImage:
			name := fmt.Sprintf("[image: %s, %d bytes]", b.MIMEType, len(b.Data))
			images += "\n" + name
			if b.MIMEType = imageType(b.Data); b.MIMEType == "" {
				b = runtime.Content{Type: protocol.ContentText, Role: b.Role, Text: name}
			} else {
				seen = true
			}
		case strings.TrimSpace(b.Text) == "":
			continue
		}
		a.Blocks = append(a.Blocks, b)
	}
	if a.Text = strings.TrimPrefix(a.Text+images, "\n"); strings.TrimSpace(a.Text) == "" {
		a.Text = "(no content)"
	}
	if !seen && (res.Structured != nil || len(a.Blocks) == 0) {
		a.Blocks = []runtime.Content{{Type: protocol.ContentText, Text: a.Text}}
	}
	return a, nil
}

// imageType is what an image is by its bytes, whatever the server says: a provider
// refuses the whole conversation for an image that is another one, or of a type that it
// does not know. It is "" for all types but those that each provider takes.
func imageType(data []byte) string {
	switch t := http.DetectContentType(data); t {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return t
	}
	return ""
}

func failure(err error) Answer {
	text := plain.Failure(err)
	return Answer{Blocks: []runtime.Content{{Type: protocol.ContentText, Text: text}}, Text: text, IsError: true}
}

// Each does one thing for all calls of a message at the same time, and returns the
// results in their order.
func Each[C, R any](calls []C, do func(C) (R, error)) ([]R, error) {
	results, errs := make([]R, len(calls)), make([]error, len(calls))
	var group sync.WaitGroup
	for i, call := range calls {
		group.Go(func() { results[i], errs[i] = do(call) })
	}
	group.Wait()
	return results, errors.Join(errs...)
}

// combining are the keywords that model providers refuse at the root of parameters.
var combining = []string{"allOf", "anyOf", "oneOf", "not", "enum", "const", "if", "$ref"}

// Parameters returns the input schema of a tool in the form that models take: its
// bytes as the server sent them where they are that already, else what
// [view.Function] makes of them: a provider refuses all tools of a request for a keyword
// of one that has not its form. A schema that no object fits is that of any object:
// the server refuses the call.
func Parameters(s runtime.Spec) json.RawMessage {
	var root map[string]json.RawMessage
	if json.Unmarshal(s.InputSchema, &root) == nil && string(root["type"]) == `"object"` &&
		!slices.ContainsFunc(combining, func(keyword string) bool { return root[keyword] != nil }) {
		if v, err := view.Inline(s.InputSchema); err == nil && v.AsSent {
			return s.InputSchema
		}
	}
	return Viewed(view.Function, s)
}

// Viewed returns the input schema of a tool as a view of it shows it. A schema that no
// object fits is that of any object.
func Viewed(of func(json.RawMessage) (view.View, error), s runtime.Spec) json.RawMessage {
	v, err := of(s.InputSchema)
	if err != nil {
		return json.RawMessage(`{"type":"object"}`)
	}
	return v.Schema
}

// Described returns what a spec says of a tool's use: its description, else its title.
func Described(s runtime.Spec) string {
	if strings.TrimSpace(s.Description) == "" {
		return s.Title
	}
	return s.Description
}
