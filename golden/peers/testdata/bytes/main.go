// The program prints each tool of the generated packages as its manifest has it, and as a
// model gets it: by the adapter for Anthropic's SDK, in the bytes of a request.
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"example.com/peertest/internal/mcp"
	"github.com/mcpgen/mcpgen/runtime/adapters/anthropic"
)

func main() {
	tools := mcp.Tools(nil)
	set, err := anthropic.New(tools...)
	if err != nil {
		log.Fatal(err)
	}
	var sent struct{ Tools []json.RawMessage }
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &sent)
		}
		if err != nil {
			log.Fatal(err)
		}
		w.WriteHeader(http.StatusBadRequest) // that is all
	}))
	defer model.Close()
	client := sdk.NewClient(option.WithBaseURL(model.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
	_, _ = client.Messages.New(context.Background(), sdk.MessageNewParams{
		Model: "none", MaxTokens: 1, Messages: []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock("Hi."))}, Tools: set.Params(),
	})
	if len(sent.Tools) != len(tools) {
		log.Fatalf("%d tools, and a request has %d", len(tools), len(sent.Tools))
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for i, t := range tools {
		spec := t.Spec()
		if err := out.Encode(map[string]any{"server": spec.Server, "tool": spec.Tool, "definition": spec.Definition, "schema": spec.InputSchema, "sent": sent.Tools[i]}); err != nil {
			log.Fatal(err)
		}
	}
}
