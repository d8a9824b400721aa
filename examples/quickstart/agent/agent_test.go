package main

// The agent, tested with a fake server: no process, no network, and cases that
// the real server would not offer.

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpgen/mcpgen/examples/quickstart/internal/mcp/tracker"
	"github.com/mcpgen/mcpgen/examples/quickstart/internal/mcp/tracker/trackertest"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
)

func TestWork(t *testing.T) {
	fake := trackertest.New(t)
	fake.OnListPRs(func(_ context.Context, args tracker.ListPRsArgs) (*tracker.ListPRsResult, error) {
		if args.State != tracker.StateOpen {
			t.Errorf("asked for pull requests that are %q", args.State)
		}
		return &tracker.ListPRsResult{Total: 1, PullRequests: []tracker.PullRequest{
			{Number: 7, Title: "Count sheep", Author: "ada", State: tracker.StateOpen},
		}}, nil
	})
	fake.OnAddComment(func(_ context.Context, args tracker.AddCommentArgs) (*tracker.AddCommentResult, error) {
		return &tracker.AddCommentResult{ID: 3, Author: "agent", Body: args.Body, File: args.File, Line: args.Line}, nil
	})
	fake.OnMergePR(func(context.Context, tracker.MergePRArgs) (*tracker.MergePRResult, error) {
		return nil, mcptest.ToolError("it is a draft")
	})
	fake.OnSummary(func(context.Context, tracker.SummaryArgs) (*runtime.Result, error) {
		return mcptest.Text("open: #7"), nil
	})
	var out bytes.Buffer
	if err := work(t.Context(), &out, fake); err != nil {
		t.Fatal(err)
	}
	const want = `1 open pull requests
  #7 Count sheep (by ada, reviews: 0)
comment 3 by agent
refused: it is a draft
5 tools are registered
tracker__summary says:
open: #7
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
	if calls := fake.Calls(); len(calls) != 4 || calls[1].Name != "add_comment" {
		t.Errorf("calls: %v", calls)
	}
}

// A server that is gone stops the agent before it comments on anything.
func TestWorkWithoutServer(t *testing.T) {
	fake := trackertest.New(t)
	fake.OnListPRs(func(context.Context, tracker.ListPRsArgs) (*tracker.ListPRsResult, error) {
		return nil, runtime.ErrUnavailable
	})
	if err := work(t.Context(), new(bytes.Buffer), fake); !errors.Is(err, runtime.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

// A draft that is merged all the same is not what the agent counts on.
func TestWorkWithCarelessServer(t *testing.T) {
	fake := trackertest.New(t)
	fake.Defaults() // whatever has no handler answers with a sample of its schema
	err := work(t.Context(), new(bytes.Buffer), fake)
	if err == nil || !strings.Contains(err.Error(), "want a refusal") {
		t.Errorf("got %v", err)
	}
}
