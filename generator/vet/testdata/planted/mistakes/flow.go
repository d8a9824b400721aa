package mistakes

import (
	"context"

	"example.com/app/internal/mcp/files"
)

func pair() (files.WriteFileArgs, bool) {
	return files.WriteFileArgs{Path: "a"}, true // want `required field Content`
}

// A call gives two variables their values, and a return statement all results.
func pairs(ctx context.Context) error {
	args, ok := pair()
	if !ok {
		return nil
	}
	return write(ctx, args)
}

func handedBack() (files.WriteFileArgs, bool) { return halfMade() }

func halfMade() (files.WriteFileArgs, bool) {
	return files.WriteFileArgs{Content: "b"}, true // want `required field Path`
}

func throughTwo(ctx context.Context) error {
	args, _ := handedBack()
	return write(ctx, args)
}

// From a map, and from a channel.
func fromMap(ctx context.Context) error {
	known := map[string]files.WriteFileArgs{
		"a": {Path: "a"}, // want `required field Content`
	}
	args, ok := known["a"]
	if !ok {
		return nil
	}
	return write(ctx, args)
}

func fromChannel(ctx context.Context) error {
	queue := make(chan files.WriteFileArgs, 1)
	queue <- files.WriteFileArgs{Path: "a"} // want `required field Content`
	for args := range queue {
		return write(ctx, args)
	}
	return nil
}

// Copied into another slice.
func copied(ctx context.Context) error {
	edits := make([]files.EditFileArgsEditsItem, 1)
	copy(edits, []files.EditFileArgsEditsItem{{OldText: "a"}}) // want `required field NewText`
	_, err := files.EditFile(ctx, files.EditFileArgs{Path: "a", Edits: edits})
	return err
}

// A variable of the package.
var always = files.WriteFileArgs{Path: "a"} // want `required field Content`

func sendsAlways(ctx context.Context) error { return write(ctx, always) }

// A literal of a function that returns its values.
func made(ctx context.Context) error {
	makeOne := func(path string) files.WriteFileArgs {
		return files.WriteFileArgs{Path: path} // want `required field Content`
	}
	return write(ctx, makeOne("a"))
}

// A struct between them, by the order of its fields.
type job struct {
	name string
	args files.WriteFileArgs
}

func jobs(ctx context.Context) error {
	j := job{"a", files.WriteFileArgs{Path: "a"}} // want `required field Content`
	return write(ctx, j.args)
}
