// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"encoding/json"
	"example.com/app/mcp/github"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ func(ctx context.Context, args github.ActionsGetArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ActionsGet
var _ = github.ActionsGetArgs{}

func _(v github.ActionsGetArgs, f github.ActionsGetArgsMethod) { v.Method, f = f, v.Method }
func _(v github.ActionsGetArgs, f string)                      { v.Owner, f = f, v.Owner }
func _(v github.ActionsGetArgs, f string)                      { v.Repo, f = f, v.Repo }
func _(v github.ActionsGetArgs, f string)                      { v.ResourceID, f = f, v.ResourceID }
func _(v github.ActionsGetArgsMethod, u string)                { v, u = github.ActionsGetArgsMethod(u), (string)(v) }

var _ github.ActionsGetArgsMethod = github.ActionsGetArgsMethodDownloadWorkflowRunArtifact
var _ github.ActionsGetArgsMethod = github.ActionsGetArgsMethodGetWorkflow
var _ github.ActionsGetArgsMethod = github.ActionsGetArgsMethodGetWorkflowJob
var _ github.ActionsGetArgsMethod = github.ActionsGetArgsMethodGetWorkflowRun
var _ github.ActionsGetArgsMethod = github.ActionsGetArgsMethodGetWorkflowRunLogsURL
var _ github.ActionsGetArgsMethod = github.ActionsGetArgsMethodGetWorkflowRunUsage
var _ func(ctx context.Context, args github.ActionsListArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ActionsList
var _ = github.ActionsListArgs{}

func _(v github.ActionsListArgs, f github.ActionsListArgsMethod) { v.Method, f = f, v.Method }
func _(v github.ActionsListArgs, f string)                       { v.Owner, f = f, v.Owner }
func _(v github.ActionsListArgs, f string)                       { v.Repo, f = f, v.Repo }
func _(v github.ActionsListArgs, f float64)                      { v.Page, f = f, v.Page }
func _(v github.ActionsListArgs, f float64)                      { v.PerPage, f = f, v.PerPage }
func _(v github.ActionsListArgs, f *string)                      { v.ResourceID, f = f, v.ResourceID }
func _(v github.ActionsListArgs, f *github.ActionsListArgsWorkflowJobsFilter) {
	v.WorkflowJobsFilter, f = f, v.WorkflowJobsFilter
}
func _(v github.ActionsListArgs, f *github.ActionsListArgsWorkflowRunsFilter) {
	v.WorkflowRunsFilter, f = f, v.WorkflowRunsFilter
}
func _(v github.ActionsListArgsMethod, u string) { v, u = github.ActionsListArgsMethod(u), (string)(v) }

var _ github.ActionsListArgsMethod = github.ActionsListArgsMethodListWorkflowJobs
var _ github.ActionsListArgsMethod = github.ActionsListArgsMethodListWorkflowRunArtifacts
var _ github.ActionsListArgsMethod = github.ActionsListArgsMethodListWorkflowRuns
var _ github.ActionsListArgsMethod = github.ActionsListArgsMethodListWorkflows
var _ = github.ActionsListArgsWorkflowJobsFilter{}

func _(v github.ActionsListArgsWorkflowJobsFilter, f github.ActionsListArgsWorkflowJobsFilterFilter) {
	v.Filter, f = f, v.Filter
}
func _(v github.ActionsListArgsWorkflowJobsFilterFilter, u string) {
	v, u = github.ActionsListArgsWorkflowJobsFilterFilter(u), (string)(v)
}

var _ github.ActionsListArgsWorkflowJobsFilterFilter = github.ActionsListArgsWorkflowJobsFilterFilterAll
var _ github.ActionsListArgsWorkflowJobsFilterFilter = github.ActionsListArgsWorkflowJobsFilterFilterLatest
var _ = github.ActionsListArgsWorkflowRunsFilter{}

func _(v github.ActionsListArgsWorkflowRunsFilter, f *string) { v.Actor, f = f, v.Actor }
func _(v github.ActionsListArgsWorkflowRunsFilter, f *string) { v.Branch, f = f, v.Branch }
func _(v github.ActionsListArgsWorkflowRunsFilter, f github.ActionsListArgsWorkflowRunsFilterEvent) {
	v.Event, f = f, v.Event
}
func _(v github.ActionsListArgsWorkflowRunsFilter, f github.ActionsListArgsWorkflowRunsFilterStatus) {
	v.Status, f = f, v.Status
}
func _(v github.ActionsListArgsWorkflowRunsFilterEvent, u string) {
	v, u = github.ActionsListArgsWorkflowRunsFilterEvent(u), (string)(v)
}

var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventBranchProtectionRule
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventCheckRun
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventCheckSuite
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventCreate
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventDelete
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventDeployment
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventDeploymentStatus
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventDiscussion
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventDiscussionComment
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventFork
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventGollum
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventIssueComment
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventIssues
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventLabel
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventMergeGroup
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventMilestone
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventPageBuild
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventPublic
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventPullRequest
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventPullRequestReview
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventPullRequestReviewComment
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventPullRequestTarget
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventPush
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventRegistryPackage
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventRelease
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventRepositoryDispatch
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventSchedule
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventStatus
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventWatch
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventWorkflowCall
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventWorkflowDispatch
var _ github.ActionsListArgsWorkflowRunsFilterEvent = github.ActionsListArgsWorkflowRunsFilterEventWorkflowRun

func _(v github.ActionsListArgsWorkflowRunsFilterStatus, u string) {
	v, u = github.ActionsListArgsWorkflowRunsFilterStatus(u), (string)(v)
}

var _ github.ActionsListArgsWorkflowRunsFilterStatus = github.ActionsListArgsWorkflowRunsFilterStatusCompleted
var _ github.ActionsListArgsWorkflowRunsFilterStatus = github.ActionsListArgsWorkflowRunsFilterStatusInProgress
var _ github.ActionsListArgsWorkflowRunsFilterStatus = github.ActionsListArgsWorkflowRunsFilterStatusQueued
var _ github.ActionsListArgsWorkflowRunsFilterStatus = github.ActionsListArgsWorkflowRunsFilterStatusRequested
var _ github.ActionsListArgsWorkflowRunsFilterStatus = github.ActionsListArgsWorkflowRunsFilterStatusWaiting
var _ func(ctx context.Context, args github.ActionsRunTriggerArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ActionsRunTrigger
var _ = github.ActionsRunTriggerArgs{}

func _(v github.ActionsRunTriggerArgs, f github.ActionsRunTriggerArgsMethod) {
	v.Method, f = f, v.Method
}
func _(v github.ActionsRunTriggerArgs, f string)         { v.Owner, f = f, v.Owner }
func _(v github.ActionsRunTriggerArgs, f string)         { v.Repo, f = f, v.Repo }
func _(v github.ActionsRunTriggerArgs, f map[string]any) { v.Inputs, f = f, v.Inputs }
func _(v github.ActionsRunTriggerArgs, f *string)        { v.Ref, f = f, v.Ref }
func _(v github.ActionsRunTriggerArgs, f *float64)       { v.RunID, f = f, v.RunID }
func _(v github.ActionsRunTriggerArgs, f *string)        { v.WorkflowID, f = f, v.WorkflowID }
func _(v github.ActionsRunTriggerArgsMethod, u string) {
	v, u = github.ActionsRunTriggerArgsMethod(u), (string)(v)
}

var _ github.ActionsRunTriggerArgsMethod = github.ActionsRunTriggerArgsMethodCancelWorkflowRun
var _ github.ActionsRunTriggerArgsMethod = github.ActionsRunTriggerArgsMethodDeleteWorkflowRunLogs
var _ github.ActionsRunTriggerArgsMethod = github.ActionsRunTriggerArgsMethodRerunFailedJobs
var _ github.ActionsRunTriggerArgsMethod = github.ActionsRunTriggerArgsMethodRerunWorkflowRun
var _ github.ActionsRunTriggerArgsMethod = github.ActionsRunTriggerArgsMethodRunWorkflow
var _ func(ctx context.Context, args github.AddCommentToPendingReviewArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AddCommentToPendingReview
var _ = github.AddCommentToPendingReviewArgs{}

func _(v github.AddCommentToPendingReviewArgs, f string)  { v.Body, f = f, v.Body }
func _(v github.AddCommentToPendingReviewArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.AddCommentToPendingReviewArgs, f string)  { v.Path, f = f, v.Path }
func _(v github.AddCommentToPendingReviewArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.AddCommentToPendingReviewArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.AddCommentToPendingReviewArgs, f github.AddCommentToPendingReviewArgsSubjectType) {
	v.SubjectType, f = f, v.SubjectType
}
func _(v github.AddCommentToPendingReviewArgs, f *float64) { v.Line, f = f, v.Line }
func _(v github.AddCommentToPendingReviewArgs, f github.AddCommentToPendingReviewArgsSide) {
	v.Side, f = f, v.Side
}
func _(v github.AddCommentToPendingReviewArgs, f *float64) { v.StartLine, f = f, v.StartLine }
func _(v github.AddCommentToPendingReviewArgs, f github.AddCommentToPendingReviewArgsStartSide) {
	v.StartSide, f = f, v.StartSide
}
func _(v github.AddCommentToPendingReviewArgsSide, u string) {
	v, u = github.AddCommentToPendingReviewArgsSide(u), (string)(v)
}

var _ github.AddCommentToPendingReviewArgsSide = github.AddCommentToPendingReviewArgsSideLeft
var _ github.AddCommentToPendingReviewArgsSide = github.AddCommentToPendingReviewArgsSideRight

func _(v github.AddCommentToPendingReviewArgsStartSide, u string) {
	v, u = github.AddCommentToPendingReviewArgsStartSide(u), (string)(v)
}

var _ github.AddCommentToPendingReviewArgsStartSide = github.AddCommentToPendingReviewArgsStartSideLeft
var _ github.AddCommentToPendingReviewArgsStartSide = github.AddCommentToPendingReviewArgsStartSideRight

func _(v github.AddCommentToPendingReviewArgsSubjectType, u string) {
	v, u = github.AddCommentToPendingReviewArgsSubjectType(u), (string)(v)
}

var _ github.AddCommentToPendingReviewArgsSubjectType = github.AddCommentToPendingReviewArgsSubjectTypeFile
var _ github.AddCommentToPendingReviewArgsSubjectType = github.AddCommentToPendingReviewArgsSubjectTypeLine
var _ func(ctx context.Context, args github.AddIssueCommentArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AddIssueComment
var _ = github.AddIssueCommentArgs{}

func _(v github.AddIssueCommentArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.AddIssueCommentArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.AddIssueCommentArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.AddIssueCommentArgs, f string)  { v.Body, f = f, v.Body }
func _(v github.AddIssueCommentArgs, f int)     { v.CommentID, f = f, v.CommentID }
func _(v github.AddIssueCommentArgs, f github.AddIssueCommentArgsReaction) {
	v.Reaction, f = f, v.Reaction
}
func _(v github.AddIssueCommentArgsReaction, u string) {
	v, u = github.AddIssueCommentArgsReaction(u), (string)(v)
}

var _ github.AddIssueCommentArgsReaction = github.AddIssueCommentArgsReactionConfused
var _ github.AddIssueCommentArgsReaction = github.AddIssueCommentArgsReactionEyes
var _ github.AddIssueCommentArgsReaction = github.AddIssueCommentArgsReactionHeart
var _ github.AddIssueCommentArgsReaction = github.AddIssueCommentArgsReactionHooray
var _ github.AddIssueCommentArgsReaction = github.AddIssueCommentArgsReactionLaugh
var _ github.AddIssueCommentArgsReaction = github.AddIssueCommentArgsReactionMinus1
var _ github.AddIssueCommentArgsReaction = github.AddIssueCommentArgsReactionPlus1
var _ github.AddIssueCommentArgsReaction = github.AddIssueCommentArgsReactionRocket
var _ func(ctx context.Context, args github.AddIssueCommentReactionArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AddIssueCommentReaction
var _ = github.AddIssueCommentReactionArgs{}

func _(v github.AddIssueCommentReactionArgs, f float64) { v.CommentID, f = f, v.CommentID }
func _(v github.AddIssueCommentReactionArgs, f github.AddIssueCommentReactionArgsContent) {
	v.Content, f = f, v.Content
}
func _(v github.AddIssueCommentReactionArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.AddIssueCommentReactionArgs, f string) { v.Repo, f = f, v.Repo }
func _(v github.AddIssueCommentReactionArgsContent, u string) {
	v, u = github.AddIssueCommentReactionArgsContent(u), (string)(v)
}

var _ github.AddIssueCommentReactionArgsContent = github.AddIssueCommentReactionArgsContentConfused
var _ github.AddIssueCommentReactionArgsContent = github.AddIssueCommentReactionArgsContentEyes
var _ github.AddIssueCommentReactionArgsContent = github.AddIssueCommentReactionArgsContentHeart
var _ github.AddIssueCommentReactionArgsContent = github.AddIssueCommentReactionArgsContentHooray
var _ github.AddIssueCommentReactionArgsContent = github.AddIssueCommentReactionArgsContentLaugh
var _ github.AddIssueCommentReactionArgsContent = github.AddIssueCommentReactionArgsContentMinus1
var _ github.AddIssueCommentReactionArgsContent = github.AddIssueCommentReactionArgsContentPlus1
var _ github.AddIssueCommentReactionArgsContent = github.AddIssueCommentReactionArgsContentRocket
var _ func(ctx context.Context, args github.AddIssueReactionArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AddIssueReaction
var _ = github.AddIssueReactionArgs{}

func _(v github.AddIssueReactionArgs, f github.AddIssueReactionArgsContent) {
	v.Content, f = f, v.Content
}
func _(v github.AddIssueReactionArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.AddIssueReactionArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.AddIssueReactionArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.AddIssueReactionArgsContent, u string) {
	v, u = github.AddIssueReactionArgsContent(u), (string)(v)
}

var _ github.AddIssueReactionArgsContent = github.AddIssueReactionArgsContentConfused
var _ github.AddIssueReactionArgsContent = github.AddIssueReactionArgsContentEyes
var _ github.AddIssueReactionArgsContent = github.AddIssueReactionArgsContentHeart
var _ github.AddIssueReactionArgsContent = github.AddIssueReactionArgsContentHooray
var _ github.AddIssueReactionArgsContent = github.AddIssueReactionArgsContentLaugh
var _ github.AddIssueReactionArgsContent = github.AddIssueReactionArgsContentMinus1
var _ github.AddIssueReactionArgsContent = github.AddIssueReactionArgsContentPlus1
var _ github.AddIssueReactionArgsContent = github.AddIssueReactionArgsContentRocket
var _ func(ctx context.Context, args github.AddPullRequestReviewCommentArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AddPullRequestReviewComment
var _ = github.AddPullRequestReviewCommentArgs{}

func _(v github.AddPullRequestReviewCommentArgs, f string)  { v.Body, f = f, v.Body }
func _(v github.AddPullRequestReviewCommentArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.AddPullRequestReviewCommentArgs, f string)  { v.Path, f = f, v.Path }
func _(v github.AddPullRequestReviewCommentArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.AddPullRequestReviewCommentArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.AddPullRequestReviewCommentArgs, f github.AddPullRequestReviewCommentArgsSubjectType) {
	v.SubjectType, f = f, v.SubjectType
}
func _(v github.AddPullRequestReviewCommentArgs, f *float64) { v.Line, f = f, v.Line }
func _(v github.AddPullRequestReviewCommentArgs, f github.AddPullRequestReviewCommentArgsSide) {
	v.Side, f = f, v.Side
}
func _(v github.AddPullRequestReviewCommentArgs, f *float64) { v.StartLine, f = f, v.StartLine }
func _(v github.AddPullRequestReviewCommentArgs, f github.AddPullRequestReviewCommentArgsStartSide) {
	v.StartSide, f = f, v.StartSide
}
func _(v github.AddPullRequestReviewCommentArgsSide, u string) {
	v, u = github.AddPullRequestReviewCommentArgsSide(u), (string)(v)
}

var _ github.AddPullRequestReviewCommentArgsSide = github.AddPullRequestReviewCommentArgsSideLeft
var _ github.AddPullRequestReviewCommentArgsSide = github.AddPullRequestReviewCommentArgsSideRight

func _(v github.AddPullRequestReviewCommentArgsStartSide, u string) {
	v, u = github.AddPullRequestReviewCommentArgsStartSide(u), (string)(v)
}

var _ github.AddPullRequestReviewCommentArgsStartSide = github.AddPullRequestReviewCommentArgsStartSideLeft
var _ github.AddPullRequestReviewCommentArgsStartSide = github.AddPullRequestReviewCommentArgsStartSideRight

func _(v github.AddPullRequestReviewCommentArgsSubjectType, u string) {
	v, u = github.AddPullRequestReviewCommentArgsSubjectType(u), (string)(v)
}

var _ github.AddPullRequestReviewCommentArgsSubjectType = github.AddPullRequestReviewCommentArgsSubjectTypeFile
var _ github.AddPullRequestReviewCommentArgsSubjectType = github.AddPullRequestReviewCommentArgsSubjectTypeLine
var _ func(ctx context.Context, args github.AddPullRequestReviewCommentReactionArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AddPullRequestReviewCommentReaction
var _ = github.AddPullRequestReviewCommentReactionArgs{}

func _(v github.AddPullRequestReviewCommentReactionArgs, f float64) { v.CommentID, f = f, v.CommentID }
func _(v github.AddPullRequestReviewCommentReactionArgs, f github.AddPullRequestReviewCommentReactionArgsContent) {
	v.Content, f = f, v.Content
}
func _(v github.AddPullRequestReviewCommentReactionArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.AddPullRequestReviewCommentReactionArgs, f string) { v.Repo, f = f, v.Repo }
func _(v github.AddPullRequestReviewCommentReactionArgsContent, u string) {
	v, u = github.AddPullRequestReviewCommentReactionArgsContent(u), (string)(v)
}

var _ github.AddPullRequestReviewCommentReactionArgsContent = github.AddPullRequestReviewCommentReactionArgsContentConfused
var _ github.AddPullRequestReviewCommentReactionArgsContent = github.AddPullRequestReviewCommentReactionArgsContentEyes
var _ github.AddPullRequestReviewCommentReactionArgsContent = github.AddPullRequestReviewCommentReactionArgsContentHeart
var _ github.AddPullRequestReviewCommentReactionArgsContent = github.AddPullRequestReviewCommentReactionArgsContentHooray
var _ github.AddPullRequestReviewCommentReactionArgsContent = github.AddPullRequestReviewCommentReactionArgsContentLaugh
var _ github.AddPullRequestReviewCommentReactionArgsContent = github.AddPullRequestReviewCommentReactionArgsContentMinus1
var _ github.AddPullRequestReviewCommentReactionArgsContent = github.AddPullRequestReviewCommentReactionArgsContentPlus1
var _ github.AddPullRequestReviewCommentReactionArgsContent = github.AddPullRequestReviewCommentReactionArgsContentRocket
var _ func(ctx context.Context, args github.AddReplyToPullRequestCommentArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AddReplyToPullRequestComment
var _ = github.AddReplyToPullRequestCommentArgs{}

func _(v github.AddReplyToPullRequestCommentArgs, f float64)  { v.CommentID, f = f, v.CommentID }
func _(v github.AddReplyToPullRequestCommentArgs, f string)   { v.Owner, f = f, v.Owner }
func _(v github.AddReplyToPullRequestCommentArgs, f string)   { v.Repo, f = f, v.Repo }
func _(v github.AddReplyToPullRequestCommentArgs, f *string)  { v.Body, f = f, v.Body }
func _(v github.AddReplyToPullRequestCommentArgs, f *float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.AddReplyToPullRequestCommentArgs, f github.AddReplyToPullRequestCommentArgsReaction) {
	v.Reaction, f = f, v.Reaction
}
func _(v github.AddReplyToPullRequestCommentArgsReaction, u string) {
	v, u = github.AddReplyToPullRequestCommentArgsReaction(u), (string)(v)
}

var _ github.AddReplyToPullRequestCommentArgsReaction = github.AddReplyToPullRequestCommentArgsReactionConfused
var _ github.AddReplyToPullRequestCommentArgsReaction = github.AddReplyToPullRequestCommentArgsReactionEyes
var _ github.AddReplyToPullRequestCommentArgsReaction = github.AddReplyToPullRequestCommentArgsReactionHeart
var _ github.AddReplyToPullRequestCommentArgsReaction = github.AddReplyToPullRequestCommentArgsReactionHooray
var _ github.AddReplyToPullRequestCommentArgsReaction = github.AddReplyToPullRequestCommentArgsReactionLaugh
var _ github.AddReplyToPullRequestCommentArgsReaction = github.AddReplyToPullRequestCommentArgsReactionMinus1
var _ github.AddReplyToPullRequestCommentArgsReaction = github.AddReplyToPullRequestCommentArgsReactionPlus1
var _ github.AddReplyToPullRequestCommentArgsReaction = github.AddReplyToPullRequestCommentArgsReactionRocket
var _ func(ctx context.Context, args github.AddSubIssueArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AddSubIssue
var _ = github.AddSubIssueArgs{}

func _(v github.AddSubIssueArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.AddSubIssueArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.AddSubIssueArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.AddSubIssueArgs, f float64) { v.SubIssueID, f = f, v.SubIssueID }
func _(v github.AddSubIssueArgs, f *bool)   { v.ReplaceParent, f = f, v.ReplaceParent }

var _ func(ctx context.Context, args github.AssignCopilotToIssueArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AssignCopilotToIssue
var _ = github.AssignCopilotToIssueArgs{}

func _(v github.AssignCopilotToIssueArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.AssignCopilotToIssueArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.AssignCopilotToIssueArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.AssignCopilotToIssueArgs, f *string) { v.BaseRef, f = f, v.BaseRef }
func _(v github.AssignCopilotToIssueArgs, f *string) {
	v.CustomInstructions, f = f, v.CustomInstructions
}

var _ func(ctx context.Context, args github.AssignCopilotToIssueWithIntentArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.AssignCopilotToIssueWithIntent
var _ = github.AssignCopilotToIssueWithIntentArgs{}

func _(v github.AssignCopilotToIssueWithIntentArgs, f github.AssignCopilotToIssueWithIntentArgsConfidence) {
	v.Confidence, f = f, v.Confidence
}
func _(v github.AssignCopilotToIssueWithIntentArgs, f bool)    { v.IsSuggestion, f = f, v.IsSuggestion }
func _(v github.AssignCopilotToIssueWithIntentArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.AssignCopilotToIssueWithIntentArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.AssignCopilotToIssueWithIntentArgs, f string)  { v.Rationale, f = f, v.Rationale }
func _(v github.AssignCopilotToIssueWithIntentArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.AssignCopilotToIssueWithIntentArgs, f *string) { v.BaseRef, f = f, v.BaseRef }
func _(v github.AssignCopilotToIssueWithIntentArgs, f *string) {
	v.CustomInstructions, f = f, v.CustomInstructions
}
func _(v github.AssignCopilotToIssueWithIntentArgsConfidence, u string) {
	v, u = github.AssignCopilotToIssueWithIntentArgsConfidence(u), (string)(v)
}

var _ github.AssignCopilotToIssueWithIntentArgsConfidence = github.AssignCopilotToIssueWithIntentArgsConfidenceHigh
var _ github.AssignCopilotToIssueWithIntentArgsConfidence = github.AssignCopilotToIssueWithIntentArgsConfidenceLow
var _ github.AssignCopilotToIssueWithIntentArgsConfidence = github.AssignCopilotToIssueWithIntentArgsConfidenceMedium
var _ = github.Client{}
var _ = (*github.Client).ActionsGet
var _ = (*github.Client).ActionsList
var _ = (*github.Client).ActionsRunTrigger
var _ = (*github.Client).AddCommentToPendingReview
var _ = (*github.Client).AddIssueComment
var _ = (*github.Client).AddIssueCommentReaction
var _ = (*github.Client).AddIssueReaction
var _ = (*github.Client).AddPullRequestReviewComment
var _ = (*github.Client).AddPullRequestReviewCommentReaction
var _ = (*github.Client).AddReplyToPullRequestComment
var _ = (*github.Client).AddSubIssue
var _ = (*github.Client).AssignCopilotToIssue
var _ = (*github.Client).AssignCopilotToIssueWithIntent
var _ = (*github.Client).CreateBranch
var _ = (*github.Client).CreateGist
var _ = (*github.Client).CreateIssue
var _ = (*github.Client).CreateOrUpdateFile
var _ = (*github.Client).CreatePullRequest
var _ = (*github.Client).CreatePullRequestReview
var _ = (*github.Client).CreateRepository
var _ = (*github.Client).DeleteFile
var _ = (*github.Client).DeletePendingPullRequestReview
var _ = (*github.Client).DeleteRepository
var _ = (*github.Client).DiscussionCommentWrite
var _ = (*github.Client).DismissNotification
var _ = (*github.Client).FindDuplicate
var _ = (*github.Client).ForkRepository
var _ = (*github.Client).GetCodeQualityFinding
var _ = (*github.Client).GetCodeScanningAlert
var _ = (*github.Client).GetCommit
var _ = (*github.Client).GetDependabotAlert
var _ = (*github.Client).GetDiscussion
var _ = (*github.Client).GetDiscussionComments
var _ = (*github.Client).GetFileBlame
var _ = (*github.Client).GetFileContents
var _ = (*github.Client).GetGist
var _ = (*github.Client).GetGlobalSecurityAdvisory
var _ = (*github.Client).GetJobLogs
var _ = (*github.Client).GetLabel
var _ = (*github.Client).GetLatestRelease
var _ = (*github.Client).GetMe
var _ = (*github.Client).GetNotificationDetails
var _ = (*github.Client).GetReleaseByTag
var _ = (*github.Client).GetRepositoryTree
var _ = (*github.Client).GetSecretScanningAlert
var _ = (*github.Client).GetTag
var _ = (*github.Client).GetTeamMembers
var _ = (*github.Client).GetTeams
var _ = (*github.Client).IssueDependencyRead
var _ = (*github.Client).IssueDependencyWrite
var _ = (*github.Client).IssueRead
var _ = (*github.Client).IssueWrite
var _ = (*github.Client).LabelWrite
var _ = (*github.Client).ListBranches
var _ = (*github.Client).ListCodeScanningAlerts
var _ = (*github.Client).ListCommits
var _ = (*github.Client).ListDependabotAlerts
var _ = (*github.Client).ListDiscussionCategories
var _ = (*github.Client).ListDiscussions
var _ = (*github.Client).ListGists
var _ = (*github.Client).ListGlobalSecurityAdvisories
var _ = (*github.Client).ListIssueFields
var _ = (*github.Client).ListIssueTypes
var _ = (*github.Client).ListIssues
var _ = (*github.Client).ListLabel
var _ = (*github.Client).ListNotifications
var _ = (*github.Client).ListOrgRepositorySecurityAdvisories
var _ = (*github.Client).ListPullRequests
var _ = (*github.Client).ListReleases
var _ = (*github.Client).ListRepositoryCollaborators
var _ = (*github.Client).ListRepositorySecurityAdvisories
var _ = (*github.Client).ListSecretScanningAlerts
var _ = (*github.Client).ListStarredRepositories
var _ = (*github.Client).ListTags
var _ = (*github.Client).ManageNotificationSubscription
var _ = (*github.Client).ManageRepositoryNotificationSubscription
var _ = (*github.Client).MarkAllNotificationsRead
var _ = (*github.Client).MergePullRequest
var _ = (*github.Client).ProjectsGet
var _ = (*github.Client).ProjectsList
var _ = (*github.Client).ProjectsWrite
var _ = (*github.Client).PullRequestRead
var _ = (*github.Client).PullRequestReviewWrite
var _ = (*github.Client).PushFiles
var _ = (*github.Client).RemoveSubIssue
var _ = (*github.Client).ReprioritizeSubIssue
var _ = (*github.Client).RequestCopilotReview
var _ = (*github.Client).RequestPullRequestReviewers
var _ = (*github.Client).ResolveReviewThread
var _ = (*github.Client).SearchCode
var _ = (*github.Client).SearchCommits
var _ = (*github.Client).SearchIssues
var _ = (*github.Client).SearchOrgs
var _ = (*github.Client).SearchPullRequests
var _ = (*github.Client).SearchRepositories
var _ = (*github.Client).SearchUsers
var _ = (*github.Client).SetIssueFields
var _ = (*github.Client).StarRepository
var _ = (*github.Client).SubIssueWrite
var _ = (*github.Client).SubmitPendingPullRequestReview
var _ = (*github.Client).UIGet
var _ = (*github.Client).UnresolveReviewThread
var _ = (*github.Client).UnstarRepository
var _ = (*github.Client).UpdateGist
var _ = (*github.Client).UpdateIssueAssignees
var _ = (*github.Client).UpdateIssueBody
var _ = (*github.Client).UpdateIssueLabels
var _ = (*github.Client).UpdateIssueMilestone
var _ = (*github.Client).UpdateIssueState
var _ = (*github.Client).UpdateIssueTitle
var _ = (*github.Client).UpdateIssueType
var _ = (*github.Client).UpdatePullRequest
var _ = (*github.Client).UpdatePullRequestBody
var _ = (*github.Client).UpdatePullRequestBranch
var _ = (*github.Client).UpdatePullRequestDraftState
var _ = (*github.Client).UpdatePullRequestState
var _ = (*github.Client).UpdatePullRequestTitle
var _ func(ctx context.Context, args github.CreateBranchArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.CreateBranch
var _ = github.CreateBranchArgs{}

func _(v github.CreateBranchArgs, f string)  { v.Branch, f = f, v.Branch }
func _(v github.CreateBranchArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.CreateBranchArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.CreateBranchArgs, f *string) { v.FromBranch, f = f, v.FromBranch }

var _ func(ctx context.Context, args github.CreateGistArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.CreateGist
var _ = github.CreateGistArgs{}

func _(v github.CreateGistArgs, f string)  { v.Content, f = f, v.Content }
func _(v github.CreateGistArgs, f string)  { v.Filename, f = f, v.Filename }
func _(v github.CreateGistArgs, f *string) { v.Description, f = f, v.Description }
func _(v github.CreateGistArgs, f bool)    { v.Public, f = f, v.Public }

var _ func(ctx context.Context, args github.CreateIssueArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.CreateIssue
var _ = github.CreateIssueArgs{}

func _(v github.CreateIssueArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.CreateIssueArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.CreateIssueArgs, f string)  { v.Title, f = f, v.Title }
func _(v github.CreateIssueArgs, f *string) { v.Body, f = f, v.Body }

var _ func(ctx context.Context, args github.CreateOrUpdateFileArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.CreateOrUpdateFile
var _ = github.CreateOrUpdateFileArgs{}

func _(v github.CreateOrUpdateFileArgs, f string)  { v.Branch, f = f, v.Branch }
func _(v github.CreateOrUpdateFileArgs, f string)  { v.Content, f = f, v.Content }
func _(v github.CreateOrUpdateFileArgs, f string)  { v.Message, f = f, v.Message }
func _(v github.CreateOrUpdateFileArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.CreateOrUpdateFileArgs, f string)  { v.Path, f = f, v.Path }
func _(v github.CreateOrUpdateFileArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.CreateOrUpdateFileArgs, f bool)    { v.AllowSymlinkWrite, f = f, v.AllowSymlinkWrite }
func _(v github.CreateOrUpdateFileArgs, f *string) { v.SHA, f = f, v.SHA }

var _ func(ctx context.Context, args github.CreatePullRequestArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.CreatePullRequest
var _ = github.CreatePullRequestArgs{}

func _(v github.CreatePullRequestArgs, f string)   { v.Base, f = f, v.Base }
func _(v github.CreatePullRequestArgs, f string)   { v.Head, f = f, v.Head }
func _(v github.CreatePullRequestArgs, f string)   { v.Owner, f = f, v.Owner }
func _(v github.CreatePullRequestArgs, f string)   { v.Repo, f = f, v.Repo }
func _(v github.CreatePullRequestArgs, f string)   { v.Title, f = f, v.Title }
func _(v github.CreatePullRequestArgs, f *string)  { v.Body, f = f, v.Body }
func _(v github.CreatePullRequestArgs, f *bool)    { v.Draft, f = f, v.Draft }
func _(v github.CreatePullRequestArgs, f *bool)    { v.MaintainerCanModify, f = f, v.MaintainerCanModify }
func _(v github.CreatePullRequestArgs, f []string) { v.Reviewers, f = f, v.Reviewers }

var _ func(ctx context.Context, args github.CreatePullRequestReviewArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.CreatePullRequestReview
var _ = github.CreatePullRequestReviewArgs{}

func _(v github.CreatePullRequestReviewArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.CreatePullRequestReviewArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.CreatePullRequestReviewArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.CreatePullRequestReviewArgs, f *string) { v.Body, f = f, v.Body }
func _(v github.CreatePullRequestReviewArgs, f *string) { v.CommitID, f = f, v.CommitID }
func _(v github.CreatePullRequestReviewArgs, f github.CreatePullRequestReviewArgsEvent) {
	v.Event, f = f, v.Event
}
func _(v github.CreatePullRequestReviewArgsEvent, u string) {
	v, u = github.CreatePullRequestReviewArgsEvent(u), (string)(v)
}

var _ github.CreatePullRequestReviewArgsEvent = github.CreatePullRequestReviewArgsEventApprove
var _ github.CreatePullRequestReviewArgsEvent = github.CreatePullRequestReviewArgsEventComment
var _ github.CreatePullRequestReviewArgsEvent = github.CreatePullRequestReviewArgsEventRequestChanges
var _ func(ctx context.Context, args github.CreateRepositoryArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.CreateRepository
var _ = github.CreateRepositoryArgs{}

func _(v github.CreateRepositoryArgs, f string)  { v.Name, f = f, v.Name }
func _(v github.CreateRepositoryArgs, f *bool)   { v.AutoInit, f = f, v.AutoInit }
func _(v github.CreateRepositoryArgs, f *string) { v.Description, f = f, v.Description }
func _(v github.CreateRepositoryArgs, f *string) { v.Organization, f = f, v.Organization }
func _(v github.CreateRepositoryArgs, f *bool)   { v.Private, f = f, v.Private }

var _ func(ctx context.Context, args github.DeleteFileArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.DeleteFile
var _ = github.DeleteFileArgs{}

func _(v github.DeleteFileArgs, f string) { v.Branch, f = f, v.Branch }
func _(v github.DeleteFileArgs, f string) { v.Message, f = f, v.Message }
func _(v github.DeleteFileArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.DeleteFileArgs, f string) { v.Path, f = f, v.Path }
func _(v github.DeleteFileArgs, f string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.DeletePendingPullRequestReviewArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.DeletePendingPullRequestReview
var _ = github.DeletePendingPullRequestReviewArgs{}

func _(v github.DeletePendingPullRequestReviewArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.DeletePendingPullRequestReviewArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.DeletePendingPullRequestReviewArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.DeleteRepositoryArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.DeleteRepository
var _ = github.DeleteRepositoryArgs{}

func _(v github.DeleteRepositoryArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.DeleteRepositoryArgs, f string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.DiscussionCommentWriteArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.DiscussionCommentWrite
var _ = github.DiscussionCommentWriteArgs{}

func _(v github.DiscussionCommentWriteArgs, f github.DiscussionCommentWriteArgsMethod) {
	v.Method, f = f, v.Method
}
func _(v github.DiscussionCommentWriteArgs, f *string) { v.Body, f = f, v.Body }
func _(v github.DiscussionCommentWriteArgs, f *string) { v.CommentNodeID, f = f, v.CommentNodeID }
func _(v github.DiscussionCommentWriteArgs, f *float64) {
	v.DiscussionNumber, f = f, v.DiscussionNumber
}
func _(v github.DiscussionCommentWriteArgs, f *string) { v.Owner, f = f, v.Owner }
func _(v github.DiscussionCommentWriteArgs, f *string) { v.Repo, f = f, v.Repo }
func _(v github.DiscussionCommentWriteArgsMethod, u string) {
	v, u = github.DiscussionCommentWriteArgsMethod(u), (string)(v)
}

var _ github.DiscussionCommentWriteArgsMethod = github.DiscussionCommentWriteArgsMethodAdd
var _ github.DiscussionCommentWriteArgsMethod = github.DiscussionCommentWriteArgsMethodDelete
var _ github.DiscussionCommentWriteArgsMethod = github.DiscussionCommentWriteArgsMethodMarkAnswer
var _ github.DiscussionCommentWriteArgsMethod = github.DiscussionCommentWriteArgsMethodReply
var _ github.DiscussionCommentWriteArgsMethod = github.DiscussionCommentWriteArgsMethodUnmarkAnswer
var _ github.DiscussionCommentWriteArgsMethod = github.DiscussionCommentWriteArgsMethodUpdate
var _ func(ctx context.Context, args github.DismissNotificationArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.DismissNotification
var _ = github.DismissNotificationArgs{}

func _(v github.DismissNotificationArgs, f github.DismissNotificationArgsState) {
	v.State, f = f, v.State
}
func _(v github.DismissNotificationArgs, f string) { v.ThreadID, f = f, v.ThreadID }
func _(v github.DismissNotificationArgsState, u string) {
	v, u = github.DismissNotificationArgsState(u), (string)(v)
}

var _ github.DismissNotificationArgsState = github.DismissNotificationArgsStateDone
var _ github.DismissNotificationArgsState = github.DismissNotificationArgsStateRead
var _ func(ctx context.Context, args github.FindDuplicateArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.FindDuplicate
var _ = github.FindDuplicateArgs{}

func _(v github.FindDuplicateArgs, f float64)  { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.FindDuplicateArgs, f string)   { v.Owner, f = f, v.Owner }
func _(v github.FindDuplicateArgs, f string)   { v.Repo, f = f, v.Repo }
func _(v github.FindDuplicateArgs, f *float64) { v.ConfidenceThreshold, f = f, v.ConfidenceThreshold }
func _(v github.FindDuplicateArgs, f float64)  { v.Page, f = f, v.Page }
func _(v github.FindDuplicateArgs, f float64)  { v.PerPage, f = f, v.PerPage }

var _ func(ctx context.Context, args github.ForkRepositoryArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ForkRepository
var _ = github.ForkRepositoryArgs{}

func _(v github.ForkRepositoryArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ForkRepositoryArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.ForkRepositoryArgs, f *string) { v.Organization, f = f, v.Organization }

var _ func(ctx context.Context, args github.GetCodeQualityFindingArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetCodeQualityFinding
var _ = github.GetCodeQualityFindingArgs{}

func _(v github.GetCodeQualityFindingArgs, f float64) { v.FindingNumber, f = f, v.FindingNumber }
func _(v github.GetCodeQualityFindingArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.GetCodeQualityFindingArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.GetCodeScanningAlertArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetCodeScanningAlert
var _ = github.GetCodeScanningAlertArgs{}

func _(v github.GetCodeScanningAlertArgs, f float64) { v.AlertNumber, f = f, v.AlertNumber }
func _(v github.GetCodeScanningAlertArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.GetCodeScanningAlertArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.GetCommitArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetCommit
var _ = github.GetCommitArgs{}

func _(v github.GetCommitArgs, f string)                     { v.Owner, f = f, v.Owner }
func _(v github.GetCommitArgs, f string)                     { v.Repo, f = f, v.Repo }
func _(v github.GetCommitArgs, f string)                     { v.SHA, f = f, v.SHA }
func _(v github.GetCommitArgs, f github.GetCommitArgsDetail) { v.Detail, f = f, v.Detail }
func _(v github.GetCommitArgs, f float64)                    { v.Page, f = f, v.Page }
func _(v github.GetCommitArgs, f float64)                    { v.PerPage, f = f, v.PerPage }
func _(v github.GetCommitArgsDetail, u string)               { v, u = github.GetCommitArgsDetail(u), (string)(v) }

var _ github.GetCommitArgsDetail = github.GetCommitArgsDetailFullPatch
var _ github.GetCommitArgsDetail = github.GetCommitArgsDetailNone
var _ github.GetCommitArgsDetail = github.GetCommitArgsDetailStats
var _ func(ctx context.Context, args github.GetDependabotAlertArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetDependabotAlert
var _ = github.GetDependabotAlertArgs{}

func _(v github.GetDependabotAlertArgs, f float64) { v.AlertNumber, f = f, v.AlertNumber }
func _(v github.GetDependabotAlertArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.GetDependabotAlertArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.GetDiscussionArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetDiscussion
var _ = github.GetDiscussionArgs{}

func _(v github.GetDiscussionArgs, f float64) { v.DiscussionNumber, f = f, v.DiscussionNumber }
func _(v github.GetDiscussionArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.GetDiscussionArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.GetDiscussionCommentsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetDiscussionComments
var _ = github.GetDiscussionCommentsArgs{}

func _(v github.GetDiscussionCommentsArgs, f float64) { v.DiscussionNumber, f = f, v.DiscussionNumber }
func _(v github.GetDiscussionCommentsArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.GetDiscussionCommentsArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.GetDiscussionCommentsArgs, f *string) { v.After, f = f, v.After }
func _(v github.GetDiscussionCommentsArgs, f *bool)   { v.IncludeReplies, f = f, v.IncludeReplies }
func _(v github.GetDiscussionCommentsArgs, f float64) { v.PerPage, f = f, v.PerPage }

var _ func(ctx context.Context, args github.GetFileBlameArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetFileBlame
var _ = github.GetFileBlameArgs{}

func _(v github.GetFileBlameArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.GetFileBlameArgs, f string)  { v.Path, f = f, v.Path }
func _(v github.GetFileBlameArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.GetFileBlameArgs, f *string) { v.After, f = f, v.After }
func _(v github.GetFileBlameArgs, f float64) { v.EndLine, f = f, v.EndLine }
func _(v github.GetFileBlameArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.GetFileBlameArgs, f *string) { v.Ref, f = f, v.Ref }
func _(v github.GetFileBlameArgs, f float64) { v.StartLine, f = f, v.StartLine }

var _ func(ctx context.Context, args github.GetFileContentsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetFileContents
var _ = github.GetFileContentsArgs{}

func _(v github.GetFileContentsArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.GetFileContentsArgs, f string) { v.Repo, f = f, v.Repo }
func _(v github.GetFileContentsArgs, f []github.GetFileContentsArgsFieldsItem) {
	v.Fields, f = f, v.Fields
}
func _(v github.GetFileContentsArgs, f *string) { v.Path, f = f, v.Path }
func _(v github.GetFileContentsArgs, f *string) { v.Ref, f = f, v.Ref }
func _(v github.GetFileContentsArgs, f *string) { v.SHA, f = f, v.SHA }
func _(v github.GetFileContentsArgsFieldsItem, u string) {
	v, u = github.GetFileContentsArgsFieldsItem(u), (string)(v)
}

var _ github.GetFileContentsArgsFieldsItem = github.GetFileContentsArgsFieldsItemDownloadURL
var _ github.GetFileContentsArgsFieldsItem = github.GetFileContentsArgsFieldsItemGitURL
var _ github.GetFileContentsArgsFieldsItem = github.GetFileContentsArgsFieldsItemHTMLURL
var _ github.GetFileContentsArgsFieldsItem = github.GetFileContentsArgsFieldsItemName
var _ github.GetFileContentsArgsFieldsItem = github.GetFileContentsArgsFieldsItemPath
var _ github.GetFileContentsArgsFieldsItem = github.GetFileContentsArgsFieldsItemSHA
var _ github.GetFileContentsArgsFieldsItem = github.GetFileContentsArgsFieldsItemSize
var _ github.GetFileContentsArgsFieldsItem = github.GetFileContentsArgsFieldsItemType
var _ github.GetFileContentsArgsFieldsItem = github.GetFileContentsArgsFieldsItemURL
var _ func(ctx context.Context, args github.GetGistArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetGist
var _ = github.GetGistArgs{}

func _(v github.GetGistArgs, f string) { v.GistID, f = f, v.GistID }

var _ func(ctx context.Context, args github.GetGlobalSecurityAdvisoryArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetGlobalSecurityAdvisory
var _ = github.GetGlobalSecurityAdvisoryArgs{}

func _(v github.GetGlobalSecurityAdvisoryArgs, f string) { v.GHSAID, f = f, v.GHSAID }

var _ func(ctx context.Context, args github.GetJobLogsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetJobLogs
var _ = github.GetJobLogsArgs{}

func _(v github.GetJobLogsArgs, f string)   { v.Owner, f = f, v.Owner }
func _(v github.GetJobLogsArgs, f string)   { v.Repo, f = f, v.Repo }
func _(v github.GetJobLogsArgs, f *bool)    { v.FailedOnly, f = f, v.FailedOnly }
func _(v github.GetJobLogsArgs, f *float64) { v.JobID, f = f, v.JobID }
func _(v github.GetJobLogsArgs, f *bool)    { v.ReturnContent, f = f, v.ReturnContent }
func _(v github.GetJobLogsArgs, f *float64) { v.RunID, f = f, v.RunID }
func _(v github.GetJobLogsArgs, f *float64) { v.TailLines, f = f, v.TailLines }

var _ func(ctx context.Context, args github.GetLabelArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetLabel
var _ = github.GetLabelArgs{}

func _(v github.GetLabelArgs, f string) { v.Name, f = f, v.Name }
func _(v github.GetLabelArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.GetLabelArgs, f string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.GetLatestReleaseArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetLatestRelease
var _ = github.GetLatestReleaseArgs{}

func _(v github.GetLatestReleaseArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.GetLatestReleaseArgs, f string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.GetMeArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetMe
var _ = github.GetMeArgs{}
var _ func(ctx context.Context, args github.GetNotificationDetailsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetNotificationDetails
var _ = github.GetNotificationDetailsArgs{}

func _(v github.GetNotificationDetailsArgs, f string) { v.NotificationID, f = f, v.NotificationID }

var _ func(ctx context.Context, args github.GetReleaseByTagArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetReleaseByTag
var _ = github.GetReleaseByTagArgs{}

func _(v github.GetReleaseByTagArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.GetReleaseByTagArgs, f string) { v.Repo, f = f, v.Repo }
func _(v github.GetReleaseByTagArgs, f string) { v.Tag, f = f, v.Tag }

var _ func(ctx context.Context, args github.GetRepositoryTreeArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetRepositoryTree
var _ = github.GetRepositoryTreeArgs{}

func _(v github.GetRepositoryTreeArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.GetRepositoryTreeArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.GetRepositoryTreeArgs, f *string) { v.PathFilter, f = f, v.PathFilter }
func _(v github.GetRepositoryTreeArgs, f bool)    { v.Recursive, f = f, v.Recursive }
func _(v github.GetRepositoryTreeArgs, f *string) { v.TreeSHA, f = f, v.TreeSHA }

var _ func(ctx context.Context, args github.GetSecretScanningAlertArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetSecretScanningAlert
var _ = github.GetSecretScanningAlertArgs{}

func _(v github.GetSecretScanningAlertArgs, f float64) { v.AlertNumber, f = f, v.AlertNumber }
func _(v github.GetSecretScanningAlertArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.GetSecretScanningAlertArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.GetTagArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetTag
var _ = github.GetTagArgs{}

func _(v github.GetTagArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.GetTagArgs, f string) { v.Repo, f = f, v.Repo }
func _(v github.GetTagArgs, f string) { v.Tag, f = f, v.Tag }

var _ func(ctx context.Context, args github.GetTeamMembersArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetTeamMembers
var _ = github.GetTeamMembersArgs{}

func _(v github.GetTeamMembersArgs, f string) { v.Org, f = f, v.Org }
func _(v github.GetTeamMembersArgs, f string) { v.TeamSlug, f = f, v.TeamSlug }

var _ func(ctx context.Context, args github.GetTeamsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.GetTeams
var _ = github.GetTeamsArgs{}

func _(v github.GetTeamsArgs, f *string) { v.User, f = f, v.User }

var _ func(ctx context.Context, args github.IssueDependencyReadArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.IssueDependencyRead
var _ = github.IssueDependencyReadArgs{}

func _(v github.IssueDependencyReadArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.IssueDependencyReadArgs, f github.IssueDependencyReadArgsMethod) {
	v.Method, f = f, v.Method
}
func _(v github.IssueDependencyReadArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.IssueDependencyReadArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.IssueDependencyReadArgs, f float64) { v.Page, f = f, v.Page }
func _(v github.IssueDependencyReadArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.IssueDependencyReadArgsMethod, u string) {
	v, u = github.IssueDependencyReadArgsMethod(u), (string)(v)
}

var _ github.IssueDependencyReadArgsMethod = github.IssueDependencyReadArgsMethodGetBlockedBy
var _ github.IssueDependencyReadArgsMethod = github.IssueDependencyReadArgsMethodGetBlocking
var _ func(ctx context.Context, args github.IssueDependencyWriteArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.IssueDependencyWrite
var _ = github.IssueDependencyWriteArgs{}

func _(v github.IssueDependencyWriteArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.IssueDependencyWriteArgs, f github.IssueDependencyWriteArgsMethod) {
	v.Method, f = f, v.Method
}
func _(v github.IssueDependencyWriteArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.IssueDependencyWriteArgs, f float64) {
	v.RelatedIssueNumber, f = f, v.RelatedIssueNumber
}
func _(v github.IssueDependencyWriteArgs, f string) { v.Repo, f = f, v.Repo }
func _(v github.IssueDependencyWriteArgs, f github.IssueDependencyWriteArgsType) {
	v.Type, f = f, v.Type
}
func _(v github.IssueDependencyWriteArgs, f *string) { v.RelatedOwner, f = f, v.RelatedOwner }
func _(v github.IssueDependencyWriteArgs, f *string) { v.RelatedRepo, f = f, v.RelatedRepo }
func _(v github.IssueDependencyWriteArgsMethod, u string) {
	v, u = github.IssueDependencyWriteArgsMethod(u), (string)(v)
}

var _ github.IssueDependencyWriteArgsMethod = github.IssueDependencyWriteArgsMethodAdd
var _ github.IssueDependencyWriteArgsMethod = github.IssueDependencyWriteArgsMethodRemove

func _(v github.IssueDependencyWriteArgsType, u string) {
	v, u = github.IssueDependencyWriteArgsType(u), (string)(v)
}

var _ github.IssueDependencyWriteArgsType = github.IssueDependencyWriteArgsTypeBlockedBy
var _ github.IssueDependencyWriteArgsType = github.IssueDependencyWriteArgsTypeBlocking
var _ func(ctx context.Context, args github.IssueReadArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.IssueRead
var _ = github.IssueReadArgs{}

func _(v github.IssueReadArgs, f float64)                    { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.IssueReadArgs, f github.IssueReadArgsMethod) { v.Method, f = f, v.Method }
func _(v github.IssueReadArgs, f string)                     { v.Owner, f = f, v.Owner }
func _(v github.IssueReadArgs, f string)                     { v.Repo, f = f, v.Repo }
func _(v github.IssueReadArgs, f float64)                    { v.Page, f = f, v.Page }
func _(v github.IssueReadArgs, f float64)                    { v.PerPage, f = f, v.PerPage }
func _(v github.IssueReadArgsMethod, u string)               { v, u = github.IssueReadArgsMethod(u), (string)(v) }

var _ github.IssueReadArgsMethod = github.IssueReadArgsMethodGet
var _ github.IssueReadArgsMethod = github.IssueReadArgsMethodGetComments
var _ github.IssueReadArgsMethod = github.IssueReadArgsMethodGetLabels
var _ github.IssueReadArgsMethod = github.IssueReadArgsMethodGetParent
var _ github.IssueReadArgsMethod = github.IssueReadArgsMethodGetSubIssues
var _ func(ctx context.Context, args github.IssueWriteArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.IssueWrite
var _ = github.IssueWriteArgs{}

func _(v github.IssueWriteArgs, f github.IssueWriteArgsMethod) { v.Method, f = f, v.Method }
func _(v github.IssueWriteArgs, f string)                      { v.Owner, f = f, v.Owner }
func _(v github.IssueWriteArgs, f string)                      { v.Repo, f = f, v.Repo }
func _(v github.IssueWriteArgs, f []string)                    { v.Assignees, f = f, v.Assignees }
func _(v github.IssueWriteArgs, f *string)                     { v.Body, f = f, v.Body }
func _(v github.IssueWriteArgs, f *float64)                    { v.DuplicateOf, f = f, v.DuplicateOf }
func _(v github.IssueWriteArgs, f []github.IssueWriteArgsIssueFieldsItem) {
	v.IssueFields, f = f, v.IssueFields
}
func _(v github.IssueWriteArgs, f *float64)                   { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.IssueWriteArgs, f []string)                   { v.Labels, f = f, v.Labels }
func _(v github.IssueWriteArgs, f *float64)                   { v.Milestone, f = f, v.Milestone }
func _(v github.IssueWriteArgs, f github.IssueWriteArgsState) { v.State, f = f, v.State }
func _(v github.IssueWriteArgs, f github.IssueWriteArgsStateReason) {
	v.StateReason, f = f, v.StateReason
}
func _(v github.IssueWriteArgs, f *string)             { v.Title, f = f, v.Title }
func _(v github.IssueWriteArgs, f runtime.Opt[string]) { v.Type, f = f, v.Type }

var _ = github.IssueWriteArgsIssueFieldsItem{}

func _(v github.IssueWriteArgsIssueFieldsItem, f string) { v.FieldName, f = f, v.FieldName }
func _(v github.IssueWriteArgsIssueFieldsItem, f *bool)  { v.Delete, f = f, v.Delete }
func _(v github.IssueWriteArgsIssueFieldsItem, f *string) {
	v.FieldOptionName, f = f, v.FieldOptionName
}
func _(v github.IssueWriteArgsIssueFieldsItem, f github.IssueWriteArgsIssueFieldsItemValue) {
	v.Value, f = f, v.Value
}

var _ = (*github.IssueWriteArgsIssueFieldsItem).UnmarshalJSON
var _ github.IssueWriteArgsIssueFieldsItemValue
var _ github.IssueWriteArgsIssueFieldsItemValue = *new(github.IssueWriteArgsIssueFieldsItemValueBool)
var _ github.IssueWriteArgsIssueFieldsItemValue = *new(github.IssueWriteArgsIssueFieldsItemValueNumber)
var _ github.IssueWriteArgsIssueFieldsItemValue = *new(github.IssueWriteArgsIssueFieldsItemValueOther)
var _ github.IssueWriteArgsIssueFieldsItemValue = *new(github.IssueWriteArgsIssueFieldsItemValueString)

func _(v github.IssueWriteArgsIssueFieldsItemValueBool, u bool) {
	v, u = github.IssueWriteArgsIssueFieldsItemValueBool(u), (bool)(v)
}
func _(v github.IssueWriteArgsIssueFieldsItemValueNumber, u float64) {
	v, u = github.IssueWriteArgsIssueFieldsItemValueNumber(u), (float64)(v)
}

var _ = github.IssueWriteArgsIssueFieldsItemValueOther{}

func _(v github.IssueWriteArgsIssueFieldsItemValueOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v github.IssueWriteArgsIssueFieldsItemValueString, u string) {
	v, u = github.IssueWriteArgsIssueFieldsItemValueString(u), (string)(v)
}
func _(v github.IssueWriteArgsMethod, u string) { v, u = github.IssueWriteArgsMethod(u), (string)(v) }

var _ github.IssueWriteArgsMethod = github.IssueWriteArgsMethodCreate
var _ github.IssueWriteArgsMethod = github.IssueWriteArgsMethodUpdate

func _(v github.IssueWriteArgsState, u string) { v, u = github.IssueWriteArgsState(u), (string)(v) }

var _ github.IssueWriteArgsState = github.IssueWriteArgsStateClosed
var _ github.IssueWriteArgsState = github.IssueWriteArgsStateOpen

func _(v github.IssueWriteArgsStateReason, u string) {
	v, u = github.IssueWriteArgsStateReason(u), (string)(v)
}

var _ github.IssueWriteArgsStateReason = github.IssueWriteArgsStateReasonCompleted
var _ github.IssueWriteArgsStateReason = github.IssueWriteArgsStateReasonDuplicate
var _ github.IssueWriteArgsStateReason = github.IssueWriteArgsStateReasonNotPlanned
var _ func(ctx context.Context, args github.LabelWriteArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.LabelWrite
var _ = github.LabelWriteArgs{}

func _(v github.LabelWriteArgs, f github.LabelWriteArgsMethod) { v.Method, f = f, v.Method }
func _(v github.LabelWriteArgs, f string)                      { v.Name, f = f, v.Name }
func _(v github.LabelWriteArgs, f string)                      { v.Owner, f = f, v.Owner }
func _(v github.LabelWriteArgs, f string)                      { v.Repo, f = f, v.Repo }
func _(v github.LabelWriteArgs, f *string)                     { v.Color, f = f, v.Color }
func _(v github.LabelWriteArgs, f *string)                     { v.Description, f = f, v.Description }
func _(v github.LabelWriteArgs, f *string)                     { v.NewName, f = f, v.NewName }
func _(v github.LabelWriteArgsMethod, u string)                { v, u = github.LabelWriteArgsMethod(u), (string)(v) }

var _ github.LabelWriteArgsMethod = github.LabelWriteArgsMethodCreate
var _ github.LabelWriteArgsMethod = github.LabelWriteArgsMethodDelete
var _ github.LabelWriteArgsMethod = github.LabelWriteArgsMethodUpdate
var _ func(ctx context.Context, args github.ListBranchesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListBranches
var _ = github.ListBranchesArgs{}

func _(v github.ListBranchesArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListBranchesArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.ListBranchesArgs, f float64) { v.Page, f = f, v.Page }
func _(v github.ListBranchesArgs, f float64) { v.PerPage, f = f, v.PerPage }

var _ func(ctx context.Context, args github.ListCodeScanningAlertsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListCodeScanningAlerts
var _ = github.ListCodeScanningAlertsArgs{}

func _(v github.ListCodeScanningAlertsArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListCodeScanningAlertsArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.ListCodeScanningAlertsArgs, f float64) { v.Page, f = f, v.Page }
func _(v github.ListCodeScanningAlertsArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.ListCodeScanningAlertsArgs, f *string) { v.Ref, f = f, v.Ref }
func _(v github.ListCodeScanningAlertsArgs, f github.ListCodeScanningAlertsArgsSeverity) {
	v.Severity, f = f, v.Severity
}
func _(v github.ListCodeScanningAlertsArgs, f github.ListCodeScanningAlertsArgsState) {
	v.State, f = f, v.State
}
func _(v github.ListCodeScanningAlertsArgs, f *string) { v.ToolName, f = f, v.ToolName }
func _(v github.ListCodeScanningAlertsArgsSeverity, u string) {
	v, u = github.ListCodeScanningAlertsArgsSeverity(u), (string)(v)
}

var _ github.ListCodeScanningAlertsArgsSeverity = github.ListCodeScanningAlertsArgsSeverityCritical
var _ github.ListCodeScanningAlertsArgsSeverity = github.ListCodeScanningAlertsArgsSeverityError
var _ github.ListCodeScanningAlertsArgsSeverity = github.ListCodeScanningAlertsArgsSeverityHigh
var _ github.ListCodeScanningAlertsArgsSeverity = github.ListCodeScanningAlertsArgsSeverityLow
var _ github.ListCodeScanningAlertsArgsSeverity = github.ListCodeScanningAlertsArgsSeverityMedium
var _ github.ListCodeScanningAlertsArgsSeverity = github.ListCodeScanningAlertsArgsSeverityNote
var _ github.ListCodeScanningAlertsArgsSeverity = github.ListCodeScanningAlertsArgsSeverityWarning

func _(v github.ListCodeScanningAlertsArgsState, u string) {
	v, u = github.ListCodeScanningAlertsArgsState(u), (string)(v)
}

var _ github.ListCodeScanningAlertsArgsState = github.ListCodeScanningAlertsArgsStateClosed
var _ github.ListCodeScanningAlertsArgsState = github.ListCodeScanningAlertsArgsStateDismissed
var _ github.ListCodeScanningAlertsArgsState = github.ListCodeScanningAlertsArgsStateFixed
var _ github.ListCodeScanningAlertsArgsState = github.ListCodeScanningAlertsArgsStateOpen
var _ func(ctx context.Context, args github.ListCommitsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListCommits
var _ = github.ListCommitsArgs{}

func _(v github.ListCommitsArgs, f string)                             { v.Owner, f = f, v.Owner }
func _(v github.ListCommitsArgs, f string)                             { v.Repo, f = f, v.Repo }
func _(v github.ListCommitsArgs, f *string)                            { v.Author, f = f, v.Author }
func _(v github.ListCommitsArgs, f []github.ListCommitsArgsFieldsItem) { v.Fields, f = f, v.Fields }
func _(v github.ListCommitsArgs, f float64)                            { v.Page, f = f, v.Page }
func _(v github.ListCommitsArgs, f *string)                            { v.Path, f = f, v.Path }
func _(v github.ListCommitsArgs, f float64)                            { v.PerPage, f = f, v.PerPage }
func _(v github.ListCommitsArgs, f *string)                            { v.SHA, f = f, v.SHA }
func _(v github.ListCommitsArgs, f *string)                            { v.Since, f = f, v.Since }
func _(v github.ListCommitsArgs, f *string)                            { v.Until, f = f, v.Until }
func _(v github.ListCommitsArgsFieldsItem, u string) {
	v, u = github.ListCommitsArgsFieldsItem(u), (string)(v)
}

var _ github.ListCommitsArgsFieldsItem = github.ListCommitsArgsFieldsItemAuthor
var _ github.ListCommitsArgsFieldsItem = github.ListCommitsArgsFieldsItemCommit
var _ github.ListCommitsArgsFieldsItem = github.ListCommitsArgsFieldsItemCommitter
var _ github.ListCommitsArgsFieldsItem = github.ListCommitsArgsFieldsItemHTMLURL
var _ github.ListCommitsArgsFieldsItem = github.ListCommitsArgsFieldsItemSHA
var _ func(ctx context.Context, args github.ListDependabotAlertsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListDependabotAlerts
var _ = github.ListDependabotAlertsArgs{}

func _(v github.ListDependabotAlertsArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListDependabotAlertsArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.ListDependabotAlertsArgs, f *string) { v.After, f = f, v.After }
func _(v github.ListDependabotAlertsArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.ListDependabotAlertsArgs, f github.ListDependabotAlertsArgsSeverity) {
	v.Severity, f = f, v.Severity
}
func _(v github.ListDependabotAlertsArgs, f github.ListDependabotAlertsArgsState) {
	v.State, f = f, v.State
}
func _(v github.ListDependabotAlertsArgsSeverity, u string) {
	v, u = github.ListDependabotAlertsArgsSeverity(u), (string)(v)
}

var _ github.ListDependabotAlertsArgsSeverity = github.ListDependabotAlertsArgsSeverityCritical
var _ github.ListDependabotAlertsArgsSeverity = github.ListDependabotAlertsArgsSeverityHigh
var _ github.ListDependabotAlertsArgsSeverity = github.ListDependabotAlertsArgsSeverityLow
var _ github.ListDependabotAlertsArgsSeverity = github.ListDependabotAlertsArgsSeverityMedium

func _(v github.ListDependabotAlertsArgsState, u string) {
	v, u = github.ListDependabotAlertsArgsState(u), (string)(v)
}

var _ github.ListDependabotAlertsArgsState = github.ListDependabotAlertsArgsStateAutoDismissed
var _ github.ListDependabotAlertsArgsState = github.ListDependabotAlertsArgsStateDismissed
var _ github.ListDependabotAlertsArgsState = github.ListDependabotAlertsArgsStateFixed
var _ github.ListDependabotAlertsArgsState = github.ListDependabotAlertsArgsStateOpen
var _ func(ctx context.Context, args github.ListDiscussionCategoriesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListDiscussionCategories
var _ = github.ListDiscussionCategoriesArgs{}

func _(v github.ListDiscussionCategoriesArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListDiscussionCategoriesArgs, f *string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.ListDiscussionsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListDiscussions
var _ = github.ListDiscussionsArgs{}

func _(v github.ListDiscussionsArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListDiscussionsArgs, f *string) { v.After, f = f, v.After }
func _(v github.ListDiscussionsArgs, f *string) { v.Category, f = f, v.Category }
func _(v github.ListDiscussionsArgs, f github.ListDiscussionsArgsDirection) {
	v.Direction, f = f, v.Direction
}
func _(v github.ListDiscussionsArgs, f github.ListDiscussionsArgsOrderBy) {
	v.OrderBy, f = f, v.OrderBy
}
func _(v github.ListDiscussionsArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.ListDiscussionsArgs, f *string) { v.Repo, f = f, v.Repo }
func _(v github.ListDiscussionsArgsDirection, u string) {
	v, u = github.ListDiscussionsArgsDirection(u), (string)(v)
}

var _ github.ListDiscussionsArgsDirection = github.ListDiscussionsArgsDirectionAsc
var _ github.ListDiscussionsArgsDirection = github.ListDiscussionsArgsDirectionDesc

func _(v github.ListDiscussionsArgsOrderBy, u string) {
	v, u = github.ListDiscussionsArgsOrderBy(u), (string)(v)
}

var _ github.ListDiscussionsArgsOrderBy = github.ListDiscussionsArgsOrderByCreatedAt
var _ github.ListDiscussionsArgsOrderBy = github.ListDiscussionsArgsOrderByUpdatedAt
var _ func(ctx context.Context, args github.ListGistsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListGists
var _ = github.ListGistsArgs{}

func _(v github.ListGistsArgs, f float64) { v.Page, f = f, v.Page }
func _(v github.ListGistsArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.ListGistsArgs, f *string) { v.Since, f = f, v.Since }
func _(v github.ListGistsArgs, f *string) { v.Username, f = f, v.Username }

var _ func(ctx context.Context, args github.ListGlobalSecurityAdvisoriesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListGlobalSecurityAdvisories
var _ = github.ListGlobalSecurityAdvisoriesArgs{}

func _(v github.ListGlobalSecurityAdvisoriesArgs, f *string)  { v.Affects, f = f, v.Affects }
func _(v github.ListGlobalSecurityAdvisoriesArgs, f *string)  { v.CVEID, f = f, v.CVEID }
func _(v github.ListGlobalSecurityAdvisoriesArgs, f []string) { v.CWEs, f = f, v.CWEs }
func _(v github.ListGlobalSecurityAdvisoriesArgs, f github.ListGlobalSecurityAdvisoriesArgsEcosystem) {
	v.Ecosystem, f = f, v.Ecosystem
}
func _(v github.ListGlobalSecurityAdvisoriesArgs, f *string) { v.GHSAID, f = f, v.GHSAID }
func _(v github.ListGlobalSecurityAdvisoriesArgs, f *bool)   { v.IsWithdrawn, f = f, v.IsWithdrawn }
func _(v github.ListGlobalSecurityAdvisoriesArgs, f *string) { v.Modified, f = f, v.Modified }
func _(v github.ListGlobalSecurityAdvisoriesArgs, f *string) { v.Published, f = f, v.Published }
func _(v github.ListGlobalSecurityAdvisoriesArgs, f github.ListGlobalSecurityAdvisoriesArgsSeverity) {
	v.Severity, f = f, v.Severity
}
func _(v github.ListGlobalSecurityAdvisoriesArgs, f github.ListGlobalSecurityAdvisoriesArgsType) {
	v.Type, f = f, v.Type
}
func _(v github.ListGlobalSecurityAdvisoriesArgs, f *string) { v.Updated, f = f, v.Updated }
func _(v github.ListGlobalSecurityAdvisoriesArgsEcosystem, u string) {
	v, u = github.ListGlobalSecurityAdvisoriesArgsEcosystem(u), (string)(v)
}

var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemActions
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemComposer
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemErlang
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemGo
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemMaven
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemNPM
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemNuget
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemOther
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemPip
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemPub
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemRubygems
var _ github.ListGlobalSecurityAdvisoriesArgsEcosystem = github.ListGlobalSecurityAdvisoriesArgsEcosystemRust

func _(v github.ListGlobalSecurityAdvisoriesArgsSeverity, u string) {
	v, u = github.ListGlobalSecurityAdvisoriesArgsSeverity(u), (string)(v)
}

var _ github.ListGlobalSecurityAdvisoriesArgsSeverity = github.ListGlobalSecurityAdvisoriesArgsSeverityCritical
var _ github.ListGlobalSecurityAdvisoriesArgsSeverity = github.ListGlobalSecurityAdvisoriesArgsSeverityHigh
var _ github.ListGlobalSecurityAdvisoriesArgsSeverity = github.ListGlobalSecurityAdvisoriesArgsSeverityLow
var _ github.ListGlobalSecurityAdvisoriesArgsSeverity = github.ListGlobalSecurityAdvisoriesArgsSeverityMedium
var _ github.ListGlobalSecurityAdvisoriesArgsSeverity = github.ListGlobalSecurityAdvisoriesArgsSeverityUnknown

func _(v github.ListGlobalSecurityAdvisoriesArgsType, u string) {
	v, u = github.ListGlobalSecurityAdvisoriesArgsType(u), (string)(v)
}

var _ github.ListGlobalSecurityAdvisoriesArgsType = github.ListGlobalSecurityAdvisoriesArgsTypeMalware
var _ github.ListGlobalSecurityAdvisoriesArgsType = github.ListGlobalSecurityAdvisoriesArgsTypeReviewed
var _ github.ListGlobalSecurityAdvisoriesArgsType = github.ListGlobalSecurityAdvisoriesArgsTypeUnreviewed
var _ func(ctx context.Context, args github.ListIssueFieldsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListIssueFields
var _ = github.ListIssueFieldsArgs{}

func _(v github.ListIssueFieldsArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListIssueFieldsArgs, f *string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.ListIssueTypesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListIssueTypes
var _ = github.ListIssueTypesArgs{}

func _(v github.ListIssueTypesArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListIssueTypesArgs, f *string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.ListIssuesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListIssues
var _ = github.ListIssuesArgs{}

func _(v github.ListIssuesArgs, f string)                         { v.Owner, f = f, v.Owner }
func _(v github.ListIssuesArgs, f string)                         { v.Repo, f = f, v.Repo }
func _(v github.ListIssuesArgs, f *string)                        { v.After, f = f, v.After }
func _(v github.ListIssuesArgs, f github.ListIssuesArgsDirection) { v.Direction, f = f, v.Direction }
func _(v github.ListIssuesArgs, f []github.ListIssuesArgsFieldFiltersItem) {
	v.FieldFilters, f = f, v.FieldFilters
}
func _(v github.ListIssuesArgs, f []github.ListIssuesArgsFieldsItem) { v.Fields, f = f, v.Fields }
func _(v github.ListIssuesArgs, f []string)                          { v.Labels, f = f, v.Labels }
func _(v github.ListIssuesArgs, f github.ListIssuesArgsOrderBy)      { v.OrderBy, f = f, v.OrderBy }
func _(v github.ListIssuesArgs, f float64)                           { v.PerPage, f = f, v.PerPage }
func _(v github.ListIssuesArgs, f *string)                           { v.Since, f = f, v.Since }
func _(v github.ListIssuesArgs, f github.ListIssuesArgsState)        { v.State, f = f, v.State }
func _(v github.ListIssuesArgsDirection, u string) {
	v, u = github.ListIssuesArgsDirection(u), (string)(v)
}

var _ github.ListIssuesArgsDirection = github.ListIssuesArgsDirectionAsc
var _ github.ListIssuesArgsDirection = github.ListIssuesArgsDirectionDesc
var _ = github.ListIssuesArgsFieldFiltersItem{}

func _(v github.ListIssuesArgsFieldFiltersItem, f string) { v.FieldName, f = f, v.FieldName }
func _(v github.ListIssuesArgsFieldFiltersItem, f string) { v.Value, f = f, v.Value }
func _(v github.ListIssuesArgsFieldsItem, u string) {
	v, u = github.ListIssuesArgsFieldsItem(u), (string)(v)
}

var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemAssignees
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemBody
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemComments
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemCreatedAt
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemFieldValues
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemLabels
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemNumber
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemState
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemTitle
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemUpdatedAt
var _ github.ListIssuesArgsFieldsItem = github.ListIssuesArgsFieldsItemUser

func _(v github.ListIssuesArgsOrderBy, u string) { v, u = github.ListIssuesArgsOrderBy(u), (string)(v) }

var _ github.ListIssuesArgsOrderBy = github.ListIssuesArgsOrderByComments
var _ github.ListIssuesArgsOrderBy = github.ListIssuesArgsOrderByCreatedAt
var _ github.ListIssuesArgsOrderBy = github.ListIssuesArgsOrderByUpdatedAt

func _(v github.ListIssuesArgsState, u string) { v, u = github.ListIssuesArgsState(u), (string)(v) }

var _ github.ListIssuesArgsState = github.ListIssuesArgsStateClosed
var _ github.ListIssuesArgsState = github.ListIssuesArgsStateOpen
var _ func(ctx context.Context, args github.ListLabelArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListLabel
var _ = github.ListLabelArgs{}

func _(v github.ListLabelArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.ListLabelArgs, f string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.ListNotificationsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListNotifications
var _ = github.ListNotificationsArgs{}

func _(v github.ListNotificationsArgs, f *string) { v.Before, f = f, v.Before }
func _(v github.ListNotificationsArgs, f github.ListNotificationsArgsFilter) {
	v.Filter, f = f, v.Filter
}
func _(v github.ListNotificationsArgs, f *string) { v.Owner, f = f, v.Owner }
func _(v github.ListNotificationsArgs, f float64) { v.Page, f = f, v.Page }
func _(v github.ListNotificationsArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.ListNotificationsArgs, f *string) { v.Repo, f = f, v.Repo }
func _(v github.ListNotificationsArgs, f *string) { v.Since, f = f, v.Since }
func _(v github.ListNotificationsArgsFilter, u string) {
	v, u = github.ListNotificationsArgsFilter(u), (string)(v)
}

var _ github.ListNotificationsArgsFilter = github.ListNotificationsArgsFilterDefault
var _ github.ListNotificationsArgsFilter = github.ListNotificationsArgsFilterIncludeReadNotifications
var _ github.ListNotificationsArgsFilter = github.ListNotificationsArgsFilterOnlyParticipating
var _ func(ctx context.Context, args github.ListOrgRepositorySecurityAdvisoriesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListOrgRepositorySecurityAdvisories
var _ = github.ListOrgRepositorySecurityAdvisoriesArgs{}

func _(v github.ListOrgRepositorySecurityAdvisoriesArgs, f string) { v.Org, f = f, v.Org }
func _(v github.ListOrgRepositorySecurityAdvisoriesArgs, f github.ListOrgRepositorySecurityAdvisoriesArgsDirection) {
	v.Direction, f = f, v.Direction
}
func _(v github.ListOrgRepositorySecurityAdvisoriesArgs, f github.ListOrgRepositorySecurityAdvisoriesArgsSort) {
	v.Sort, f = f, v.Sort
}
func _(v github.ListOrgRepositorySecurityAdvisoriesArgs, f github.ListOrgRepositorySecurityAdvisoriesArgsState) {
	v.State, f = f, v.State
}
func _(v github.ListOrgRepositorySecurityAdvisoriesArgsDirection, u string) {
	v, u = github.ListOrgRepositorySecurityAdvisoriesArgsDirection(u), (string)(v)
}

var _ github.ListOrgRepositorySecurityAdvisoriesArgsDirection = github.ListOrgRepositorySecurityAdvisoriesArgsDirectionAsc
var _ github.ListOrgRepositorySecurityAdvisoriesArgsDirection = github.ListOrgRepositorySecurityAdvisoriesArgsDirectionDesc

func _(v github.ListOrgRepositorySecurityAdvisoriesArgsSort, u string) {
	v, u = github.ListOrgRepositorySecurityAdvisoriesArgsSort(u), (string)(v)
}

var _ github.ListOrgRepositorySecurityAdvisoriesArgsSort = github.ListOrgRepositorySecurityAdvisoriesArgsSortCreated
var _ github.ListOrgRepositorySecurityAdvisoriesArgsSort = github.ListOrgRepositorySecurityAdvisoriesArgsSortPublished
var _ github.ListOrgRepositorySecurityAdvisoriesArgsSort = github.ListOrgRepositorySecurityAdvisoriesArgsSortUpdated

func _(v github.ListOrgRepositorySecurityAdvisoriesArgsState, u string) {
	v, u = github.ListOrgRepositorySecurityAdvisoriesArgsState(u), (string)(v)
}

var _ github.ListOrgRepositorySecurityAdvisoriesArgsState = github.ListOrgRepositorySecurityAdvisoriesArgsStateClosed
var _ github.ListOrgRepositorySecurityAdvisoriesArgsState = github.ListOrgRepositorySecurityAdvisoriesArgsStateDraft
var _ github.ListOrgRepositorySecurityAdvisoriesArgsState = github.ListOrgRepositorySecurityAdvisoriesArgsStatePublished
var _ github.ListOrgRepositorySecurityAdvisoriesArgsState = github.ListOrgRepositorySecurityAdvisoriesArgsStateTriage
var _ func(ctx context.Context, args github.ListPullRequestsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListPullRequests
var _ = github.ListPullRequestsArgs{}

func _(v github.ListPullRequestsArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListPullRequestsArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.ListPullRequestsArgs, f *string) { v.Base, f = f, v.Base }
func _(v github.ListPullRequestsArgs, f github.ListPullRequestsArgsDirection) {
	v.Direction, f = f, v.Direction
}
func _(v github.ListPullRequestsArgs, f []github.ListPullRequestsArgsFieldsItem) {
	v.Fields, f = f, v.Fields
}
func _(v github.ListPullRequestsArgs, f *string)                          { v.Head, f = f, v.Head }
func _(v github.ListPullRequestsArgs, f float64)                          { v.Page, f = f, v.Page }
func _(v github.ListPullRequestsArgs, f float64)                          { v.PerPage, f = f, v.PerPage }
func _(v github.ListPullRequestsArgs, f github.ListPullRequestsArgsSort)  { v.Sort, f = f, v.Sort }
func _(v github.ListPullRequestsArgs, f github.ListPullRequestsArgsState) { v.State, f = f, v.State }
func _(v github.ListPullRequestsArgsDirection, u string) {
	v, u = github.ListPullRequestsArgsDirection(u), (string)(v)
}

var _ github.ListPullRequestsArgsDirection = github.ListPullRequestsArgsDirectionAsc
var _ github.ListPullRequestsArgsDirection = github.ListPullRequestsArgsDirectionDesc

func _(v github.ListPullRequestsArgsFieldsItem, u string) {
	v, u = github.ListPullRequestsArgsFieldsItem(u), (string)(v)
}

var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemAdditions
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemAssignees
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemBase
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemBody
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemChangedFiles
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemClosedAt
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemComments
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemCommits
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemCreatedAt
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemDeletions
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemDraft
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemHTMLURL
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemHead
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemLabels
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemMergeableState
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemMerged
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemMergedAt
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemMergedBy
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemMilestone
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemNumber
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemRequestedReviewers
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemState
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemTitle
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemUpdatedAt
var _ github.ListPullRequestsArgsFieldsItem = github.ListPullRequestsArgsFieldsItemUser

func _(v github.ListPullRequestsArgsSort, u string) {
	v, u = github.ListPullRequestsArgsSort(u), (string)(v)
}

var _ github.ListPullRequestsArgsSort = github.ListPullRequestsArgsSortCreated
var _ github.ListPullRequestsArgsSort = github.ListPullRequestsArgsSortLongRunning
var _ github.ListPullRequestsArgsSort = github.ListPullRequestsArgsSortPopularity
var _ github.ListPullRequestsArgsSort = github.ListPullRequestsArgsSortUpdated

func _(v github.ListPullRequestsArgsState, u string) {
	v, u = github.ListPullRequestsArgsState(u), (string)(v)
}

var _ github.ListPullRequestsArgsState = github.ListPullRequestsArgsStateAll
var _ github.ListPullRequestsArgsState = github.ListPullRequestsArgsStateClosed
var _ github.ListPullRequestsArgsState = github.ListPullRequestsArgsStateOpen
var _ func(ctx context.Context, args github.ListReleasesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListReleases
var _ = github.ListReleasesArgs{}

func _(v github.ListReleasesArgs, f string)                              { v.Owner, f = f, v.Owner }
func _(v github.ListReleasesArgs, f string)                              { v.Repo, f = f, v.Repo }
func _(v github.ListReleasesArgs, f []github.ListReleasesArgsFieldsItem) { v.Fields, f = f, v.Fields }
func _(v github.ListReleasesArgs, f float64)                             { v.Page, f = f, v.Page }
func _(v github.ListReleasesArgs, f float64)                             { v.PerPage, f = f, v.PerPage }
func _(v github.ListReleasesArgsFieldsItem, u string) {
	v, u = github.ListReleasesArgsFieldsItem(u), (string)(v)
}

var _ github.ListReleasesArgsFieldsItem = github.ListReleasesArgsFieldsItemAuthor
var _ github.ListReleasesArgsFieldsItem = github.ListReleasesArgsFieldsItemBody
var _ github.ListReleasesArgsFieldsItem = github.ListReleasesArgsFieldsItemDraft
var _ github.ListReleasesArgsFieldsItem = github.ListReleasesArgsFieldsItemHTMLURL
var _ github.ListReleasesArgsFieldsItem = github.ListReleasesArgsFieldsItemID
var _ github.ListReleasesArgsFieldsItem = github.ListReleasesArgsFieldsItemName
var _ github.ListReleasesArgsFieldsItem = github.ListReleasesArgsFieldsItemPrerelease
var _ github.ListReleasesArgsFieldsItem = github.ListReleasesArgsFieldsItemPublishedAt
var _ github.ListReleasesArgsFieldsItem = github.ListReleasesArgsFieldsItemTagName
var _ func(ctx context.Context, args github.ListRepositoryCollaboratorsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListRepositoryCollaborators
var _ = github.ListRepositoryCollaboratorsArgs{}

func _(v github.ListRepositoryCollaboratorsArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.ListRepositoryCollaboratorsArgs, f string) { v.Repo, f = f, v.Repo }
func _(v github.ListRepositoryCollaboratorsArgs, f github.ListRepositoryCollaboratorsArgsAffiliation) {
	v.Affiliation, f = f, v.Affiliation
}
func _(v github.ListRepositoryCollaboratorsArgs, f float64) { v.Page, f = f, v.Page }
func _(v github.ListRepositoryCollaboratorsArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.ListRepositoryCollaboratorsArgsAffiliation, u string) {
	v, u = github.ListRepositoryCollaboratorsArgsAffiliation(u), (string)(v)
}

var _ github.ListRepositoryCollaboratorsArgsAffiliation = github.ListRepositoryCollaboratorsArgsAffiliationAll
var _ github.ListRepositoryCollaboratorsArgsAffiliation = github.ListRepositoryCollaboratorsArgsAffiliationDirect
var _ github.ListRepositoryCollaboratorsArgsAffiliation = github.ListRepositoryCollaboratorsArgsAffiliationOutside
var _ func(ctx context.Context, args github.ListRepositorySecurityAdvisoriesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListRepositorySecurityAdvisories
var _ = github.ListRepositorySecurityAdvisoriesArgs{}

func _(v github.ListRepositorySecurityAdvisoriesArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.ListRepositorySecurityAdvisoriesArgs, f string) { v.Repo, f = f, v.Repo }
func _(v github.ListRepositorySecurityAdvisoriesArgs, f github.ListRepositorySecurityAdvisoriesArgsDirection) {
	v.Direction, f = f, v.Direction
}
func _(v github.ListRepositorySecurityAdvisoriesArgs, f github.ListRepositorySecurityAdvisoriesArgsSort) {
	v.Sort, f = f, v.Sort
}
func _(v github.ListRepositorySecurityAdvisoriesArgs, f github.ListRepositorySecurityAdvisoriesArgsState) {
	v.State, f = f, v.State
}
func _(v github.ListRepositorySecurityAdvisoriesArgsDirection, u string) {
	v, u = github.ListRepositorySecurityAdvisoriesArgsDirection(u), (string)(v)
}

var _ github.ListRepositorySecurityAdvisoriesArgsDirection = github.ListRepositorySecurityAdvisoriesArgsDirectionAsc
var _ github.ListRepositorySecurityAdvisoriesArgsDirection = github.ListRepositorySecurityAdvisoriesArgsDirectionDesc

func _(v github.ListRepositorySecurityAdvisoriesArgsSort, u string) {
	v, u = github.ListRepositorySecurityAdvisoriesArgsSort(u), (string)(v)
}

var _ github.ListRepositorySecurityAdvisoriesArgsSort = github.ListRepositorySecurityAdvisoriesArgsSortCreated
var _ github.ListRepositorySecurityAdvisoriesArgsSort = github.ListRepositorySecurityAdvisoriesArgsSortPublished
var _ github.ListRepositorySecurityAdvisoriesArgsSort = github.ListRepositorySecurityAdvisoriesArgsSortUpdated

func _(v github.ListRepositorySecurityAdvisoriesArgsState, u string) {
	v, u = github.ListRepositorySecurityAdvisoriesArgsState(u), (string)(v)
}

var _ github.ListRepositorySecurityAdvisoriesArgsState = github.ListRepositorySecurityAdvisoriesArgsStateClosed
var _ github.ListRepositorySecurityAdvisoriesArgsState = github.ListRepositorySecurityAdvisoriesArgsStateDraft
var _ github.ListRepositorySecurityAdvisoriesArgsState = github.ListRepositorySecurityAdvisoriesArgsStatePublished
var _ github.ListRepositorySecurityAdvisoriesArgsState = github.ListRepositorySecurityAdvisoriesArgsStateTriage
var _ func(ctx context.Context, args github.ListSecretScanningAlertsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListSecretScanningAlerts
var _ = github.ListSecretScanningAlertsArgs{}

func _(v github.ListSecretScanningAlertsArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListSecretScanningAlertsArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.ListSecretScanningAlertsArgs, f float64) { v.Page, f = f, v.Page }
func _(v github.ListSecretScanningAlertsArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.ListSecretScanningAlertsArgs, f github.ListSecretScanningAlertsArgsResolution) {
	v.Resolution, f = f, v.Resolution
}
func _(v github.ListSecretScanningAlertsArgs, f *string) { v.SecretType, f = f, v.SecretType }
func _(v github.ListSecretScanningAlertsArgs, f github.ListSecretScanningAlertsArgsState) {
	v.State, f = f, v.State
}
func _(v github.ListSecretScanningAlertsArgsResolution, u string) {
	v, u = github.ListSecretScanningAlertsArgsResolution(u), (string)(v)
}

var _ github.ListSecretScanningAlertsArgsResolution = github.ListSecretScanningAlertsArgsResolutionFalsePositive
var _ github.ListSecretScanningAlertsArgsResolution = github.ListSecretScanningAlertsArgsResolutionPatternDeleted
var _ github.ListSecretScanningAlertsArgsResolution = github.ListSecretScanningAlertsArgsResolutionPatternEdited
var _ github.ListSecretScanningAlertsArgsResolution = github.ListSecretScanningAlertsArgsResolutionRevoked
var _ github.ListSecretScanningAlertsArgsResolution = github.ListSecretScanningAlertsArgsResolutionUsedInTests
var _ github.ListSecretScanningAlertsArgsResolution = github.ListSecretScanningAlertsArgsResolutionWontFix

func _(v github.ListSecretScanningAlertsArgsState, u string) {
	v, u = github.ListSecretScanningAlertsArgsState(u), (string)(v)
}

var _ github.ListSecretScanningAlertsArgsState = github.ListSecretScanningAlertsArgsStateOpen
var _ github.ListSecretScanningAlertsArgsState = github.ListSecretScanningAlertsArgsStateResolved
var _ func(ctx context.Context, args github.ListStarredRepositoriesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListStarredRepositories
var _ = github.ListStarredRepositoriesArgs{}

func _(v github.ListStarredRepositoriesArgs, f github.ListStarredRepositoriesArgsDirection) {
	v.Direction, f = f, v.Direction
}
func _(v github.ListStarredRepositoriesArgs, f float64) { v.Page, f = f, v.Page }
func _(v github.ListStarredRepositoriesArgs, f float64) { v.PerPage, f = f, v.PerPage }
func _(v github.ListStarredRepositoriesArgs, f github.ListStarredRepositoriesArgsSort) {
	v.Sort, f = f, v.Sort
}
func _(v github.ListStarredRepositoriesArgs, f *string) { v.Username, f = f, v.Username }
func _(v github.ListStarredRepositoriesArgsDirection, u string) {
	v, u = github.ListStarredRepositoriesArgsDirection(u), (string)(v)
}

var _ github.ListStarredRepositoriesArgsDirection = github.ListStarredRepositoriesArgsDirectionAsc
var _ github.ListStarredRepositoriesArgsDirection = github.ListStarredRepositoriesArgsDirectionDesc

func _(v github.ListStarredRepositoriesArgsSort, u string) {
	v, u = github.ListStarredRepositoriesArgsSort(u), (string)(v)
}

var _ github.ListStarredRepositoriesArgsSort = github.ListStarredRepositoriesArgsSortCreated
var _ github.ListStarredRepositoriesArgsSort = github.ListStarredRepositoriesArgsSortUpdated
var _ func(ctx context.Context, args github.ListTagsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ListTags
var _ = github.ListTagsArgs{}

func _(v github.ListTagsArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.ListTagsArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.ListTagsArgs, f float64) { v.Page, f = f, v.Page }
func _(v github.ListTagsArgs, f float64) { v.PerPage, f = f, v.PerPage }

var _ func(ctx context.Context, args github.ManageNotificationSubscriptionArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ManageNotificationSubscription
var _ = github.ManageNotificationSubscriptionArgs{}

func _(v github.ManageNotificationSubscriptionArgs, f github.ManageNotificationSubscriptionArgsAction) {
	v.Action, f = f, v.Action
}
func _(v github.ManageNotificationSubscriptionArgs, f string) {
	v.NotificationID, f = f, v.NotificationID
}
func _(v github.ManageNotificationSubscriptionArgsAction, u string) {
	v, u = github.ManageNotificationSubscriptionArgsAction(u), (string)(v)
}

var _ github.ManageNotificationSubscriptionArgsAction = github.ManageNotificationSubscriptionArgsActionDelete
var _ github.ManageNotificationSubscriptionArgsAction = github.ManageNotificationSubscriptionArgsActionIgnore
var _ github.ManageNotificationSubscriptionArgsAction = github.ManageNotificationSubscriptionArgsActionWatch
var _ func(ctx context.Context, args github.ManageRepositoryNotificationSubscriptionArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ManageRepositoryNotificationSubscription
var _ = github.ManageRepositoryNotificationSubscriptionArgs{}

func _(v github.ManageRepositoryNotificationSubscriptionArgs, f github.ManageRepositoryNotificationSubscriptionArgsAction) {
	v.Action, f = f, v.Action
}
func _(v github.ManageRepositoryNotificationSubscriptionArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.ManageRepositoryNotificationSubscriptionArgs, f string) { v.Repo, f = f, v.Repo }
func _(v github.ManageRepositoryNotificationSubscriptionArgsAction, u string) {
	v, u = github.ManageRepositoryNotificationSubscriptionArgsAction(u), (string)(v)
}

var _ github.ManageRepositoryNotificationSubscriptionArgsAction = github.ManageRepositoryNotificationSubscriptionArgsActionDelete
var _ github.ManageRepositoryNotificationSubscriptionArgsAction = github.ManageRepositoryNotificationSubscriptionArgsActionIgnore
var _ github.ManageRepositoryNotificationSubscriptionArgsAction = github.ManageRepositoryNotificationSubscriptionArgsActionWatch
var _ func() *runtime.Manifest = github.Manifest
var _ func(ctx context.Context, args github.MarkAllNotificationsReadArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.MarkAllNotificationsRead
var _ = github.MarkAllNotificationsReadArgs{}

func _(v github.MarkAllNotificationsReadArgs, f *string) { v.LastReadAt, f = f, v.LastReadAt }
func _(v github.MarkAllNotificationsReadArgs, f *string) { v.Owner, f = f, v.Owner }
func _(v github.MarkAllNotificationsReadArgs, f *string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.MergePullRequestArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.MergePullRequest
var _ = github.MergePullRequestArgs{}

func _(v github.MergePullRequestArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.MergePullRequestArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.MergePullRequestArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.MergePullRequestArgs, f *string) { v.CommitMessage, f = f, v.CommitMessage }
func _(v github.MergePullRequestArgs, f *string) { v.CommitTitle, f = f, v.CommitTitle }
func _(v github.MergePullRequestArgs, f github.MergePullRequestArgsMergeMethod) {
	v.MergeMethod, f = f, v.MergeMethod
}
func _(v github.MergePullRequestArgsMergeMethod, u string) {
	v, u = github.MergePullRequestArgsMergeMethod(u), (string)(v)
}

var _ github.MergePullRequestArgsMergeMethod = github.MergePullRequestArgsMergeMethodMerge
var _ github.MergePullRequestArgsMergeMethod = github.MergePullRequestArgsMergeMethodRebase
var _ github.MergePullRequestArgsMergeMethod = github.MergePullRequestArgsMergeMethodSquash
var _ func(inv runtime.Invoker) *github.Client = github.New
var _ func(ctx context.Context, args github.ProjectsGetArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ProjectsGet
var _ = github.ProjectsGetArgs{}

func _(v github.ProjectsGetArgs, f github.ProjectsGetArgsMethod)    { v.Method, f = f, v.Method }
func _(v github.ProjectsGetArgs, f *float64)                        { v.FieldID, f = f, v.FieldID }
func _(v github.ProjectsGetArgs, f []string)                        { v.FieldNames, f = f, v.FieldNames }
func _(v github.ProjectsGetArgs, f []string)                        { v.Fields, f = f, v.Fields }
func _(v github.ProjectsGetArgs, f *float64)                        { v.ItemID, f = f, v.ItemID }
func _(v github.ProjectsGetArgs, f *string)                         { v.Owner, f = f, v.Owner }
func _(v github.ProjectsGetArgs, f github.ProjectsGetArgsOwnerType) { v.OwnerType, f = f, v.OwnerType }
func _(v github.ProjectsGetArgs, f *float64)                        { v.ProjectNumber, f = f, v.ProjectNumber }
func _(v github.ProjectsGetArgs, f *string)                         { v.StatusUpdateID, f = f, v.StatusUpdateID }
func _(v github.ProjectsGetArgs, f *string)                         { v.ViewID, f = f, v.ViewID }
func _(v github.ProjectsGetArgsMethod, u string)                    { v, u = github.ProjectsGetArgsMethod(u), (string)(v) }

var _ github.ProjectsGetArgsMethod = github.ProjectsGetArgsMethodGetProject
var _ github.ProjectsGetArgsMethod = github.ProjectsGetArgsMethodGetProjectField
var _ github.ProjectsGetArgsMethod = github.ProjectsGetArgsMethodGetProjectItem
var _ github.ProjectsGetArgsMethod = github.ProjectsGetArgsMethodGetProjectStatusUpdate
var _ github.ProjectsGetArgsMethod = github.ProjectsGetArgsMethodGetProjectView

func _(v github.ProjectsGetArgsOwnerType, u string) {
	v, u = github.ProjectsGetArgsOwnerType(u), (string)(v)
}

var _ github.ProjectsGetArgsOwnerType = github.ProjectsGetArgsOwnerTypeOrg
var _ github.ProjectsGetArgsOwnerType = github.ProjectsGetArgsOwnerTypeUser
var _ func(ctx context.Context, args github.ProjectsListArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ProjectsList
var _ = github.ProjectsListArgs{}

func _(v github.ProjectsListArgs, f github.ProjectsListArgsMethod) { v.Method, f = f, v.Method }
func _(v github.ProjectsListArgs, f string)                        { v.Owner, f = f, v.Owner }
func _(v github.ProjectsListArgs, f *string)                       { v.After, f = f, v.After }
func _(v github.ProjectsListArgs, f *string)                       { v.Before, f = f, v.Before }
func _(v github.ProjectsListArgs, f []string)                      { v.FieldNames, f = f, v.FieldNames }
func _(v github.ProjectsListArgs, f []string)                      { v.Fields, f = f, v.Fields }
func _(v github.ProjectsListArgs, f github.ProjectsListArgsOwnerType) {
	v.OwnerType, f = f, v.OwnerType
}
func _(v github.ProjectsListArgs, f *float64) { v.PerPage, f = f, v.PerPage }
func _(v github.ProjectsListArgs, f *float64) { v.ProjectNumber, f = f, v.ProjectNumber }
func _(v github.ProjectsListArgs, f *string)  { v.Query, f = f, v.Query }
func _(v github.ProjectsListArgsMethod, u string) {
	v, u = github.ProjectsListArgsMethod(u), (string)(v)
}

var _ github.ProjectsListArgsMethod = github.ProjectsListArgsMethodListProjectFields
var _ github.ProjectsListArgsMethod = github.ProjectsListArgsMethodListProjectItems
var _ github.ProjectsListArgsMethod = github.ProjectsListArgsMethodListProjectStatusUpdates
var _ github.ProjectsListArgsMethod = github.ProjectsListArgsMethodListProjectViews
var _ github.ProjectsListArgsMethod = github.ProjectsListArgsMethodListProjects

func _(v github.ProjectsListArgsOwnerType, u string) {
	v, u = github.ProjectsListArgsOwnerType(u), (string)(v)
}

var _ github.ProjectsListArgsOwnerType = github.ProjectsListArgsOwnerTypeOrg
var _ github.ProjectsListArgsOwnerType = github.ProjectsListArgsOwnerTypeUser
var _ func(ctx context.Context, args github.ProjectsWriteArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ProjectsWrite
var _ = github.ProjectsWriteArgs{}

func _(v github.ProjectsWriteArgs, f github.ProjectsWriteArgsMethod)      { v.Method, f = f, v.Method }
func _(v github.ProjectsWriteArgs, f string)                              { v.Owner, f = f, v.Owner }
func _(v github.ProjectsWriteArgs, f *string)                             { v.Body, f = f, v.Body }
func _(v github.ProjectsWriteArgs, f *string)                             { v.FieldName, f = f, v.FieldName }
func _(v github.ProjectsWriteArgs, f runtime.Opt[string])                 { v.Filter, f = f, v.Filter }
func _(v github.ProjectsWriteArgs, f *float64)                            { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.ProjectsWriteArgs, f *float64)                            { v.ItemID, f = f, v.ItemID }
func _(v github.ProjectsWriteArgs, f *string)                             { v.ItemOwner, f = f, v.ItemOwner }
func _(v github.ProjectsWriteArgs, f *string)                             { v.ItemRepo, f = f, v.ItemRepo }
func _(v github.ProjectsWriteArgs, f github.ProjectsWriteArgsItemType)    { v.ItemType, f = f, v.ItemType }
func _(v github.ProjectsWriteArgs, f []github.ProjectsWriteArgsItemsItem) { v.Items, f = f, v.Items }
func _(v github.ProjectsWriteArgs, f *float64)                            { v.IterationDuration, f = f, v.IterationDuration }
func _(v github.ProjectsWriteArgs, f []github.ProjectsWriteArgsIterationsItem) {
	v.Iterations, f = f, v.Iterations
}
func _(v github.ProjectsWriteArgs, f github.ProjectsWriteArgsLayout) { v.Layout, f = f, v.Layout }
func _(v github.ProjectsWriteArgs, f *string)                        { v.Name, f = f, v.Name }
func _(v github.ProjectsWriteArgs, f github.ProjectsWriteArgsOwnerType) {
	v.OwnerType, f = f, v.OwnerType
}
func _(v github.ProjectsWriteArgs, f *float64)                       { v.ProjectNumber, f = f, v.ProjectNumber }
func _(v github.ProjectsWriteArgs, f *float64)                       { v.PullRequestNumber, f = f, v.PullRequestNumber }
func _(v github.ProjectsWriteArgs, f *string)                        { v.StartDate, f = f, v.StartDate }
func _(v github.ProjectsWriteArgs, f github.ProjectsWriteArgsStatus) { v.Status, f = f, v.Status }
func _(v github.ProjectsWriteArgs, f *string)                        { v.TargetDate, f = f, v.TargetDate }
func _(v github.ProjectsWriteArgs, f *string)                        { v.Title, f = f, v.Title }
func _(v github.ProjectsWriteArgs, f github.ProjectsWriteArgsUpdatedField) {
	v.UpdatedField, f = f, v.UpdatedField
}
func _(v github.ProjectsWriteArgs, f *string)  { v.ViewID, f = f, v.ViewID }
func _(v github.ProjectsWriteArgs, f []string) { v.VisibleFieldNames, f = f, v.VisibleFieldNames }
func _(v github.ProjectsWriteArgs, f []string) { v.VisibleFields, f = f, v.VisibleFields }

var _ = (*github.ProjectsWriteArgs).UnmarshalJSON

func _(v github.ProjectsWriteArgsItemType, u string) {
	v, u = github.ProjectsWriteArgsItemType(u), (string)(v)
}

var _ github.ProjectsWriteArgsItemType = github.ProjectsWriteArgsItemTypeIssue
var _ github.ProjectsWriteArgsItemType = github.ProjectsWriteArgsItemTypePullRequest
var _ github.ProjectsWriteArgsItemsItem
var _ github.ProjectsWriteArgsItemsItem = *new(github.ProjectsWriteArgsItemsItemIssueNumber)
var _ github.ProjectsWriteArgsItemsItem = *new(github.ProjectsWriteArgsItemsItemItemID)
var _ github.ProjectsWriteArgsItemsItem = *new(github.ProjectsWriteArgsItemsItemNodeID)
var _ github.ProjectsWriteArgsItemsItem = *new(github.ProjectsWriteArgsItemsItemOther)
var _ = github.ProjectsWriteArgsItemsItemIssueNumber{}

func _(v github.ProjectsWriteArgsItemsItemIssueNumber, f int)    { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.ProjectsWriteArgsItemsItemIssueNumber, f string) { v.ItemOwner, f = f, v.ItemOwner }
func _(v github.ProjectsWriteArgsItemsItemIssueNumber, f string) { v.ItemRepo, f = f, v.ItemRepo }

var _ = github.ProjectsWriteArgsItemsItemItemID{}

func _(v github.ProjectsWriteArgsItemsItemItemID, f int) { v.ItemID, f = f, v.ItemID }

var _ = github.ProjectsWriteArgsItemsItemNodeID{}

func _(v github.ProjectsWriteArgsItemsItemNodeID, f string) { v.NodeID, f = f, v.NodeID }

var _ = github.ProjectsWriteArgsItemsItemOther{}

func _(v github.ProjectsWriteArgsItemsItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}

var _ = github.ProjectsWriteArgsIterationsItem{}

func _(v github.ProjectsWriteArgsIterationsItem, f float64) { v.Duration, f = f, v.Duration }
func _(v github.ProjectsWriteArgsIterationsItem, f string)  { v.StartDate, f = f, v.StartDate }
func _(v github.ProjectsWriteArgsIterationsItem, f string)  { v.Title, f = f, v.Title }
func _(v github.ProjectsWriteArgsLayout, u string) {
	v, u = github.ProjectsWriteArgsLayout(u), (string)(v)
}

var _ github.ProjectsWriteArgsLayout = github.ProjectsWriteArgsLayoutBoard
var _ github.ProjectsWriteArgsLayout = github.ProjectsWriteArgsLayoutRoadmap
var _ github.ProjectsWriteArgsLayout = github.ProjectsWriteArgsLayoutTable

func _(v github.ProjectsWriteArgsMethod, u string) {
	v, u = github.ProjectsWriteArgsMethod(u), (string)(v)
}

var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodAddProjectItem
var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodCreateIterationField
var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodCreateProject
var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodCreateProjectStatusUpdate
var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodCreateProjectView
var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodDeleteProjectItem
var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodDeleteProjectView
var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodUpdateProjectItem
var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodUpdateProjectItems
var _ github.ProjectsWriteArgsMethod = github.ProjectsWriteArgsMethodUpdateProjectView

func _(v github.ProjectsWriteArgsOwnerType, u string) {
	v, u = github.ProjectsWriteArgsOwnerType(u), (string)(v)
}

var _ github.ProjectsWriteArgsOwnerType = github.ProjectsWriteArgsOwnerTypeOrg
var _ github.ProjectsWriteArgsOwnerType = github.ProjectsWriteArgsOwnerTypeUser

func _(v github.ProjectsWriteArgsStatus, u string) {
	v, u = github.ProjectsWriteArgsStatus(u), (string)(v)
}

var _ github.ProjectsWriteArgsStatus = github.ProjectsWriteArgsStatusAtRisk
var _ github.ProjectsWriteArgsStatus = github.ProjectsWriteArgsStatusComplete
var _ github.ProjectsWriteArgsStatus = github.ProjectsWriteArgsStatusInactive
var _ github.ProjectsWriteArgsStatus = github.ProjectsWriteArgsStatusOffTrack
var _ github.ProjectsWriteArgsStatus = github.ProjectsWriteArgsStatusOnTrack
var _ github.ProjectsWriteArgsUpdatedField
var _ github.ProjectsWriteArgsUpdatedField = *new(github.ProjectsWriteArgsUpdatedFieldID)
var _ github.ProjectsWriteArgsUpdatedField = *new(github.ProjectsWriteArgsUpdatedFieldName)
var _ github.ProjectsWriteArgsUpdatedField = *new(github.ProjectsWriteArgsUpdatedFieldOther)
var _ = github.ProjectsWriteArgsUpdatedFieldID{}

func _(v github.ProjectsWriteArgsUpdatedFieldID, f int) { v.ID, f = f, v.ID }
func _(v github.ProjectsWriteArgsUpdatedFieldID, f any) { v.Value, f = f, v.Value }

var _ = github.ProjectsWriteArgsUpdatedFieldName{}

func _(v github.ProjectsWriteArgsUpdatedFieldName, f string) { v.Name, f = f, v.Name }
func _(v github.ProjectsWriteArgsUpdatedFieldName, f any)    { v.Value, f = f, v.Value }

var _ = github.ProjectsWriteArgsUpdatedFieldOther{}

func _(v github.ProjectsWriteArgsUpdatedFieldOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}

var _ func(ctx context.Context, args github.PullRequestReadArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.PullRequestRead
var _ = github.PullRequestReadArgs{}

func _(v github.PullRequestReadArgs, f github.PullRequestReadArgsMethod) { v.Method, f = f, v.Method }
func _(v github.PullRequestReadArgs, f string)                           { v.Owner, f = f, v.Owner }
func _(v github.PullRequestReadArgs, f float64)                          { v.PullNumber, f = f, v.PullNumber }
func _(v github.PullRequestReadArgs, f string)                           { v.Repo, f = f, v.Repo }
func _(v github.PullRequestReadArgs, f *string)                          { v.After, f = f, v.After }
func _(v github.PullRequestReadArgs, f float64)                          { v.Page, f = f, v.Page }
func _(v github.PullRequestReadArgs, f float64)                          { v.PerPage, f = f, v.PerPage }
func _(v github.PullRequestReadArgsMethod, u string) {
	v, u = github.PullRequestReadArgsMethod(u), (string)(v)
}

var _ github.PullRequestReadArgsMethod = github.PullRequestReadArgsMethodGet
var _ github.PullRequestReadArgsMethod = github.PullRequestReadArgsMethodGetCheckRuns
var _ github.PullRequestReadArgsMethod = github.PullRequestReadArgsMethodGetComments
var _ github.PullRequestReadArgsMethod = github.PullRequestReadArgsMethodGetCommits
var _ github.PullRequestReadArgsMethod = github.PullRequestReadArgsMethodGetDiff
var _ github.PullRequestReadArgsMethod = github.PullRequestReadArgsMethodGetFiles
var _ github.PullRequestReadArgsMethod = github.PullRequestReadArgsMethodGetReviewComments
var _ github.PullRequestReadArgsMethod = github.PullRequestReadArgsMethodGetReviews
var _ github.PullRequestReadArgsMethod = github.PullRequestReadArgsMethodGetStatus
var _ func(ctx context.Context, args github.PullRequestReviewWriteArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.PullRequestReviewWrite
var _ = github.PullRequestReviewWriteArgs{}

func _(v github.PullRequestReviewWriteArgs, f github.PullRequestReviewWriteArgsMethod) {
	v.Method, f = f, v.Method
}
func _(v github.PullRequestReviewWriteArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.PullRequestReviewWriteArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.PullRequestReviewWriteArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.PullRequestReviewWriteArgs, f *string) { v.Body, f = f, v.Body }
func _(v github.PullRequestReviewWriteArgs, f *string) { v.CommitID, f = f, v.CommitID }
func _(v github.PullRequestReviewWriteArgs, f github.PullRequestReviewWriteArgsEvent) {
	v.Event, f = f, v.Event
}
func _(v github.PullRequestReviewWriteArgs, f *string) { v.ThreadID, f = f, v.ThreadID }
func _(v github.PullRequestReviewWriteArgsEvent, u string) {
	v, u = github.PullRequestReviewWriteArgsEvent(u), (string)(v)
}

var _ github.PullRequestReviewWriteArgsEvent = github.PullRequestReviewWriteArgsEventApprove
var _ github.PullRequestReviewWriteArgsEvent = github.PullRequestReviewWriteArgsEventComment
var _ github.PullRequestReviewWriteArgsEvent = github.PullRequestReviewWriteArgsEventRequestChanges

func _(v github.PullRequestReviewWriteArgsMethod, u string) {
	v, u = github.PullRequestReviewWriteArgsMethod(u), (string)(v)
}

var _ github.PullRequestReviewWriteArgsMethod = github.PullRequestReviewWriteArgsMethodCreate
var _ github.PullRequestReviewWriteArgsMethod = github.PullRequestReviewWriteArgsMethodDeletePending
var _ github.PullRequestReviewWriteArgsMethod = github.PullRequestReviewWriteArgsMethodResolveThread
var _ github.PullRequestReviewWriteArgsMethod = github.PullRequestReviewWriteArgsMethodSubmitPending
var _ github.PullRequestReviewWriteArgsMethod = github.PullRequestReviewWriteArgsMethodUnresolveThread
var _ func(ctx context.Context, args github.PushFilesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.PushFiles
var _ = github.PushFilesArgs{}

func _(v github.PushFilesArgs, f string)                          { v.Branch, f = f, v.Branch }
func _(v github.PushFilesArgs, f []github.PushFilesArgsFilesItem) { v.Files, f = f, v.Files }
func _(v github.PushFilesArgs, f string)                          { v.Message, f = f, v.Message }
func _(v github.PushFilesArgs, f string)                          { v.Owner, f = f, v.Owner }
func _(v github.PushFilesArgs, f string)                          { v.Repo, f = f, v.Repo }

var _ = github.PushFilesArgsFilesItem{}

func _(v github.PushFilesArgsFilesItem, f string) { v.Content, f = f, v.Content }
func _(v github.PushFilesArgsFilesItem, f string) { v.Path, f = f, v.Path }

var _ func(ctx context.Context, args github.RemoveSubIssueArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.RemoveSubIssue
var _ = github.RemoveSubIssueArgs{}

func _(v github.RemoveSubIssueArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.RemoveSubIssueArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.RemoveSubIssueArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.RemoveSubIssueArgs, f float64) { v.SubIssueID, f = f, v.SubIssueID }

var _ func(ctx context.Context, args github.ReprioritizeSubIssueArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ReprioritizeSubIssue
var _ = github.ReprioritizeSubIssueArgs{}

func _(v github.ReprioritizeSubIssueArgs, f float64)  { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.ReprioritizeSubIssueArgs, f string)   { v.Owner, f = f, v.Owner }
func _(v github.ReprioritizeSubIssueArgs, f string)   { v.Repo, f = f, v.Repo }
func _(v github.ReprioritizeSubIssueArgs, f float64)  { v.SubIssueID, f = f, v.SubIssueID }
func _(v github.ReprioritizeSubIssueArgs, f *float64) { v.AfterID, f = f, v.AfterID }
func _(v github.ReprioritizeSubIssueArgs, f *float64) { v.BeforeID, f = f, v.BeforeID }

var _ func(ctx context.Context, args github.RequestCopilotReviewArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.RequestCopilotReview
var _ = github.RequestCopilotReviewArgs{}

func _(v github.RequestCopilotReviewArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.RequestCopilotReviewArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.RequestCopilotReviewArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.RequestPullRequestReviewersArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.RequestPullRequestReviewers
var _ = github.RequestPullRequestReviewersArgs{}

func _(v github.RequestPullRequestReviewersArgs, f string)   { v.Owner, f = f, v.Owner }
func _(v github.RequestPullRequestReviewersArgs, f float64)  { v.PullNumber, f = f, v.PullNumber }
func _(v github.RequestPullRequestReviewersArgs, f string)   { v.Repo, f = f, v.Repo }
func _(v github.RequestPullRequestReviewersArgs, f []string) { v.Reviewers, f = f, v.Reviewers }

var _ func(ctx context.Context, args github.ResolveReviewThreadArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.ResolveReviewThread
var _ = github.ResolveReviewThreadArgs{}

func _(v github.ResolveReviewThreadArgs, f string) { v.ThreadID, f = f, v.ThreadID }

var _ func(ctx context.Context, args github.SearchCodeArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SearchCode
var _ = github.SearchCodeArgs{}

func _(v github.SearchCodeArgs, f string)                            { v.Query, f = f, v.Query }
func _(v github.SearchCodeArgs, f []github.SearchCodeArgsFieldsItem) { v.Fields, f = f, v.Fields }
func _(v github.SearchCodeArgs, f github.SearchCodeArgsOrder)        { v.Order, f = f, v.Order }
func _(v github.SearchCodeArgs, f float64)                           { v.Page, f = f, v.Page }
func _(v github.SearchCodeArgs, f float64)                           { v.PerPage, f = f, v.PerPage }
func _(v github.SearchCodeArgs, f *string)                           { v.Sort, f = f, v.Sort }
func _(v github.SearchCodeArgsFieldsItem, u string) {
	v, u = github.SearchCodeArgsFieldsItem(u), (string)(v)
}

var _ github.SearchCodeArgsFieldsItem = github.SearchCodeArgsFieldsItemName
var _ github.SearchCodeArgsFieldsItem = github.SearchCodeArgsFieldsItemPath
var _ github.SearchCodeArgsFieldsItem = github.SearchCodeArgsFieldsItemRepository
var _ github.SearchCodeArgsFieldsItem = github.SearchCodeArgsFieldsItemSHA
var _ github.SearchCodeArgsFieldsItem = github.SearchCodeArgsFieldsItemTextMatches

func _(v github.SearchCodeArgsOrder, u string) { v, u = github.SearchCodeArgsOrder(u), (string)(v) }

var _ github.SearchCodeArgsOrder = github.SearchCodeArgsOrderAsc
var _ github.SearchCodeArgsOrder = github.SearchCodeArgsOrderDesc
var _ func(ctx context.Context, args github.SearchCommitsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SearchCommits
var _ = github.SearchCommitsArgs{}

func _(v github.SearchCommitsArgs, f string)                        { v.Query, f = f, v.Query }
func _(v github.SearchCommitsArgs, f github.SearchCommitsArgsOrder) { v.Order, f = f, v.Order }
func _(v github.SearchCommitsArgs, f float64)                       { v.Page, f = f, v.Page }
func _(v github.SearchCommitsArgs, f float64)                       { v.PerPage, f = f, v.PerPage }
func _(v github.SearchCommitsArgs, f github.SearchCommitsArgsSort)  { v.Sort, f = f, v.Sort }
func _(v github.SearchCommitsArgsOrder, u string) {
	v, u = github.SearchCommitsArgsOrder(u), (string)(v)
}

var _ github.SearchCommitsArgsOrder = github.SearchCommitsArgsOrderAsc
var _ github.SearchCommitsArgsOrder = github.SearchCommitsArgsOrderDesc

func _(v github.SearchCommitsArgsSort, u string) { v, u = github.SearchCommitsArgsSort(u), (string)(v) }

var _ github.SearchCommitsArgsSort = github.SearchCommitsArgsSortAuthorDate
var _ github.SearchCommitsArgsSort = github.SearchCommitsArgsSortCommitterDate
var _ func(ctx context.Context, args github.SearchIssuesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SearchIssues
var _ = github.SearchIssuesArgs{}

func _(v github.SearchIssuesArgs, f string)                              { v.Query, f = f, v.Query }
func _(v github.SearchIssuesArgs, f []github.SearchIssuesArgsFieldsItem) { v.Fields, f = f, v.Fields }
func _(v github.SearchIssuesArgs, f github.SearchIssuesArgsOrder)        { v.Order, f = f, v.Order }
func _(v github.SearchIssuesArgs, f *string)                             { v.Owner, f = f, v.Owner }
func _(v github.SearchIssuesArgs, f float64)                             { v.Page, f = f, v.Page }
func _(v github.SearchIssuesArgs, f float64)                             { v.PerPage, f = f, v.PerPage }
func _(v github.SearchIssuesArgs, f *string)                             { v.Repo, f = f, v.Repo }
func _(v github.SearchIssuesArgs, f github.SearchIssuesArgsSort)         { v.Sort, f = f, v.Sort }
func _(v github.SearchIssuesArgsFieldsItem, u string) {
	v, u = github.SearchIssuesArgsFieldsItem(u), (string)(v)
}

var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemAssignee
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemAssignees
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemAuthorAssociation
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemBody
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemClosedAt
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemClosedBy
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemComments
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemCreatedAt
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemDraft
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemFieldValues
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemHTMLURL
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemLabels
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemLocked
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemMilestone
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemNumber
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemPullRequest
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemReactions
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemRepositoryURL
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemState
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemStateReason
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemTitle
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemType
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemUpdatedAt
var _ github.SearchIssuesArgsFieldsItem = github.SearchIssuesArgsFieldsItemUser

func _(v github.SearchIssuesArgsOrder, u string) { v, u = github.SearchIssuesArgsOrder(u), (string)(v) }

var _ github.SearchIssuesArgsOrder = github.SearchIssuesArgsOrderAsc
var _ github.SearchIssuesArgsOrder = github.SearchIssuesArgsOrderDesc

func _(v github.SearchIssuesArgsSort, u string) { v, u = github.SearchIssuesArgsSort(u), (string)(v) }

var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortComments
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortCreated
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortInteractions
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortReactions
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortReactionsHeart
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortReactionsMinus1
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortReactionsPlus1
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortReactionsSmile
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortReactionsTada
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortReactionsThinkingFace
var _ github.SearchIssuesArgsSort = github.SearchIssuesArgsSortUpdated
var _ func(ctx context.Context, args github.SearchOrgsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SearchOrgs
var _ = github.SearchOrgsArgs{}

func _(v github.SearchOrgsArgs, f string)                     { v.Query, f = f, v.Query }
func _(v github.SearchOrgsArgs, f github.SearchOrgsArgsOrder) { v.Order, f = f, v.Order }
func _(v github.SearchOrgsArgs, f float64)                    { v.Page, f = f, v.Page }
func _(v github.SearchOrgsArgs, f float64)                    { v.PerPage, f = f, v.PerPage }
func _(v github.SearchOrgsArgs, f github.SearchOrgsArgsSort)  { v.Sort, f = f, v.Sort }
func _(v github.SearchOrgsArgsOrder, u string)                { v, u = github.SearchOrgsArgsOrder(u), (string)(v) }

var _ github.SearchOrgsArgsOrder = github.SearchOrgsArgsOrderAsc
var _ github.SearchOrgsArgsOrder = github.SearchOrgsArgsOrderDesc

func _(v github.SearchOrgsArgsSort, u string) { v, u = github.SearchOrgsArgsSort(u), (string)(v) }

var _ github.SearchOrgsArgsSort = github.SearchOrgsArgsSortFollowers
var _ github.SearchOrgsArgsSort = github.SearchOrgsArgsSortJoined
var _ github.SearchOrgsArgsSort = github.SearchOrgsArgsSortRepositories
var _ func(ctx context.Context, args github.SearchPullRequestsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SearchPullRequests
var _ = github.SearchPullRequestsArgs{}

func _(v github.SearchPullRequestsArgs, f string) { v.Query, f = f, v.Query }
func _(v github.SearchPullRequestsArgs, f []github.SearchPullRequestsArgsFieldsItem) {
	v.Fields, f = f, v.Fields
}
func _(v github.SearchPullRequestsArgs, f github.SearchPullRequestsArgsOrder) {
	v.Order, f = f, v.Order
}
func _(v github.SearchPullRequestsArgs, f *string)                           { v.Owner, f = f, v.Owner }
func _(v github.SearchPullRequestsArgs, f float64)                           { v.Page, f = f, v.Page }
func _(v github.SearchPullRequestsArgs, f float64)                           { v.PerPage, f = f, v.PerPage }
func _(v github.SearchPullRequestsArgs, f *string)                           { v.Repo, f = f, v.Repo }
func _(v github.SearchPullRequestsArgs, f github.SearchPullRequestsArgsSort) { v.Sort, f = f, v.Sort }
func _(v github.SearchPullRequestsArgsFieldsItem, u string) {
	v, u = github.SearchPullRequestsArgsFieldsItem(u), (string)(v)
}

var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemAssignee
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemAssignees
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemAuthorAssociation
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemBody
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemClosedAt
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemClosedBy
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemComments
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemCreatedAt
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemDraft
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemHTMLURL
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemLabels
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemLocked
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemMilestone
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemNumber
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemPullRequest
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemReactions
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemRepositoryURL
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemState
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemStateReason
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemTitle
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemUpdatedAt
var _ github.SearchPullRequestsArgsFieldsItem = github.SearchPullRequestsArgsFieldsItemUser

func _(v github.SearchPullRequestsArgsOrder, u string) {
	v, u = github.SearchPullRequestsArgsOrder(u), (string)(v)
}

var _ github.SearchPullRequestsArgsOrder = github.SearchPullRequestsArgsOrderAsc
var _ github.SearchPullRequestsArgsOrder = github.SearchPullRequestsArgsOrderDesc

func _(v github.SearchPullRequestsArgsSort, u string) {
	v, u = github.SearchPullRequestsArgsSort(u), (string)(v)
}

var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortComments
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortCreated
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortInteractions
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortReactions
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortReactionsHeart
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortReactionsMinus1
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortReactionsPlus1
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortReactionsSmile
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortReactionsTada
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortReactionsThinkingFace
var _ github.SearchPullRequestsArgsSort = github.SearchPullRequestsArgsSortUpdated
var _ func(ctx context.Context, args github.SearchRepositoriesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SearchRepositories
var _ = github.SearchRepositoriesArgs{}

func _(v github.SearchRepositoriesArgs, f string) { v.Query, f = f, v.Query }
func _(v github.SearchRepositoriesArgs, f *bool)  { v.MinimalOutput, f = f, v.MinimalOutput }
func _(v github.SearchRepositoriesArgs, f github.SearchRepositoriesArgsOrder) {
	v.Order, f = f, v.Order
}
func _(v github.SearchRepositoriesArgs, f float64)                           { v.Page, f = f, v.Page }
func _(v github.SearchRepositoriesArgs, f float64)                           { v.PerPage, f = f, v.PerPage }
func _(v github.SearchRepositoriesArgs, f github.SearchRepositoriesArgsSort) { v.Sort, f = f, v.Sort }
func _(v github.SearchRepositoriesArgsOrder, u string) {
	v, u = github.SearchRepositoriesArgsOrder(u), (string)(v)
}

var _ github.SearchRepositoriesArgsOrder = github.SearchRepositoriesArgsOrderAsc
var _ github.SearchRepositoriesArgsOrder = github.SearchRepositoriesArgsOrderDesc

func _(v github.SearchRepositoriesArgsSort, u string) {
	v, u = github.SearchRepositoriesArgsSort(u), (string)(v)
}

var _ github.SearchRepositoriesArgsSort = github.SearchRepositoriesArgsSortForks
var _ github.SearchRepositoriesArgsSort = github.SearchRepositoriesArgsSortHelpWantedIssues
var _ github.SearchRepositoriesArgsSort = github.SearchRepositoriesArgsSortStars
var _ github.SearchRepositoriesArgsSort = github.SearchRepositoriesArgsSortUpdated
var _ func(ctx context.Context, args github.SearchUsersArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SearchUsers
var _ = github.SearchUsersArgs{}

func _(v github.SearchUsersArgs, f string)                      { v.Query, f = f, v.Query }
func _(v github.SearchUsersArgs, f github.SearchUsersArgsOrder) { v.Order, f = f, v.Order }
func _(v github.SearchUsersArgs, f float64)                     { v.Page, f = f, v.Page }
func _(v github.SearchUsersArgs, f float64)                     { v.PerPage, f = f, v.PerPage }
func _(v github.SearchUsersArgs, f github.SearchUsersArgsSort)  { v.Sort, f = f, v.Sort }
func _(v github.SearchUsersArgsOrder, u string)                 { v, u = github.SearchUsersArgsOrder(u), (string)(v) }

var _ github.SearchUsersArgsOrder = github.SearchUsersArgsOrderAsc
var _ github.SearchUsersArgsOrder = github.SearchUsersArgsOrderDesc

func _(v github.SearchUsersArgsSort, u string) { v, u = github.SearchUsersArgsSort(u), (string)(v) }

var _ github.SearchUsersArgsSort = github.SearchUsersArgsSortFollowers
var _ github.SearchUsersArgsSort = github.SearchUsersArgsSortJoined
var _ github.SearchUsersArgsSort = github.SearchUsersArgsSortRepositories
var _ func(ctx context.Context, args github.SetIssueFieldsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SetIssueFields
var _ = github.SetIssueFieldsArgs{}

func _(v github.SetIssueFieldsArgs, f []github.SetIssueFieldsArgsFieldsItem) {
	v.Fields, f = f, v.Fields
}
func _(v github.SetIssueFieldsArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.SetIssueFieldsArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.SetIssueFieldsArgs, f string)  { v.Repo, f = f, v.Repo }

var _ = github.SetIssueFieldsArgsFieldsItem{}

func _(v github.SetIssueFieldsArgsFieldsItem, f string) { v.FieldID, f = f, v.FieldID }
func _(v github.SetIssueFieldsArgsFieldsItem, f github.SetIssueFieldsArgsFieldsItemConfidence) {
	v.Confidence, f = f, v.Confidence
}
func _(v github.SetIssueFieldsArgsFieldsItem, f *string)  { v.DateValue, f = f, v.DateValue }
func _(v github.SetIssueFieldsArgsFieldsItem, f *bool)    { v.Delete, f = f, v.Delete }
func _(v github.SetIssueFieldsArgsFieldsItem, f *bool)    { v.IsSuggestion, f = f, v.IsSuggestion }
func _(v github.SetIssueFieldsArgsFieldsItem, f *float64) { v.NumberValue, f = f, v.NumberValue }
func _(v github.SetIssueFieldsArgsFieldsItem, f *string)  { v.Rationale, f = f, v.Rationale }
func _(v github.SetIssueFieldsArgsFieldsItem, f *string) {
	v.SingleSelectOptionID, f = f, v.SingleSelectOptionID
}
func _(v github.SetIssueFieldsArgsFieldsItem, f *string) { v.TextValue, f = f, v.TextValue }
func _(v github.SetIssueFieldsArgsFieldsItemConfidence, u string) {
	v, u = github.SetIssueFieldsArgsFieldsItemConfidence(u), (string)(v)
}

var _ github.SetIssueFieldsArgsFieldsItemConfidence = github.SetIssueFieldsArgsFieldsItemConfidenceHigh
var _ github.SetIssueFieldsArgsFieldsItemConfidence = github.SetIssueFieldsArgsFieldsItemConfidenceLow
var _ github.SetIssueFieldsArgsFieldsItemConfidence = github.SetIssueFieldsArgsFieldsItemConfidenceMedium
var _ func(ctx context.Context, args github.StarRepositoryArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.StarRepository
var _ = github.StarRepositoryArgs{}

func _(v github.StarRepositoryArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.StarRepositoryArgs, f string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.SubIssueWriteArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SubIssueWrite
var _ = github.SubIssueWriteArgs{}

func _(v github.SubIssueWriteArgs, f float64)  { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.SubIssueWriteArgs, f string)   { v.Method, f = f, v.Method }
func _(v github.SubIssueWriteArgs, f string)   { v.Owner, f = f, v.Owner }
func _(v github.SubIssueWriteArgs, f string)   { v.Repo, f = f, v.Repo }
func _(v github.SubIssueWriteArgs, f float64)  { v.SubIssueID, f = f, v.SubIssueID }
func _(v github.SubIssueWriteArgs, f *float64) { v.AfterID, f = f, v.AfterID }
func _(v github.SubIssueWriteArgs, f *float64) { v.BeforeID, f = f, v.BeforeID }
func _(v github.SubIssueWriteArgs, f *bool)    { v.ReplaceParent, f = f, v.ReplaceParent }

var _ func(ctx context.Context, args github.SubmitPendingPullRequestReviewArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.SubmitPendingPullRequestReview
var _ = github.SubmitPendingPullRequestReviewArgs{}

func _(v github.SubmitPendingPullRequestReviewArgs, f github.SubmitPendingPullRequestReviewArgsEvent) {
	v.Event, f = f, v.Event
}
func _(v github.SubmitPendingPullRequestReviewArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.SubmitPendingPullRequestReviewArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.SubmitPendingPullRequestReviewArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.SubmitPendingPullRequestReviewArgs, f *string) { v.Body, f = f, v.Body }
func _(v github.SubmitPendingPullRequestReviewArgsEvent, u string) {
	v, u = github.SubmitPendingPullRequestReviewArgsEvent(u), (string)(v)
}

var _ github.SubmitPendingPullRequestReviewArgsEvent = github.SubmitPendingPullRequestReviewArgsEventApprove
var _ github.SubmitPendingPullRequestReviewArgsEvent = github.SubmitPendingPullRequestReviewArgsEventComment
var _ github.SubmitPendingPullRequestReviewArgsEvent = github.SubmitPendingPullRequestReviewArgsEventRequestChanges
var _ func(inv runtime.Invoker) []runtime.Tool = github.Tools
var _ func(ctx context.Context, args github.UIGetArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UIGet
var _ = github.UIGetArgs{}

func _(v github.UIGetArgs, f github.UIGetArgsMethod) { v.Method, f = f, v.Method }
func _(v github.UIGetArgs, f string)                 { v.Owner, f = f, v.Owner }
func _(v github.UIGetArgs, f *string)                { v.Repo, f = f, v.Repo }
func _(v github.UIGetArgsMethod, u string)           { v, u = github.UIGetArgsMethod(u), (string)(v) }

var _ github.UIGetArgsMethod = github.UIGetArgsMethodAssignees
var _ github.UIGetArgsMethod = github.UIGetArgsMethodBranches
var _ github.UIGetArgsMethod = github.UIGetArgsMethodIssueFields
var _ github.UIGetArgsMethod = github.UIGetArgsMethodIssueTypes
var _ github.UIGetArgsMethod = github.UIGetArgsMethodLabels
var _ github.UIGetArgsMethod = github.UIGetArgsMethodMilestones
var _ github.UIGetArgsMethod = github.UIGetArgsMethodReviewers
var _ func(ctx context.Context, args github.UnresolveReviewThreadArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UnresolveReviewThread
var _ = github.UnresolveReviewThreadArgs{}

func _(v github.UnresolveReviewThreadArgs, f string) { v.ThreadID, f = f, v.ThreadID }

var _ func(ctx context.Context, args github.UnstarRepositoryArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UnstarRepository
var _ = github.UnstarRepositoryArgs{}

func _(v github.UnstarRepositoryArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.UnstarRepositoryArgs, f string) { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.UpdateGistArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdateGist
var _ = github.UpdateGistArgs{}

func _(v github.UpdateGistArgs, f string)  { v.Content, f = f, v.Content }
func _(v github.UpdateGistArgs, f string)  { v.Filename, f = f, v.Filename }
func _(v github.UpdateGistArgs, f string)  { v.GistID, f = f, v.GistID }
func _(v github.UpdateGistArgs, f *string) { v.Description, f = f, v.Description }

var _ func(ctx context.Context, args github.UpdateIssueAssigneesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdateIssueAssignees
var _ = github.UpdateIssueAssigneesArgs{}

func _(v github.UpdateIssueAssigneesArgs, f []github.UpdateIssueAssigneesArgsAssigneesItem) {
	v.Assignees, f = f, v.Assignees
}
func _(v github.UpdateIssueAssigneesArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.UpdateIssueAssigneesArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdateIssueAssigneesArgs, f string)  { v.Repo, f = f, v.Repo }

var _ = (*github.UpdateIssueAssigneesArgs).UnmarshalJSON
var _ github.UpdateIssueAssigneesArgsAssigneesItem
var _ github.UpdateIssueAssigneesArgsAssigneesItem = *new(github.UpdateIssueAssigneesArgsAssigneesItemObject)
var _ github.UpdateIssueAssigneesArgsAssigneesItem = *new(github.UpdateIssueAssigneesArgsAssigneesItemOther)
var _ github.UpdateIssueAssigneesArgsAssigneesItem = *new(github.UpdateIssueAssigneesArgsAssigneesItemString)
var _ = github.UpdateIssueAssigneesArgsAssigneesItemObject{}

func _(v github.UpdateIssueAssigneesArgsAssigneesItemObject, f string) { v.Login, f = f, v.Login }
func _(v github.UpdateIssueAssigneesArgsAssigneesItemObject, f github.UpdateIssueAssigneesArgsAssigneesItemObjectConfidence) {
	v.Confidence, f = f, v.Confidence
}
func _(v github.UpdateIssueAssigneesArgsAssigneesItemObject, f *bool) {
	v.IsSuggestion, f = f, v.IsSuggestion
}
func _(v github.UpdateIssueAssigneesArgsAssigneesItemObject, f *string) {
	v.Rationale, f = f, v.Rationale
}
func _(v github.UpdateIssueAssigneesArgsAssigneesItemObjectConfidence, u string) {
	v, u = github.UpdateIssueAssigneesArgsAssigneesItemObjectConfidence(u), (string)(v)
}

var _ github.UpdateIssueAssigneesArgsAssigneesItemObjectConfidence = github.UpdateIssueAssigneesArgsAssigneesItemObjectConfidenceHigh
var _ github.UpdateIssueAssigneesArgsAssigneesItemObjectConfidence = github.UpdateIssueAssigneesArgsAssigneesItemObjectConfidenceLow
var _ github.UpdateIssueAssigneesArgsAssigneesItemObjectConfidence = github.UpdateIssueAssigneesArgsAssigneesItemObjectConfidenceMedium
var _ = github.UpdateIssueAssigneesArgsAssigneesItemOther{}

func _(v github.UpdateIssueAssigneesArgsAssigneesItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v github.UpdateIssueAssigneesArgsAssigneesItemString, u string) {
	v, u = github.UpdateIssueAssigneesArgsAssigneesItemString(u), (string)(v)
}

var _ func(ctx context.Context, args github.UpdateIssueBodyArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdateIssueBody
var _ = github.UpdateIssueBodyArgs{}

func _(v github.UpdateIssueBodyArgs, f string)  { v.Body, f = f, v.Body }
func _(v github.UpdateIssueBodyArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.UpdateIssueBodyArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdateIssueBodyArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.UpdateIssueLabelsArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdateIssueLabels
var _ = github.UpdateIssueLabelsArgs{}

func _(v github.UpdateIssueLabelsArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.UpdateIssueLabelsArgs, f []github.UpdateIssueLabelsArgsLabelsItem) {
	v.Labels, f = f, v.Labels
}
func _(v github.UpdateIssueLabelsArgs, f string) { v.Owner, f = f, v.Owner }
func _(v github.UpdateIssueLabelsArgs, f string) { v.Repo, f = f, v.Repo }

var _ = (*github.UpdateIssueLabelsArgs).UnmarshalJSON
var _ github.UpdateIssueLabelsArgsLabelsItem
var _ github.UpdateIssueLabelsArgsLabelsItem = *new(github.UpdateIssueLabelsArgsLabelsItemObject)
var _ github.UpdateIssueLabelsArgsLabelsItem = *new(github.UpdateIssueLabelsArgsLabelsItemOther)
var _ github.UpdateIssueLabelsArgsLabelsItem = *new(github.UpdateIssueLabelsArgsLabelsItemString)
var _ = github.UpdateIssueLabelsArgsLabelsItemObject{}

func _(v github.UpdateIssueLabelsArgsLabelsItemObject, f string) { v.Name, f = f, v.Name }
func _(v github.UpdateIssueLabelsArgsLabelsItemObject, f github.UpdateIssueLabelsArgsLabelsItemObjectConfidence) {
	v.Confidence, f = f, v.Confidence
}
func _(v github.UpdateIssueLabelsArgsLabelsItemObject, f *bool) {
	v.IsSuggestion, f = f, v.IsSuggestion
}
func _(v github.UpdateIssueLabelsArgsLabelsItemObject, f *string) { v.Rationale, f = f, v.Rationale }
func _(v github.UpdateIssueLabelsArgsLabelsItemObjectConfidence, u string) {
	v, u = github.UpdateIssueLabelsArgsLabelsItemObjectConfidence(u), (string)(v)
}

var _ github.UpdateIssueLabelsArgsLabelsItemObjectConfidence = github.UpdateIssueLabelsArgsLabelsItemObjectConfidenceHigh
var _ github.UpdateIssueLabelsArgsLabelsItemObjectConfidence = github.UpdateIssueLabelsArgsLabelsItemObjectConfidenceLow
var _ github.UpdateIssueLabelsArgsLabelsItemObjectConfidence = github.UpdateIssueLabelsArgsLabelsItemObjectConfidenceMedium
var _ = github.UpdateIssueLabelsArgsLabelsItemOther{}

func _(v github.UpdateIssueLabelsArgsLabelsItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v github.UpdateIssueLabelsArgsLabelsItemString, u string) {
	v, u = github.UpdateIssueLabelsArgsLabelsItemString(u), (string)(v)
}

var _ func(ctx context.Context, args github.UpdateIssueMilestoneArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdateIssueMilestone
var _ = github.UpdateIssueMilestoneArgs{}

func _(v github.UpdateIssueMilestoneArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.UpdateIssueMilestoneArgs, f int)     { v.Milestone, f = f, v.Milestone }
func _(v github.UpdateIssueMilestoneArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdateIssueMilestoneArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.UpdateIssueStateArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdateIssueState
var _ = github.UpdateIssueStateArgs{}

func _(v github.UpdateIssueStateArgs, f float64)                          { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.UpdateIssueStateArgs, f string)                           { v.Owner, f = f, v.Owner }
func _(v github.UpdateIssueStateArgs, f string)                           { v.Repo, f = f, v.Repo }
func _(v github.UpdateIssueStateArgs, f github.UpdateIssueStateArgsState) { v.State, f = f, v.State }
func _(v github.UpdateIssueStateArgs, f github.UpdateIssueStateArgsConfidence) {
	v.Confidence, f = f, v.Confidence
}
func _(v github.UpdateIssueStateArgs, f float64) { v.DuplicateOf, f = f, v.DuplicateOf }
func _(v github.UpdateIssueStateArgs, f *bool)   { v.IsSuggestion, f = f, v.IsSuggestion }
func _(v github.UpdateIssueStateArgs, f *string) { v.Rationale, f = f, v.Rationale }
func _(v github.UpdateIssueStateArgs, f github.UpdateIssueStateArgsStateReason) {
	v.StateReason, f = f, v.StateReason
}
func _(v github.UpdateIssueStateArgsConfidence, u string) {
	v, u = github.UpdateIssueStateArgsConfidence(u), (string)(v)
}

var _ github.UpdateIssueStateArgsConfidence = github.UpdateIssueStateArgsConfidenceHigh
var _ github.UpdateIssueStateArgsConfidence = github.UpdateIssueStateArgsConfidenceLow
var _ github.UpdateIssueStateArgsConfidence = github.UpdateIssueStateArgsConfidenceMedium

func _(v github.UpdateIssueStateArgsState, u string) {
	v, u = github.UpdateIssueStateArgsState(u), (string)(v)
}

var _ github.UpdateIssueStateArgsState = github.UpdateIssueStateArgsStateClosed
var _ github.UpdateIssueStateArgsState = github.UpdateIssueStateArgsStateOpen

func _(v github.UpdateIssueStateArgsStateReason, u string) {
	v, u = github.UpdateIssueStateArgsStateReason(u), (string)(v)
}

var _ github.UpdateIssueStateArgsStateReason = github.UpdateIssueStateArgsStateReasonCompleted
var _ github.UpdateIssueStateArgsStateReason = github.UpdateIssueStateArgsStateReasonDuplicate
var _ github.UpdateIssueStateArgsStateReason = github.UpdateIssueStateArgsStateReasonNotPlanned
var _ func(ctx context.Context, args github.UpdateIssueTitleArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdateIssueTitle
var _ = github.UpdateIssueTitleArgs{}

func _(v github.UpdateIssueTitleArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.UpdateIssueTitleArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdateIssueTitleArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.UpdateIssueTitleArgs, f string)  { v.Title, f = f, v.Title }

var _ func(ctx context.Context, args github.UpdateIssueTypeArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdateIssueType
var _ = github.UpdateIssueTypeArgs{}

func _(v github.UpdateIssueTypeArgs, f float64) { v.IssueNumber, f = f, v.IssueNumber }
func _(v github.UpdateIssueTypeArgs, f *string) { v.IssueType, f = f, v.IssueType }
func _(v github.UpdateIssueTypeArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdateIssueTypeArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.UpdateIssueTypeArgs, f github.UpdateIssueTypeArgsConfidence) {
	v.Confidence, f = f, v.Confidence
}
func _(v github.UpdateIssueTypeArgs, f *bool)   { v.IsSuggestion, f = f, v.IsSuggestion }
func _(v github.UpdateIssueTypeArgs, f *string) { v.Rationale, f = f, v.Rationale }
func _(v github.UpdateIssueTypeArgsConfidence, u string) {
	v, u = github.UpdateIssueTypeArgsConfidence(u), (string)(v)
}

var _ github.UpdateIssueTypeArgsConfidence = github.UpdateIssueTypeArgsConfidenceHigh
var _ github.UpdateIssueTypeArgsConfidence = github.UpdateIssueTypeArgsConfidenceLow
var _ github.UpdateIssueTypeArgsConfidence = github.UpdateIssueTypeArgsConfidenceMedium
var _ func(ctx context.Context, args github.UpdatePullRequestArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdatePullRequest
var _ = github.UpdatePullRequestArgs{}

func _(v github.UpdatePullRequestArgs, f string)                            { v.Owner, f = f, v.Owner }
func _(v github.UpdatePullRequestArgs, f float64)                           { v.PullNumber, f = f, v.PullNumber }
func _(v github.UpdatePullRequestArgs, f string)                            { v.Repo, f = f, v.Repo }
func _(v github.UpdatePullRequestArgs, f *string)                           { v.Base, f = f, v.Base }
func _(v github.UpdatePullRequestArgs, f *string)                           { v.Body, f = f, v.Body }
func _(v github.UpdatePullRequestArgs, f *bool)                             { v.Draft, f = f, v.Draft }
func _(v github.UpdatePullRequestArgs, f *bool)                             { v.MaintainerCanModify, f = f, v.MaintainerCanModify }
func _(v github.UpdatePullRequestArgs, f []string)                          { v.Reviewers, f = f, v.Reviewers }
func _(v github.UpdatePullRequestArgs, f github.UpdatePullRequestArgsState) { v.State, f = f, v.State }
func _(v github.UpdatePullRequestArgs, f *string)                           { v.Title, f = f, v.Title }
func _(v github.UpdatePullRequestArgsState, u string) {
	v, u = github.UpdatePullRequestArgsState(u), (string)(v)
}

var _ github.UpdatePullRequestArgsState = github.UpdatePullRequestArgsStateClosed
var _ github.UpdatePullRequestArgsState = github.UpdatePullRequestArgsStateOpen
var _ func(ctx context.Context, args github.UpdatePullRequestBodyArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdatePullRequestBody
var _ = github.UpdatePullRequestBodyArgs{}

func _(v github.UpdatePullRequestBodyArgs, f string)  { v.Body, f = f, v.Body }
func _(v github.UpdatePullRequestBodyArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdatePullRequestBodyArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.UpdatePullRequestBodyArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.UpdatePullRequestBranchArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdatePullRequestBranch
var _ = github.UpdatePullRequestBranchArgs{}

func _(v github.UpdatePullRequestBranchArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdatePullRequestBranchArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.UpdatePullRequestBranchArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.UpdatePullRequestBranchArgs, f *string) { v.ExpectedHeadSHA, f = f, v.ExpectedHeadSHA }

var _ func(ctx context.Context, args github.UpdatePullRequestDraftStateArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdatePullRequestDraftState
var _ = github.UpdatePullRequestDraftStateArgs{}

func _(v github.UpdatePullRequestDraftStateArgs, f bool)    { v.Draft, f = f, v.Draft }
func _(v github.UpdatePullRequestDraftStateArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdatePullRequestDraftStateArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.UpdatePullRequestDraftStateArgs, f string)  { v.Repo, f = f, v.Repo }

var _ func(ctx context.Context, args github.UpdatePullRequestStateArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdatePullRequestState
var _ = github.UpdatePullRequestStateArgs{}

func _(v github.UpdatePullRequestStateArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdatePullRequestStateArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.UpdatePullRequestStateArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.UpdatePullRequestStateArgs, f github.UpdatePullRequestStateArgsState) {
	v.State, f = f, v.State
}
func _(v github.UpdatePullRequestStateArgsState, u string) {
	v, u = github.UpdatePullRequestStateArgsState(u), (string)(v)
}

var _ github.UpdatePullRequestStateArgsState = github.UpdatePullRequestStateArgsStateClosed
var _ github.UpdatePullRequestStateArgsState = github.UpdatePullRequestStateArgsStateOpen
var _ func(ctx context.Context, args github.UpdatePullRequestTitleArgs, opts ...runtime.CallOption) (*runtime.Result, error) = github.UpdatePullRequestTitle
var _ = github.UpdatePullRequestTitleArgs{}

func _(v github.UpdatePullRequestTitleArgs, f string)  { v.Owner, f = f, v.Owner }
func _(v github.UpdatePullRequestTitleArgs, f float64) { v.PullNumber, f = f, v.PullNumber }
func _(v github.UpdatePullRequestTitleArgs, f string)  { v.Repo, f = f, v.Repo }
func _(v github.UpdatePullRequestTitleArgs, f string)  { v.Title, f = f, v.Title }
