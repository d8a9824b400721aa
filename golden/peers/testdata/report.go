package main

// What every program of this folder shares: it attaches to the configured
// servers and prints one line of JSON for each call.

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"

	"example.com/peertest/internal/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/config"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	project, err := config.Load("mcpgen.yaml")
	if err != nil {
		return err
	}
	ctx := context.Background()
	host, err := attach.Connect(ctx, project.Servers, &attach.Options{Judge: pinned.ByHash(mcp.Manifests()...)})
	if err != nil {
		return err
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		return err
	}
	return calls(runtime.NewContext(ctx, host), host)
}

var clock = regexp.MustCompile(`\d{1,2}:\d{2}:\d{2}( [AP]M)?`)

// report prints what a typed call returned: its value, its text and images if
// the tool declares no result schema, or the tool's own error.
func report(v any, err error) error {
	line := map[string]any{"value": v}
	var refused *runtime.ToolError
	switch result, untyped := v.(*runtime.Result); {
	case errors.As(err, &refused):
		line = map[string]any{"error": clock.ReplaceAllString(refused.Result.Text(), "<time>")}
	case err != nil:
		return err
	case untyped:
		images := []string{}
		for _, image := range result.Images() {
			images = append(images, fmt.Sprintf("%s %x", image.MIMEType, sha256.Sum256(image.Data)))
		}
		line = map[string]any{"text": clock.ReplaceAllString(result.Text(), "<time>"), "images": images}
	}
	return json.NewEncoder(os.Stdout).Encode(line)
}
