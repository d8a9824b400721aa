package attach

// The types of package input, which imports this one, for the tests of this package.

import (
	"context"
	"encoding/json"

	"github.com/mcpgen/mcpgen/runtime"
)

type (
	ElicitAction  string
	ElicitRequest struct {
		Message string
		Schema  json.RawMessage
		URL     string
		ID      string
	}
	ElicitResult struct {
		Action  ElicitAction
		Content any
	}
	SampleRequest struct {
		Messages  []runtime.Content
		System    string
		MaxTokens int
		Raw       json.RawMessage
	}
	SampleResult struct {
		Model      string
		Text       string
		StopReason string
		Content    json.RawMessage
	}
	Root struct{ URI, Name string }
)

const (
	ElicitAccept ElicitAction = "accept"
	ElicitCancel ElicitAction = "cancel"
)

// Handlers are what a test answers; see answering.
type Handlers struct {
	Elicit     func(ctx context.Context, server string, req ElicitRequest) (ElicitResult, error)
	ElicitURLs bool
	Sample     func(ctx context.Context, server string, req SampleRequest) (SampleResult, error)
	Roots      func(ctx context.Context, server string) ([]Root, error)
}

// answering makes input.Handlers of those of a test.
var answering func(Handlers) Input

// UseInput sets it.
func UseInput(f func(Handlers) Input) bool {
	answering = f
	return true
}
