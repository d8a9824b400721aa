package main

// The surface: what the tools are called, what they take and what they return.
// The schemas are made from the types, enums and optional members included.

import (
	"context"

	"github.com/invopop/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type listArgs struct {
	State  string   `json:"state,omitempty" jsonschema:"enum=open,enum=draft,enum=merged,enum=closed,description=Only those in this state. All if absent."`
	Labels []string `json:"labels,omitempty" jsonschema:"description=Only those that carry all of these labels."`
	Limit  int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100,default=20,description=How many to return at most."`
}

// listArgs2 is listArgs of version 2: state is now called status.
type listArgs2 struct {
	Status string   `json:"status,omitempty" jsonschema:"enum=open,enum=draft,enum=merged,enum=closed,description=Only those with this status. All if absent."`
	Labels []string `json:"labels,omitempty" jsonschema:"description=Only those that carry all of these labels."`
	Limit  int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100,default=20,description=How many to return at most."`
}

type listResult struct {
	PullRequests []PullRequest `json:"pull_requests"`
	Total        int           `json:"total" jsonschema:"description=How many there are without the limit."`
}

type getArgs struct {
	Number int `json:"number" jsonschema:"minimum=1"`
}

type commentArgs struct {
	Number int    `json:"number" jsonschema:"minimum=1"`
	Body   string `json:"body" jsonschema:"minLength=1"`
	File   string `json:"file,omitempty" jsonschema:"description=The file that the comment is about."`
	Line   int    `json:"line,omitempty" jsonschema:"minimum=1,description=The line of the file."`
}

type reviewArgs struct {
	Number   int    `json:"number" jsonschema:"minimum=1"`
	Reviewer string `json:"reviewer" jsonschema:"minLength=1"`
}

type noArgs struct{}

// addTools registers the tools of one version.
func addTools(server *mcp.Server, b *board, version int) {
	readOnly := &mcp.ToolAnnotations{ReadOnlyHint: true}
	list := func(state string, labels []string, limit int) (listResult, error) {
		found, total := b.list(state, labels, limit)
		return listResult{PullRequests: found, Total: total}, nil
	}
	listTool := &mcp.Tool{Name: "list_prs", Description: "Lists pull requests, newest first.", Annotations: readOnly}
	if version == 1 {
		add(server, listTool, func(in listArgs) (listResult, error) { return list(in.State, in.Labels, in.Limit) })
	} else {
		add(server, listTool, func(in listArgs2) (listResult, error) { return list(in.Status, in.Labels, in.Limit) })
		add(server, &mcp.Tool{Name: "request_review", Description: "Asks somebody to review a pull request."},
			func(in reviewArgs) (PullRequest, error) { return b.review(in.Number, in.Reviewer) })
	}
	add(server, &mcp.Tool{Name: "get_pr", Description: "Returns one pull request.", Annotations: readOnly},
		func(in getArgs) (PullRequest, error) { return b.get(in.Number) })
	add(server, &mcp.Tool{Name: "add_comment", Description: "Comments on a pull request, or on one line of it."},
		func(in commentArgs) (Comment, error) {
			return b.comment(in.Number, Comment{Body: in.Body, File: in.File, Line: in.Line})
		})
	add(server, &mcp.Tool{Name: "merge_pr", Description: "Merges an open pull request."},
		func(in getArgs) (PullRequest, error) { return b.merge(in.Number) })
	addText(server, &mcp.Tool{Name: "summary", Description: "Returns the board as text.", Annotations: readOnly}, b.summary)
}

// add registers a tool with typed arguments and a typed result. An error of f
// becomes a result that is marked as an error.
func add[In, Out any](server *mcp.Server, tool *mcp.Tool, f func(In) (Out, error)) {
	tool.InputSchema, tool.OutputSchema = schemaOf[In](), schemaOf[Out]()
	mcp.AddTool(server, tool, func(_ context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := f(in)
		return nil, out, err
	})
}

// addText registers a tool that takes nothing and returns text.
func addText(server *mcp.Server, tool *mcp.Tool, f func() string) {
	tool.InputSchema = schemaOf[noArgs]()
	mcp.AddTool(server, tool, func(context.Context, *mcp.CallToolRequest, noArgs) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: f()}}}, nil, nil
	})
}

// schemaOf returns the schema of T, all of it in one piece.
func schemaOf[T any]() *jsonschema.Schema {
	reflector := jsonschema.Reflector{Anonymous: true, DoNotReference: true}
	schema := reflector.Reflect(new(T))
	schema.Version = "" // the protocol's default dialect
	return schema
}
