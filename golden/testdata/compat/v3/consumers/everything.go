// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"example.com/app/mcp/everything"
	"github.com/mcpgen/mcpgen/runtime"
	"iter"
)

var _ func(ctx context.Context, args everything.ArgsPromptArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ArgsPrompt
var _ = everything.ArgsPromptArgs{}

func _(v everything.ArgsPromptArgs, f string)  { v.City, f = f, v.City }
func _(v everything.ArgsPromptArgs, f *string) { v.State, f = f, v.State }

var _ = everything.Client{}
var _ = (*everything.Client).Echo
var _ = (*everything.Client).ArgsPrompt
var _ = (*everything.Client).CompletablePrompt
var _ = (*everything.Client).ResourcePrompt
var _ = (*everything.Client).SimplePrompt
var _ = (*everything.Client).ReadArchitectureMd
var _ = (*everything.Client).WatchArchitectureMd
var _ = (*everything.Client).ReadExtensionMd
var _ = (*everything.Client).WatchExtensionMd
var _ = (*everything.Client).ReadFeaturesMd
var _ = (*everything.Client).WatchFeaturesMd
var _ = (*everything.Client).ReadHowItWorksMd
var _ = (*everything.Client).WatchHowItWorksMd
var _ = (*everything.Client).ReadInstructionsMd
var _ = (*everything.Client).WatchInstructionsMd
var _ = (*everything.Client).ReadStartupMd
var _ = (*everything.Client).WatchStartupMd
var _ = (*everything.Client).ReadStructureMd
var _ = (*everything.Client).WatchStructureMd
var _ = (*everything.Client).ReadDynamicBlobResource
var _ = (*everything.Client).WatchDynamicBlobResource
var _ = (*everything.Client).ReadDynamicTextResource
var _ = (*everything.Client).WatchDynamicTextResource
var _ = (*everything.Client).ReadURI
var _ = (*everything.Client).Complete
var _ func(ctx context.Context, args everything.CompletablePromptArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.CompletablePrompt
var _ = everything.CompletablePromptArgs{}

func _(v everything.CompletablePromptArgs, f string) { v.Department, f = f, v.Department }
func _(v everything.CompletablePromptArgs, f string) { v.Name, f = f, v.Name }

var _ func(ctx context.Context, args runtime.CompleteArgs, opts ...runtime.CallOption) (*runtime.Completion, error) = everything.Complete
var _ func(vars everything.DynamicBlobResourceURIVars) string = everything.DynamicBlobResourceURI
var _ = everything.DynamicBlobResourceURIVars{}

func _(v everything.DynamicBlobResourceURIVars, f string) { v.ResourceID, f = f, v.ResourceID }

var _ func(vars everything.DynamicTextResourceURIVars) string = everything.DynamicTextResourceURI
var _ = everything.DynamicTextResourceURIVars{}

func _(v everything.DynamicTextResourceURIVars, f string) { v.ResourceID, f = f, v.ResourceID }

var _ func(ctx context.Context, args everything.EchoArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.Echo
var _ = everything.EchoArgs{}

func _(v everything.EchoArgs, f string) { v.Message, f = f, v.Message }

var _ func() *runtime.Manifest = everything.Manifest
var _ func(inv runtime.Invoker) *everything.Client = everything.New
var _ func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadArchitectureMd
var _ func(ctx context.Context, vars everything.DynamicBlobResourceURIVars, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadDynamicBlobResource
var _ func(ctx context.Context, vars everything.DynamicTextResourceURIVars, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadDynamicTextResource
var _ func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadExtensionMd
var _ func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadFeaturesMd
var _ func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadHowItWorksMd
var _ func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadInstructionsMd
var _ func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadStartupMd
var _ func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadStructureMd
var _ func(ctx context.Context, uri string, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ReadURI
var _ func(ctx context.Context, args everything.ResourcePromptArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ResourcePrompt
var _ = everything.ResourcePromptArgs{}

func _(v everything.ResourcePromptArgs, f string) { v.ResourceID, f = f, v.ResourceID }
func _(v everything.ResourcePromptArgs, f string) { v.ResourceType, f = f, v.ResourceType }

var _ func(ctx context.Context, args everything.SimplePromptArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.SimplePrompt
var _ = everything.SimplePromptArgs{}
var _ func(inv runtime.Invoker) []runtime.Tool = everything.Tools
var _ func(ctx context.Context, opts ...runtime.CallOption) iter.Seq2[*runtime.Result, error] = everything.WatchArchitectureMd
var _ func(ctx context.Context, vars everything.DynamicBlobResourceURIVars, opts ...runtime.CallOption) iter.Seq2[*runtime.Result, error] = everything.WatchDynamicBlobResource
var _ func(ctx context.Context, vars everything.DynamicTextResourceURIVars, opts ...runtime.CallOption) iter.Seq2[*runtime.Result, error] = everything.WatchDynamicTextResource
var _ func(ctx context.Context, opts ...runtime.CallOption) iter.Seq2[*runtime.Result, error] = everything.WatchExtensionMd
var _ func(ctx context.Context, opts ...runtime.CallOption) iter.Seq2[*runtime.Result, error] = everything.WatchFeaturesMd
var _ func(ctx context.Context, opts ...runtime.CallOption) iter.Seq2[*runtime.Result, error] = everything.WatchHowItWorksMd
var _ func(ctx context.Context, opts ...runtime.CallOption) iter.Seq2[*runtime.Result, error] = everything.WatchInstructionsMd
var _ func(ctx context.Context, opts ...runtime.CallOption) iter.Seq2[*runtime.Result, error] = everything.WatchStartupMd
var _ func(ctx context.Context, opts ...runtime.CallOption) iter.Seq2[*runtime.Result, error] = everything.WatchStructureMd
