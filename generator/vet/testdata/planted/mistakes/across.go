package mistakes

import (
	"context"

	"example.com/app/helper"
	"example.com/app/internal/mcp/files"
)

func across(ctx context.Context, w helper.Writer) error {
	if err := helper.Write(ctx, files.WriteFileArgs{Path: "a"}); err != nil { // want `required field Content`
		return err
	}
	if err := helper.WriteText(ctx, files.WriteFileArgs{}, "text"); err != nil { // want `required field Path \(the server gets ""\): set it`
		return err
	}
	args := files.WriteFileArgs{Content: "a"} // want `required field Path`
	if err := helper.WriteAll(ctx, &args); err != nil {
		return err
	}
	if err := w.Write(ctx, files.WriteFileArgs{Content: "a"}); err != nil { // want `required field Path`
		return err
	}
	return helper.Write(ctx, helper.In("b")) // want `required field Content`
}
