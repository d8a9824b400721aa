// Package input answers requests of servers: for input of a person, for a model's
// answer, and for the folders that the program works in. The types are the same in
// every revision of the protocol.
//
//	attach.Options{Input: input.Handlers{Elicit: askThePerson}}
package input

import (
	"context"
	"encoding/json"

	"github.com/mcpgen/mcpgen/runtime"
)

// An ElicitFunc answers a server that requests input of a person. The context ends
// when the server cancels the request, when the call that the request belongs to ends
// (if known), and when the session ends; an error of the context is sent to the
// server as [ElicitCancel]. Every other error declines. It is called from several
// goroutines. The person's time counts as time of the call: calls that may ask a
// person need a longer timeout.
type ElicitFunc func(ctx context.Context, server string, req ElicitRequest) (ElicitResult, error)

// ElicitRequest is a server's request to a person: for the values of a form, or to
// open a page. All of it is text of the server and may be hostile.
type ElicitRequest struct {
	Message string          // to the person
	Schema  json.RawMessage // of the form, a flat object; nil if URL is set
	// URL is the page to open, http or https; "" for a form. Show it, and let the
	// person decide: this package does not open it.
	URL string
	ID  string // of the request to open URL
}

// ElicitAction is a person's reaction to a request.
type ElicitAction string

// The actions.
const (
	ElicitAccept  ElicitAction = "accept"  // gave the input
	ElicitDecline ElicitAction = "decline" // refused
	ElicitCancel  ElicitAction = "cancel"  // did not answer
)

// ElicitResult is the answer to an [ElicitRequest]. The zero value declines.
type ElicitResult struct {
	Action ElicitAction
	// Content is the values of the form: any value that marshals to a JSON object.
	// Missing values are filled in with the defaults of the schema. It is sent only
	// with [ElicitAccept], and never for a URL.
	Content any
}

// A SampleFunc answers a server that requests a model's answer. An error refuses; its
// text is sent to the server. It is called from several goroutines.
type SampleFunc func(ctx context.Context, server string, req SampleRequest) (SampleResult, error)

// SampleRequest is the request that a server has for a model.
type SampleRequest struct {
	Messages  []runtime.Content // with their roles
	System    string            // system prompt; the program may change or drop it
	MaxTokens int
	Raw       json.RawMessage // all parameters as received: preferences, temperature, …
}

// SampleResult is a model's answer.
type SampleResult struct {
	Model      string // name of the model
	Text       string
	StopReason string // "" is endTurn
	// Content is a content block to send instead of Text, such as an image.
	Content json.RawMessage
}

// A RootsFunc returns the folders and files that the program works with.
type RootsFunc func(ctx context.Context, server string) ([]Root, error)

// Root is a folder or file that a server may look at.
type Root struct {
	URI  string // file://…
	Name string // for people; may be empty
}
