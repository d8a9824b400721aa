// Package ruleid holds what others than package drift know of its rules: ids, for programs that do not
// link the whole catalogue, and effects on generated code, which only this module has use for.
package ruleid

// The ids.
const (
	ToolAdded         = "tool-added"
	ToolRemoved       = "tool-removed"
	DefinitionInvalid = "definition-invalid"
	AppChanged        = "app-changed"
	SkillFilesChanged = "skill-files-changed"
	BytesChanged      = "launch-bytes-changed"
	LaunchChanged     = "server-launch-changed"
)

// Touch is the effect of a rule's changes on Go code that uses the item.
type Touch byte

// The effects on Go code. An argument of a prompt counts as a member.
const (
	TouchNothing        Touch = iota
	TouchItemAdded            // there is more to use
	TouchItemGone             // the item can no longer be used
	TouchNames                // its Go names are gone or have another meaning
	TouchCalls                // calls of the item, which new generated code makes as the server wants them
	TouchResultTyped          // results of calls have a type now
	TouchResultUntyped        // results of calls no longer have a type
	TouchValue                // the values of one place
	TouchValueGone            // code with one particular value
	TouchDefault              // code that omits a member
	TouchMemberAdded          // struct literals that lack a member
	TouchMemberOptional       // struct literals, which may lack the member
	TouchMemberRequired       // struct literals that omit a member
	TouchMemberGone           // code that names a member
	TouchNeeds                // struct literals with one member and without another
	TouchWhole                // struct literals as a whole
	TouchParts                // the members of a part of a schema
	TouchVariantGone          // code that names an alternative
)
