// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"encoding/json"
	"example.com/app/mcp/types"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ = types.At{}

func _(v types.At, f string) { v.Item0, f = f, v.Item0 }
func _(v types.At, f int)    { v.Item1, f = f, v.Item1 }

var _ = (*types.At).UnmarshalJSON
var _ = (*types.At).MarshalJSON
var _ types.Block
var _ types.Block = *new(types.BlockGroup)
var _ types.Block = *new(types.BlockOther)
var _ types.Block = *new(types.BlockText)
var _ types.Block = *new(types.SendShapesArgsBlockGroup)
var _ types.Block = *new(types.SendShapesArgsBlockOther)
var _ types.Block = *new(types.SendShapesArgsBlockText)
var _ = types.BlockGroup{}

func _(v types.BlockGroup, f []types.Block) { v.Blocks, f = f, v.Blocks }

var _ = (*types.BlockGroup).UnmarshalJSON
var _ = (*types.BlockGroup).MarshalJSON
var _ = types.BlockOther{}

func _(v types.BlockOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.BlockText{}

func _(v types.BlockText, f string) { v.Text, f = f, v.Text }

var _ = (*types.BlockText).UnmarshalJSON
var _ = (*types.BlockText).MarshalJSON
var _ = types.Both{}

func _(v types.Both, f string) { v.A, f = f, v.A }
func _(v types.Both, f int)    { v.B, f = f, v.B }

var _ = types.Circle{}

func _(v types.Circle, f float64)                    { v.Radius, f = f, v.Radius }
func _(v types.Circle, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*types.Circle).UnmarshalJSON
var _ = (*types.Circle).MarshalJSON
var _ = types.Client{}
var _ = (*types.Client).GetShape
var _ = (*types.Client).GetValues
var _ = (*types.Client).ListShapes
var _ = (*types.Client).Plain
var _ = (*types.Client).PutValues
var _ = (*types.Client).SendShapes
var _ = types.Closed{}

func _(v types.Closed, f *string) { v.X, f = f, v.X }
func _(v types.Color, u string)   { v, u = types.Color(u), (string)(v) }

var _ types.Color = types.ColorGreen
var _ types.Color = types.ColorRed
var _ func(ctx context.Context, args types.GetShapeArgs, opts ...runtime.CallOption) (types.GetShapeResult, error) = types.GetShape
var _ = types.GetShapeArgs{}
var _ types.GetShapeResult
var _ types.GetShapeResult = *new(types.Circle)
var _ types.GetShapeResult = *new(types.GetShapeResultCircle)
var _ types.GetShapeResult = *new(types.GetShapeResultOther)
var _ types.GetShapeResult = *new(types.GetShapeResultSquare)
var _ types.GetShapeResult = *new(types.Square)
var _ = types.GetShapeResultCircle{}

func _(v types.GetShapeResultCircle, f float64)                    { v.Radius, f = f, v.Radius }
func _(v types.GetShapeResultCircle, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = types.GetShapeResultOther{}

func _(v types.GetShapeResultOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.GetShapeResultSquare{}

func _(v types.GetShapeResultSquare, f float64)                    { v.Side, f = f, v.Side }
func _(v types.GetShapeResultSquare, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ func(ctx context.Context, args types.GetValuesArgs, opts ...runtime.CallOption) (*types.GetValuesResult, error) = types.GetValues
var _ = types.GetValuesArgs{}
var _ = types.GetValuesResult{}

func _(v types.GetValuesResult, f int)                           { v.ID, f = f, v.ID }
func _(v types.GetValuesResult, f []types.ValueItem)             { v.Items, f = f, v.Items }
func _(v types.GetValuesResult, f types.State)                   { v.State, f = f, v.State }
func _(v types.GetValuesResult, f *types.Closed)                 { v.Closed, f = f, v.Closed }
func _(v types.GetValuesResult, f runtime.Opt[runtime.DateTime]) { v.ClosedAt, f = f, v.ClosedAt }
func _(v types.GetValuesResult, f *runtime.DateTime)             { v.Created, f = f, v.Created }
func _(v types.GetValuesResult, f *runtime.Base64)               { v.Data, f = f, v.Data }
func _(v types.GetValuesResult, f *runtime.UUID)                 { v.Key, f = f, v.Key }
func _(v types.GetValuesResult, f []runtime.URI)                 { v.Links, f = f, v.Links }
func _(v types.GetValuesResult, f runtime.Opt[int])              { v.Maybe, f = f, v.Maybe }
func _(v types.GetValuesResult, f json.RawMessage)               { v.Raw, f = f, v.Raw }
func _(v types.GetValuesResult, f map[string]float64)            { v.Scores, f = f, v.Scores }
func _(v types.GetValuesResult, f map[string]json.RawMessage)    { v.Extra, f = f, v.Extra }

var _ = (*types.GetValuesResult).UnmarshalJSON
var _ = (*types.GetValuesResult).MarshalJSON
var _ = types.GetValuesResultClosed{}

func _(v types.GetValuesResultClosed, f *string) { v.X, f = f, v.X }

var _ = types.GetValuesResultItemsItem{}

func _(v types.GetValuesResultItemsItem, f float64)                    { v.N, f = f, v.N }
func _(v types.GetValuesResultItemsItem, f *types.Tree)                { v.Tree, f = f, v.Tree }
func _(v types.GetValuesResultItemsItem, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }
func _(v types.GetValuesResultState, u string)                         { v, u = types.GetValuesResultState(u), (string)(v) }

var _ types.State = types.GetValuesResultStateClosed
var _ types.State = types.GetValuesResultStateOpen
var _ = types.GetValuesResultTree{}

func _(v types.GetValuesResultTree, f *types.Tree)                { v.Left, f = f, v.Left }
func _(v types.GetValuesResultTree, f *types.Tree)                { v.Right, f = f, v.Right }
func _(v types.GetValuesResultTree, f *string)                    { v.Value, f = f, v.Value }
func _(v types.GetValuesResultTree, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }
func _(v types.Kind, u string)                                    { v, u = types.Kind(u), (string)(v) }

var _ types.Kind = types.KindValue
var _ = types.Labels{}

func _(v types.Labels, f *string)        { v.ID, f = f, v.ID }
func _(v types.Labels, f map[string]int) { v.Extra, f = f, v.Extra }

var _ = (*types.Labels).UnmarshalJSON
var _ = (*types.Labels).MarshalJSON

func _(v types.Level, u int) { v, u = types.Level(u), (int)(v) }

var _ types.Level = types.Level1
var _ types.Level = types.Level2
var _ types.Level = types.Level3
var _ func(ctx context.Context, args types.ListShapesArgs, opts ...runtime.CallOption) ([]types.ShapeItem, error) = types.ListShapes
var _ = types.ListShapesArgs{}
var _ types.ListShapesResultItem
var _ types.ListShapesResultItem = *new(types.ListShapesResultItemObject)
var _ types.ListShapesResultItem = *new(types.ListShapesResultItemOther)
var _ types.ListShapesResultItem = *new(types.ListShapesResultItemString)
var _ types.ListShapesResultItem = *new(types.ShapeItemOther)
var _ types.ListShapesResultItem = *new(types.ShapeObject)
var _ types.ListShapesResultItem = *new(types.ShapeString)
var _ = types.ListShapesResultItemObject{}

func _(v types.ListShapesResultItemObject, f types.At)                   { v.At, f = f, v.At }
func _(v types.ListShapesResultItemObject, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = types.ListShapesResultItemObjectAt{}

func _(v types.ListShapesResultItemObjectAt, f string) { v.Item0, f = f, v.Item0 }
func _(v types.ListShapesResultItemObjectAt, f int)    { v.Item1, f = f, v.Item1 }

var _ = types.ListShapesResultItemOther{}

func _(v types.ListShapesResultItemOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v types.ListShapesResultItemString, u string) {
	v, u = types.ListShapesResultItemString(u), (string)(v)
}

var _ func() *runtime.Manifest = types.Manifest
var _ types.Mixed
var _ types.Mixed = *new(types.MixedBool)
var _ types.Mixed = *new(types.MixedInt)
var _ types.Mixed = *new(types.MixedOther)
var _ types.Mixed = *new(types.MixedString)
var _ types.Mixed = *new(types.SendShapesArgsMixedBool)
var _ types.Mixed = *new(types.SendShapesArgsMixedInt)
var _ types.Mixed = *new(types.SendShapesArgsMixedOther)
var _ types.Mixed = *new(types.SendShapesArgsMixedString)
var _ types.Mixed = *new(types.SendShapesArgsStrict)

func _(v types.MixedBool, u bool) { v, u = types.MixedBool(u), (bool)(v) }

var _ types.MixedBool = types.MixedBoolTrue

func _(v types.MixedInt, u int) { v, u = types.MixedInt(u), (int)(v) }

var _ types.MixedInt = types.MixedInt1
var _ types.MixedInt = types.MixedInt2
var _ = types.MixedOther{}

func _(v types.MixedOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v types.MixedString, u string)         { v, u = types.MixedString(u), (string)(v) }

var _ types.MixedString = types.MixedStringAuto
var _ = types.Move{}

func _(v types.Move, f types.Target) { v.To, f = f, v.To }

var _ = (*types.Move).UnmarshalJSON
var _ func(inv runtime.Invoker) *types.Client = types.New
var _ = types.Node{}

func _(v types.Node, f string)       { v.Label, f = f, v.Label }
func _(v types.Node, f []types.Node) { v.Children, f = f, v.Children }
func _(v types.Node, f *types.Node)  { v.Next, f = f, v.Next }

var _ = types.Open{}

func _(v types.Open, f *string)        { v.A, f = f, v.A }
func _(v types.Open, f map[string]any) { v.Extra, f = f, v.Extra }

var _ = (*types.Open).UnmarshalJSON
var _ = (*types.Open).MarshalJSON
var _ func(ctx context.Context, args types.PlainArgs, opts ...runtime.CallOption) (*runtime.Result, error) = types.Plain
var _ = types.PlainArgs{}
var _ func(ctx context.Context, args types.PutValuesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = types.PutValues
var _ = types.PutValuesArgs{}

func _(v types.PutValuesArgs, f any)                      { v.Anything, f = f, v.Anything }
func _(v types.PutValuesArgs, f int64)                    { v.Big, f = f, v.Big }
func _(v types.PutValuesArgs, f int)                      { v.Count, f = f, v.Count }
func _(v types.PutValuesArgs, f bool)                     { v.Flag, f = f, v.Flag }
func _(v types.PutValuesArgs, f map[string]int)           { v.Limits, f = f, v.Limits }
func _(v types.PutValuesArgs, f []string)                 { v.Members, f = f, v.Members }
func _(v types.PutValuesArgs, f string)                   { v.Name, f = f, v.Name }
func _(v types.PutValuesArgs, f *string)                  { v.Owner, f = f, v.Owner }
func _(v types.PutValuesArgs, f types.Node)               { v.Parent, f = f, v.Parent }
func _(v types.PutValuesArgs, f map[string]int)           { v.Quotas, f = f, v.Quotas }
func _(v types.PutValuesArgs, f float64)                  { v.Ratio, f = f, v.Ratio }
func _(v types.PutValuesArgs, f types.State)              { v.State, f = f, v.State }
func _(v types.PutValuesArgs, f []string)                 { v.Tags, f = f, v.Tags }
func _(v types.PutValuesArgs, f *string)                  { v.Filter, f = f, v.Filter }
func _(v types.PutValuesArgs, f runtime.Opt[string])      { v.Assignee, f = f, v.Assignee }
func _(v types.PutValuesArgs, f *types.ValueAt)           { v.At, f = f, v.At }
func _(v types.PutValuesArgs, f runtime.Opt[types.Color]) { v.Color, f = f, v.Color }
func _(v types.PutValuesArgs, f *string)                  { v.Func, f = f, v.Func }
func _(v types.PutValuesArgs, f *uint64)                  { v.Huge, f = f, v.Huge }
func _(v types.PutValuesArgs, f types.Kind)               { v.Kind, f = f, v.Kind }
func _(v types.PutValuesArgs, f []string)                 { v.Labels, f = f, v.Labels }
func _(v types.PutValuesArgs, f types.Level)              { v.Level, f = f, v.Level }
func _(v types.PutValuesArgs, f int)                      { v.Limit, f = f, v.Limit }
func _(v types.PutValuesArgs, f *string)                  { v.Note, f = f, v.Note }
func _(v types.PutValuesArgs, f *types.Open)              { v.Open, f = f, v.Open }
func _(v types.PutValuesArgs, f int)                      { v.Page, f = f, v.Page }
func _(v types.PutValuesArgs, f *string)                  { v.Since, f = f, v.Since }
func _(v types.PutValuesArgs, f types.Sort)               { v.Sort, f = f, v.Sort }

var _ = types.PutValuesArgsAt{}

func _(v types.PutValuesArgsAt, f string)    { v.HTMLURL, f = f, v.HTMLURL }
func _(v types.PutValuesArgsAt, f []int)     { v.UserIDs, f = f, v.UserIDs }
func _(v types.PutValuesArgsColor, u string) { v, u = types.PutValuesArgsColor(u), (string)(v) }

var _ types.Color = types.PutValuesArgsColorGreen
var _ types.Color = types.PutValuesArgsColorRed

func _(v types.PutValuesArgsKind, u string) { v, u = types.PutValuesArgsKind(u), (string)(v) }

var _ types.Kind = types.PutValuesArgsKindValue

func _(v types.PutValuesArgsLevel, u int) { v, u = types.PutValuesArgsLevel(u), (int)(v) }

var _ types.Level = types.PutValuesArgsLevel1
var _ types.Level = types.PutValuesArgsLevel2
var _ types.Level = types.PutValuesArgsLevel3
var _ = types.PutValuesArgsNode{}

func _(v types.PutValuesArgsNode, f string)       { v.Label, f = f, v.Label }
func _(v types.PutValuesArgsNode, f []types.Node) { v.Children, f = f, v.Children }
func _(v types.PutValuesArgsNode, f *types.Node)  { v.Next, f = f, v.Next }

var _ = types.PutValuesArgsOpen{}

func _(v types.PutValuesArgsOpen, f *string)        { v.A, f = f, v.A }
func _(v types.PutValuesArgsOpen, f map[string]any) { v.Extra, f = f, v.Extra }
func _(v types.PutValuesArgsSort, u string)         { v, u = types.PutValuesArgsSort(u), (string)(v) }

var _ types.Sort = types.PutValuesArgsSortAsc
var _ types.Sort = types.PutValuesArgsSortDesc

func _(v types.PutValuesArgsState, u string) { v, u = types.PutValuesArgsState(u), (string)(v) }

var _ types.State = types.PutValuesArgsStateClosed
var _ types.State = types.PutValuesArgsStateOpen

func _(v types.Role, u string) { v, u = types.Role(u), (string)(v) }

var _ types.Role = types.RoleAdmin
var _ types.Role = types.RoleMember
var _ = types.Row{}

func _(v types.Row, f string)   { v.Item0, f = f, v.Item0 }
func _(v types.Row, f *int)     { v.Item1, f = f, v.Item1 }
func _(v types.Row, f []string) { v.Rest, f = f, v.Rest }

var _ = (*types.Row).UnmarshalJSON
var _ = (*types.Row).MarshalJSON
var _ types.Rule
var _ types.Rule = *new(types.RuleMax)
var _ types.Rule = *new(types.RuleOther)
var _ types.Rule = *new(types.RuleUntil)
var _ types.Rule = *new(types.SendShapesArgsRuleMax)
var _ types.Rule = *new(types.SendShapesArgsRuleOther)
var _ types.Rule = *new(types.SendShapesArgsRuleUntil)
var _ = types.RuleMax{}

func _(v types.RuleMax, f *int) { v.Max, f = f, v.Max }
func _(v types.RuleMax, f *int) { v.Min, f = f, v.Min }

var _ = types.RuleOther{}

func _(v types.RuleOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.RuleUntil{}

func _(v types.RuleUntil, f *string) { v.Min, f = f, v.Min }
func _(v types.RuleUntil, f *string) { v.Until, f = f, v.Until }

var _ func(ctx context.Context, args types.SendShapesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = types.SendShapes
var _ = types.SendShapesArgs{}

func _(v types.SendShapesArgs, f []types.Block)             { v.Blocks, f = f, v.Blocks }
func _(v types.SendShapesArgs, f [2]float64)                { v.Point, f = f, v.Point }
func _(v types.SendShapesArgs, f types.Target)              { v.Target, f = f, v.Target }
func _(v types.SendShapesArgs, f types.ShapeValue)          { v.Value, f = f, v.Value }
func _(v types.SendShapesArgs, f *string)                   { v.Empty, f = f, v.Empty }
func _(v types.SendShapesArgs, f *int)                      { v.AB, f = f, v.AB }
func _(v types.SendShapesArgs, f *types.Both)               { v.Both, f = f, v.Both }
func _(v types.SendShapesArgs, f map[string]types.Target)   { v.ByName, f = f, v.ByName }
func _(v types.SendShapesArgs, f runtime.Opt[types.Target]) { v.Fallback, f = f, v.Fallback }
func _(v types.SendShapesArgs, f []*[]int)                  { v.Grid, f = f, v.Grid }
func _(v types.SendShapesArgs, f *types.Labels)             { v.Labels, f = f, v.Labels }
func _(v types.SendShapesArgs, f types.Mixed)               { v.Mixed, f = f, v.Mixed }
func _(v types.SendShapesArgs, f *types.Move)               { v.Move, f = f, v.Move }
func _(v types.SendShapesArgs, f *types.Row)                { v.Row, f = f, v.Row }
func _(v types.SendShapesArgs, f types.Rule)                { v.Rule, f = f, v.Rule }
func _(v types.SendShapesArgs, f types.MixedBool)           { v.Strict, f = f, v.Strict }
func _(v types.SendShapesArgs, f types.Subject)             { v.Subject, f = f, v.Subject }
func _(v types.SendShapesArgs, f types.ShapeTree)           { v.Tree, f = f, v.Tree }

var _ = (*types.SendShapesArgs).UnmarshalJSON
var _ = (*types.SendShapesArgs).MarshalJSON
var _ types.SendShapesArgsBlock
var _ types.SendShapesArgsBlock = *new(types.BlockGroup)
var _ types.SendShapesArgsBlock = *new(types.BlockOther)
var _ types.SendShapesArgsBlock = *new(types.BlockText)
var _ types.SendShapesArgsBlock = *new(types.SendShapesArgsBlockGroup)
var _ types.SendShapesArgsBlock = *new(types.SendShapesArgsBlockOther)
var _ types.SendShapesArgsBlock = *new(types.SendShapesArgsBlockText)
var _ = types.SendShapesArgsBlockGroup{}

func _(v types.SendShapesArgsBlockGroup, f []types.Block) { v.Blocks, f = f, v.Blocks }

var _ = types.SendShapesArgsBlockOther{}

func _(v types.SendShapesArgsBlockOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsBlockText{}

func _(v types.SendShapesArgsBlockText, f string) { v.Text, f = f, v.Text }

var _ = types.SendShapesArgsBoth{}

func _(v types.SendShapesArgsBoth, f string) { v.A, f = f, v.A }
func _(v types.SendShapesArgsBoth, f int)    { v.B, f = f, v.B }

var _ types.SendShapesArgsFallback
var _ types.SendShapesArgsFallback = *new(types.SendShapesArgsFallbackOther)
var _ types.SendShapesArgsFallback = *new(types.SendShapesArgsMoveToOther)
var _ types.SendShapesArgsFallback = *new(types.SendShapesArgsTargetOther)
var _ types.SendShapesArgsFallback = *new(types.SendShapesArgsTargetPage)
var _ types.SendShapesArgsFallback = *new(types.SendShapesArgsTargetWorkspace)
var _ types.SendShapesArgsFallback = *new(types.TargetOther)
var _ types.SendShapesArgsFallback = *new(types.TargetPage)
var _ types.SendShapesArgsFallback = *new(types.TargetWorkspace)
var _ = types.SendShapesArgsFallbackOther{}

func _(v types.SendShapesArgsFallbackOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsLabels{}

func _(v types.SendShapesArgsLabels, f *string)        { v.ID, f = f, v.ID }
func _(v types.SendShapesArgsLabels, f map[string]int) { v.Extra, f = f, v.Extra }

var _ types.SendShapesArgsMixed
var _ types.SendShapesArgsMixed = *new(types.MixedBool)
var _ types.SendShapesArgsMixed = *new(types.MixedInt)
var _ types.SendShapesArgsMixed = *new(types.MixedOther)
var _ types.SendShapesArgsMixed = *new(types.MixedString)
var _ types.SendShapesArgsMixed = *new(types.SendShapesArgsMixedBool)
var _ types.SendShapesArgsMixed = *new(types.SendShapesArgsMixedInt)
var _ types.SendShapesArgsMixed = *new(types.SendShapesArgsMixedOther)
var _ types.SendShapesArgsMixed = *new(types.SendShapesArgsMixedString)
var _ types.SendShapesArgsMixed = *new(types.SendShapesArgsStrict)

func _(v types.SendShapesArgsMixedBool, u bool) { v, u = types.SendShapesArgsMixedBool(u), (bool)(v) }

var _ types.MixedBool = types.SendShapesArgsMixedBoolTrue

func _(v types.SendShapesArgsMixedInt, u int) { v, u = types.SendShapesArgsMixedInt(u), (int)(v) }

var _ types.MixedInt = types.SendShapesArgsMixedInt1
var _ types.MixedInt = types.SendShapesArgsMixedInt2
var _ = types.SendShapesArgsMixedOther{}

func _(v types.SendShapesArgsMixedOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v types.SendShapesArgsMixedString, u string) {
	v, u = types.SendShapesArgsMixedString(u), (string)(v)
}

var _ types.MixedString = types.SendShapesArgsMixedStringAuto
var _ = types.SendShapesArgsMove{}

func _(v types.SendShapesArgsMove, f types.Target) { v.To, f = f, v.To }

var _ types.SendShapesArgsMoveTo
var _ types.SendShapesArgsMoveTo = *new(types.SendShapesArgsFallbackOther)
var _ types.SendShapesArgsMoveTo = *new(types.SendShapesArgsMoveToOther)
var _ types.SendShapesArgsMoveTo = *new(types.SendShapesArgsTargetOther)
var _ types.SendShapesArgsMoveTo = *new(types.SendShapesArgsTargetPage)
var _ types.SendShapesArgsMoveTo = *new(types.SendShapesArgsTargetWorkspace)
var _ types.SendShapesArgsMoveTo = *new(types.TargetOther)
var _ types.SendShapesArgsMoveTo = *new(types.TargetPage)
var _ types.SendShapesArgsMoveTo = *new(types.TargetWorkspace)
var _ = types.SendShapesArgsMoveToOther{}

func _(v types.SendShapesArgsMoveToOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsRow{}

func _(v types.SendShapesArgsRow, f string)   { v.Item0, f = f, v.Item0 }
func _(v types.SendShapesArgsRow, f *int)     { v.Item1, f = f, v.Item1 }
func _(v types.SendShapesArgsRow, f []string) { v.Rest, f = f, v.Rest }

var _ types.SendShapesArgsRule
var _ types.SendShapesArgsRule = *new(types.RuleMax)
var _ types.SendShapesArgsRule = *new(types.RuleOther)
var _ types.SendShapesArgsRule = *new(types.RuleUntil)
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

var _ types.MixedBool = types.SendShapesArgsStrictTrue
var _ types.SendShapesArgsSubject
var _ types.SendShapesArgsSubject = *new(types.SendShapesArgsSubjectOther)
var _ types.SendShapesArgsSubject = *new(types.SendShapesArgsSubjectTeamID)
var _ types.SendShapesArgsSubject = *new(types.SendShapesArgsSubjectUserID)
var _ types.SendShapesArgsSubject = *new(types.SubjectOther)
var _ types.SendShapesArgsSubject = *new(types.SubjectTeamID)
var _ types.SendShapesArgsSubject = *new(types.SubjectUserID)
var _ = types.SendShapesArgsSubjectOther{}

func _(v types.SendShapesArgsSubjectOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsSubjectTeamID{}

func _(v types.SendShapesArgsSubjectTeamID, f string)     { v.TeamID, f = f, v.TeamID }
func _(v types.SendShapesArgsSubjectTeamID, f types.Role) { v.Role, f = f, v.Role }
func _(v types.SendShapesArgsSubjectTeamIDRole, u string) {
	v, u = types.SendShapesArgsSubjectTeamIDRole(u), (string)(v)
}

var _ types.Role = types.SendShapesArgsSubjectTeamIDRoleAdmin
var _ types.Role = types.SendShapesArgsSubjectTeamIDRoleMember
var _ = types.SendShapesArgsSubjectUserID{}

func _(v types.SendShapesArgsSubjectUserID, f string) { v.UserID, f = f, v.UserID }

var _ types.SendShapesArgsTarget
var _ types.SendShapesArgsTarget = *new(types.SendShapesArgsFallbackOther)
var _ types.SendShapesArgsTarget = *new(types.SendShapesArgsMoveToOther)
var _ types.SendShapesArgsTarget = *new(types.SendShapesArgsTargetOther)
var _ types.SendShapesArgsTarget = *new(types.SendShapesArgsTargetPage)
var _ types.SendShapesArgsTarget = *new(types.SendShapesArgsTargetWorkspace)
var _ types.SendShapesArgsTarget = *new(types.TargetOther)
var _ types.SendShapesArgsTarget = *new(types.TargetPage)
var _ types.SendShapesArgsTarget = *new(types.TargetWorkspace)
var _ = types.SendShapesArgsTargetOther{}

func _(v types.SendShapesArgsTargetOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SendShapesArgsTargetPage{}

func _(v types.SendShapesArgsTargetPage, f string) { v.PageID, f = f, v.PageID }

var _ = types.SendShapesArgsTargetWorkspace{}
var _ types.SendShapesArgsTree
var _ types.SendShapesArgsTree = *new(types.SendShapesArgsTreeList)
var _ types.SendShapesArgsTree = *new(types.SendShapesArgsTreeMap)
var _ types.SendShapesArgsTree = *new(types.SendShapesArgsTreeOther)
var _ types.SendShapesArgsTree = *new(types.SendShapesArgsTreeString)
var _ types.SendShapesArgsTree = *new(types.ShapeTreeOther)
var _ types.SendShapesArgsTree = *new(types.TreeList)
var _ types.SendShapesArgsTree = *new(types.TreeMap)
var _ types.SendShapesArgsTree = *new(types.TreeString)

func _(v types.SendShapesArgsTreeList, u []types.ShapeTree) {
	v, u = types.SendShapesArgsTreeList(u), ([]types.ShapeTree)(v)
}
func _(v types.SendShapesArgsTreeMap, u map[string]types.ShapeTree) {
	v, u = types.SendShapesArgsTreeMap(u), (map[string]types.ShapeTree)(v)
}

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
var _ types.SendShapesArgsValue = *new(types.ShapeValueOther)
var _ types.SendShapesArgsValue = *new(types.ValueBool)
var _ types.SendShapesArgsValue = *new(types.ValueList)
var _ types.SendShapesArgsValue = *new(types.ValueNumber)
var _ types.SendShapesArgsValue = *new(types.ValueObject)
var _ types.SendShapesArgsValue = *new(types.ValueString)

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

var _ types.ShapeItem
var _ types.ShapeItem = *new(types.ListShapesResultItemObject)
var _ types.ShapeItem = *new(types.ListShapesResultItemOther)
var _ types.ShapeItem = *new(types.ListShapesResultItemString)
var _ types.ShapeItem = *new(types.ShapeItemOther)
var _ types.ShapeItem = *new(types.ShapeObject)
var _ types.ShapeItem = *new(types.ShapeString)
var _ = types.ShapeItemOther{}

func _(v types.ShapeItemOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.ShapeObject{}

func _(v types.ShapeObject, f types.At)                   { v.At, f = f, v.At }
func _(v types.ShapeObject, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*types.ShapeObject).UnmarshalJSON
var _ = (*types.ShapeObject).MarshalJSON

func _(v types.ShapeString, u string) { v, u = types.ShapeString(u), (string)(v) }

var _ types.ShapeTree
var _ types.ShapeTree = *new(types.SendShapesArgsTreeList)
var _ types.ShapeTree = *new(types.SendShapesArgsTreeMap)
var _ types.ShapeTree = *new(types.SendShapesArgsTreeOther)
var _ types.ShapeTree = *new(types.SendShapesArgsTreeString)
var _ types.ShapeTree = *new(types.ShapeTreeOther)
var _ types.ShapeTree = *new(types.TreeList)
var _ types.ShapeTree = *new(types.TreeMap)
var _ types.ShapeTree = *new(types.TreeString)
var _ = types.ShapeTreeOther{}

func _(v types.ShapeTreeOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ types.ShapeValue
var _ types.ShapeValue = *new(types.SendShapesArgsValueBool)
var _ types.ShapeValue = *new(types.SendShapesArgsValueList)
var _ types.ShapeValue = *new(types.SendShapesArgsValueNumber)
var _ types.ShapeValue = *new(types.SendShapesArgsValueObject)
var _ types.ShapeValue = *new(types.SendShapesArgsValueOther)
var _ types.ShapeValue = *new(types.SendShapesArgsValueString)
var _ types.ShapeValue = *new(types.ShapeValueOther)
var _ types.ShapeValue = *new(types.ValueBool)
var _ types.ShapeValue = *new(types.ValueList)
var _ types.ShapeValue = *new(types.ValueNumber)
var _ types.ShapeValue = *new(types.ValueObject)
var _ types.ShapeValue = *new(types.ValueString)
var _ = types.ShapeValueOther{}

func _(v types.ShapeValueOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v types.Sort, u string)                     { v, u = types.Sort(u), (string)(v) }

var _ types.Sort = types.SortAsc
var _ types.Sort = types.SortDesc
var _ = types.Square{}

func _(v types.Square, f float64)                    { v.Side, f = f, v.Side }
func _(v types.Square, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*types.Square).UnmarshalJSON
var _ = (*types.Square).MarshalJSON

func _(v types.State, u string) { v, u = types.State(u), (string)(v) }

var _ types.State = types.StateClosed
var _ types.State = types.StateOpen
var _ types.Subject
var _ types.Subject = *new(types.SendShapesArgsSubjectOther)
var _ types.Subject = *new(types.SendShapesArgsSubjectTeamID)
var _ types.Subject = *new(types.SendShapesArgsSubjectUserID)
var _ types.Subject = *new(types.SubjectOther)
var _ types.Subject = *new(types.SubjectTeamID)
var _ types.Subject = *new(types.SubjectUserID)
var _ = types.SubjectOther{}

func _(v types.SubjectOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.SubjectTeamID{}

func _(v types.SubjectTeamID, f string)     { v.TeamID, f = f, v.TeamID }
func _(v types.SubjectTeamID, f types.Role) { v.Role, f = f, v.Role }

var _ = types.SubjectUserID{}

func _(v types.SubjectUserID, f string) { v.UserID, f = f, v.UserID }

var _ types.Target
var _ types.Target = *new(types.SendShapesArgsFallbackOther)
var _ types.Target = *new(types.SendShapesArgsMoveToOther)
var _ types.Target = *new(types.SendShapesArgsTargetOther)
var _ types.Target = *new(types.SendShapesArgsTargetPage)
var _ types.Target = *new(types.SendShapesArgsTargetWorkspace)
var _ types.Target = *new(types.TargetOther)
var _ types.Target = *new(types.TargetPage)
var _ types.Target = *new(types.TargetWorkspace)
var _ = types.TargetOther{}

func _(v types.TargetOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = types.TargetPage{}

func _(v types.TargetPage, f string) { v.PageID, f = f, v.PageID }

var _ = (*types.TargetPage).UnmarshalJSON
var _ = (*types.TargetPage).MarshalJSON
var _ = types.TargetWorkspace{}
var _ = (*types.TargetWorkspace).UnmarshalJSON
var _ = (*types.TargetWorkspace).MarshalJSON
var _ func(inv runtime.Invoker) []runtime.Tool = types.Tools
var _ = types.Tree{}

func _(v types.Tree, f *types.Tree)                { v.Left, f = f, v.Left }
func _(v types.Tree, f *types.Tree)                { v.Right, f = f, v.Right }
func _(v types.Tree, f *string)                    { v.Value, f = f, v.Value }
func _(v types.Tree, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*types.Tree).UnmarshalJSON
var _ = (*types.Tree).MarshalJSON

func _(v types.TreeList, u []types.ShapeTree) { v, u = types.TreeList(u), ([]types.ShapeTree)(v) }

var _ = (*types.TreeList).UnmarshalJSON

func _(v types.TreeMap, u map[string]types.ShapeTree) {
	v, u = types.TreeMap(u), (map[string]types.ShapeTree)(v)
}

var _ = (*types.TreeMap).UnmarshalJSON

func _(v types.TreeString, u string) { v, u = types.TreeString(u), (string)(v) }

var _ = types.ValueAt{}

func _(v types.ValueAt, f string) { v.HTMLURL, f = f, v.HTMLURL }
func _(v types.ValueAt, f []int)  { v.UserIDs, f = f, v.UserIDs }
func _(v types.ValueBool, u bool) { v, u = types.ValueBool(u), (bool)(v) }

var _ = types.ValueItem{}

func _(v types.ValueItem, f float64)                    { v.N, f = f, v.N }
func _(v types.ValueItem, f *types.Tree)                { v.Tree, f = f, v.Tree }
func _(v types.ValueItem, f map[string]json.RawMessage) { v.Extra, f = f, v.Extra }

var _ = (*types.ValueItem).UnmarshalJSON
var _ = (*types.ValueItem).MarshalJSON

func _(v types.ValueList, u []string)  { v, u = types.ValueList(u), ([]string)(v) }
func _(v types.ValueNumber, u float64) { v, u = types.ValueNumber(u), (float64)(v) }

var _ = types.ValueObject{}

func _(v types.ValueObject, f string) { v.Unit, f = f, v.Unit }
func _(v types.ValueString, u string) { v, u = types.ValueString(u), (string)(v) }
