// Package input answers what servers ask of a program: input of a person, a model's
// answer, the folders that it works in. The types are the same in every revision of
// the protocol.
//
//	attach.Options{Input: input.Handlers{Elicit: askThePerson}}
package input

import (
	"context"
	"encoding/json"

	"github.com/mcpgen/mcpgen/runtime"
)

// An ElicitFunc answers a server that asks a person for input. The context ends
// when the server takes the request back, when the call that it belongs to ends,
// where that is known, and when the session does; an error of the context is
// sent to the server as [ElicitCancel]. Every other error declines. It is called
// from several goroutines. The time that a person takes is the call's: one that may
// ask needs a longer timeout.
type ElicitFunc func(ctx context.Context, server string, req ElicitRequest) (ElicitResult, error)

// ElicitRequest is what a server asks a person for: the values of a form, or to
// open a page. All of it is the server's text, and hostile until shown otherwise.
type ElicitRequest struct {
	Message string          // to the person
	Schema  json.RawMessage // of the form, a flat object; nil if URL is set
	// URL is the page to open, http or https; "" for a form. Show it, and let
	// the person decide: nothing here opens it.
	URL string
	ID  string // of the request to open URL
}

// ElicitAction is what a person did.
type ElicitAction string

// The actions.
const (
	ElicitAccept  ElicitAction = "accept"  // gave what was asked for
	ElicitDecline ElicitAction = "decline" // said no
	ElicitCancel  ElicitAction = "cancel"  // said nothing
)

// ElicitResult is the answer to an [ElicitRequest]. The zero value declines.
type ElicitResult struct {
	Action ElicitAction
	// Content is the form's values: whatever marshals to a JSON object. What it
	// lacks and the schema has a default for is filled in. Only sent with
	// [ElicitAccept], and never for a URL.
	Content any
}

// A SampleFunc answers a server that asks for the answer of a model. An error
// refuses; its text is sent to the server. It is called from several goroutines.
type SampleFunc func(ctx context.Context, server string, req SampleRequest) (SampleResult, error)

// SampleRequest is what a server wants to ask a model.
type SampleRequest struct {
	Messages  []runtime.Content // with their roles
	System    string            // prompt for the system; the program may change or drop it
	MaxTokens int
	Raw       json.RawMessage // all parameters as they came: preferences, temperature, …
}

// SampleResult is a model's answer.
type SampleResult struct {
	Model      string // that answered
	Text       string
	StopReason string // "" is endTurn
	// Content is a content block to send in place of Text, such as an image.
	Content json.RawMessage
}

// A RootsFunc lists for a server the folders and files the program works with.
type RootsFunc func(ctx context.Context, server string) ([]Root, error)

// Root is a folder or file that a server may look at.
type Root struct {
	URI  string // file://…
	Name string // for people; may be empty
}
