package native_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// served is a tool of a server.
type served struct {
	spec runtime.Spec
	call func(args json.RawMessage) (*runtime.Result, error)
}

func (r *served) Spec() runtime.Spec { return r.spec }

func (r *served) Call(_ context.Context, args json.RawMessage, _ ...runtime.CallOption) (*runtime.Result, error) {
	return r.call(args)
}

// toolOf returns a tool that answers with its arguments.
func toolOf(name, description, schema string) *served {
	return &served{
		runtime.Spec{Name: "gh__" + name, Server: "gh", Tool: name, Description: description, InputSchema: json.RawMessage(schema)},
		func(args json.RawMessage) (*runtime.Result, error) {
			return &runtime.Result{Content: []runtime.Content{{Type: protocol.ContentText, Text: string(args)}}}, nil
		},
	}
}

func setOf(tools ...runtime.Tool) *native.Set {
	return native.Search(func(context.Context) ([]runtime.Tool, error) { return tools, nil })
}

func TestFindTools(t *testing.T) {
	const none = `{"type":"object"}`
	set := setOf(
		toolOf("list_prs", "Lists pull requests. Newest first.", `{"type":"object","properties":{"repo":{"type":"string"}}}`),
		toolOf("createIssue", "Opens an issue", none),
		toolOf("merge", "Merges a pull request\u202e\x1b[31m of a repository", none),
		toolOf("ISSUES", "", none),
		native.Must(native.New(native.FindToolsName, "finds everything", func(context.Context, struct{}) (string, error) { return "", nil })),
	)
	for query, want := range map[string]string{
		"pull requests":    "list_prs merge",
		"PR":               "list_prs",
		"open an issue":    "createIssue ISSUES",
		"issue":            "createIssue ISSUES",
		"repo":             "list_prs merge", // an argument before a part of a word of a description
		"repository merge": "merge",
		"nothing at all":   "",
		"":                 "list_prs createIssue merge ISSUES",
		"find everything":  "",
		"?!":               "list_prs createIssue merge ISSUES",
	} {
		args, err := json.Marshal(map[string]any{"query": query})
		if err != nil {
			t.Fatal(err)
		}
		res, err := set.Call(t.Context(), native.FindToolsName, args)
		if err != nil {
			t.Fatal(err)
		}
		var found struct {
			Tools []struct{ Name, Summary string }
		}
		if err := res.Decode(&found); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range found.Tools {
			names = append(names, strings.TrimPrefix(f.Name, "gh__"))
			if f.Name == "gh__list_prs" && f.Summary != "Lists pull requests." || f.Name == "gh__merge" && f.Summary != "Merges a pull request of a repository" {
				t.Errorf("%q: the summary of %s is %q", query, f.Name, f.Summary)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: found %s, want %s", query, got, want)
		}
	}
}

func TestFindToolsIsBounded(t *testing.T) {
	var many []runtime.Tool
	for i := range 300 {
		many = append(many, toolOf(fmt.Sprintf("tool_%d", i), strings.Repeat("long ", 1000), `{}`))
	}
	set := setOf(many...)
	for args, want := range map[string]string{
		`{"query":"long"}`: `"more":290}`, `{"query":"long","limit":50}`: `"more":250}`, `{"query":"tool","limit":2}`: `"more":298}`,
	} {
		res, err := set.Call(t.Context(), native.FindToolsName, json.RawMessage(args))
		if err != nil || !strings.HasSuffix(string(res.Structured), want) || len(res.Structured) > 60*250 {
			t.Errorf("%s: %d bytes, %v", args, len(res.Structured), err)
		}
	}
	if _, err := set.Call(t.Context(), native.FindToolsName, json.RawMessage(`{"query":"x","limit":51}`)); !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Errorf("got %v", err)
	}
}

func TestDescribeTool(t *testing.T) {
	const schema = `{"type":"object","properties":{"z":{"maximum":9007199254740993},"a":{"pattern":"<&>"}}}`
	res, err := setOf(toolOf("f", "Does <it> & more.", schema)).Call(t.Context(), native.DescribeToolName, json.RawMessage(`{"name":"gh__f"}`))
	if err != nil || res.Text() != `{"name":"gh__f","description":"Does <it> & more.","inputSchema":`+schema+`}` {
		t.Errorf("got %s, %v", res.Text(), err)
	}
}

func TestCallTool(t *testing.T) {
	denied := toolOf("denied", "", `{}`)
	denied.call = func(json.RawMessage) (*runtime.Result, error) {
		return nil, &runtime.CallError{Server: "gh", Name: "denied", Stage: stage.Gate, Err: fmt.Errorf("%w: no rule allows it", runtime.ErrDenied)}
	}
	failed := toolOf("failed", "", `{}`)
	failed.call = func(json.RawMessage) (*runtime.Result, error) {
		return &runtime.Result{IsError: true, Content: []runtime.Content{{Type: protocol.ContentText, Text: "no such file"}}}, nil
	}
	set := setOf(toolOf("f", "", `{}`), denied, failed)
	for args, want := range map[string]string{
		`{"name":"gh__f","arguments":{"n":9007199254740993,"z":1.0,"a":"<é>"}}`: `{"n":9007199254740993,"z":1.0,"a":"<é>"}`,
		`{"name":"gh__f"}`:                     ``,
		`{"name":"gh__denied","arguments":{}}`: `error: gh/denied: gate: denied: no rule allows it`,
		`{"name":"gh__failed","arguments":{}}`: `error: no such file`,
		`{"name":"gh__gone"}`:                  `error: there is no tool "gh__gone": use a name that find_tools returned`,
		`{"name":"call_tool"}`:                 `error: there is no tool "call_tool": use a name that find_tools returned`,
	} {
		res, err := set.Call(t.Context(), native.CallToolName, json.RawMessage(args))
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		got := res.Text()
		if res.IsError {
			got = "error: " + got
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
	}
	if _, err := set.Call(t.Context(), native.CallToolName, json.RawMessage(`{"name":"gh__f","arguments":[1]}`)); !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Errorf("got %v", err)
	}
}

// Names that cannot be made are an error of each call.
func TestSearchFails(t *testing.T) {
	broken := native.Search(func(context.Context) ([]runtime.Tool, error) { return nil, errors.New("no names can be made") })
	if res, err := broken.Call(t.Context(), native.FindToolsName, json.RawMessage(`{"query":""}`)); err != nil || !res.IsError || res.Text() != "no names can be made" {
		t.Errorf("got %+v, %v", res, err)
	}
}
