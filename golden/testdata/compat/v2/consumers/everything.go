// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"example.com/app/mcp/everything"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ = everything.Client{}
var _ = (*everything.Client).Echo
var _ = (*everything.Client).GetAnnotatedMessage
var _ = (*everything.Client).GetEnv
var _ = (*everything.Client).GetResourceLinks
var _ = (*everything.Client).GetResourceReference
var _ = (*everything.Client).GetRootsList
var _ = (*everything.Client).GetStructuredContent
var _ = (*everything.Client).GetSum
var _ = (*everything.Client).GetTinyImage
var _ = (*everything.Client).GzipFileAsResource
var _ = (*everything.Client).SimulateResearchQuery
var _ = (*everything.Client).ToggleSimulatedLogging
var _ = (*everything.Client).ToggleSubscriberUpdates
var _ = (*everything.Client).TriggerElicitationRequest
var _ = (*everything.Client).TriggerLongRunningOperation
var _ = (*everything.Client).TriggerSamplingRequest
var _ func(ctx context.Context, args everything.EchoArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.Echo
var _ = everything.EchoArgs{}

func _(v everything.EchoArgs, f string) { v.Message, f = f, v.Message }

var _ func(ctx context.Context, args everything.GetAnnotatedMessageArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.GetAnnotatedMessage
var _ = everything.GetAnnotatedMessageArgs{}

func _(v everything.GetAnnotatedMessageArgs, f everything.GetAnnotatedMessageArgsMessageType) {
	v.MessageType, f = f, v.MessageType
}
func _(v everything.GetAnnotatedMessageArgs, f bool) { v.IncludeImage, f = f, v.IncludeImage }
func _(v everything.GetAnnotatedMessageArgsMessageType, u string) {
	v, u = everything.GetAnnotatedMessageArgsMessageType(u), (string)(v)
}

var _ everything.GetAnnotatedMessageArgsMessageType = everything.GetAnnotatedMessageArgsMessageTypeDebug
var _ everything.GetAnnotatedMessageArgsMessageType = everything.GetAnnotatedMessageArgsMessageTypeError
var _ everything.GetAnnotatedMessageArgsMessageType = everything.GetAnnotatedMessageArgsMessageTypeSuccess
var _ func(ctx context.Context, args everything.GetEnvArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.GetEnv
var _ = everything.GetEnvArgs{}
var _ func(ctx context.Context, args everything.GetResourceLinksArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.GetResourceLinks
var _ = everything.GetResourceLinksArgs{}

func _(v everything.GetResourceLinksArgs, f float64) { v.Count, f = f, v.Count }

var _ func(ctx context.Context, args everything.GetResourceReferenceArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.GetResourceReference
var _ = everything.GetResourceReferenceArgs{}

func _(v everything.GetResourceReferenceArgs, f *float64) { v.ResourceID, f = f, v.ResourceID }
func _(v everything.GetResourceReferenceArgs, f everything.GetResourceReferenceArgsResourceType) {
	v.ResourceType, f = f, v.ResourceType
}
func _(v everything.GetResourceReferenceArgsResourceType, u string) {
	v, u = everything.GetResourceReferenceArgsResourceType(u), (string)(v)
}

var _ everything.GetResourceReferenceArgsResourceType = everything.GetResourceReferenceArgsResourceTypeBlob
var _ everything.GetResourceReferenceArgsResourceType = everything.GetResourceReferenceArgsResourceTypeText
var _ func(ctx context.Context, args everything.GetRootsListArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.GetRootsList
var _ = everything.GetRootsListArgs{}
var _ func(ctx context.Context, args everything.GetStructuredContentArgs, opts ...runtime.CallOption) (*everything.GetStructuredContentResult, error) = everything.GetStructuredContent
var _ = everything.GetStructuredContentArgs{}

func _(v everything.GetStructuredContentArgs, f everything.GetStructuredContentArgsLocation) {
	v.Location, f = f, v.Location
}
func _(v everything.GetStructuredContentArgsLocation, u string) {
	v, u = everything.GetStructuredContentArgsLocation(u), (string)(v)
}

var _ everything.GetStructuredContentArgsLocation = everything.GetStructuredContentArgsLocationChicago
var _ everything.GetStructuredContentArgsLocation = everything.GetStructuredContentArgsLocationLosAngeles
var _ everything.GetStructuredContentArgsLocation = everything.GetStructuredContentArgsLocationNewYork
var _ = everything.GetStructuredContentResult{}

func _(v everything.GetStructuredContentResult, f string)  { v.Conditions, f = f, v.Conditions }
func _(v everything.GetStructuredContentResult, f float64) { v.Humidity, f = f, v.Humidity }
func _(v everything.GetStructuredContentResult, f float64) { v.Temperature, f = f, v.Temperature }

var _ = (*everything.GetStructuredContentResult).UnmarshalJSON
var _ func(ctx context.Context, args everything.GetSumArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.GetSum
var _ = everything.GetSumArgs{}

func _(v everything.GetSumArgs, f float64) { v.A, f = f, v.A }
func _(v everything.GetSumArgs, f float64) { v.B, f = f, v.B }

var _ func(ctx context.Context, args everything.GetTinyImageArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.GetTinyImage
var _ = everything.GetTinyImageArgs{}
var _ func(ctx context.Context, args everything.GzipFileAsResourceArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.GzipFileAsResource
var _ = everything.GzipFileAsResourceArgs{}

func _(v everything.GzipFileAsResourceArgs, f *string) { v.Data, f = f, v.Data }
func _(v everything.GzipFileAsResourceArgs, f *string) { v.Name, f = f, v.Name }
func _(v everything.GzipFileAsResourceArgs, f everything.GzipFileAsResourceArgsOutputType) {
	v.OutputType, f = f, v.OutputType
}
func _(v everything.GzipFileAsResourceArgsOutputType, u string) {
	v, u = everything.GzipFileAsResourceArgsOutputType(u), (string)(v)
}

var _ everything.GzipFileAsResourceArgsOutputType = everything.GzipFileAsResourceArgsOutputTypeResource
var _ everything.GzipFileAsResourceArgsOutputType = everything.GzipFileAsResourceArgsOutputTypeResourceLink
var _ func() *runtime.Manifest = everything.Manifest
var _ func(inv runtime.Invoker) *everything.Client = everything.New
var _ func(ctx context.Context, args everything.SimulateResearchQueryArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.SimulateResearchQuery
var _ = everything.SimulateResearchQueryArgs{}

func _(v everything.SimulateResearchQueryArgs, f string) { v.Topic, f = f, v.Topic }
func _(v everything.SimulateResearchQueryArgs, f bool)   { v.Ambiguous, f = f, v.Ambiguous }

var _ func(ctx context.Context, args everything.ToggleSimulatedLoggingArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ToggleSimulatedLogging
var _ = everything.ToggleSimulatedLoggingArgs{}
var _ func(ctx context.Context, args everything.ToggleSubscriberUpdatesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.ToggleSubscriberUpdates
var _ = everything.ToggleSubscriberUpdatesArgs{}
var _ func(inv runtime.Invoker) []runtime.Tool = everything.Tools
var _ func(ctx context.Context, args everything.TriggerElicitationRequestArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.TriggerElicitationRequest
var _ = everything.TriggerElicitationRequestArgs{}
var _ func(ctx context.Context, args everything.TriggerLongRunningOperationArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.TriggerLongRunningOperation
var _ = everything.TriggerLongRunningOperationArgs{}

func _(v everything.TriggerLongRunningOperationArgs, f *float64) { v.Duration, f = f, v.Duration }
func _(v everything.TriggerLongRunningOperationArgs, f *float64) { v.Steps, f = f, v.Steps }

var _ func(ctx context.Context, args everything.TriggerSamplingRequestArgs, opts ...runtime.CallOption) (*runtime.Result, error) = everything.TriggerSamplingRequest
var _ = everything.TriggerSamplingRequestArgs{}

func _(v everything.TriggerSamplingRequestArgs, f string)   { v.Prompt, f = f, v.Prompt }
func _(v everything.TriggerSamplingRequestArgs, f *float64) { v.MaxTokens, f = f, v.MaxTokens }
