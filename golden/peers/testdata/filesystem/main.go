package main

import (
	"context"
	"errors"
	"os"

	"example.com/peertest/internal/mcp/filesystem"
	"github.com/mcpgen/mcpgen/runtime"
)

func calls(ctx context.Context, inv runtime.Invoker) error {
	dir := os.Getenv("SAMPLE")
	client := filesystem.New(inv)
	hello, err1 := filesystem.ReadTextFile(ctx, filesystem.ReadTextFileArgs{Path: dir + "/hello.txt"})
	head, err2 := client.ReadTextFile(ctx, filesystem.ReadTextFileArgs{Path: dir + "/lines.txt", Head: new(2.0)})
	list, err3 := filesystem.ListDirectory(ctx, filesystem.ListDirectoryArgs{Path: dir})
	tree, err4 := filesystem.DirectoryTree(ctx, filesystem.DirectoryTreeArgs{
		Path: dir, ExcludePatterns: []string{"*.txt"},
	})
	many, err5 := filesystem.ReadMultipleFiles(ctx, filesystem.ReadMultipleFilesArgs{
		Paths: []string{dir + "/hello.txt", dir + "/lines.txt"},
	})
	allowed, err6 := filesystem.ListAllowedDirectories(ctx, filesystem.ListAllowedDirectoriesArgs{})
	absent, err7 := filesystem.ReadTextFile(ctx, filesystem.ReadTextFileArgs{Path: dir + "/absent.txt"})
	return errors.Join(report(hello, err1), report(head, err2), report(list, err3), report(tree, err4),
		report(many, err5), report(allowed, err6), report(absent, err7))
}
