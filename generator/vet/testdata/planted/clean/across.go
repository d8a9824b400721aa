package clean

import (
	"context"

	"example.com/app/helper"
	"example.com/app/internal/mcp/files"
)

func across(ctx context.Context) error {
	if err := helper.WriteText(ctx, files.WriteFileArgs{Path: "a"}, "text"); err != nil {
		return err
	}
	args := helper.In("b")
	args.Content = "text"
	p := &files.WriteFileArgs{Path: "a"}
	p.Content = "text"
	if err := helper.WriteAll(ctx, &args, p); err != nil {
		return err
	}
	return helper.Write(ctx, args)
}
