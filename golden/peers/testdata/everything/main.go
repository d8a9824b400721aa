package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"example.com/peertest/internal/mcp/everything"
	"github.com/mcpgen/mcpgen/runtime"
)

func calls(ctx context.Context, inv runtime.Invoker) error {
	client := everything.New(inv)
	sum, err1 := everything.GetSum(ctx, everything.GetSumArgs{A: 2, B: 3})
	echo, err2 := client.Echo(ctx, everything.EchoArgs{Message: "grüezi\n\u2028</script>"})
	newYork, err3 := everything.GetStructuredContent(ctx, everything.GetStructuredContentArgs{
		Location: everything.LocationNewYork,
	})
	chicago, err4 := client.GetStructuredContent(ctx, everything.GetStructuredContentArgs{
		Location: everything.LocationChicago,
	})
	if err := errors.Join(report(sum, err1), report(echo, err2), report(newYork, err3), report(chicago, err4)); err != nil {
		return err
	}
	// The typed result is Go numbers and text, not a map.
	fmt.Fprintln(os.Stderr, newYork.Temperature+chicago.Humidity, newYork.Conditions)

	success, err1 := everything.GetAnnotatedMessage(ctx, everything.GetAnnotatedMessageArgs{
		MessageType: everything.MessageTypeSuccess, IncludeImage: true,
	})
	failure, err2 := everything.GetAnnotatedMessage(ctx, everything.GetAnnotatedMessageArgs{
		MessageType: everything.MessageTypeError,
	})
	links, err3 := everything.GetResourceLinks(ctx, everything.GetResourceLinksArgs{Count: 2})
	reference, err4 := everything.GetResourceReference(ctx, everything.GetResourceReferenceArgs{
		ResourceType: everything.ResourceTypeText, ResourceID: new(1.0),
	})
	image, err5 := everything.GetTinyImage(ctx, everything.GetTinyImageArgs{})
	refused, err6 := everything.GetStructuredContent(ctx, everything.GetStructuredContentArgs{Location: "Zug"})
	return errors.Join(report(success, err1), report(failure, err2), report(links, err3),
		report(reference, err4), report(image, err5), report(refused, err6))
}
