package clean

import (
	"context"
	"unsafe"

	"example.com/app/internal/mcp/files"
)

// Beside an error a result is not used.
func orError(fail error) (files.WriteFileArgs, error) {
	if fail != nil {
		return files.WriteFileArgs{}, fail
	}
	return files.WriteFileArgs{Path: "a", Content: "b"}, nil
}

func withoutError(ctx context.Context) error {
	args, err := orError(nil)
	if err != nil {
		return err
	}
	_, err = files.WriteFile(ctx, args)
	return err
}

// What is behind an unsafe pointer may be set by anyone.
func unsafely(ctx context.Context) error {
	args := files.WriteFileArgs{Path: "a"}
	touch(unsafe.Pointer(&args))
	_, err := files.WriteFile(ctx, args)
	return err
}

func touch(unsafe.Pointer) {}

// An interface hides what it holds.
type filler interface{ Fill(*files.WriteFileArgs) }

func hidden(ctx context.Context, f filler) error {
	args := files.WriteFileArgs{Path: "a"}
	f.Fill(&args)
	_, err := files.WriteFile(ctx, args)
	return err
}

// A field that is set on the way, in another function.
func setOnTheWay(ctx context.Context) error {
	args := files.WriteFileArgs{Path: "a"}
	giveContent(&args)
	_, err := files.WriteFile(ctx, args)
	return err
}

func giveContent(args *files.WriteFileArgs) { args.Content = "b" }

// A counter is not a value that is sent.
func counted(ctx context.Context) error {
	args := files.ListFilesArgs{Depth: files.ListFilesArgsDepth1}
	args.Depth++
	_, err := files.ListFiles(ctx, args)
	return err
}
