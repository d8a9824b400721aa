package main

import (
	"context"
	"errors"

	"example.com/peertest/internal/mcp/upgrade"
	"github.com/mcpgen/mcpgen/runtime"
)

// calls uses names that the upgrade changes: of tools, of a constant, of a prompt.
func calls(ctx context.Context, inv runtime.Invoker) error {
	client := upgrade.New(inv)
	links, err1 := client.GetResourceLinks(ctx, upgrade.GetResourceLinksArgs{Count: 2.0})
	note, err2 := upgrade.AnnotatedMessage(ctx, upgrade.AnnotatedMessageArgs{MessageType: upgrade.MessageTypeSuccess})
	weather, err3 := client.StructuredContent(ctx, upgrade.StructuredContentArgs{Location: "New York"})
	prompt, err4 := client.SimplePrompt(ctx, upgrade.SimplePromptArgs{})
	return errors.Join(report(links, err1), report(note, err2), report(weather, err3), report(prompt, err4))
}
