// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"encoding/json"
	"example.com/app/mcp/filesystem"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ = filesystem.Client{}
var _ = (*filesystem.Client).CreateDirectory
var _ = (*filesystem.Client).DirectoryTree
var _ = (*filesystem.Client).EditFile
var _ = (*filesystem.Client).GetFileInfo
var _ = (*filesystem.Client).ListAllowedDirectories
var _ = (*filesystem.Client).ListDirectory
var _ = (*filesystem.Client).ListDirectoryWithSizes
var _ = (*filesystem.Client).MoveFile
var _ = (*filesystem.Client).ReadFile
var _ = (*filesystem.Client).ReadMediaFile
var _ = (*filesystem.Client).ReadMultipleFiles
var _ = (*filesystem.Client).ReadTextFile
var _ = (*filesystem.Client).SearchFiles
var _ = (*filesystem.Client).WriteFile
var _ func(ctx context.Context, args filesystem.CreateDirectoryArgs, opts ...runtime.CallOption) (*filesystem.CreateDirectoryResult, error) = filesystem.CreateDirectory
var _ = filesystem.CreateDirectoryArgs{}

func _(v filesystem.CreateDirectoryArgs, f string) { v.Path, f = f, v.Path }

var _ = filesystem.CreateDirectoryResult{}

func _(v filesystem.CreateDirectoryResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.CreateDirectoryResult).UnmarshalJSON
var _ func(ctx context.Context, args filesystem.DirectoryTreeArgs, opts ...runtime.CallOption) (*filesystem.DirectoryTreeResult, error) = filesystem.DirectoryTree
var _ = filesystem.DirectoryTreeArgs{}

func _(v filesystem.DirectoryTreeArgs, f string)   { v.Path, f = f, v.Path }
func _(v filesystem.DirectoryTreeArgs, f []string) { v.ExcludePatterns, f = f, v.ExcludePatterns }

var _ = filesystem.DirectoryTreeResult{}

func _(v filesystem.DirectoryTreeResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.DirectoryTreeResult).UnmarshalJSON
var _ func(ctx context.Context, args filesystem.EditFileArgs, opts ...runtime.CallOption) (*filesystem.EditFileResult, error) = filesystem.EditFile
var _ = filesystem.EditFileArgs{}

func _(v filesystem.EditFileArgs, f []filesystem.EditFileArgsEditsItem) { v.Edits, f = f, v.Edits }
func _(v filesystem.EditFileArgs, f string)                             { v.Path, f = f, v.Path }
func _(v filesystem.EditFileArgs, f bool)                               { v.DryRun, f = f, v.DryRun }

var _ = filesystem.EditFileArgsEditsItem{}

func _(v filesystem.EditFileArgsEditsItem, f string) { v.NewText, f = f, v.NewText }
func _(v filesystem.EditFileArgsEditsItem, f string) { v.OldText, f = f, v.OldText }

var _ = filesystem.EditFileResult{}

func _(v filesystem.EditFileResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.EditFileResult).UnmarshalJSON
var _ func(ctx context.Context, args filesystem.GetFileInfoArgs, opts ...runtime.CallOption) (*filesystem.GetFileInfoResult, error) = filesystem.GetFileInfo
var _ = filesystem.GetFileInfoArgs{}

func _(v filesystem.GetFileInfoArgs, f string) { v.Path, f = f, v.Path }

var _ = filesystem.GetFileInfoResult{}

func _(v filesystem.GetFileInfoResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.GetFileInfoResult).UnmarshalJSON
var _ func(ctx context.Context, args filesystem.ListAllowedDirectoriesArgs, opts ...runtime.CallOption) (*filesystem.ListAllowedDirectoriesResult, error) = filesystem.ListAllowedDirectories
var _ = filesystem.ListAllowedDirectoriesArgs{}
var _ = filesystem.ListAllowedDirectoriesResult{}

func _(v filesystem.ListAllowedDirectoriesResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.ListAllowedDirectoriesResult).UnmarshalJSON
var _ func(ctx context.Context, args filesystem.ListDirectoryArgs, opts ...runtime.CallOption) (*filesystem.ListDirectoryResult, error) = filesystem.ListDirectory
var _ = filesystem.ListDirectoryArgs{}

func _(v filesystem.ListDirectoryArgs, f string) { v.Path, f = f, v.Path }

var _ = filesystem.ListDirectoryResult{}

func _(v filesystem.ListDirectoryResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.ListDirectoryResult).UnmarshalJSON
var _ func(ctx context.Context, args filesystem.ListDirectoryWithSizesArgs, opts ...runtime.CallOption) (*filesystem.ListDirectoryWithSizesResult, error) = filesystem.ListDirectoryWithSizes
var _ = filesystem.ListDirectoryWithSizesArgs{}

func _(v filesystem.ListDirectoryWithSizesArgs, f string) { v.Path, f = f, v.Path }
func _(v filesystem.ListDirectoryWithSizesArgs, f filesystem.ListDirectoryWithSizesArgsSortBy) {
	v.SortBy, f = f, v.SortBy
}
func _(v filesystem.ListDirectoryWithSizesArgsSortBy, u string) {
	v, u = filesystem.ListDirectoryWithSizesArgsSortBy(u), (string)(v)
}

var _ filesystem.ListDirectoryWithSizesArgsSortBy = filesystem.ListDirectoryWithSizesArgsSortByName
var _ filesystem.ListDirectoryWithSizesArgsSortBy = filesystem.ListDirectoryWithSizesArgsSortBySize
var _ = filesystem.ListDirectoryWithSizesResult{}

func _(v filesystem.ListDirectoryWithSizesResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.ListDirectoryWithSizesResult).UnmarshalJSON
var _ func() *runtime.Manifest = filesystem.Manifest
var _ func(ctx context.Context, args filesystem.MoveFileArgs, opts ...runtime.CallOption) (*filesystem.MoveFileResult, error) = filesystem.MoveFile
var _ = filesystem.MoveFileArgs{}

func _(v filesystem.MoveFileArgs, f string) { v.Destination, f = f, v.Destination }
func _(v filesystem.MoveFileArgs, f string) { v.Source, f = f, v.Source }

var _ = filesystem.MoveFileResult{}

func _(v filesystem.MoveFileResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.MoveFileResult).UnmarshalJSON
var _ func(inv runtime.Invoker) *filesystem.Client = filesystem.New
var _ func(ctx context.Context, args filesystem.ReadFileArgs, opts ...runtime.CallOption) (*filesystem.ReadFileResult, error) = filesystem.ReadFile
var _ = filesystem.ReadFileArgs{}

func _(v filesystem.ReadFileArgs, f string)   { v.Path, f = f, v.Path }
func _(v filesystem.ReadFileArgs, f *float64) { v.Head, f = f, v.Head }
func _(v filesystem.ReadFileArgs, f *float64) { v.Tail, f = f, v.Tail }

var _ = filesystem.ReadFileResult{}

func _(v filesystem.ReadFileResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.ReadFileResult).UnmarshalJSON
var _ func(ctx context.Context, args filesystem.ReadMediaFileArgs, opts ...runtime.CallOption) (*filesystem.ReadMediaFileResult, error) = filesystem.ReadMediaFile
var _ = filesystem.ReadMediaFileArgs{}

func _(v filesystem.ReadMediaFileArgs, f string) { v.Path, f = f, v.Path }

var _ = filesystem.ReadMediaFileResult{}

func _(v filesystem.ReadMediaFileResult, f []filesystem.ReadMediaFileResultContentItem) {
	v.Content, f = f, v.Content
}

var _ = (*filesystem.ReadMediaFileResult).UnmarshalJSON
var _ filesystem.ReadMediaFileResultContentItem
var _ filesystem.ReadMediaFileResultContentItem = *new(filesystem.ReadMediaFileResultContentItemImageOrAudio)
var _ filesystem.ReadMediaFileResultContentItem = *new(filesystem.ReadMediaFileResultContentItemOther)
var _ filesystem.ReadMediaFileResultContentItem = *new(filesystem.ReadMediaFileResultContentItemResource)
var _ = filesystem.ReadMediaFileResultContentItemImageOrAudio{}

func _(v filesystem.ReadMediaFileResultContentItemImageOrAudio, f string) { v.Data, f = f, v.Data }
func _(v filesystem.ReadMediaFileResultContentItemImageOrAudio, f string) {
	v.MIMEType, f = f, v.MIMEType
}
func _(v filesystem.ReadMediaFileResultContentItemImageOrAudio, f filesystem.ReadMediaFileResultContentItemImageOrAudioType) {
	v.Type, f = f, v.Type
}
func _(v filesystem.ReadMediaFileResultContentItemImageOrAudioType, u string) {
	v, u = filesystem.ReadMediaFileResultContentItemImageOrAudioType(u), (string)(v)
}

var _ filesystem.ReadMediaFileResultContentItemImageOrAudioType = filesystem.ReadMediaFileResultContentItemImageOrAudioTypeAudio
var _ filesystem.ReadMediaFileResultContentItemImageOrAudioType = filesystem.ReadMediaFileResultContentItemImageOrAudioTypeImage
var _ = filesystem.ReadMediaFileResultContentItemOther{}

func _(v filesystem.ReadMediaFileResultContentItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}

var _ = filesystem.ReadMediaFileResultContentItemResource{}

func _(v filesystem.ReadMediaFileResultContentItemResource, f filesystem.ReadMediaFileResultContentItemResourceResource) {
	v.Resource, f = f, v.Resource
}

var _ = (*filesystem.ReadMediaFileResultContentItemResource).UnmarshalJSON
var _ = (*filesystem.ReadMediaFileResultContentItemResource).MarshalJSON
var _ = filesystem.ReadMediaFileResultContentItemResourceResource{}

func _(v filesystem.ReadMediaFileResultContentItemResourceResource, f string) { v.Blob, f = f, v.Blob }
func _(v filesystem.ReadMediaFileResultContentItemResourceResource, f string) { v.URI, f = f, v.URI }
func _(v filesystem.ReadMediaFileResultContentItemResourceResource, f *string) {
	v.MIMEType, f = f, v.MIMEType
}

var _ func(ctx context.Context, args filesystem.ReadMultipleFilesArgs, opts ...runtime.CallOption) (*filesystem.ReadMultipleFilesResult, error) = filesystem.ReadMultipleFiles
var _ = filesystem.ReadMultipleFilesArgs{}

func _(v filesystem.ReadMultipleFilesArgs, f []string) { v.Paths, f = f, v.Paths }

var _ = filesystem.ReadMultipleFilesResult{}

func _(v filesystem.ReadMultipleFilesResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.ReadMultipleFilesResult).UnmarshalJSON
var _ func(ctx context.Context, args filesystem.ReadTextFileArgs, opts ...runtime.CallOption) (*filesystem.ReadTextFileResult, error) = filesystem.ReadTextFile
var _ = filesystem.ReadTextFileArgs{}

func _(v filesystem.ReadTextFileArgs, f string)   { v.Path, f = f, v.Path }
func _(v filesystem.ReadTextFileArgs, f *float64) { v.Head, f = f, v.Head }
func _(v filesystem.ReadTextFileArgs, f *float64) { v.Tail, f = f, v.Tail }

var _ = filesystem.ReadTextFileResult{}

func _(v filesystem.ReadTextFileResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.ReadTextFileResult).UnmarshalJSON
var _ func(ctx context.Context, args filesystem.SearchFilesArgs, opts ...runtime.CallOption) (*filesystem.SearchFilesResult, error) = filesystem.SearchFiles
var _ = filesystem.SearchFilesArgs{}

func _(v filesystem.SearchFilesArgs, f string)   { v.Path, f = f, v.Path }
func _(v filesystem.SearchFilesArgs, f string)   { v.Pattern, f = f, v.Pattern }
func _(v filesystem.SearchFilesArgs, f []string) { v.ExcludePatterns, f = f, v.ExcludePatterns }

var _ = filesystem.SearchFilesResult{}

func _(v filesystem.SearchFilesResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.SearchFilesResult).UnmarshalJSON
var _ func(inv runtime.Invoker) []runtime.Tool = filesystem.Tools
var _ func(ctx context.Context, args filesystem.WriteFileArgs, opts ...runtime.CallOption) (*filesystem.WriteFileResult, error) = filesystem.WriteFile
var _ = filesystem.WriteFileArgs{}

func _(v filesystem.WriteFileArgs, f string) { v.Content, f = f, v.Content }
func _(v filesystem.WriteFileArgs, f string) { v.Path, f = f, v.Path }

var _ = filesystem.WriteFileResult{}

func _(v filesystem.WriteFileResult, f string) { v.Content, f = f, v.Content }

var _ = (*filesystem.WriteFileResult).UnmarshalJSON
