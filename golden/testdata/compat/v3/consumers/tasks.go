// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"encoding/json"
	"example.com/app/mcp/tasks"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ = tasks.Client{}
var _ = (*tasks.Client).Echo
var _ = (*tasks.Client).StartEcho
var _ = (*tasks.Client).ResumeEcho
var _ = (*tasks.Client).Maybe
var _ = (*tasks.Client).StartMaybe
var _ = (*tasks.Client).ResumeMaybe
var _ = (*tasks.Client).Quick
var _ = (*tasks.Client).Research
var _ = (*tasks.Client).StartResearch
var _ = (*tasks.Client).ResumeResearch
var _ func(ctx context.Context, args tasks.EchoArgs, opts ...runtime.CallOption) (*tasks.EchoResult, error) = tasks.Echo
var _ = tasks.EchoArgs{}

func _(v tasks.EchoArgs, f string) { v.Text, f = f, v.Text }

var _ = tasks.EchoResult{}

func _(v tasks.EchoResult, f string)                     { v.Text, f = f, v.Text }
func _(v tasks.EchoResult, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*tasks.EchoResult).UnmarshalJSON
var _ = (*tasks.EchoResult).MarshalJSON

func _(v tasks.End, u string) { v, u = tasks.End(u), (string)(v) }

var _ tasks.End = tasks.EndCancelled
var _ tasks.End = tasks.EndError
var _ tasks.End = tasks.EndNever
var _ tasks.End = tasks.EndNow
var _ tasks.End = tasks.EndRefusal
var _ tasks.End = tasks.EndReport
var _ func() *runtime.Manifest = tasks.Manifest
var _ func(ctx context.Context, args tasks.MaybeArgs, opts ...runtime.CallOption) (*runtime.Result, error) = tasks.Maybe
var _ = tasks.MaybeArgs{}
var _ func(inv runtime.Invoker) *tasks.Client = tasks.New
var _ func(ctx context.Context, args tasks.QuickArgs, opts ...runtime.CallOption) (*runtime.Result, error) = tasks.Quick
var _ = tasks.QuickArgs{}
var _ func(ctx context.Context, args tasks.ResearchArgs, opts ...runtime.CallOption) (*tasks.ResearchResult, error) = tasks.Research
var _ = tasks.ResearchArgs{}

func _(v tasks.ResearchArgs, f string)    { v.Topic, f = f, v.Topic }
func _(v tasks.ResearchArgs, f *bool)     { v.Ask, f = f, v.Ask }
func _(v tasks.ResearchArgs, f tasks.End) { v.End, f = f, v.End }
func _(v tasks.ResearchArgs, f *int)      { v.Pause, f = f, v.Pause }
func _(v tasks.ResearchArgs, f *int)      { v.Polls, f = f, v.Polls }
func _(v tasks.ResearchArgs, f *int)      { v.TTL, f = f, v.TTL }
func _(v tasks.ResearchArgsEnd, u string) { v, u = tasks.ResearchArgsEnd(u), (string)(v) }

var _ tasks.End = tasks.ResearchArgsEndCancelled
var _ tasks.End = tasks.ResearchArgsEndError
var _ tasks.End = tasks.ResearchArgsEndNever
var _ tasks.End = tasks.ResearchArgsEndNow
var _ tasks.End = tasks.ResearchArgsEndRefusal
var _ tasks.End = tasks.ResearchArgsEndReport
var _ = tasks.ResearchResult{}

func _(v tasks.ResearchResult, f string)                     { v.Report, f = f, v.Report }
func _(v tasks.ResearchResult, f *string)                    { v.For, f = f, v.For }
func _(v tasks.ResearchResult, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*tasks.ResearchResult).UnmarshalJSON
var _ = (*tasks.ResearchResult).MarshalJSON
var _ func(id string) *runtime.Task[*tasks.EchoResult] = tasks.ResumeEcho
var _ func(id string) *runtime.Task[*runtime.Result] = tasks.ResumeMaybe
var _ func(id string) *runtime.Task[*tasks.ResearchResult] = tasks.ResumeResearch
var _ func(ctx context.Context, args tasks.EchoArgs, opts ...runtime.CallOption) (*runtime.Task[*tasks.EchoResult], error) = tasks.StartEcho
var _ func(ctx context.Context, args tasks.MaybeArgs, opts ...runtime.CallOption) (*runtime.Task[*runtime.Result], error) = tasks.StartMaybe
var _ func(ctx context.Context, args tasks.ResearchArgs, opts ...runtime.CallOption) (*runtime.Task[*tasks.ResearchResult], error) = tasks.StartResearch
var _ func(inv runtime.Invoker) []runtime.Tool = tasks.Tools
