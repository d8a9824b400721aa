// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"encoding/json"
	"example.com/app/mcp/types"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ = types.Client{}
var _ = (*types.Client).GetShape
var _ = (*types.Client).GetValues
var _ = (*types.Client).ListShapes
var _ = (*types.Client).Plain
var _ = (*types.Client).PutValues
var _ = (*types.Client).SendShapes
var _ func(ctx context.Context, args types.GetShapeArgs, opts ...runtime.CallOption) (types.GetShapeResult, error) = types.GetShape
var _ = types.GetShapeArgs{}
var _ types.GetShapeResult
var _ types.GetShapeResult = *new(types.GetShapeResultCircle)
var _ types.GetShapeResult = *new(types.GetShapeResultOther)
var _ types.GetShapeResult = *new(types.GetShapeResultSquare)
var _ = types.GetShapeResultCircle{}

func _(v types.GetShapeResultCircle, f float64)                    { v.Radius, f = f, v.Radius }
func _(v types.GetShapeResultCircle, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*types.GetShapeResultCircle).UnmarshalJSON
var _ = (*types.GetShapeResultCircle).MarshalJSON
var _ = types.GetShapeResultOther{}

func _(v types.GetShapeResultOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.GetShapeResultSquare{}

func _(v types.GetShapeResultSquare, f float64)                    { v.Side, f = f, v.Side }
func _(v types.GetShapeResultSquare, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*types.GetShapeResultSquare).UnmarshalJSON
var _ = (*types.GetShapeResultSquare).MarshalJSON
var _ func(ctx context.Context, args types.GetValuesArgs, opts ...runtime.CallOption) (*types.GetValuesResult, error) = types.GetValues
var _ = types.GetValuesArgs{}
var _ = types.GetValuesResult{}

func _(v types.GetValuesResult, f int)                              { v.ID, f = f, v.ID }
func _(v types.GetValuesResult, f []types.GetValuesResultItemsItem) { v.Items, f = f, v.Items }
func _(v types.GetValuesResult, f types.GetValuesResultState)       { v.State, f = f, v.State }
func _(v types.GetValuesResult, f *types.GetValuesResultClosed)     { v.Closed, f = f, v.Closed }
func _(v types.GetValuesResult, f runtime.Opt[runtime.DateTime])    { v.ClosedAt, f = f, v.ClosedAt }
func _(v types.GetValuesResult, f *runtime.DateTime)                { v.Created, f = f, v.Created }
func _(v types.GetValuesResult, f *runtime.Base64)                  { v.Data, f = f, v.Data }
func _(v types.GetValuesResult, f *runtime.UUID)                    { v.Key, f = f, v.Key }
func _(v types.GetValuesResult, f []runtime.URI)                    { v.Links, f = f, v.Links }
func _(v types.GetValuesResult, f runtime.Opt[int])                 { v.Maybe, f = f, v.Maybe }
func _(v types.GetValuesResult, f json.RawMessage)                  { v.Raw, f = f, v.Raw }
func _(v types.GetValuesResult, f map[string]float64)               { v.Scores, f = f, v.Scores }
func _(v types.GetValuesResult, f map[string]json.RawMessage)       { v.Extra, f = f, v.Extra }

var _ = (*types.GetValuesResult).UnmarshalJSON
var _ = (*types.GetValuesResult).MarshalJSON
var _ = types.GetValuesResultClosed{}

func _(v types.GetValuesResultClosed, f *string) { v.X, f = f, v.X }

var _ = types.GetValuesResultItemsItem{}

func _(v types.GetValuesResultItemsItem, f float64)                    { v.N, f = f, v.N }
func _(v types.GetValuesResultItemsItem, f *types.GetValuesResultTree) { v.Tree, f = f, v.Tree }
func _(v types.GetValuesResultItemsItem, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*types.GetValuesResultItemsItem).UnmarshalJSON
var _ = (*types.GetValuesResultItemsItem).MarshalJSON

func _(v types.GetValuesResultState, u string) { v, u = types.GetValuesResultState(u), (string)(v) }

var _ types.GetValuesResultState = types.GetValuesResultStateClosed
var _ types.GetValuesResultState = types.GetValuesResultStateOpen
var _ = types.GetValuesResultTree{}

func _(v types.GetValuesResultTree, f *types.GetValuesResultTree) { v.Left, f = f, v.Left }
func _(v types.GetValuesResultTree, f *types.GetValuesResultTree) { v.Right, f = f, v.Right }
func _(v types.GetValuesResultTree, f *string)                    { v.Value, f = f, v.Value }
func _(v types.GetValuesResultTree, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*types.GetValuesResultTree).UnmarshalJSON
var _ = (*types.GetValuesResultTree).MarshalJSON
var _ func(ctx context.Context, args types.ListShapesArgs, opts ...runtime.CallOption) ([]types.ListShapesResultItem, error) = types.ListShapes
var _ = types.ListShapesArgs{}
var _ types.ListShapesResultItem
var _ types.ListShapesResultItem = *new(types.ListShapesResultItemObject)
var _ types.ListShapesResultItem = *new(types.ListShapesResultItemOther)
var _ types.ListShapesResultItem = *new(types.ListShapesResultItemString)
var _ = types.ListShapesResultItemObject{}

func _(v types.ListShapesResultItemObject, f types.ListShapesResultItemObjectAt) { v.At, f = f, v.At }
func _(v types.ListShapesResultItemObject, f map[string]json.RawMessage)         { v.Extra, f = f, v.Extra }

var _ = (*types.ListShapesResultItemObject).UnmarshalJSON
var _ = (*types.ListShapesResultItemObject).MarshalJSON
var _ = types.ListShapesResultItemObjectAt{}

func _(v types.ListShapesResultItemObjectAt, f string) { v.Item0, f = f, v.Item0 }
func _(v types.ListShapesResultItemObjectAt, f int)    { v.Item1, f = f, v.Item1 }

var _ = (*types.ListShapesResultItemObjectAt).UnmarshalJSON
var _ = (*types.ListShapesResultItemObjectAt).MarshalJSON
var _ = types.ListShapesResultItemOther{}

func _(v types.ListShapesResultItemOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v types.ListShapesResultItemString, u string) {
	v, u = types.ListShapesResultItemString(u), (string)(v)
}

var _ func() *runtime.Manifest = types.Manifest
var _ func(inv runtime.Invoker) *types.Client = types.New
var _ func(ctx context.Context, args types.PlainArgs, opts ...runtime.CallOption) (*runtime.Result, error) = types.Plain
var _ = types.PlainArgs{}
var _ func(ctx context.Context, args types.PutValuesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = types.PutValues
var _ = types.PutValuesArgs{}

func _(v types.PutValuesArgs, f any)                                   { v.Anything, f = f, v.Anything }
func _(v types.PutValuesArgs, f int64)                                 { v.Big, f = f, v.Big }
func _(v types.PutValuesArgs, f int)                                   { v.Count, f = f, v.Count }
func _(v types.PutValuesArgs, f bool)                                  { v.Flag, f = f, v.Flag }
func _(v types.PutValuesArgs, f map[string]int)                        { v.Limits, f = f, v.Limits }
func _(v types.PutValuesArgs, f *[]string)                             { v.Members, f = f, v.Members }
func _(v types.PutValuesArgs, f string)                                { v.Name, f = f, v.Name }
func _(v types.PutValuesArgs, f *string)                               { v.Owner, f = f, v.Owner }
func _(v types.PutValuesArgs, f types.PutValuesArgsNode)               { v.Parent, f = f, v.Parent }
func _(v types.PutValuesArgs, f *map[string]int)                       { v.Quotas, f = f, v.Quotas }
func _(v types.PutValuesArgs, f float64)                               { v.Ratio, f = f, v.Ratio }
func _(v types.PutValuesArgs, f types.PutValuesArgsState)              { v.State, f = f, v.State }
func _(v types.PutValuesArgs, f []string)                              { v.Tags, f = f, v.Tags }
func _(v types.PutValuesArgs, f *string)                               { v.Filter, f = f, v.Filter }
func _(v types.PutValuesArgs, f runtime.Opt[string])                   { v.Assignee, f = f, v.Assignee }
func _(v types.PutValuesArgs, f *types.PutValuesArgsAt)                { v.At, f = f, v.At }
func _(v types.PutValuesArgs, f runtime.Opt[types.PutValuesArgsColor]) { v.Color, f = f, v.Color }
func _(v types.PutValuesArgs, f *string)                               { v.Func, f = f, v.Func }
func _(v types.PutValuesArgs, f *uint64)                               { v.Huge, f = f, v.Huge }
func _(v types.PutValuesArgs, f types.PutValuesArgsKind)               { v.Kind, f = f, v.Kind }
func _(v types.PutValuesArgs, f []string)                              { v.Labels, f = f, v.Labels }
func _(v types.PutValuesArgs, f types.PutValuesArgsLevel)              { v.Level, f = f, v.Level }
func _(v types.PutValuesArgs, f int)                                   { v.Limit, f = f, v.Limit }
func _(v types.PutValuesArgs, f *string)                               { v.Note, f = f, v.Note }
func _(v types.PutValuesArgs, f *types.PutValuesArgsOpen)              { v.Open, f = f, v.Open }
func _(v types.PutValuesArgs, f int)                                   { v.Page, f = f, v.Page }
func _(v types.PutValuesArgs, f *string)                               { v.Since, f = f, v.Since }
func _(v types.PutValuesArgs, f types.PutValuesArgsSort)               { v.Sort, f = f, v.Sort }

var _ = types.PutValuesArgsAt{}

func _(v types.PutValuesArgsAt, f string)    { v.HTMLURL, f = f, v.HTMLURL }
func _(v types.PutValuesArgsAt, f []int)     { v.UserIDs, f = f, v.UserIDs }
func _(v types.PutValuesArgsColor, u string) { v, u = types.PutValuesArgsColor(u), (string)(v) }

var _ types.PutValuesArgsColor = types.PutValuesArgsColorGreen
var _ types.PutValuesArgsColor = types.PutValuesArgsColorRed

func _(v types.PutValuesArgsKind, u string) { v, u = types.PutValuesArgsKind(u), (string)(v) }

var _ types.PutValuesArgsKind = types.PutValuesArgsKindValue

func _(v types.PutValuesArgsLevel, u int) { v, u = types.PutValuesArgsLevel(u), (int)(v) }

var _ types.PutValuesArgsLevel = types.PutValuesArgsLevel1
var _ types.PutValuesArgsLevel = types.PutValuesArgsLevel2
var _ types.PutValuesArgsLevel = types.PutValuesArgsLevel3
var _ = types.PutValuesArgsNode{}

func _(v types.PutValuesArgsNode, f string)                    { v.Label, f = f, v.Label }
func _(v types.PutValuesArgsNode, f []types.PutValuesArgsNode) { v.Children, f = f, v.Children }
func _(v types.PutValuesArgsNode, f *types.PutValuesArgsNode)  { v.Next, f = f, v.Next }

var _ = types.PutValuesArgsOpen{}

func _(v types.PutValuesArgsOpen, f *string)        { v.A, f = f, v.A }
func _(v types.PutValuesArgsOpen, f map[string]any) { v.Extra, f = f, v.Extra }
func _(v types.PutValuesArgsSort, u string)         { v, u = types.PutValuesArgsSort(u), (string)(v) }

var _ types.PutValuesArgsSort = types.PutValuesArgsSortAsc
var _ types.PutValuesArgsSort = types.PutValuesArgsSortDesc

func _(v types.PutValuesArgsState, u string) { v, u = types.PutValuesArgsState(u), (string)(v) }

var _ types.PutValuesArgsState = types.PutValuesArgsStateClosed
var _ types.PutValuesArgsState = types.PutValuesArgsStateOpen
var _ func(ctx context.Context, args types.SendShapesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = types.SendShapes
var _ = types.SendShapesArgs{}

func _(v types.SendShapesArgs, f []types.SendShapesArgsBlock)           { v.Blocks, f = f, v.Blocks }
func _(v types.SendShapesArgs, f [2]float64)                            { v.Point, f = f, v.Point }
func _(v types.SendShapesArgs, f types.SendShapesArgsTarget)            { v.Target, f = f, v.Target }
func _(v types.SendShapesArgs, f types.SendShapesArgsValue)             { v.Value, f = f, v.Value }
func _(v types.SendShapesArgs, f *string)                               { v.Empty, f = f, v.Empty }
func _(v types.SendShapesArgs, f *int)                                  { v.AB, f = f, v.AB }
func _(v types.SendShapesArgs, f *types.SendShapesArgsBoth)             { v.Both, f = f, v.Both }
func _(v types.SendShapesArgs, f map[string]types.SendShapesArgsTarget) { v.ByName, f = f, v.ByName }
func _(v types.SendShapesArgs, f runtime.Opt[types.SendShapesArgsFallback]) {
	v.Fallback, f = f, v.Fallback
}
func _(v types.SendShapesArgs, f []*[]int)                    { v.Grid, f = f, v.Grid }
func _(v types.SendShapesArgs, f *types.SendShapesArgsLabels) { v.Labels, f = f, v.Labels }
func _(v types.SendShapesArgs, f types.SendShapesArgsMixed)   { v.Mixed, f = f, v.Mixed }
func _(v types.SendShapesArgs, f *types.SendShapesArgsMove)   { v.Move, f = f, v.Move }
func _(v types.SendShapesArgs, f *types.SendShapesArgsRow)    { v.Row, f = f, v.Row }
func _(v types.SendShapesArgs, f types.SendShapesArgsRule)    { v.Rule, f = f, v.Rule }
func _(v types.SendShapesArgs, f types.SendShapesArgsStrict)  { v.Strict, f = f, v.Strict }
func _(v types.SendShapesArgs, f types.SendShapesArgsSubject) { v.Subject, f = f, v.Subject }
func _(v types.SendShapesArgs, f types.SendShapesArgsTree)    { v.Tree, f = f, v.Tree }

var _ = (*types.SendShapesArgs).UnmarshalJSON
var _ = (*types.SendShapesArgs).MarshalJSON
var _ types.SendShapesArgsBlock
var _ types.SendShapesArgsBlock = *new(types.SendShapesArgsBlockGroup)
var _ types.SendShapesArgsBlock = *new(types.SendShapesArgsBlockOther)
var _ types.SendShapesArgsBlock = *new(types.SendShapesArgsBlockText)
var _ = types.SendShapesArgsBlockGroup{}

func _(v types.SendShapesArgsBlockGroup, f []types.SendShapesArgsBlock) { v.Blocks, f = f, v.Blocks }

var _ = (*types.SendShapesArgsBlockGroup).UnmarshalJSON
var _ = (*types.SendShapesArgsBlockGroup).MarshalJSON
var _ = types.SendShapesArgsBlockOther{}

func _(v types.SendShapesArgsBlockOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsBlockText{}

func _(v types.SendShapesArgsBlockText, f string) { v.Text, f = f, v.Text }

var _ = (*types.SendShapesArgsBlockText).UnmarshalJSON
var _ = (*types.SendShapesArgsBlockText).MarshalJSON
var _ = types.SendShapesArgsBoth{}

func _(v types.SendShapesArgsBoth, f string) { v.A, f = f, v.A }
func _(v types.SendShapesArgsBoth, f int)    { v.B, f = f, v.B }

var _ types.SendShapesArgsFallback
var _ types.SendShapesArgsFallback = *new(types.SendShapesArgsFallbackOther)
var _ types.SendShapesArgsFallback = *new(types.SendShapesArgsTargetPage)
var _ types.SendShapesArgsFallback = *new(types.SendShapesArgsTargetWorkspace)
var _ = types.SendShapesArgsFallbackOther{}

func _(v types.SendShapesArgsFallbackOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsLabels{}

func _(v types.SendShapesArgsLabels, f *string)        { v.ID, f = f, v.ID }
func _(v types.SendShapesArgsLabels, f map[string]int) { v.Extra, f = f, v.Extra }

var _ types.SendShapesArgsMixed
var _ types.SendShapesArgsMixed = *new(types.SendShapesArgsMixedBool)
var _ types.SendShapesArgsMixed = *new(types.SendShapesArgsMixedInt)
var _ types.SendShapesArgsMixed = *new(types.SendShapesArgsMixedOther)
var _ types.SendShapesArgsMixed = *new(types.SendShapesArgsMixedString)

func _(v types.SendShapesArgsMixedBool, u bool) { v, u = types.SendShapesArgsMixedBool(u), (bool)(v) }

var _ types.SendShapesArgsMixedBool = types.SendShapesArgsMixedBoolTrue

func _(v types.SendShapesArgsMixedInt, u int) { v, u = types.SendShapesArgsMixedInt(u), (int)(v) }

var _ types.SendShapesArgsMixedInt = types.SendShapesArgsMixedInt1
var _ types.SendShapesArgsMixedInt = types.SendShapesArgsMixedInt2
var _ = types.SendShapesArgsMixedOther{}

func _(v types.SendShapesArgsMixedOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v types.SendShapesArgsMixedString, u string) {
	v, u = types.SendShapesArgsMixedString(u), (string)(v)
}

var _ types.SendShapesArgsMixedString = types.SendShapesArgsMixedStringAuto
var _ = types.SendShapesArgsMove{}

func _(v types.SendShapesArgsMove, f types.SendShapesArgsMoveTo) { v.To, f = f, v.To }

var _ = (*types.SendShapesArgsMove).UnmarshalJSON
var _ types.SendShapesArgsMoveTo
var _ types.SendShapesArgsMoveTo = *new(types.SendShapesArgsMoveToOther)
var _ types.SendShapesArgsMoveTo = *new(types.SendShapesArgsTargetPage)
var _ types.SendShapesArgsMoveTo = *new(types.SendShapesArgsTargetWorkspace)
var _ = types.SendShapesArgsMoveToOther{}

func _(v types.SendShapesArgsMoveToOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsRow{}

func _(v types.SendShapesArgsRow, f string)   { v.Item0, f = f, v.Item0 }
func _(v types.SendShapesArgsRow, f *int)     { v.Item1, f = f, v.Item1 }
func _(v types.SendShapesArgsRow, f []string) { v.Rest, f = f, v.Rest }

var _ = (*types.SendShapesArgsRow).UnmarshalJSON
var _ = (*types.SendShapesArgsRow).MarshalJSON
var _ types.SendShapesArgsRule
var _ types.SendShapesArgsRule = *new(types.SendShapesArgsRuleMax)
var _ types.SendShapesArgsRule = *new(types.SendShapesArgsRuleOther)
var _ types.SendShapesArgsRule = *new(types.SendShapesArgsRuleUntil)
var _ = types.SendShapesArgsRuleMax{}

func _(v types.SendShapesArgsRuleMax, f *int) { v.Max, f = f, v.Max }
func _(v types.SendShapesArgsRuleMax, f *int) { v.Min, f = f, v.Min }

var _ = types.SendShapesArgsRuleOther{}

func _(v types.SendShapesArgsRuleOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsRuleUntil{}

func _(v types.SendShapesArgsRuleUntil, f *string) { v.Min, f = f, v.Min }
func _(v types.SendShapesArgsRuleUntil, f *string) { v.Until, f = f, v.Until }
func _(v types.SendShapesArgsStrict, u bool)       { v, u = types.SendShapesArgsStrict(u), (bool)(v) }

var _ types.SendShapesArgsStrict = types.SendShapesArgsStrictTrue
var _ types.SendShapesArgsSubject
var _ types.SendShapesArgsSubject = *new(types.SendShapesArgsSubjectOther)
var _ types.SendShapesArgsSubject = *new(types.SendShapesArgsSubjectTeamID)
var _ types.SendShapesArgsSubject = *new(types.SendShapesArgsSubjectUserID)
var _ = types.SendShapesArgsSubjectOther{}

func _(v types.SendShapesArgsSubjectOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsSubjectTeamID{}

func _(v types.SendShapesArgsSubjectTeamID, f string) { v.TeamID, f = f, v.TeamID }
func _(v types.SendShapesArgsSubjectTeamID, f types.SendShapesArgsSubjectTeamIDRole) {
	v.Role, f = f, v.Role
}
func _(v types.SendShapesArgsSubjectTeamIDRole, u string) {
	v, u = types.SendShapesArgsSubjectTeamIDRole(u), (string)(v)
}

var _ types.SendShapesArgsSubjectTeamIDRole = types.SendShapesArgsSubjectTeamIDRoleAdmin
var _ types.SendShapesArgsSubjectTeamIDRole = types.SendShapesArgsSubjectTeamIDRoleMember
var _ = types.SendShapesArgsSubjectUserID{}

func _(v types.SendShapesArgsSubjectUserID, f string) { v.UserID, f = f, v.UserID }

var _ types.SendShapesArgsTarget
var _ types.SendShapesArgsTarget = *new(types.SendShapesArgsTargetOther)
var _ types.SendShapesArgsTarget = *new(types.SendShapesArgsTargetPage)
var _ types.SendShapesArgsTarget = *new(types.SendShapesArgsTargetWorkspace)
var _ = types.SendShapesArgsTargetOther{}

func _(v types.SendShapesArgsTargetOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsTargetPage{}

func _(v types.SendShapesArgsTargetPage, f string) { v.PageID, f = f, v.PageID }

var _ = (*types.SendShapesArgsTargetPage).UnmarshalJSON
var _ = (*types.SendShapesArgsTargetPage).MarshalJSON
var _ = types.SendShapesArgsTargetWorkspace{}
var _ = (*types.SendShapesArgsTargetWorkspace).UnmarshalJSON
var _ = (*types.SendShapesArgsTargetWorkspace).MarshalJSON
var _ types.SendShapesArgsTree
var _ types.SendShapesArgsTree = *new(types.SendShapesArgsTreeList)
var _ types.SendShapesArgsTree = *new(types.SendShapesArgsTreeMap)
var _ types.SendShapesArgsTree = *new(types.SendShapesArgsTreeOther)
var _ types.SendShapesArgsTree = *new(types.SendShapesArgsTreeString)

func _(v types.SendShapesArgsTreeList, u []types.SendShapesArgsTree) {
	v, u = types.SendShapesArgsTreeList(u), ([]types.SendShapesArgsTree)(v)
}

var _ = (*types.SendShapesArgsTreeList).UnmarshalJSON

func _(v types.SendShapesArgsTreeMap, u map[string]types.SendShapesArgsTree) {
	v, u = types.SendShapesArgsTreeMap(u), (map[string]types.SendShapesArgsTree)(v)
}

var _ = (*types.SendShapesArgsTreeMap).UnmarshalJSON
var _ = types.SendShapesArgsTreeOther{}

func _(v types.SendShapesArgsTreeOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v types.SendShapesArgsTreeString, u string) {
	v, u = types.SendShapesArgsTreeString(u), (string)(v)
}

var _ types.SendShapesArgsValue
var _ types.SendShapesArgsValue = *new(types.SendShapesArgsValueBool)
var _ types.SendShapesArgsValue = *new(types.SendShapesArgsValueList)
var _ types.SendShapesArgsValue = *new(types.SendShapesArgsValueNumber)
var _ types.SendShapesArgsValue = *new(types.SendShapesArgsValueObject)
var _ types.SendShapesArgsValue = *new(types.SendShapesArgsValueOther)
var _ types.SendShapesArgsValue = *new(types.SendShapesArgsValueString)

func _(v types.SendShapesArgsValueBool, u bool) { v, u = types.SendShapesArgsValueBool(u), (bool)(v) }
func _(v types.SendShapesArgsValueList, u []string) {
	v, u = types.SendShapesArgsValueList(u), ([]string)(v)
}
func _(v types.SendShapesArgsValueNumber, u float64) {
	v, u = types.SendShapesArgsValueNumber(u), (float64)(v)
}

var _ = types.SendShapesArgsValueObject{}

func _(v types.SendShapesArgsValueObject, f string) { v.Unit, f = f, v.Unit }

var _ = types.SendShapesArgsValueOther{}

func _(v types.SendShapesArgsValueOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v types.SendShapesArgsValueString, u string) {
	v, u = types.SendShapesArgsValueString(u), (string)(v)
}

var _ func(inv runtime.Invoker) []runtime.Tool = types.Tools
