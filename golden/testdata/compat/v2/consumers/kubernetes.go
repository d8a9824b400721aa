// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"example.com/app/mcp/kubernetes"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ func(ctx context.Context, args kubernetes.CleanupArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.Cleanup
var _ = kubernetes.CleanupArgs{}
var _ = kubernetes.Client{}
var _ = (*kubernetes.Client).Cleanup
var _ = (*kubernetes.Client).ExecInPod
var _ = (*kubernetes.Client).ExplainResource
var _ = (*kubernetes.Client).InstallHelmChart
var _ = (*kubernetes.Client).KubectlApply
var _ = (*kubernetes.Client).KubectlContext
var _ = (*kubernetes.Client).KubectlCreate
var _ = (*kubernetes.Client).KubectlDelete
var _ = (*kubernetes.Client).KubectlDescribe
var _ = (*kubernetes.Client).KubectlGeneric
var _ = (*kubernetes.Client).KubectlGet
var _ = (*kubernetes.Client).KubectlLogs
var _ = (*kubernetes.Client).KubectlPatch
var _ = (*kubernetes.Client).KubectlReconnect
var _ = (*kubernetes.Client).KubectlRollout
var _ = (*kubernetes.Client).KubectlScale
var _ = (*kubernetes.Client).ListAPIResources
var _ = (*kubernetes.Client).NodeManagement
var _ = (*kubernetes.Client).Ping
var _ = (*kubernetes.Client).PortForward
var _ = (*kubernetes.Client).StopPortForward
var _ = (*kubernetes.Client).UninstallHelmChart
var _ = (*kubernetes.Client).UpgradeHelmChart
var _ func(ctx context.Context, args kubernetes.ExecInPodArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.ExecInPod
var _ = kubernetes.ExecInPodArgs{}

func _(v kubernetes.ExecInPodArgs, f []string) { v.Command, f = f, v.Command }
func _(v kubernetes.ExecInPodArgs, f string)   { v.Name, f = f, v.Name }
func _(v kubernetes.ExecInPodArgs, f *string)  { v.Container, f = f, v.Container }
func _(v kubernetes.ExecInPodArgs, f string)   { v.Context, f = f, v.Context }
func _(v kubernetes.ExecInPodArgs, f *string)  { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.ExecInPodArgs, f *float64) { v.Timeout, f = f, v.Timeout }

var _ func(ctx context.Context, args kubernetes.ExplainResourceArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.ExplainResource
var _ = kubernetes.ExplainResourceArgs{}

func _(v kubernetes.ExplainResourceArgs, f string)  { v.Resource, f = f, v.Resource }
func _(v kubernetes.ExplainResourceArgs, f *string) { v.APIVersion, f = f, v.APIVersion }
func _(v kubernetes.ExplainResourceArgs, f string)  { v.Context, f = f, v.Context }
func _(v kubernetes.ExplainResourceArgs, f kubernetes.ExplainResourceArgsOutput) {
	v.Output, f = f, v.Output
}
func _(v kubernetes.ExplainResourceArgs, f bool) { v.Recursive, f = f, v.Recursive }
func _(v kubernetes.ExplainResourceArgsOutput, u string) {
	v, u = kubernetes.ExplainResourceArgsOutput(u), (string)(v)
}

var _ kubernetes.ExplainResourceArgsOutput = kubernetes.ExplainResourceArgsOutputPlaintext
var _ kubernetes.ExplainResourceArgsOutput = kubernetes.ExplainResourceArgsOutputPlaintextOpenapiv2
var _ func(ctx context.Context, args kubernetes.InstallHelmChartArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.InstallHelmChart
var _ = kubernetes.InstallHelmChartArgs{}

func _(v kubernetes.InstallHelmChartArgs, f string)         { v.Chart, f = f, v.Chart }
func _(v kubernetes.InstallHelmChartArgs, f string)         { v.Name, f = f, v.Name }
func _(v kubernetes.InstallHelmChartArgs, f string)         { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.InstallHelmChartArgs, f string)         { v.Context, f = f, v.Context }
func _(v kubernetes.InstallHelmChartArgs, f *bool)          { v.CreateNamespace, f = f, v.CreateNamespace }
func _(v kubernetes.InstallHelmChartArgs, f *string)        { v.Repo, f = f, v.Repo }
func _(v kubernetes.InstallHelmChartArgs, f bool)           { v.UseTemplate, f = f, v.UseTemplate }
func _(v kubernetes.InstallHelmChartArgs, f map[string]any) { v.Values, f = f, v.Values }
func _(v kubernetes.InstallHelmChartArgs, f *string)        { v.ValuesFile, f = f, v.ValuesFile }

var _ func(ctx context.Context, args kubernetes.KubectlApplyArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlApply
var _ = kubernetes.KubectlApplyArgs{}

func _(v kubernetes.KubectlApplyArgs, f string)  { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlApplyArgs, f bool)    { v.DryRun, f = f, v.DryRun }
func _(v kubernetes.KubectlApplyArgs, f *string) { v.Filename, f = f, v.Filename }
func _(v kubernetes.KubectlApplyArgs, f bool)    { v.Force, f = f, v.Force }
func _(v kubernetes.KubectlApplyArgs, f *string) { v.Manifest, f = f, v.Manifest }
func _(v kubernetes.KubectlApplyArgs, f *string) { v.Namespace, f = f, v.Namespace }

var _ func(ctx context.Context, args kubernetes.KubectlContextArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlContext
var _ = kubernetes.KubectlContextArgs{}

func _(v kubernetes.KubectlContextArgs, f kubernetes.KubectlContextArgsOperation) {
	v.Operation, f = f, v.Operation
}
func _(v kubernetes.KubectlContextArgs, f bool)    { v.Detailed, f = f, v.Detailed }
func _(v kubernetes.KubectlContextArgs, f *string) { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlContextArgs, f kubernetes.KubectlContextArgsOutput) {
	v.Output, f = f, v.Output
}
func _(v kubernetes.KubectlContextArgs, f *bool) { v.ShowCurrent, f = f, v.ShowCurrent }
func _(v kubernetes.KubectlContextArgsOperation, u string) {
	v, u = kubernetes.KubectlContextArgsOperation(u), (string)(v)
}

var _ kubernetes.KubectlContextArgsOperation = kubernetes.KubectlContextArgsOperationGet
var _ kubernetes.KubectlContextArgsOperation = kubernetes.KubectlContextArgsOperationList
var _ kubernetes.KubectlContextArgsOperation = kubernetes.KubectlContextArgsOperationSet

func _(v kubernetes.KubectlContextArgsOutput, u string) {
	v, u = kubernetes.KubectlContextArgsOutput(u), (string)(v)
}

var _ kubernetes.KubectlContextArgsOutput = kubernetes.KubectlContextArgsOutputCustom
var _ kubernetes.KubectlContextArgsOutput = kubernetes.KubectlContextArgsOutputJSON
var _ kubernetes.KubectlContextArgsOutput = kubernetes.KubectlContextArgsOutputName
var _ kubernetes.KubectlContextArgsOutput = kubernetes.KubectlContextArgsOutputYAML
var _ func(ctx context.Context, args kubernetes.KubectlCreateArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlCreate
var _ = kubernetes.KubectlCreateArgs{}

func _(v kubernetes.KubectlCreateArgs, f []string) { v.Annotations, f = f, v.Annotations }
func _(v kubernetes.KubectlCreateArgs, f []string) { v.Command, f = f, v.Command }
func _(v kubernetes.KubectlCreateArgs, f string)   { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlCreateArgs, f bool)     { v.DryRun, f = f, v.DryRun }
func _(v kubernetes.KubectlCreateArgs, f *string)  { v.Filename, f = f, v.Filename }
func _(v kubernetes.KubectlCreateArgs, f []string) { v.FromFile, f = f, v.FromFile }
func _(v kubernetes.KubectlCreateArgs, f []kubernetes.KubectlCreateArgsFromFileContentItem) {
	v.FromFileContent, f = f, v.FromFileContent
}
func _(v kubernetes.KubectlCreateArgs, f []string) { v.FromLiteral, f = f, v.FromLiteral }
func _(v kubernetes.KubectlCreateArgs, f *string)  { v.Image, f = f, v.Image }
func _(v kubernetes.KubectlCreateArgs, f []string) { v.Labels, f = f, v.Labels }
func _(v kubernetes.KubectlCreateArgs, f *string)  { v.Manifest, f = f, v.Manifest }
func _(v kubernetes.KubectlCreateArgs, f *string)  { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlCreateArgs, f *string)  { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.KubectlCreateArgs, f kubernetes.KubectlCreateArgsOutput) {
	v.Output, f = f, v.Output
}
func _(v kubernetes.KubectlCreateArgs, f *float64) { v.Port, f = f, v.Port }
func _(v kubernetes.KubectlCreateArgs, f *float64) { v.Replicas, f = f, v.Replicas }
func _(v kubernetes.KubectlCreateArgs, f *string)  { v.ResourceType, f = f, v.ResourceType }
func _(v kubernetes.KubectlCreateArgs, f *string)  { v.Schedule, f = f, v.Schedule }
func _(v kubernetes.KubectlCreateArgs, f kubernetes.KubectlCreateArgsSecretType) {
	v.SecretType, f = f, v.SecretType
}
func _(v kubernetes.KubectlCreateArgs, f kubernetes.KubectlCreateArgsServiceType) {
	v.ServiceType, f = f, v.ServiceType
}
func _(v kubernetes.KubectlCreateArgs, f bool)     { v.Suspend, f = f, v.Suspend }
func _(v kubernetes.KubectlCreateArgs, f []string) { v.TCPPort, f = f, v.TCPPort }
func _(v kubernetes.KubectlCreateArgs, f *bool)    { v.Validate, f = f, v.Validate }

var _ = kubernetes.KubectlCreateArgsFromFileContentItem{}

func _(v kubernetes.KubectlCreateArgsFromFileContentItem, f string) { v.Content, f = f, v.Content }
func _(v kubernetes.KubectlCreateArgsFromFileContentItem, f string) { v.Key, f = f, v.Key }
func _(v kubernetes.KubectlCreateArgsOutput, u string) {
	v, u = kubernetes.KubectlCreateArgsOutput(u), (string)(v)
}

var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputGoTemplate
var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputGoTemplateFile
var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputJSON
var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputJsonpath
var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputJsonpathAsJSON
var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputJsonpathFile
var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputName
var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputTemplate
var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputTemplatefile
var _ kubernetes.KubectlCreateArgsOutput = kubernetes.KubectlCreateArgsOutputYAML

func _(v kubernetes.KubectlCreateArgsSecretType, u string) {
	v, u = kubernetes.KubectlCreateArgsSecretType(u), (string)(v)
}

var _ kubernetes.KubectlCreateArgsSecretType = kubernetes.KubectlCreateArgsSecretTypeDockerRegistry
var _ kubernetes.KubectlCreateArgsSecretType = kubernetes.KubectlCreateArgsSecretTypeGeneric
var _ kubernetes.KubectlCreateArgsSecretType = kubernetes.KubectlCreateArgsSecretTypeTLS

func _(v kubernetes.KubectlCreateArgsServiceType, u string) {
	v, u = kubernetes.KubectlCreateArgsServiceType(u), (string)(v)
}

var _ kubernetes.KubectlCreateArgsServiceType = kubernetes.KubectlCreateArgsServiceTypeClusterip
var _ kubernetes.KubectlCreateArgsServiceType = kubernetes.KubectlCreateArgsServiceTypeExternalname
var _ kubernetes.KubectlCreateArgsServiceType = kubernetes.KubectlCreateArgsServiceTypeLoadbalancer
var _ kubernetes.KubectlCreateArgsServiceType = kubernetes.KubectlCreateArgsServiceTypeNodeport
var _ func(ctx context.Context, args kubernetes.KubectlDeleteArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlDelete
var _ = kubernetes.KubectlDeleteArgs{}

func _(v kubernetes.KubectlDeleteArgs, f bool)     { v.AllNamespaces, f = f, v.AllNamespaces }
func _(v kubernetes.KubectlDeleteArgs, f string)   { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlDeleteArgs, f *string)  { v.Filename, f = f, v.Filename }
func _(v kubernetes.KubectlDeleteArgs, f bool)     { v.Force, f = f, v.Force }
func _(v kubernetes.KubectlDeleteArgs, f *float64) { v.GracePeriodSeconds, f = f, v.GracePeriodSeconds }
func _(v kubernetes.KubectlDeleteArgs, f *string)  { v.LabelSelector, f = f, v.LabelSelector }
func _(v kubernetes.KubectlDeleteArgs, f *string)  { v.Manifest, f = f, v.Manifest }
func _(v kubernetes.KubectlDeleteArgs, f *string)  { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlDeleteArgs, f *string)  { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.KubectlDeleteArgs, f *string)  { v.ResourceType, f = f, v.ResourceType }

var _ func(ctx context.Context, args kubernetes.KubectlDescribeArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlDescribe
var _ = kubernetes.KubectlDescribeArgs{}

func _(v kubernetes.KubectlDescribeArgs, f string)  { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlDescribeArgs, f string)  { v.ResourceType, f = f, v.ResourceType }
func _(v kubernetes.KubectlDescribeArgs, f bool)    { v.AllNamespaces, f = f, v.AllNamespaces }
func _(v kubernetes.KubectlDescribeArgs, f string)  { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlDescribeArgs, f *string) { v.Namespace, f = f, v.Namespace }

var _ func(ctx context.Context, args kubernetes.KubectlGenericArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlGeneric
var _ = kubernetes.KubectlGenericArgs{}

func _(v kubernetes.KubectlGenericArgs, f string)         { v.Command, f = f, v.Command }
func _(v kubernetes.KubectlGenericArgs, f bool)           { v.AllNamespaces, f = f, v.AllNamespaces }
func _(v kubernetes.KubectlGenericArgs, f []string)       { v.Args, f = f, v.Args }
func _(v kubernetes.KubectlGenericArgs, f string)         { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlGenericArgs, f map[string]any) { v.Flags, f = f, v.Flags }
func _(v kubernetes.KubectlGenericArgs, f *string)        { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlGenericArgs, f *string)        { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.KubectlGenericArgs, f kubernetes.KubectlGenericArgsOutputFormat) {
	v.OutputFormat, f = f, v.OutputFormat
}
func _(v kubernetes.KubectlGenericArgs, f *string) { v.ResourceType, f = f, v.ResourceType }
func _(v kubernetes.KubectlGenericArgs, f *string) { v.SubCommand, f = f, v.SubCommand }
func _(v kubernetes.KubectlGenericArgsOutputFormat, u string) {
	v, u = kubernetes.KubectlGenericArgsOutputFormat(u), (string)(v)
}

var _ kubernetes.KubectlGenericArgsOutputFormat = kubernetes.KubectlGenericArgsOutputFormatCustom
var _ kubernetes.KubectlGenericArgsOutputFormat = kubernetes.KubectlGenericArgsOutputFormatJSON
var _ kubernetes.KubectlGenericArgsOutputFormat = kubernetes.KubectlGenericArgsOutputFormatName
var _ kubernetes.KubectlGenericArgsOutputFormat = kubernetes.KubectlGenericArgsOutputFormatWide
var _ kubernetes.KubectlGenericArgsOutputFormat = kubernetes.KubectlGenericArgsOutputFormatYAML
var _ func(ctx context.Context, args kubernetes.KubectlGetArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlGet
var _ = kubernetes.KubectlGetArgs{}

func _(v kubernetes.KubectlGetArgs, f string)                          { v.ResourceType, f = f, v.ResourceType }
func _(v kubernetes.KubectlGetArgs, f bool)                            { v.AllNamespaces, f = f, v.AllNamespaces }
func _(v kubernetes.KubectlGetArgs, f string)                          { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlGetArgs, f *string)                         { v.FieldSelector, f = f, v.FieldSelector }
func _(v kubernetes.KubectlGetArgs, f *string)                         { v.LabelSelector, f = f, v.LabelSelector }
func _(v kubernetes.KubectlGetArgs, f *string)                         { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlGetArgs, f *string)                         { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.KubectlGetArgs, f kubernetes.KubectlGetArgsOutput) { v.Output, f = f, v.Output }
func _(v kubernetes.KubectlGetArgs, f *string)                         { v.SortBy, f = f, v.SortBy }
func _(v kubernetes.KubectlGetArgsOutput, u string) {
	v, u = kubernetes.KubectlGetArgsOutput(u), (string)(v)
}

var _ kubernetes.KubectlGetArgsOutput = kubernetes.KubectlGetArgsOutputCustom
var _ kubernetes.KubectlGetArgsOutput = kubernetes.KubectlGetArgsOutputJSON
var _ kubernetes.KubectlGetArgsOutput = kubernetes.KubectlGetArgsOutputName
var _ kubernetes.KubectlGetArgsOutput = kubernetes.KubectlGetArgsOutputWide
var _ kubernetes.KubectlGetArgsOutput = kubernetes.KubectlGetArgsOutputYAML
var _ func(ctx context.Context, args kubernetes.KubectlLogsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlLogs
var _ = kubernetes.KubectlLogsArgs{}

func _(v kubernetes.KubectlLogsArgs, f string) { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlLogsArgs, f string) { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.KubectlLogsArgs, f kubernetes.KubectlLogsArgsResourceType) {
	v.ResourceType, f = f, v.ResourceType
}
func _(v kubernetes.KubectlLogsArgs, f *string)  { v.Container, f = f, v.Container }
func _(v kubernetes.KubectlLogsArgs, f string)   { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlLogsArgs, f bool)     { v.Follow, f = f, v.Follow }
func _(v kubernetes.KubectlLogsArgs, f *string)  { v.LabelSelector, f = f, v.LabelSelector }
func _(v kubernetes.KubectlLogsArgs, f bool)     { v.Previous, f = f, v.Previous }
func _(v kubernetes.KubectlLogsArgs, f *string)  { v.Since, f = f, v.Since }
func _(v kubernetes.KubectlLogsArgs, f *string)  { v.SinceTime, f = f, v.SinceTime }
func _(v kubernetes.KubectlLogsArgs, f *float64) { v.Tail, f = f, v.Tail }
func _(v kubernetes.KubectlLogsArgs, f bool)     { v.Timestamps, f = f, v.Timestamps }
func _(v kubernetes.KubectlLogsArgsResourceType, u string) {
	v, u = kubernetes.KubectlLogsArgsResourceType(u), (string)(v)
}

var _ kubernetes.KubectlLogsArgsResourceType = kubernetes.KubectlLogsArgsResourceTypeCronjob
var _ kubernetes.KubectlLogsArgsResourceType = kubernetes.KubectlLogsArgsResourceTypeDeployment
var _ kubernetes.KubectlLogsArgsResourceType = kubernetes.KubectlLogsArgsResourceTypeJob
var _ kubernetes.KubectlLogsArgsResourceType = kubernetes.KubectlLogsArgsResourceTypePod
var _ func(ctx context.Context, args kubernetes.KubectlPatchArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlPatch
var _ = kubernetes.KubectlPatchArgs{}

func _(v kubernetes.KubectlPatchArgs, f string)         { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlPatchArgs, f string)         { v.ResourceType, f = f, v.ResourceType }
func _(v kubernetes.KubectlPatchArgs, f string)         { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlPatchArgs, f bool)           { v.DryRun, f = f, v.DryRun }
func _(v kubernetes.KubectlPatchArgs, f *string)        { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.KubectlPatchArgs, f map[string]any) { v.PatchData, f = f, v.PatchData }
func _(v kubernetes.KubectlPatchArgs, f *string)        { v.PatchFile, f = f, v.PatchFile }
func _(v kubernetes.KubectlPatchArgs, f kubernetes.KubectlPatchArgsPatchType) {
	v.PatchType, f = f, v.PatchType
}
func _(v kubernetes.KubectlPatchArgsPatchType, u string) {
	v, u = kubernetes.KubectlPatchArgsPatchType(u), (string)(v)
}

var _ kubernetes.KubectlPatchArgsPatchType = kubernetes.KubectlPatchArgsPatchTypeJSON
var _ kubernetes.KubectlPatchArgsPatchType = kubernetes.KubectlPatchArgsPatchTypeMerge
var _ kubernetes.KubectlPatchArgsPatchType = kubernetes.KubectlPatchArgsPatchTypeStrategic
var _ func(ctx context.Context, args kubernetes.KubectlReconnectArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlReconnect
var _ = kubernetes.KubectlReconnectArgs{}
var _ func(ctx context.Context, args kubernetes.KubectlRolloutArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlRollout
var _ = kubernetes.KubectlRolloutArgs{}

func _(v kubernetes.KubectlRolloutArgs, f string) { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlRolloutArgs, f string) { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.KubectlRolloutArgs, f kubernetes.KubectlRolloutArgsResourceType) {
	v.ResourceType, f = f, v.ResourceType
}
func _(v kubernetes.KubectlRolloutArgs, f kubernetes.KubectlRolloutArgsSubCommand) {
	v.SubCommand, f = f, v.SubCommand
}
func _(v kubernetes.KubectlRolloutArgs, f string)   { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlRolloutArgs, f *float64) { v.Revision, f = f, v.Revision }
func _(v kubernetes.KubectlRolloutArgs, f *string)  { v.Timeout, f = f, v.Timeout }
func _(v kubernetes.KubectlRolloutArgs, f *float64) { v.ToRevision, f = f, v.ToRevision }
func _(v kubernetes.KubectlRolloutArgs, f bool)     { v.Watch, f = f, v.Watch }
func _(v kubernetes.KubectlRolloutArgsResourceType, u string) {
	v, u = kubernetes.KubectlRolloutArgsResourceType(u), (string)(v)
}

var _ kubernetes.KubectlRolloutArgsResourceType = kubernetes.KubectlRolloutArgsResourceTypeDaemonset
var _ kubernetes.KubectlRolloutArgsResourceType = kubernetes.KubectlRolloutArgsResourceTypeDeployment
var _ kubernetes.KubectlRolloutArgsResourceType = kubernetes.KubectlRolloutArgsResourceTypeStatefulset

func _(v kubernetes.KubectlRolloutArgsSubCommand, u string) {
	v, u = kubernetes.KubectlRolloutArgsSubCommand(u), (string)(v)
}

var _ kubernetes.KubectlRolloutArgsSubCommand = kubernetes.KubectlRolloutArgsSubCommandHistory
var _ kubernetes.KubectlRolloutArgsSubCommand = kubernetes.KubectlRolloutArgsSubCommandPause
var _ kubernetes.KubectlRolloutArgsSubCommand = kubernetes.KubectlRolloutArgsSubCommandRestart
var _ kubernetes.KubectlRolloutArgsSubCommand = kubernetes.KubectlRolloutArgsSubCommandResume
var _ kubernetes.KubectlRolloutArgsSubCommand = kubernetes.KubectlRolloutArgsSubCommandStatus
var _ kubernetes.KubectlRolloutArgsSubCommand = kubernetes.KubectlRolloutArgsSubCommandUndo
var _ func(ctx context.Context, args kubernetes.KubectlScaleArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.KubectlScale
var _ = kubernetes.KubectlScaleArgs{}

func _(v kubernetes.KubectlScaleArgs, f string)  { v.Name, f = f, v.Name }
func _(v kubernetes.KubectlScaleArgs, f float64) { v.Replicas, f = f, v.Replicas }
func _(v kubernetes.KubectlScaleArgs, f string)  { v.Context, f = f, v.Context }
func _(v kubernetes.KubectlScaleArgs, f *string) { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.KubectlScaleArgs, f *string) { v.ResourceType, f = f, v.ResourceType }

var _ func(ctx context.Context, args kubernetes.ListAPIResourcesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.ListAPIResources
var _ = kubernetes.ListAPIResourcesArgs{}

func _(v kubernetes.ListAPIResourcesArgs, f *string) { v.APIGroup, f = f, v.APIGroup }
func _(v kubernetes.ListAPIResourcesArgs, f string)  { v.Context, f = f, v.Context }
func _(v kubernetes.ListAPIResourcesArgs, f *bool)   { v.Namespaced, f = f, v.Namespaced }
func _(v kubernetes.ListAPIResourcesArgs, f kubernetes.ListAPIResourcesArgsOutput) {
	v.Output, f = f, v.Output
}
func _(v kubernetes.ListAPIResourcesArgs, f []string) { v.Verbs, f = f, v.Verbs }
func _(v kubernetes.ListAPIResourcesArgsOutput, u string) {
	v, u = kubernetes.ListAPIResourcesArgsOutput(u), (string)(v)
}

var _ kubernetes.ListAPIResourcesArgsOutput = kubernetes.ListAPIResourcesArgsOutputName
var _ kubernetes.ListAPIResourcesArgsOutput = kubernetes.ListAPIResourcesArgsOutputNoHeaders
var _ kubernetes.ListAPIResourcesArgsOutput = kubernetes.ListAPIResourcesArgsOutputWide
var _ func() *runtime.Manifest = kubernetes.Manifest
var _ func(inv runtime.Invoker) *kubernetes.Client = kubernetes.New
var _ func(ctx context.Context, args kubernetes.NodeManagementArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.NodeManagement
var _ = kubernetes.NodeManagementArgs{}

func _(v kubernetes.NodeManagementArgs, f kubernetes.NodeManagementArgsOperation) {
	v.Operation, f = f, v.Operation
}
func _(v kubernetes.NodeManagementArgs, f bool)     { v.ConfirmDrain, f = f, v.ConfirmDrain }
func _(v kubernetes.NodeManagementArgs, f bool)     { v.DeleteLocalData, f = f, v.DeleteLocalData }
func _(v kubernetes.NodeManagementArgs, f bool)     { v.DryRun, f = f, v.DryRun }
func _(v kubernetes.NodeManagementArgs, f bool)     { v.Force, f = f, v.Force }
func _(v kubernetes.NodeManagementArgs, f *float64) { v.GracePeriod, f = f, v.GracePeriod }
func _(v kubernetes.NodeManagementArgs, f *bool)    { v.IgnoreDaemonsets, f = f, v.IgnoreDaemonsets }
func _(v kubernetes.NodeManagementArgs, f *string)  { v.NodeName, f = f, v.NodeName }
func _(v kubernetes.NodeManagementArgs, f *string)  { v.Timeout, f = f, v.Timeout }
func _(v kubernetes.NodeManagementArgsOperation, u string) {
	v, u = kubernetes.NodeManagementArgsOperation(u), (string)(v)
}

var _ kubernetes.NodeManagementArgsOperation = kubernetes.NodeManagementArgsOperationCordon
var _ kubernetes.NodeManagementArgsOperation = kubernetes.NodeManagementArgsOperationDrain
var _ kubernetes.NodeManagementArgsOperation = kubernetes.NodeManagementArgsOperationUncordon
var _ func(ctx context.Context, args kubernetes.PingArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.Ping
var _ = kubernetes.PingArgs{}
var _ func(ctx context.Context, args kubernetes.PortForwardArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.PortForward
var _ = kubernetes.PortForwardArgs{}

func _(v kubernetes.PortForwardArgs, f float64) { v.LocalPort, f = f, v.LocalPort }
func _(v kubernetes.PortForwardArgs, f string)  { v.ResourceName, f = f, v.ResourceName }
func _(v kubernetes.PortForwardArgs, f string)  { v.ResourceType, f = f, v.ResourceType }
func _(v kubernetes.PortForwardArgs, f float64) { v.TargetPort, f = f, v.TargetPort }
func _(v kubernetes.PortForwardArgs, f *string) { v.Namespace, f = f, v.Namespace }

var _ func(ctx context.Context, args kubernetes.StopPortForwardArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.StopPortForward
var _ = kubernetes.StopPortForwardArgs{}

func _(v kubernetes.StopPortForwardArgs, f string) { v.ID, f = f, v.ID }

var _ func(inv runtime.Invoker) []runtime.Tool = kubernetes.Tools
var _ func(ctx context.Context, args kubernetes.UninstallHelmChartArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.UninstallHelmChart
var _ = kubernetes.UninstallHelmChartArgs{}

func _(v kubernetes.UninstallHelmChartArgs, f string) { v.Name, f = f, v.Name }
func _(v kubernetes.UninstallHelmChartArgs, f string) { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.UninstallHelmChartArgs, f string) { v.Context, f = f, v.Context }

var _ func(ctx context.Context, args kubernetes.UpgradeHelmChartArgs, opts ...runtime.CallOption) (*runtime.Result, error) = kubernetes.UpgradeHelmChart
var _ = kubernetes.UpgradeHelmChartArgs{}

func _(v kubernetes.UpgradeHelmChartArgs, f string)         { v.Chart, f = f, v.Chart }
func _(v kubernetes.UpgradeHelmChartArgs, f string)         { v.Name, f = f, v.Name }
func _(v kubernetes.UpgradeHelmChartArgs, f string)         { v.Namespace, f = f, v.Namespace }
func _(v kubernetes.UpgradeHelmChartArgs, f string)         { v.Context, f = f, v.Context }
func _(v kubernetes.UpgradeHelmChartArgs, f *string)        { v.Repo, f = f, v.Repo }
func _(v kubernetes.UpgradeHelmChartArgs, f map[string]any) { v.Values, f = f, v.Values }
func _(v kubernetes.UpgradeHelmChartArgs, f *string)        { v.ValuesFile, f = f, v.ValuesFile }
