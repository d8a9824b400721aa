// Package helper stands between the other packages and the generated one.
package helper

import (
	"context"

	"example.com/app/internal/mcp/files"
)

// Write sends what it is given.
func Write(ctx context.Context, args files.WriteFileArgs) error {
	_, err := files.WriteFile(ctx, args)
	return err
}

// WriteText sends what it is given with a text.
func WriteText(ctx context.Context, args files.WriteFileArgs, text string) error {
	args.Content = text
	return Write(ctx, args)
}

// WriteAll sends what it points to.
func WriteAll(ctx context.Context, all ...*files.WriteFileArgs) error {
	for _, args := range all {
		if err := Write(ctx, *args); err != nil {
			return err
		}
	}
	return nil
}

// In makes arguments that lack something.
func In(folder string) files.WriteFileArgs { return files.WriteFileArgs{Path: folder + "/a"} }

// Writer writes.
type Writer struct{}

// Write sends what it is given.
func (Writer) Write(ctx context.Context, args files.WriteFileArgs) error { return Write(ctx, args) }

// Fill sets all texts.
func Fill(edits []files.EditFileArgsEditsItem) {
	for i := range edits {
		edits[i].OldText, edits[i].NewText = "a", "b"
	}
}

// FillMap sets all texts.
func FillMap(args map[string]*files.WriteFileArgs) {
	for _, a := range args {
		a.Content = "b"
	}
}
