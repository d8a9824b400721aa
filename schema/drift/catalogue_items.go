package drift

// This file is the part of the catalogue that is not about schemas. For the marks see catalogue_schema.go.

import "github.com/mcpgen/mcpgen/internal/ruleid"

var (
	// Of tools.
	toolRemoved               = wireRule(ruleid.ToolRemoved, Breaking, "sm", "the tool is gone").code(TouchItemGone).way(removeCall)
	toolAdded                 = wireRule(ruleid.ToolAdded, Info, "m", "a new tool").code(TouchItemAdded)
	toolRenamed               = wireRule("tool-renamed", Breaking, "mr", "the tool has another name; the message says how certain that is").code(TouchNames).way(callOther)
	toolConfusableAdded       = securityRule("tool-confusable-added", Breaking, "m", "the name of a new tool looks like that of another one")
	toolNameDuplicate         = securityRule("tool-name-duplicate", Breaking, "m", "two tools have the same name")
	toolNameCollision         = sourceRule("tool-name-collision", Warning, "s", "the names of two tools differ only in case and separators")
	toolTitleChanged          = modelRule("tool-title-changed", Info, "mt", "the title differs")
	toolIconsChanged          = modelRule("tool-icons-changed", Off, "", "the icons differ")
	toolIconUnsafe            = securityRule("tool-icon-unsafe", Warning, "", "a new icon is neither https nor data")
	toolMetaChanged           = modelRule("tool-meta-changed", Off, "", "_meta differs")
	toolMetaUIChanged         = securityRule("tool-meta-ui-changed", Warning, "", "_meta.ui differs: the tool brings a user interface")
	toolMemberChanged         = wireRule("tool-member-changed", Unknown, "", "a member of the definition that mcpgen does not know differs")
	toolDescriptionChanged    = modelRule("tool-description-changed", Info, "mt", "the description differs")
	toolDescriptionRemoved    = modelRule("tool-description-removed", Info, "mt", "the description is gone").way(removeCall)
	toolTaskRequired          = wireRule("tool-task-required", Breaking, "s", "the tool has to be called as a task").code(TouchCalls)
	toolTaskOptional          = wireRule("tool-task-optional", Info, "", "the tool may be called as a task")
	toolTaskForbidden         = wireRule("tool-task-forbidden", Info, "", "the tool cannot be called as a task any more")
	hintReadonlyDropped       = securityRule("hint-readonly-dropped", Breaking, "m", "the tool does not say any more that it only reads")
	hintDestructiveRaised     = securityRule("hint-destructive-raised", Breaking, "m", "the tool says that it may destroy")
	hintOpenworldRaised       = securityRule("hint-openworld-raised", Warning, "m", "the tool says that it reaches out to the world")
	hintIdempotentDropped     = wireRule("hint-idempotent-dropped", Warning, "m", "the tool does not say any more that calling twice is harmless")
	hintReadonlyClaimed       = securityRule("hint-readonly-claimed", Warning, "m", "the tool claims that it only reads; a claim loosens no gate")
	hintDestructiveLowered    = securityRule("hint-destructive-lowered", Warning, "m", "the tool claims that it does not destroy; a claim loosens no gate")
	hintOpenworldLowered      = securityRule("hint-openworld-lowered", Info, "m", "the tool claims that it does not reach out to the world")
	hintIdempotentClaimed     = securityRule("hint-idempotent-claimed", Warning, "m", "the tool claims that calling twice is harmless; a claim loosens no gate")
	hintDefaultWritten        = modelRule("hint-default-written", Off, "", "a hint is written differently; its meaning is the same")
	hintMeaningless           = modelRule("hint-meaningless", Off, "", "a hint differs, and it has no meaning for a tool that only reads")
	outputSchemaAdded         = wireRule("output-schema-added", Info, "sm", "results have a schema").in(Results).code(TouchResultTyped).way(always("run mcpgen update, then read the fields of the typed result"))
	outputSchemaRemoved       = wireRule("output-schema-removed", Breaking, "sm", "results have no schema any more").in(Results).code(TouchResultUntyped).way(always("run mcpgen update, then read the text of the result, or decode it"))
	definitionInvalid         = securityRule(ruleid.DefinitionInvalid, Breaking, "sm", "the definition cannot be read").code(TouchNames)
	definitionDuplicateMember = securityRule("definition-duplicate-member", Breaking, "sm", "a member name occurs twice: readers may disagree about what it says").code(TouchNames)
	SourceIncompatible        = sourceRule("source-incompatible", Off, "s", "Go code that was written against the generated package does not compile any more").way(always("run mcpgen update, then change what does not compile")).about(Item)
	SourceZeroValue           = sourceRule("source-zero-value", Off, "s", "Go code compiles as before, but sends or reads a zero value where it did not before").about(Item)
	definitionChanged         = modelRule("definition-changed", Off, "", "the definition differs in a way that no other rule is about")

	// Of new text anywhere.
	textInvisible       = securityRule("text-invisible", Breaking, "", "new text has invisible characters")
	textBidi            = securityRule("text-bidi", Breaking, "", "new text has characters that change the direction of reading")
	textControl         = securityRule("text-control", Breaking, "", "new text has control characters or terminal sequences")
	textConfusable      = securityRule("text-confusable", Breaking, "", "new text has a word of letters from alphabets that look alike")
	textInjection       = securityRule("text-injection", Breaking, "", "new text gives orders to the model that are not the user's")
	textSecretPath      = securityRule("text-secret-path", Breaking, "", "new text names a place of credentials, or asks for secrets")
	textExfiltrationURL = securityRule("text-exfiltration-url", Breaking, "", "new text names a recipient, or asks to send something to a new address")
	textCrossTool       = securityRule("text-cross-tool", Breaking, "", "new text is about tools of other servers")
	textCommand         = securityRule("text-command", Breaking, "", "new text has a command for a shell, or names a file that decides what is run or read later")
	textHidden          = securityRule("text-hidden", Breaking, "", "new text has a part that readers do not see")
	textLanguage        = securityRule("text-language", Breaking, "", "new text is in another language than the server's other text")
	textSizeJump        = securityRule("text-size-jump", Warning, "", "the text has grown very much")
	textEncodedBlob     = securityRule("text-encoded-blob", Breaking, "", "new text has an encoded part; only a warning if no text is encoded")

	// Of servers.
	serverNameChanged         = modelRule("server-name-changed", Warning, "", "the server gives another name")
	serverVersionChanged      = modelRule("server-version-changed", Info, "", "the server gives another version")
	serverSilentRelease       = modelRule("server-silent-release", Info, "", "tools changed, but the server's version did not")
	serverIdentityChanged     = modelRule("server-identity-changed", Off, "", "the server describes itself in another way")
	LaunchChanged             = securityRule(ruleid.LaunchChanged, Breaking, "", "the server is started or reached in another way").about(Item)
	ArtifactChanged           = securityRule("launch-artifact-changed", Warning, "", "the launch is the same, but it runs another version of its package").about(Item)
	BytesChanged              = securityRule(ruleid.BytesChanged, Breaking, "", "the launch and the version are the same, but the bytes are not the locked ones").about(Item)
	serverCapabilityRemoved   = wireRule("server-capability-removed", Breaking, "s", "the server has lost a capability").way(removeCall)
	serverCapabilityAdded     = wireRule("server-capability-added", Info, "", "the server has a new capability")
	serverCapabilityChanged   = wireRule("server-capability-changed", Info, "", "the server describes a capability in another way")
	serverInstructionsChanged = modelRule("server-instructions-changed", Info, "mt", "the server's instructions differ")
	protocolVersionChanged    = wireRule("protocol-version-changed", Warning, "", "the server speaks another revision of the protocol")
	SurfaceBudgetExceeded     = modelRule("surface-budget-exceeded", Breaking, "", "the definitions of the tools are larger than the budget for a model").about(Item)
	acceptUnused              = sourceRule("accept-unused", Warning, "", "an accepted change did not occur").way(always("remove the entry under drift.ignore"))
	acceptExpired             = sourceRule("accept-expired", Warning, "", "the last day of an accepted change has passed").way(always("look at it again, then accept it anew or run mcpgen update"))

	// Of prompts, resources, templates, skills and apps.
	promptRemoved            = wireRule("prompt-removed", Breaking, "sm", "the prompt is gone").code(TouchItemGone).way(removeCall)
	promptAdded              = wireRule("prompt-added", Info, "m", "a new prompt").code(TouchItemAdded)
	promptRenamed            = wireRule("prompt-renamed", Breaking, "smr", "the prompt has another name; the message says how certain that is").code(TouchNames).way(callOther)
	promptArgAddedRequired   = wireRule("prompt-arg-added-required", Breaking, "sm", "a new argument, and it is required").in(Arguments).code(TouchMemberAdded).way(giveValue)
	promptArgAddedOptional   = wireRule("prompt-arg-added-optional", Info, "m", "a new argument, and it is optional").in(Arguments).code(TouchMemberOptional)
	promptArgRemoved         = wireRule("prompt-arg-removed", Breaking, "sm", "an argument is gone").in(Arguments).code(TouchMemberGone).way(leaveOut)
	promptArgRenamed         = wireRule("prompt-arg-renamed", Breaking, "smr", "an argument has another name, and nothing else about it differs").in(Arguments).code(TouchMemberGone).way(otherName)
	promptArgBecameRequired  = wireRule("prompt-arg-became-required", Breaking, "sm", "an argument that was optional is required").in(Arguments).code(TouchMemberRequired).way(giveValue)
	promptArgBecameOptional  = wireRule("prompt-arg-became-optional", Info, "sm", "an argument that was required is optional").in(Arguments).code(TouchValue).way(mayBeMissing)
	promptDocsChanged        = modelRule("prompt-docs-changed", Info, "mt", "a title or description of the prompt differs")
	resourceRemoved          = wireRule("resource-removed", Warning, "sm", "the resource is gone").code(TouchItemGone).way(removeCall)
	resourceAdded            = wireRule("resource-added", Info, "m", "a new resource").code(TouchItemAdded)
	resourceDocsChanged      = modelRule("resource-docs-changed", Info, "mt", "a name, title or description differs")
	templateRemoved          = wireRule("template-removed", Breaking, "sm", "the template is gone").code(TouchItemGone).way(removeCall)
	templateAdded            = wireRule("template-added", Info, "m", "a new template").code(TouchItemAdded)
	templateVariablesChanged = wireRule("template-variables-changed", Breaking, "sm", "the template has other variables").code(TouchNames)
	templateURIChanged       = wireRule("template-uri-changed", Breaking, "sm", "the template has the same name and variables, but makes other URIs").code(TouchCalls)
	resourceSchemeChanged    = securityRule("resource-scheme-changed", Breaking, "", "an item of the same name has a URI of another scheme").code(TouchCalls)
	skillRemoved             = modelRule("skill-removed", Warning, "m", "the skill is gone").code(TouchItemGone).way(removeCall)
	skillAdded               = modelRule("skill-added", Info, "m", "a new skill").code(TouchItemAdded)
	skillFilesChanged        = securityRule(ruleid.SkillFilesChanged, Breaking, "m", "the files of the skill differ from the accepted files, so the skill tells a model something else")
	skillBecameDynamic       = securityRule("skill-became-dynamic", Breaking, "m", "the server no longer promises that the files of the skill stay the same")
	skillDocsChanged         = modelRule("skill-docs-changed", Info, "mt", "the skill is described in another way")
	appRemoved               = modelRule("app-removed", Warning, "", "the page is gone").code(TouchItemGone).way(removeCall)
	appAdded                 = securityRule("app-added", Warning, "", "a new page of the server, which hosts show to people").code(TouchItemAdded)
	appChanged               = securityRule(ruleid.AppChanged, Breaking, "", "the page that hosts show to people differs from the accepted page in its bytes or in its requests to hosts")
	mimeTypeChanged          = wireRule("mime-type-changed", Warning, "s", "the media type differs")
)

// itemRules lists all rules of this file.
func itemRules() []*row {
	return []*row{
		toolRemoved, toolAdded, toolRenamed, toolConfusableAdded, toolNameDuplicate, toolNameCollision,
		toolTitleChanged, toolIconsChanged, toolIconUnsafe, toolMetaChanged, toolMetaUIChanged, toolMemberChanged,
		toolDescriptionChanged, toolDescriptionRemoved, toolTaskRequired, toolTaskOptional, toolTaskForbidden,
		hintReadonlyDropped, hintDestructiveRaised, hintOpenworldRaised, hintIdempotentDropped,
		hintReadonlyClaimed, hintDestructiveLowered, hintOpenworldLowered, hintIdempotentClaimed,
		hintDefaultWritten, hintMeaningless, outputSchemaAdded, outputSchemaRemoved, definitionInvalid,
		definitionDuplicateMember, SourceIncompatible.row, SourceZeroValue.row, definitionChanged, textInvisible,
		textBidi, textControl, textConfusable, textInjection, textSecretPath, textExfiltrationURL, textCrossTool,
		textCommand, textHidden, textLanguage, textSizeJump, textEncodedBlob, serverNameChanged, serverVersionChanged,
		serverSilentRelease, serverIdentityChanged, LaunchChanged.row, ArtifactChanged.row, BytesChanged.row,
		serverCapabilityRemoved, serverCapabilityAdded, serverCapabilityChanged, serverInstructionsChanged,
		protocolVersionChanged, SurfaceBudgetExceeded.row, acceptUnused, acceptExpired, promptRemoved,
		promptAdded, promptRenamed, promptArgAddedRequired, promptArgAddedOptional, promptArgRemoved,
		promptArgRenamed, promptArgBecameRequired, promptArgBecameOptional, promptDocsChanged, resourceRemoved,
		resourceAdded, resourceDocsChanged, templateRemoved, templateAdded, templateVariablesChanged,
		templateURIChanged, resourceSchemeChanged, skillRemoved, skillAdded, skillFilesChanged,
		skillBecameDynamic, skillDocsChanged, appRemoved, appAdded, appChanged, mimeTypeChanged,
	}
}

// The rules about new items.
var arrivals = map[Kind]*row{
	KindTool: toolAdded, KindPrompt: promptAdded, KindResource: resourceAdded, KindTemplate: templateAdded, KindSkill: skillAdded, KindApp: appAdded,
}

// The rules about removed items.
var departures = map[Kind]*row{
	KindTool: toolRemoved, KindPrompt: promptRemoved, KindResource: resourceRemoved, KindTemplate: templateRemoved, KindSkill: skillRemoved, KindApp: appRemoved,
}
