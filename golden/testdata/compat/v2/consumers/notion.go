// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"encoding/json"
	"example.com/app/mcp/notion"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ func(ctx context.Context, args notion.APICreateACommentArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APICreateAComment
var _ = notion.APICreateACommentArgs{}

func _(v notion.APICreateACommentArgs, f notion.APICreateACommentArgsParent) {
	v.Parent, f = f, v.Parent
}
func _(v notion.APICreateACommentArgs, f []notion.APICreateACommentArgsRichTextItem) {
	v.RichText, f = f, v.RichText
}

var _ = (*notion.APICreateACommentArgs).UnmarshalJSON
var _ notion.APICreateACommentArgsParent
var _ notion.APICreateACommentArgsParent = *new(notion.APICreateACommentArgsParentObject)
var _ notion.APICreateACommentArgsParent = *new(notion.APICreateACommentArgsParentOther)
var _ notion.APICreateACommentArgsParent = *new(notion.APICreateACommentArgsParentString)
var _ = notion.APICreateACommentArgsParentObject{}

func _(v notion.APICreateACommentArgsParentObject, f string)         { v.PageID, f = f, v.PageID }
func _(v notion.APICreateACommentArgsParentObject, f map[string]any) { v.Extra, f = f, v.Extra }

var _ = notion.APICreateACommentArgsParentOther{}

func _(v notion.APICreateACommentArgsParentOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APICreateACommentArgsParentString, u string) {
	v, u = notion.APICreateACommentArgsParentString(u), (string)(v)
}

var _ notion.APICreateACommentArgsRichTextItem
var _ notion.APICreateACommentArgsRichTextItem = *new(notion.APICreateACommentArgsRichTextItemMap)
var _ notion.APICreateACommentArgsRichTextItem = *new(notion.APICreateACommentArgsRichTextItemOther)
var _ notion.APICreateACommentArgsRichTextItem = *new(notion.APICreateACommentArgsRichTextItemString)
var _ notion.APICreateACommentArgsRichTextItem = *new(notion.APICreateACommentArgsRichTextItemText)

func _(v notion.APICreateACommentArgsRichTextItemMap, u map[string]any) {
	v, u = notion.APICreateACommentArgsRichTextItemMap(u), (map[string]any)(v)
}

var _ = notion.APICreateACommentArgsRichTextItemOther{}

func _(v notion.APICreateACommentArgsRichTextItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APICreateACommentArgsRichTextItemString, u string) {
	v, u = notion.APICreateACommentArgsRichTextItemString(u), (string)(v)
}

var _ = notion.APICreateACommentArgsRichTextItemText{}

func _(v notion.APICreateACommentArgsRichTextItemText, f notion.APICreateACommentArgsRichTextItemTextText) {
	v.Text, f = f, v.Text
}
func _(v notion.APICreateACommentArgsRichTextItemText, f map[string]any) { v.Extra, f = f, v.Extra }

var _ = notion.APICreateACommentArgsRichTextItemTextText{}

func _(v notion.APICreateACommentArgsRichTextItemTextText, f string)         { v.Content, f = f, v.Content }
func _(v notion.APICreateACommentArgsRichTextItemTextText, f map[string]any) { v.Extra, f = f, v.Extra }

var _ func(ctx context.Context, args notion.APICreateADataSourceArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APICreateADataSource
var _ = notion.APICreateADataSourceArgs{}

func _(v notion.APICreateADataSourceArgs, f notion.APICreateADataSourceArgsParent) {
	v.Parent, f = f, v.Parent
}
func _(v notion.APICreateADataSourceArgs, f notion.APICreateADataSourceArgsProperties) {
	v.Properties, f = f, v.Properties
}
func _(v notion.APICreateADataSourceArgs, f []notion.APICreateADataSourceArgsTitleItem) {
	v.Title, f = f, v.Title
}

var _ = (*notion.APICreateADataSourceArgs).UnmarshalJSON
var _ = notion.APICreateADataSourceArgsPageIDParentRequest{}

func _(v notion.APICreateADataSourceArgsPageIDParentRequest, f string) { v.PageID, f = f, v.PageID }
func _(v notion.APICreateADataSourceArgsPageIDParentRequest, f map[string]any) {
	v.Extra, f = f, v.Extra
}

var _ notion.APICreateADataSourceArgsParent
var _ notion.APICreateADataSourceArgsParent = *new(notion.APICreateADataSourceArgsPageIDParentRequest)
var _ notion.APICreateADataSourceArgsParent = *new(notion.APICreateADataSourceArgsParentOther)
var _ notion.APICreateADataSourceArgsParent = *new(notion.APICreateADataSourceArgsParentString)
var _ = notion.APICreateADataSourceArgsParentOther{}

func _(v notion.APICreateADataSourceArgsParentOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APICreateADataSourceArgsParentString, u string) {
	v, u = notion.APICreateADataSourceArgsParentString(u), (string)(v)
}

var _ notion.APICreateADataSourceArgsProperties
var _ notion.APICreateADataSourceArgsProperties = *new(notion.APICreateADataSourceArgsPropertiesMap)
var _ notion.APICreateADataSourceArgsProperties = *new(notion.APICreateADataSourceArgsPropertiesOther)
var _ notion.APICreateADataSourceArgsProperties = *new(notion.APICreateADataSourceArgsPropertiesString)

func _(v notion.APICreateADataSourceArgsPropertiesMap, u map[string]any) {
	v, u = notion.APICreateADataSourceArgsPropertiesMap(u), (map[string]any)(v)
}

var _ = notion.APICreateADataSourceArgsPropertiesOther{}

func _(v notion.APICreateADataSourceArgsPropertiesOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APICreateADataSourceArgsPropertiesString, u string) {
	v, u = notion.APICreateADataSourceArgsPropertiesString(u), (string)(v)
}

var _ = notion.APICreateADataSourceArgsRichTextRequest{}

func _(v notion.APICreateADataSourceArgsRichTextRequest, f notion.APICreateADataSourceArgsRichTextRequestText) {
	v.Text, f = f, v.Text
}
func _(v notion.APICreateADataSourceArgsRichTextRequest, f notion.APICreateADataSourceArgsRichTextRequestType) {
	v.Type, f = f, v.Type
}

var _ = notion.APICreateADataSourceArgsRichTextRequestText{}

func _(v notion.APICreateADataSourceArgsRichTextRequestText, f string) { v.Content, f = f, v.Content }
func _(v notion.APICreateADataSourceArgsRichTextRequestText, f runtime.Opt[map[string]any]) {
	v.Link, f = f, v.Link
}
func _(v notion.APICreateADataSourceArgsRichTextRequestType, u string) {
	v, u = notion.APICreateADataSourceArgsRichTextRequestType(u), (string)(v)
}

var _ notion.APICreateADataSourceArgsRichTextRequestType = notion.APICreateADataSourceArgsRichTextRequestTypeText
var _ notion.APICreateADataSourceArgsTitleItem
var _ notion.APICreateADataSourceArgsTitleItem = *new(notion.APICreateADataSourceArgsRichTextRequest)
var _ notion.APICreateADataSourceArgsTitleItem = *new(notion.APICreateADataSourceArgsTitleItemMap)
var _ notion.APICreateADataSourceArgsTitleItem = *new(notion.APICreateADataSourceArgsTitleItemOther)
var _ notion.APICreateADataSourceArgsTitleItem = *new(notion.APICreateADataSourceArgsTitleItemString)

func _(v notion.APICreateADataSourceArgsTitleItemMap, u map[string]any) {
	v, u = notion.APICreateADataSourceArgsTitleItemMap(u), (map[string]any)(v)
}

var _ = notion.APICreateADataSourceArgsTitleItemOther{}

func _(v notion.APICreateADataSourceArgsTitleItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APICreateADataSourceArgsTitleItemString, u string) {
	v, u = notion.APICreateADataSourceArgsTitleItemString(u), (string)(v)
}

var _ func(ctx context.Context, args notion.APIDeleteABlockArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIDeleteABlock
var _ = notion.APIDeleteABlockArgs{}

func _(v notion.APIDeleteABlockArgs, f string) { v.BlockID, f = f, v.BlockID }

var _ func(ctx context.Context, args notion.APIGetBlockChildrenArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIGetBlockChildren
var _ = notion.APIGetBlockChildrenArgs{}

func _(v notion.APIGetBlockChildrenArgs, f string)  { v.BlockID, f = f, v.BlockID }
func _(v notion.APIGetBlockChildrenArgs, f *int)    { v.PageSize, f = f, v.PageSize }
func _(v notion.APIGetBlockChildrenArgs, f *string) { v.StartCursor, f = f, v.StartCursor }

var _ func(ctx context.Context, args notion.APIGetSelfArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIGetSelf
var _ = notion.APIGetSelfArgs{}
var _ func(ctx context.Context, args notion.APIGetUserArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIGetUser
var _ = notion.APIGetUserArgs{}

func _(v notion.APIGetUserArgs, f string) { v.UserID, f = f, v.UserID }

var _ func(ctx context.Context, args notion.APIGetUsersArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIGetUsers
var _ = notion.APIGetUsersArgs{}

func _(v notion.APIGetUsersArgs, f *int)    { v.PageSize, f = f, v.PageSize }
func _(v notion.APIGetUsersArgs, f *string) { v.StartCursor, f = f, v.StartCursor }

var _ func(ctx context.Context, args notion.APIListDataSourceTemplatesArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIListDataSourceTemplates
var _ = notion.APIListDataSourceTemplatesArgs{}

func _(v notion.APIListDataSourceTemplatesArgs, f string)  { v.DataSourceID, f = f, v.DataSourceID }
func _(v notion.APIListDataSourceTemplatesArgs, f *int)    { v.PageSize, f = f, v.PageSize }
func _(v notion.APIListDataSourceTemplatesArgs, f *string) { v.StartCursor, f = f, v.StartCursor }

var _ func(ctx context.Context, args notion.APIMovePageArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIMovePage
var _ = notion.APIMovePageArgs{}

func _(v notion.APIMovePageArgs, f string)                       { v.PageID, f = f, v.PageID }
func _(v notion.APIMovePageArgs, f notion.APIMovePageArgsParent) { v.Parent, f = f, v.Parent }

var _ = (*notion.APIMovePageArgs).UnmarshalJSON
var _ = notion.APIMovePageArgsMovePageParentRequestDatabaseID{}

func _(v notion.APIMovePageArgsMovePageParentRequestDatabaseID, f string) {
	v.DatabaseID, f = f, v.DatabaseID
}
func _(v notion.APIMovePageArgsMovePageParentRequestDatabaseID, f map[string]any) {
	v.Extra, f = f, v.Extra
}

var _ = (*notion.APIMovePageArgsMovePageParentRequestDatabaseID).UnmarshalJSON
var _ = (*notion.APIMovePageArgsMovePageParentRequestDatabaseID).MarshalJSON
var _ = notion.APIMovePageArgsMovePageParentRequestPageID{}

func _(v notion.APIMovePageArgsMovePageParentRequestPageID, f string) { v.PageID, f = f, v.PageID }
func _(v notion.APIMovePageArgsMovePageParentRequestPageID, f map[string]any) {
	v.Extra, f = f, v.Extra
}

var _ = (*notion.APIMovePageArgsMovePageParentRequestPageID).UnmarshalJSON
var _ = (*notion.APIMovePageArgsMovePageParentRequestPageID).MarshalJSON
var _ = notion.APIMovePageArgsMovePageParentRequestWorkspace{}

func _(v notion.APIMovePageArgsMovePageParentRequestWorkspace, f map[string]any) {
	v.Extra, f = f, v.Extra
}

var _ = (*notion.APIMovePageArgsMovePageParentRequestWorkspace).UnmarshalJSON
var _ = (*notion.APIMovePageArgsMovePageParentRequestWorkspace).MarshalJSON
var _ notion.APIMovePageArgsParent
var _ notion.APIMovePageArgsParent = *new(notion.APIMovePageArgsMovePageParentRequestDatabaseID)
var _ notion.APIMovePageArgsParent = *new(notion.APIMovePageArgsMovePageParentRequestPageID)
var _ notion.APIMovePageArgsParent = *new(notion.APIMovePageArgsMovePageParentRequestWorkspace)
var _ notion.APIMovePageArgsParent = *new(notion.APIMovePageArgsParentOther)
var _ notion.APIMovePageArgsParent = *new(notion.APIMovePageArgsParentString)
var _ = notion.APIMovePageArgsParentOther{}

func _(v notion.APIMovePageArgsParentOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v notion.APIMovePageArgsParentString, u string) {
	v, u = notion.APIMovePageArgsParentString(u), (string)(v)
}

var _ func(ctx context.Context, args notion.APIPatchBlockChildrenArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIPatchBlockChildren
var _ = notion.APIPatchBlockChildrenArgs{}

func _(v notion.APIPatchBlockChildrenArgs, f string) { v.BlockID, f = f, v.BlockID }
func _(v notion.APIPatchBlockChildrenArgs, f []notion.APIPatchBlockChildrenArgsChildrenItem) {
	v.Children, f = f, v.Children
}
func _(v notion.APIPatchBlockChildrenArgs, f *string) { v.After, f = f, v.After }

var _ = (*notion.APIPatchBlockChildrenArgs).UnmarshalJSON
var _ = notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequest{}

func _(v notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequest, f *notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequestBulletedListItem) {
	v.BulletedListItem, f = f, v.BulletedListItem
}
func _(v notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequest, f notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequestType) {
	v.Type, f = f, v.Type
}

var _ = notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequestBulletedListItem{}

func _(v notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequestBulletedListItem, f []notion.APIPatchBlockChildrenArgsRichTextRequest) {
	v.RichText, f = f, v.RichText
}
func _(v notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequestType, u string) {
	v, u = notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequestType(u), (string)(v)
}

var _ notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequestType = notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequestTypeBulletedListItem
var _ notion.APIPatchBlockChildrenArgsChildrenItem
var _ notion.APIPatchBlockChildrenArgsChildrenItem = *new(notion.APIPatchBlockChildrenArgsBulletedListItemBlockRequest)
var _ notion.APIPatchBlockChildrenArgsChildrenItem = *new(notion.APIPatchBlockChildrenArgsChildrenItemMap)
var _ notion.APIPatchBlockChildrenArgsChildrenItem = *new(notion.APIPatchBlockChildrenArgsChildrenItemOther)
var _ notion.APIPatchBlockChildrenArgsChildrenItem = *new(notion.APIPatchBlockChildrenArgsChildrenItemString)
var _ notion.APIPatchBlockChildrenArgsChildrenItem = *new(notion.APIPatchBlockChildrenArgsParagraphBlockRequest)

func _(v notion.APIPatchBlockChildrenArgsChildrenItemMap, u map[string]any) {
	v, u = notion.APIPatchBlockChildrenArgsChildrenItemMap(u), (map[string]any)(v)
}

var _ = notion.APIPatchBlockChildrenArgsChildrenItemOther{}

func _(v notion.APIPatchBlockChildrenArgsChildrenItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIPatchBlockChildrenArgsChildrenItemString, u string) {
	v, u = notion.APIPatchBlockChildrenArgsChildrenItemString(u), (string)(v)
}

var _ = notion.APIPatchBlockChildrenArgsParagraphBlockRequest{}

func _(v notion.APIPatchBlockChildrenArgsParagraphBlockRequest, f *notion.APIPatchBlockChildrenArgsParagraphBlockRequestParagraph) {
	v.Paragraph, f = f, v.Paragraph
}
func _(v notion.APIPatchBlockChildrenArgsParagraphBlockRequest, f notion.APIPatchBlockChildrenArgsParagraphBlockRequestType) {
	v.Type, f = f, v.Type
}

var _ = notion.APIPatchBlockChildrenArgsParagraphBlockRequestParagraph{}

func _(v notion.APIPatchBlockChildrenArgsParagraphBlockRequestParagraph, f []notion.APIPatchBlockChildrenArgsRichTextRequest) {
	v.RichText, f = f, v.RichText
}
func _(v notion.APIPatchBlockChildrenArgsParagraphBlockRequestType, u string) {
	v, u = notion.APIPatchBlockChildrenArgsParagraphBlockRequestType(u), (string)(v)
}

var _ notion.APIPatchBlockChildrenArgsParagraphBlockRequestType = notion.APIPatchBlockChildrenArgsParagraphBlockRequestTypeParagraph
var _ = notion.APIPatchBlockChildrenArgsRichTextRequest{}

func _(v notion.APIPatchBlockChildrenArgsRichTextRequest, f notion.APIPatchBlockChildrenArgsRichTextRequestText) {
	v.Text, f = f, v.Text
}
func _(v notion.APIPatchBlockChildrenArgsRichTextRequest, f notion.APIPatchBlockChildrenArgsRichTextRequestType) {
	v.Type, f = f, v.Type
}

var _ = notion.APIPatchBlockChildrenArgsRichTextRequestText{}

func _(v notion.APIPatchBlockChildrenArgsRichTextRequestText, f string) { v.Content, f = f, v.Content }
func _(v notion.APIPatchBlockChildrenArgsRichTextRequestText, f runtime.Opt[map[string]any]) {
	v.Link, f = f, v.Link
}
func _(v notion.APIPatchBlockChildrenArgsRichTextRequestType, u string) {
	v, u = notion.APIPatchBlockChildrenArgsRichTextRequestType(u), (string)(v)
}

var _ notion.APIPatchBlockChildrenArgsRichTextRequestType = notion.APIPatchBlockChildrenArgsRichTextRequestTypeText
var _ func(ctx context.Context, args notion.APIPatchPageArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIPatchPage
var _ = notion.APIPatchPageArgs{}

func _(v notion.APIPatchPageArgs, f string)                       { v.PageID, f = f, v.PageID }
func _(v notion.APIPatchPageArgs, f *bool)                        { v.Archived, f = f, v.Archived }
func _(v notion.APIPatchPageArgs, f notion.APIPatchPageArgsCover) { v.Cover, f = f, v.Cover }
func _(v notion.APIPatchPageArgs, f notion.APIPatchPageArgsIcon)  { v.Icon, f = f, v.Icon }
func _(v notion.APIPatchPageArgs, f bool)                         { v.InTrash, f = f, v.InTrash }
func _(v notion.APIPatchPageArgs, f notion.APIPatchPageArgsProperties) {
	v.Properties, f = f, v.Properties
}

var _ = (*notion.APIPatchPageArgs).UnmarshalJSON
var _ notion.APIPatchPageArgsCover
var _ notion.APIPatchPageArgsCover = *new(notion.APIPatchPageArgsCoverObject)
var _ notion.APIPatchPageArgsCover = *new(notion.APIPatchPageArgsCoverOther)
var _ notion.APIPatchPageArgsCover = *new(notion.APIPatchPageArgsCoverString)
var _ = notion.APIPatchPageArgsCoverObject{}

func _(v notion.APIPatchPageArgsCoverObject, f notion.APIPatchPageArgsCoverObjectExternal) {
	v.External, f = f, v.External
}
func _(v notion.APIPatchPageArgsCoverObject, f notion.APIPatchPageArgsCoverObjectType) {
	v.Type, f = f, v.Type
}

var _ = notion.APIPatchPageArgsCoverObjectExternal{}

func _(v notion.APIPatchPageArgsCoverObjectExternal, f string) { v.URL, f = f, v.URL }
func _(v notion.APIPatchPageArgsCoverObjectType, u string) {
	v, u = notion.APIPatchPageArgsCoverObjectType(u), (string)(v)
}

var _ notion.APIPatchPageArgsCoverObjectType = notion.APIPatchPageArgsCoverObjectTypeExternal
var _ = notion.APIPatchPageArgsCoverOther{}

func _(v notion.APIPatchPageArgsCoverOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v notion.APIPatchPageArgsCoverString, u string) {
	v, u = notion.APIPatchPageArgsCoverString(u), (string)(v)
}

var _ notion.APIPatchPageArgsIcon
var _ notion.APIPatchPageArgsIcon = *new(notion.APIPatchPageArgsIconObject)
var _ notion.APIPatchPageArgsIcon = *new(notion.APIPatchPageArgsIconOther)
var _ notion.APIPatchPageArgsIcon = *new(notion.APIPatchPageArgsIconString)
var _ = notion.APIPatchPageArgsIconObject{}

func _(v notion.APIPatchPageArgsIconObject, f string) { v.Emoji, f = f, v.Emoji }

var _ = notion.APIPatchPageArgsIconOther{}

func _(v notion.APIPatchPageArgsIconOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v notion.APIPatchPageArgsIconString, u string) {
	v, u = notion.APIPatchPageArgsIconString(u), (string)(v)
}

var _ notion.APIPatchPageArgsProperties
var _ notion.APIPatchPageArgsProperties = *new(notion.APIPatchPageArgsPropertiesMap)
var _ notion.APIPatchPageArgsProperties = *new(notion.APIPatchPageArgsPropertiesOther)
var _ notion.APIPatchPageArgsProperties = *new(notion.APIPatchPageArgsPropertiesString)

func _(v notion.APIPatchPageArgsPropertiesMap, u map[string]any) {
	v, u = notion.APIPatchPageArgsPropertiesMap(u), (map[string]any)(v)
}

var _ = notion.APIPatchPageArgsPropertiesOther{}

func _(v notion.APIPatchPageArgsPropertiesOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIPatchPageArgsPropertiesString, u string) {
	v, u = notion.APIPatchPageArgsPropertiesString(u), (string)(v)
}

var _ func(ctx context.Context, args notion.APIPostPageArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIPostPage
var _ = notion.APIPostPageArgs{}

func _(v notion.APIPostPageArgs, f notion.APIPostPageArgsParent) { v.Parent, f = f, v.Parent }
func _(v notion.APIPostPageArgs, f notion.APIPostPageArgsProperties) {
	v.Properties, f = f, v.Properties
}
func _(v notion.APIPostPageArgs, f []notion.APIPostPageArgsChildrenItem) {
	v.Children, f = f, v.Children
}
func _(v notion.APIPostPageArgs, f *string) { v.Cover, f = f, v.Cover }
func _(v notion.APIPostPageArgs, f *string) { v.Icon, f = f, v.Icon }

var _ = (*notion.APIPostPageArgs).UnmarshalJSON
var _ notion.APIPostPageArgsChildrenItem
var _ notion.APIPostPageArgsChildrenItem = *new(notion.APIPostPageArgsChildrenItemMap)
var _ notion.APIPostPageArgsChildrenItem = *new(notion.APIPostPageArgsChildrenItemOther)
var _ notion.APIPostPageArgsChildrenItem = *new(notion.APIPostPageArgsChildrenItemString)

func _(v notion.APIPostPageArgsChildrenItemMap, u map[string]any) {
	v, u = notion.APIPostPageArgsChildrenItemMap(u), (map[string]any)(v)
}

var _ = notion.APIPostPageArgsChildrenItemOther{}

func _(v notion.APIPostPageArgsChildrenItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIPostPageArgsChildrenItemString, u string) {
	v, u = notion.APIPostPageArgsChildrenItemString(u), (string)(v)
}

var _ = notion.APIPostPageArgsDataSourceIDParentRequest{}

func _(v notion.APIPostPageArgsDataSourceIDParentRequest, f string) {
	v.DatabaseID, f = f, v.DatabaseID
}
func _(v notion.APIPostPageArgsDataSourceIDParentRequest, f notion.APIPostPageArgsDataSourceIDParentRequestType) {
	v.Type, f = f, v.Type
}
func _(v notion.APIPostPageArgsDataSourceIDParentRequest, f map[string]any) { v.Extra, f = f, v.Extra }
func _(v notion.APIPostPageArgsDataSourceIDParentRequestType, u string) {
	v, u = notion.APIPostPageArgsDataSourceIDParentRequestType(u), (string)(v)
}

var _ notion.APIPostPageArgsDataSourceIDParentRequestType = notion.APIPostPageArgsDataSourceIDParentRequestTypeDatabaseID
var _ = notion.APIPostPageArgsPageIDParentRequest{}

func _(v notion.APIPostPageArgsPageIDParentRequest, f string)         { v.PageID, f = f, v.PageID }
func _(v notion.APIPostPageArgsPageIDParentRequest, f map[string]any) { v.Extra, f = f, v.Extra }

var _ notion.APIPostPageArgsParent
var _ notion.APIPostPageArgsParent = *new(notion.APIPostPageArgsDataSourceIDParentRequest)
var _ notion.APIPostPageArgsParent = *new(notion.APIPostPageArgsPageIDParentRequest)
var _ notion.APIPostPageArgsParent = *new(notion.APIPostPageArgsParentOther)
var _ notion.APIPostPageArgsParent = *new(notion.APIPostPageArgsParentRequestWorkspace)
var _ notion.APIPostPageArgsParent = *new(notion.APIPostPageArgsParentString)
var _ = notion.APIPostPageArgsParentOther{}

func _(v notion.APIPostPageArgsParentOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }

var _ = notion.APIPostPageArgsParentRequestWorkspace{}

func _(v notion.APIPostPageArgsParentRequestWorkspace, f map[string]any) { v.Extra, f = f, v.Extra }

var _ = (*notion.APIPostPageArgsParentRequestWorkspace).UnmarshalJSON
var _ = (*notion.APIPostPageArgsParentRequestWorkspace).MarshalJSON

func _(v notion.APIPostPageArgsParentString, u string) {
	v, u = notion.APIPostPageArgsParentString(u), (string)(v)
}

var _ notion.APIPostPageArgsProperties
var _ notion.APIPostPageArgsProperties = *new(notion.APIPostPageArgsPropertiesMap)
var _ notion.APIPostPageArgsProperties = *new(notion.APIPostPageArgsPropertiesOther)
var _ notion.APIPostPageArgsProperties = *new(notion.APIPostPageArgsPropertiesString)

func _(v notion.APIPostPageArgsPropertiesMap, u map[string]any) {
	v, u = notion.APIPostPageArgsPropertiesMap(u), (map[string]any)(v)
}

var _ = notion.APIPostPageArgsPropertiesOther{}

func _(v notion.APIPostPageArgsPropertiesOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v notion.APIPostPageArgsPropertiesString, u string) {
	v, u = notion.APIPostPageArgsPropertiesString(u), (string)(v)
}

var _ func(ctx context.Context, args notion.APIPostSearchArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIPostSearch
var _ = notion.APIPostSearchArgs{}

func _(v notion.APIPostSearchArgs, f notion.APIPostSearchArgsFilter) { v.Filter, f = f, v.Filter }
func _(v notion.APIPostSearchArgs, f *int)                           { v.PageSize, f = f, v.PageSize }
func _(v notion.APIPostSearchArgs, f *string)                        { v.Query, f = f, v.Query }
func _(v notion.APIPostSearchArgs, f notion.APIPostSearchArgsSort)   { v.Sort, f = f, v.Sort }
func _(v notion.APIPostSearchArgs, f *string)                        { v.StartCursor, f = f, v.StartCursor }

var _ = (*notion.APIPostSearchArgs).UnmarshalJSON
var _ notion.APIPostSearchArgsFilter
var _ notion.APIPostSearchArgsFilter = *new(notion.APIPostSearchArgsFilterObject)
var _ notion.APIPostSearchArgsFilter = *new(notion.APIPostSearchArgsFilterOther)
var _ notion.APIPostSearchArgsFilter = *new(notion.APIPostSearchArgsFilterString)
var _ = notion.APIPostSearchArgsFilterObject{}

func _(v notion.APIPostSearchArgsFilterObject, f *string) { v.Property, f = f, v.Property }
func _(v notion.APIPostSearchArgsFilterObject, f notion.APIPostSearchArgsFilterObjectValue) {
	v.Value, f = f, v.Value
}
func _(v notion.APIPostSearchArgsFilterObject, f map[string]any) { v.Extra, f = f, v.Extra }
func _(v notion.APIPostSearchArgsFilterObjectValue, u string) {
	v, u = notion.APIPostSearchArgsFilterObjectValue(u), (string)(v)
}

var _ notion.APIPostSearchArgsFilterObjectValue = notion.APIPostSearchArgsFilterObjectValueDataSource
var _ notion.APIPostSearchArgsFilterObjectValue = notion.APIPostSearchArgsFilterObjectValuePage
var _ = notion.APIPostSearchArgsFilterOther{}

func _(v notion.APIPostSearchArgsFilterOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v notion.APIPostSearchArgsFilterString, u string) {
	v, u = notion.APIPostSearchArgsFilterString(u), (string)(v)
}

var _ notion.APIPostSearchArgsSort
var _ notion.APIPostSearchArgsSort = *new(notion.APIPostSearchArgsSortObject)
var _ notion.APIPostSearchArgsSort = *new(notion.APIPostSearchArgsSortOther)
var _ notion.APIPostSearchArgsSort = *new(notion.APIPostSearchArgsSortString)
var _ = notion.APIPostSearchArgsSortObject{}

func _(v notion.APIPostSearchArgsSortObject, f *string)        { v.Direction, f = f, v.Direction }
func _(v notion.APIPostSearchArgsSortObject, f *string)        { v.Timestamp, f = f, v.Timestamp }
func _(v notion.APIPostSearchArgsSortObject, f map[string]any) { v.Extra, f = f, v.Extra }

var _ = notion.APIPostSearchArgsSortOther{}

func _(v notion.APIPostSearchArgsSortOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v notion.APIPostSearchArgsSortString, u string) {
	v, u = notion.APIPostSearchArgsSortString(u), (string)(v)
}

var _ func(ctx context.Context, args notion.APIQueryDataSourceArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIQueryDataSource
var _ = notion.APIQueryDataSourceArgs{}

func _(v notion.APIQueryDataSourceArgs, f string) { v.DataSourceID, f = f, v.DataSourceID }
func _(v notion.APIQueryDataSourceArgs, f *bool)  { v.Archived, f = f, v.Archived }
func _(v notion.APIQueryDataSourceArgs, f notion.APIQueryDataSourceArgsFilter) {
	v.Filter, f = f, v.Filter
}
func _(v notion.APIQueryDataSourceArgs, f []notion.APIQueryDataSourceArgsFilterPropertiesItem) {
	v.FilterProperties, f = f, v.FilterProperties
}
func _(v notion.APIQueryDataSourceArgs, f *bool) { v.InTrash, f = f, v.InTrash }
func _(v notion.APIQueryDataSourceArgs, f *int)  { v.PageSize, f = f, v.PageSize }
func _(v notion.APIQueryDataSourceArgs, f []notion.APIQueryDataSourceArgsSortsItem) {
	v.Sorts, f = f, v.Sorts
}
func _(v notion.APIQueryDataSourceArgs, f *string) { v.StartCursor, f = f, v.StartCursor }

var _ = (*notion.APIQueryDataSourceArgs).UnmarshalJSON
var _ notion.APIQueryDataSourceArgsFilter
var _ notion.APIQueryDataSourceArgsFilter = *new(notion.APIQueryDataSourceArgsFilterMap)
var _ notion.APIQueryDataSourceArgsFilter = *new(notion.APIQueryDataSourceArgsFilterOther)
var _ notion.APIQueryDataSourceArgsFilter = *new(notion.APIQueryDataSourceArgsFilterString)

func _(v notion.APIQueryDataSourceArgsFilterMap, u map[string]any) {
	v, u = notion.APIQueryDataSourceArgsFilterMap(u), (map[string]any)(v)
}

var _ = notion.APIQueryDataSourceArgsFilterOther{}

func _(v notion.APIQueryDataSourceArgsFilterOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}

var _ notion.APIQueryDataSourceArgsFilterPropertiesItem
var _ notion.APIQueryDataSourceArgsFilterPropertiesItem = *new(notion.APIQueryDataSourceArgsFilterPropertiesItemMap)
var _ notion.APIQueryDataSourceArgsFilterPropertiesItem = *new(notion.APIQueryDataSourceArgsFilterPropertiesItemOther)
var _ notion.APIQueryDataSourceArgsFilterPropertiesItem = *new(notion.APIQueryDataSourceArgsFilterPropertiesItemString)

func _(v notion.APIQueryDataSourceArgsFilterPropertiesItemMap, u map[string]any) {
	v, u = notion.APIQueryDataSourceArgsFilterPropertiesItemMap(u), (map[string]any)(v)
}

var _ = notion.APIQueryDataSourceArgsFilterPropertiesItemOther{}

func _(v notion.APIQueryDataSourceArgsFilterPropertiesItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIQueryDataSourceArgsFilterPropertiesItemString, u string) {
	v, u = notion.APIQueryDataSourceArgsFilterPropertiesItemString(u), (string)(v)
}
func _(v notion.APIQueryDataSourceArgsFilterString, u string) {
	v, u = notion.APIQueryDataSourceArgsFilterString(u), (string)(v)
}

var _ = notion.APIQueryDataSourceArgsSortObject{}

func _(v notion.APIQueryDataSourceArgsSortObject, f notion.APIQueryDataSourceArgsSortObjectDirection) {
	v.Direction, f = f, v.Direction
}
func _(v notion.APIQueryDataSourceArgsSortObject, f string)         { v.Property, f = f, v.Property }
func _(v notion.APIQueryDataSourceArgsSortObject, f map[string]any) { v.Extra, f = f, v.Extra }
func _(v notion.APIQueryDataSourceArgsSortObjectDirection, u string) {
	v, u = notion.APIQueryDataSourceArgsSortObjectDirection(u), (string)(v)
}

var _ notion.APIQueryDataSourceArgsSortObjectDirection = notion.APIQueryDataSourceArgsSortObjectDirectionAscending
var _ notion.APIQueryDataSourceArgsSortObjectDirection = notion.APIQueryDataSourceArgsSortObjectDirectionDescending
var _ notion.APIQueryDataSourceArgsSortsItem
var _ notion.APIQueryDataSourceArgsSortsItem = *new(notion.APIQueryDataSourceArgsSortObject)
var _ notion.APIQueryDataSourceArgsSortsItem = *new(notion.APIQueryDataSourceArgsSortsItemMap)
var _ notion.APIQueryDataSourceArgsSortsItem = *new(notion.APIQueryDataSourceArgsSortsItemOther)
var _ notion.APIQueryDataSourceArgsSortsItem = *new(notion.APIQueryDataSourceArgsSortsItemString)

func _(v notion.APIQueryDataSourceArgsSortsItemMap, u map[string]any) {
	v, u = notion.APIQueryDataSourceArgsSortsItemMap(u), (map[string]any)(v)
}

var _ = notion.APIQueryDataSourceArgsSortsItemOther{}

func _(v notion.APIQueryDataSourceArgsSortsItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIQueryDataSourceArgsSortsItemString, u string) {
	v, u = notion.APIQueryDataSourceArgsSortsItemString(u), (string)(v)
}

var _ func(ctx context.Context, args notion.APIRetrieveABlockArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIRetrieveABlock
var _ = notion.APIRetrieveABlockArgs{}

func _(v notion.APIRetrieveABlockArgs, f string) { v.BlockID, f = f, v.BlockID }

var _ func(ctx context.Context, args notion.APIRetrieveACommentArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIRetrieveAComment
var _ = notion.APIRetrieveACommentArgs{}

func _(v notion.APIRetrieveACommentArgs, f string)  { v.BlockID, f = f, v.BlockID }
func _(v notion.APIRetrieveACommentArgs, f *int)    { v.PageSize, f = f, v.PageSize }
func _(v notion.APIRetrieveACommentArgs, f *string) { v.StartCursor, f = f, v.StartCursor }

var _ func(ctx context.Context, args notion.APIRetrieveADataSourceArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIRetrieveADataSource
var _ = notion.APIRetrieveADataSourceArgs{}

func _(v notion.APIRetrieveADataSourceArgs, f string) { v.DataSourceID, f = f, v.DataSourceID }

var _ func(ctx context.Context, args notion.APIRetrieveADatabaseArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIRetrieveADatabase
var _ = notion.APIRetrieveADatabaseArgs{}

func _(v notion.APIRetrieveADatabaseArgs, f string) { v.DatabaseID, f = f, v.DatabaseID }

var _ func(ctx context.Context, args notion.APIRetrieveAPageArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIRetrieveAPage
var _ = notion.APIRetrieveAPageArgs{}

func _(v notion.APIRetrieveAPageArgs, f string)  { v.PageID, f = f, v.PageID }
func _(v notion.APIRetrieveAPageArgs, f *string) { v.FilterProperties, f = f, v.FilterProperties }

var _ func(ctx context.Context, args notion.APIRetrieveAPagePropertyArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIRetrieveAPageProperty
var _ = notion.APIRetrieveAPagePropertyArgs{}

func _(v notion.APIRetrieveAPagePropertyArgs, f string)  { v.PageID, f = f, v.PageID }
func _(v notion.APIRetrieveAPagePropertyArgs, f string)  { v.PropertyID, f = f, v.PropertyID }
func _(v notion.APIRetrieveAPagePropertyArgs, f *int)    { v.PageSize, f = f, v.PageSize }
func _(v notion.APIRetrieveAPagePropertyArgs, f *string) { v.StartCursor, f = f, v.StartCursor }

var _ func(ctx context.Context, args notion.APIRetrievePageMarkdownArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIRetrievePageMarkdown
var _ = notion.APIRetrievePageMarkdownArgs{}

func _(v notion.APIRetrievePageMarkdownArgs, f string) { v.PageID, f = f, v.PageID }
func _(v notion.APIRetrievePageMarkdownArgs, f bool)   { v.IncludeTranscript, f = f, v.IncludeTranscript }

var _ func(ctx context.Context, args notion.APIUpdateABlockArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIUpdateABlock
var _ = notion.APIUpdateABlockArgs{}

func _(v notion.APIUpdateABlockArgs, f string)                         { v.BlockID, f = f, v.BlockID }
func _(v notion.APIUpdateABlockArgs, f *bool)                          { v.Archived, f = f, v.Archived }
func _(v notion.APIUpdateABlockArgs, f notion.APIUpdateABlockArgsType) { v.Type, f = f, v.Type }

var _ = (*notion.APIUpdateABlockArgs).UnmarshalJSON
var _ notion.APIUpdateABlockArgsType
var _ notion.APIUpdateABlockArgsType = *new(notion.APIUpdateABlockArgsTypeMap)
var _ notion.APIUpdateABlockArgsType = *new(notion.APIUpdateABlockArgsTypeOther)
var _ notion.APIUpdateABlockArgsType = *new(notion.APIUpdateABlockArgsTypeString)

func _(v notion.APIUpdateABlockArgsTypeMap, u map[string]any) {
	v, u = notion.APIUpdateABlockArgsTypeMap(u), (map[string]any)(v)
}

var _ = notion.APIUpdateABlockArgsTypeOther{}

func _(v notion.APIUpdateABlockArgsTypeOther, f json.RawMessage) { v.RawMessage, f = f, v.RawMessage }
func _(v notion.APIUpdateABlockArgsTypeString, u string) {
	v, u = notion.APIUpdateABlockArgsTypeString(u), (string)(v)
}

var _ func(ctx context.Context, args notion.APIUpdateADataSourceArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIUpdateADataSource
var _ = notion.APIUpdateADataSourceArgs{}

func _(v notion.APIUpdateADataSourceArgs, f string) { v.DataSourceID, f = f, v.DataSourceID }
func _(v notion.APIUpdateADataSourceArgs, f []notion.APIUpdateADataSourceArgsDescriptionItem) {
	v.Description, f = f, v.Description
}
func _(v notion.APIUpdateADataSourceArgs, f notion.APIUpdateADataSourceArgsProperties) {
	v.Properties, f = f, v.Properties
}
func _(v notion.APIUpdateADataSourceArgs, f []notion.APIUpdateADataSourceArgsTitleItem) {
	v.Title, f = f, v.Title
}

var _ = (*notion.APIUpdateADataSourceArgs).UnmarshalJSON
var _ notion.APIUpdateADataSourceArgsDescriptionItem
var _ notion.APIUpdateADataSourceArgsDescriptionItem = *new(notion.APIUpdateADataSourceArgsDescriptionItemMap)
var _ notion.APIUpdateADataSourceArgsDescriptionItem = *new(notion.APIUpdateADataSourceArgsDescriptionItemOther)
var _ notion.APIUpdateADataSourceArgsDescriptionItem = *new(notion.APIUpdateADataSourceArgsDescriptionItemString)
var _ notion.APIUpdateADataSourceArgsDescriptionItem = *new(notion.APIUpdateADataSourceArgsRichTextRequest)

func _(v notion.APIUpdateADataSourceArgsDescriptionItemMap, u map[string]any) {
	v, u = notion.APIUpdateADataSourceArgsDescriptionItemMap(u), (map[string]any)(v)
}

var _ = notion.APIUpdateADataSourceArgsDescriptionItemOther{}

func _(v notion.APIUpdateADataSourceArgsDescriptionItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIUpdateADataSourceArgsDescriptionItemString, u string) {
	v, u = notion.APIUpdateADataSourceArgsDescriptionItemString(u), (string)(v)
}

var _ notion.APIUpdateADataSourceArgsProperties
var _ notion.APIUpdateADataSourceArgsProperties = *new(notion.APIUpdateADataSourceArgsPropertiesMap)
var _ notion.APIUpdateADataSourceArgsProperties = *new(notion.APIUpdateADataSourceArgsPropertiesOther)
var _ notion.APIUpdateADataSourceArgsProperties = *new(notion.APIUpdateADataSourceArgsPropertiesString)

func _(v notion.APIUpdateADataSourceArgsPropertiesMap, u map[string]any) {
	v, u = notion.APIUpdateADataSourceArgsPropertiesMap(u), (map[string]any)(v)
}

var _ = notion.APIUpdateADataSourceArgsPropertiesOther{}

func _(v notion.APIUpdateADataSourceArgsPropertiesOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIUpdateADataSourceArgsPropertiesString, u string) {
	v, u = notion.APIUpdateADataSourceArgsPropertiesString(u), (string)(v)
}

var _ = notion.APIUpdateADataSourceArgsRichTextRequest{}

func _(v notion.APIUpdateADataSourceArgsRichTextRequest, f notion.APIUpdateADataSourceArgsRichTextRequestText) {
	v.Text, f = f, v.Text
}
func _(v notion.APIUpdateADataSourceArgsRichTextRequest, f notion.APIUpdateADataSourceArgsRichTextRequestType) {
	v.Type, f = f, v.Type
}

var _ = notion.APIUpdateADataSourceArgsRichTextRequestText{}

func _(v notion.APIUpdateADataSourceArgsRichTextRequestText, f string) { v.Content, f = f, v.Content }
func _(v notion.APIUpdateADataSourceArgsRichTextRequestText, f runtime.Opt[map[string]any]) {
	v.Link, f = f, v.Link
}
func _(v notion.APIUpdateADataSourceArgsRichTextRequestType, u string) {
	v, u = notion.APIUpdateADataSourceArgsRichTextRequestType(u), (string)(v)
}

var _ notion.APIUpdateADataSourceArgsRichTextRequestType = notion.APIUpdateADataSourceArgsRichTextRequestTypeText
var _ notion.APIUpdateADataSourceArgsTitleItem
var _ notion.APIUpdateADataSourceArgsTitleItem = *new(notion.APIUpdateADataSourceArgsRichTextRequest)
var _ notion.APIUpdateADataSourceArgsTitleItem = *new(notion.APIUpdateADataSourceArgsTitleItemMap)
var _ notion.APIUpdateADataSourceArgsTitleItem = *new(notion.APIUpdateADataSourceArgsTitleItemOther)
var _ notion.APIUpdateADataSourceArgsTitleItem = *new(notion.APIUpdateADataSourceArgsTitleItemString)

func _(v notion.APIUpdateADataSourceArgsTitleItemMap, u map[string]any) {
	v, u = notion.APIUpdateADataSourceArgsTitleItemMap(u), (map[string]any)(v)
}

var _ = notion.APIUpdateADataSourceArgsTitleItemOther{}

func _(v notion.APIUpdateADataSourceArgsTitleItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIUpdateADataSourceArgsTitleItemString, u string) {
	v, u = notion.APIUpdateADataSourceArgsTitleItemString(u), (string)(v)
}

var _ func(ctx context.Context, args notion.APIUpdatePageMarkdownArgs, opts ...runtime.CallOption) (*runtime.Result, error) = notion.APIUpdatePageMarkdown
var _ = notion.APIUpdatePageMarkdownArgs{}

func _(v notion.APIUpdatePageMarkdownArgs, f string) { v.PageID, f = f, v.PageID }
func _(v notion.APIUpdatePageMarkdownArgs, f notion.APIUpdatePageMarkdownArgsType) {
	v.Type, f = f, v.Type
}
func _(v notion.APIUpdatePageMarkdownArgs, f notion.APIUpdatePageMarkdownArgsInsertContent) {
	v.InsertContent, f = f, v.InsertContent
}
func _(v notion.APIUpdatePageMarkdownArgs, f notion.APIUpdatePageMarkdownArgsReplaceContent) {
	v.ReplaceContent, f = f, v.ReplaceContent
}
func _(v notion.APIUpdatePageMarkdownArgs, f notion.APIUpdatePageMarkdownArgsReplaceContentRange) {
	v.ReplaceContentRange, f = f, v.ReplaceContentRange
}
func _(v notion.APIUpdatePageMarkdownArgs, f notion.APIUpdatePageMarkdownArgsUpdateContent) {
	v.UpdateContent, f = f, v.UpdateContent
}

var _ = (*notion.APIUpdatePageMarkdownArgs).UnmarshalJSON
var _ notion.APIUpdatePageMarkdownArgsInsertContent
var _ notion.APIUpdatePageMarkdownArgsInsertContent = *new(notion.APIUpdatePageMarkdownArgsInsertContentObject)
var _ notion.APIUpdatePageMarkdownArgsInsertContent = *new(notion.APIUpdatePageMarkdownArgsInsertContentOther)
var _ notion.APIUpdatePageMarkdownArgsInsertContent = *new(notion.APIUpdatePageMarkdownArgsInsertContentString)
var _ = notion.APIUpdatePageMarkdownArgsInsertContentObject{}

func _(v notion.APIUpdatePageMarkdownArgsInsertContentObject, f string)  { v.Content, f = f, v.Content }
func _(v notion.APIUpdatePageMarkdownArgsInsertContentObject, f *string) { v.After, f = f, v.After }
func _(v notion.APIUpdatePageMarkdownArgsInsertContentObject, f *notion.APIUpdatePageMarkdownArgsInsertContentObjectPosition) {
	v.Position, f = f, v.Position
}
func _(v notion.APIUpdatePageMarkdownArgsInsertContentObject, f map[string]any) {
	v.Extra, f = f, v.Extra
}

var _ = notion.APIUpdatePageMarkdownArgsInsertContentObjectPosition{}

func _(v notion.APIUpdatePageMarkdownArgsInsertContentObjectPosition, f notion.APIUpdatePageMarkdownArgsInsertContentObjectPositionType) {
	v.Type, f = f, v.Type
}
func _(v notion.APIUpdatePageMarkdownArgsInsertContentObjectPosition, f map[string]any) {
	v.Extra, f = f, v.Extra
}
func _(v notion.APIUpdatePageMarkdownArgsInsertContentObjectPositionType, u string) {
	v, u = notion.APIUpdatePageMarkdownArgsInsertContentObjectPositionType(u), (string)(v)
}

var _ notion.APIUpdatePageMarkdownArgsInsertContentObjectPositionType = notion.APIUpdatePageMarkdownArgsInsertContentObjectPositionTypeEnd
var _ notion.APIUpdatePageMarkdownArgsInsertContentObjectPositionType = notion.APIUpdatePageMarkdownArgsInsertContentObjectPositionTypeStart
var _ = notion.APIUpdatePageMarkdownArgsInsertContentOther{}

func _(v notion.APIUpdatePageMarkdownArgsInsertContentOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIUpdatePageMarkdownArgsInsertContentString, u string) {
	v, u = notion.APIUpdatePageMarkdownArgsInsertContentString(u), (string)(v)
}

var _ notion.APIUpdatePageMarkdownArgsReplaceContent
var _ notion.APIUpdatePageMarkdownArgsReplaceContent = *new(notion.APIUpdatePageMarkdownArgsReplaceContentObject)
var _ notion.APIUpdatePageMarkdownArgsReplaceContent = *new(notion.APIUpdatePageMarkdownArgsReplaceContentOther)
var _ notion.APIUpdatePageMarkdownArgsReplaceContent = *new(notion.APIUpdatePageMarkdownArgsReplaceContentString)
var _ = notion.APIUpdatePageMarkdownArgsReplaceContentObject{}

func _(v notion.APIUpdatePageMarkdownArgsReplaceContentObject, f string) { v.NewStr, f = f, v.NewStr }
func _(v notion.APIUpdatePageMarkdownArgsReplaceContentObject, f *bool) {
	v.AllowDeletingContent, f = f, v.AllowDeletingContent
}
func _(v notion.APIUpdatePageMarkdownArgsReplaceContentObject, f map[string]any) {
	v.Extra, f = f, v.Extra
}

var _ = notion.APIUpdatePageMarkdownArgsReplaceContentOther{}

func _(v notion.APIUpdatePageMarkdownArgsReplaceContentOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}

var _ notion.APIUpdatePageMarkdownArgsReplaceContentRange
var _ notion.APIUpdatePageMarkdownArgsReplaceContentRange = *new(notion.APIUpdatePageMarkdownArgsReplaceContentRangeObject)
var _ notion.APIUpdatePageMarkdownArgsReplaceContentRange = *new(notion.APIUpdatePageMarkdownArgsReplaceContentRangeOther)
var _ notion.APIUpdatePageMarkdownArgsReplaceContentRange = *new(notion.APIUpdatePageMarkdownArgsReplaceContentRangeString)
var _ = notion.APIUpdatePageMarkdownArgsReplaceContentRangeObject{}

func _(v notion.APIUpdatePageMarkdownArgsReplaceContentRangeObject, f string) {
	v.Content, f = f, v.Content
}
func _(v notion.APIUpdatePageMarkdownArgsReplaceContentRangeObject, f string) {
	v.ContentRange, f = f, v.ContentRange
}
func _(v notion.APIUpdatePageMarkdownArgsReplaceContentRangeObject, f *bool) {
	v.AllowDeletingContent, f = f, v.AllowDeletingContent
}
func _(v notion.APIUpdatePageMarkdownArgsReplaceContentRangeObject, f map[string]any) {
	v.Extra, f = f, v.Extra
}

var _ = notion.APIUpdatePageMarkdownArgsReplaceContentRangeOther{}

func _(v notion.APIUpdatePageMarkdownArgsReplaceContentRangeOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIUpdatePageMarkdownArgsReplaceContentRangeString, u string) {
	v, u = notion.APIUpdatePageMarkdownArgsReplaceContentRangeString(u), (string)(v)
}
func _(v notion.APIUpdatePageMarkdownArgsReplaceContentString, u string) {
	v, u = notion.APIUpdatePageMarkdownArgsReplaceContentString(u), (string)(v)
}
func _(v notion.APIUpdatePageMarkdownArgsType, u string) {
	v, u = notion.APIUpdatePageMarkdownArgsType(u), (string)(v)
}

var _ notion.APIUpdatePageMarkdownArgsType = notion.APIUpdatePageMarkdownArgsTypeInsertContent
var _ notion.APIUpdatePageMarkdownArgsType = notion.APIUpdatePageMarkdownArgsTypeReplaceContent
var _ notion.APIUpdatePageMarkdownArgsType = notion.APIUpdatePageMarkdownArgsTypeReplaceContentRange
var _ notion.APIUpdatePageMarkdownArgsType = notion.APIUpdatePageMarkdownArgsTypeUpdateContent
var _ notion.APIUpdatePageMarkdownArgsUpdateContent
var _ notion.APIUpdatePageMarkdownArgsUpdateContent = *new(notion.APIUpdatePageMarkdownArgsUpdateContentObject)
var _ notion.APIUpdatePageMarkdownArgsUpdateContent = *new(notion.APIUpdatePageMarkdownArgsUpdateContentOther)
var _ notion.APIUpdatePageMarkdownArgsUpdateContent = *new(notion.APIUpdatePageMarkdownArgsUpdateContentString)
var _ = notion.APIUpdatePageMarkdownArgsUpdateContentObject{}

func _(v notion.APIUpdatePageMarkdownArgsUpdateContentObject, f []notion.APIUpdatePageMarkdownArgsUpdateContentObjectContentUpdatesItem) {
	v.ContentUpdates, f = f, v.ContentUpdates
}
func _(v notion.APIUpdatePageMarkdownArgsUpdateContentObject, f *bool) {
	v.AllowDeletingContent, f = f, v.AllowDeletingContent
}
func _(v notion.APIUpdatePageMarkdownArgsUpdateContentObject, f map[string]any) {
	v.Extra, f = f, v.Extra
}

var _ = notion.APIUpdatePageMarkdownArgsUpdateContentObjectContentUpdatesItem{}

func _(v notion.APIUpdatePageMarkdownArgsUpdateContentObjectContentUpdatesItem, f string) {
	v.NewStr, f = f, v.NewStr
}
func _(v notion.APIUpdatePageMarkdownArgsUpdateContentObjectContentUpdatesItem, f string) {
	v.OldStr, f = f, v.OldStr
}
func _(v notion.APIUpdatePageMarkdownArgsUpdateContentObjectContentUpdatesItem, f *bool) {
	v.ReplaceAllMatches, f = f, v.ReplaceAllMatches
}
func _(v notion.APIUpdatePageMarkdownArgsUpdateContentObjectContentUpdatesItem, f map[string]any) {
	v.Extra, f = f, v.Extra
}

var _ = notion.APIUpdatePageMarkdownArgsUpdateContentOther{}

func _(v notion.APIUpdatePageMarkdownArgsUpdateContentOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v notion.APIUpdatePageMarkdownArgsUpdateContentString, u string) {
	v, u = notion.APIUpdatePageMarkdownArgsUpdateContentString(u), (string)(v)
}

var _ = notion.Client{}
var _ = (*notion.Client).APICreateAComment
var _ = (*notion.Client).APICreateADataSource
var _ = (*notion.Client).APIDeleteABlock
var _ = (*notion.Client).APIGetBlockChildren
var _ = (*notion.Client).APIGetSelf
var _ = (*notion.Client).APIGetUser
var _ = (*notion.Client).APIGetUsers
var _ = (*notion.Client).APIListDataSourceTemplates
var _ = (*notion.Client).APIMovePage
var _ = (*notion.Client).APIPatchBlockChildren
var _ = (*notion.Client).APIPatchPage
var _ = (*notion.Client).APIPostPage
var _ = (*notion.Client).APIPostSearch
var _ = (*notion.Client).APIQueryDataSource
var _ = (*notion.Client).APIRetrieveABlock
var _ = (*notion.Client).APIRetrieveAComment
var _ = (*notion.Client).APIRetrieveADataSource
var _ = (*notion.Client).APIRetrieveADatabase
var _ = (*notion.Client).APIRetrieveAPage
var _ = (*notion.Client).APIRetrieveAPageProperty
var _ = (*notion.Client).APIRetrievePageMarkdown
var _ = (*notion.Client).APIUpdateABlock
var _ = (*notion.Client).APIUpdateADataSource
var _ = (*notion.Client).APIUpdatePageMarkdown
var _ func() *runtime.Manifest = notion.Manifest
var _ func(inv runtime.Invoker) *notion.Client = notion.New
var _ func(inv runtime.Invoker) []runtime.Tool = notion.Tools
