package drift

// This file is the part of the catalogue that is not about schemas. For the marks see catalogue_schema.go.

import (
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/schema"
)

var (
	// Of tools.
	toolRemoved               = wireRule(ruleid.ToolRemoved, Breaking, "sm", "the tool is gone").code(ruleid.TouchItemGone).way(removeCall)
	toolAdded                 = wireRule(ruleid.ToolAdded, Info, "m", "a new tool").code(ruleid.TouchItemAdded)
	toolRenamed               = wireRule("tool-renamed", Breaking, "mr", "the tool has a new name; the message says how certain the rename is").code(ruleid.TouchNames).way(callOther)
	toolConfusableAdded       = securityRule("tool-confusable-added", Breaking, "m", "the name of a new tool looks like the name of another tool")
	toolNameDuplicate         = securityRule("tool-name-duplicate", Breaking, "m", "two tools have the same name")
	toolNameCollision         = sourceRule("tool-name-collision", Warning, "s", "the names of two tools differ only in case and separators")
	toolTitleChanged          = modelRule("tool-title-changed", Info, "mt", "the title differs")
	toolIconsChanged          = modelRule("tool-icons-changed", Off, "", "the icons differ")
	toolIconUnsafe            = securityRule("tool-icon-unsafe", Warning, "", "the address of a new icon is neither an https: nor a data: URL")
	toolMetaChanged           = modelRule("tool-meta-changed", Off, "", "_meta differs")
	toolMetaUIChanged         = securityRule("tool-meta-ui-changed", Warning, "", "the user interface of the tool (_meta.ui) differs")
	toolMemberChanged         = wireRule("tool-member-changed", Unknown, "", "the definition has a change in a member that mcpgen does not know")
	toolDescriptionChanged    = modelRule("tool-description-changed", Info, "mt", "the description differs")
	toolDescriptionRemoved    = modelRule("tool-description-removed", Info, "mt", "the description is gone")
	toolTaskRequired          = wireRule("tool-task-required", Breaking, "s", "the tool must now be called as a task").code(ruleid.TouchCalls)
	toolTaskOptional          = wireRule("tool-task-optional", Info, "", "the tool may be called as a task")
	toolTaskForbidden         = wireRule("tool-task-forbidden", Info, "", "the tool can no longer be called as a task")
	hintReadonlyDropped       = securityRule("hint-readonly-dropped", Breaking, "m", "the tool no longer says that it only reads")
	hintDestructiveRaised     = securityRule("hint-destructive-raised", Breaking, "m", "the tool now says that it may destroy data")
	hintOpenworldRaised       = securityRule("hint-openworld-raised", Warning, "m", "the tool now says that it contacts the outside world")
	hintIdempotentDropped     = wireRule("hint-idempotent-dropped", Warning, "m", "the tool no longer says that a repeated call is harmless")
	hintReadonlyClaimed       = securityRule("hint-readonly-claimed", Warning, "m", "the tool now claims that it only reads; this claim alone does not allow any call")
	hintDestructiveLowered    = securityRule("hint-destructive-lowered", Warning, "m", "the tool now claims that it destroys nothing; this claim alone does not allow any call")
	hintOpenworldLowered      = securityRule("hint-openworld-lowered", Info, "m", "the tool now claims that it does not contact the outside world")
	hintIdempotentClaimed     = securityRule("hint-idempotent-claimed", Warning, "m", "the tool now claims that a repeated call is harmless; this claim alone does not allow any call")
	hintDefaultWritten        = modelRule("hint-default-written", Off, "", "a hint is written differently, with the same meaning")
	hintMeaningless           = modelRule("hint-meaningless", Off, "", "a hint differs, but hints of this kind mean nothing for a read-only tool")
	outputSchemaAdded         = wireRule("output-schema-added", Info, "sm", "results now have a schema").in(Results).code(ruleid.TouchResultTyped).way(always("run mcpgen update, then read the fields of the typed result"))
	outputSchemaRemoved       = wireRule("output-schema-removed", Breaking, "sm", "results no longer have a schema").in(Results).code(ruleid.TouchResultUntyped).way(always("run mcpgen update, then read the text of the result, or decode it"))
	definitionInvalid         = securityRule(ruleid.DefinitionInvalid, Breaking, "sm", "the definition cannot be read").code(ruleid.TouchNames)
	definitionDuplicateMember = securityRule("definition-duplicate-member", Breaking, "sm", "a member occurs twice, so two programs may read different values").code(ruleid.TouchNames)
	SourceIncompatible        = sourceRule("source-incompatible", Off, "s", "Go code that uses the old generated package no longer compiles").way(always("run mcpgen update, then change what does not compile")).about(Item)
	SourceZeroValue           = sourceRule("source-zero-value", Off, "s", "Go code still compiles, but now sends or reads a zero value somewhere").about(Item)
	definitionChanged         = modelRule("definition-changed", Off, "", "the definition differs in a way that no other rule covers")

	// Of new text anywhere.
	textInvisible       = securityRule("text-invisible", Breaking, "", "new text has invisible characters")
	textBidi            = securityRule("text-bidi", Breaking, "", "new text has characters that change the direction of reading")
	textControl         = securityRule("text-control", Breaking, "", "new text has control characters or terminal sequences")
	textConfusable      = securityRule("text-confusable", Breaking, "", "a word in new text mixes letters from alphabets that look alike")
	textInjection       = securityRule("text-injection", Breaking, "", "new text gives the model orders that do not come from the user")
	textSecretPath      = securityRule("text-secret-path", Breaking, "", "new text names a file or variable with credentials, or asks for secrets")
	textExfiltrationURL = securityRule("text-exfiltration-url", Breaking, "", "new text names a recipient, or asks to send something to a new address")
	textCrossTool       = securityRule("text-cross-tool", Breaking, "", "new text names tools of other servers")
	textCommand         = securityRule("text-command", Breaking, "", "new text has a shell command, or names a file that decides what programs run or read later")
	textHidden          = securityRule("text-hidden", Breaking, "", "people do not see a part of the new text")
	textLanguage        = securityRule("text-language", Breaking, "", "new text is in another language than the server's other text")
	textSizeJump        = securityRule("text-size-jump", Warning, "", "the text is much longer than before")
	textEncodedBlob     = securityRule("text-encoded-blob", Breaking, "", "new text has an encoded part; the change is only a warning if the part does not decode to text")

	// Of servers.
	serverNameChanged         = modelRule("server-name-changed", Warning, "", "the server reports another name")
	serverVersionChanged      = modelRule("server-version-changed", Info, "", "the server reports another version")
	serverSilentRelease       = modelRule("server-silent-release", Info, "", "tools changed, but the server's version did not")
	serverIdentityChanged     = modelRule("server-identity-changed", Off, "", "the server describes itself in another way")
	LaunchChanged             = securityRule(ruleid.LaunchChanged, Breaking, "", "the server is started or reached in another way").about(Item)
	ArtifactChanged           = securityRule("launch-artifact-changed", Warning, "", "the same launch now runs another version of the package").about(Item)
	BytesChanged              = securityRule(ruleid.BytesChanged, Breaking, "", "the launch and the version are unchanged, but the bytes differ from the locked bytes").about(Item)
	serverCapabilityRemoved   = wireRule("server-capability-removed", Breaking, "s", "the server no longer has a capability").way(removeCall)
	serverCapabilityAdded     = wireRule("server-capability-added", Info, "", "the server has a new capability")
	serverCapabilityChanged   = wireRule("server-capability-changed", Info, "", "the server describes a capability in another way")
	serverInstructionsChanged = modelRule("server-instructions-changed", Info, "mt", "the server's instructions differ")
	protocolVersionChanged    = wireRule("protocol-version-changed", Warning, "", "the server speaks another revision of the protocol")
	SurfaceBudgetExceeded     = modelRule("surface-budget-exceeded", Breaking, "", "the tool definitions exceed the token budget").about(Item)
	acceptUnused              = sourceRule("accept-unused", Warning, "", "an entry of drift.ignore matches no change").way(always("remove the entry from drift.ignore in mcpgen.yaml"))
	acceptExpired             = sourceRule("accept-expired", Warning, "", "an entry of drift.ignore has expired").way(always("review the change, then set a later date in the entry or run mcpgen update"))

	// Of prompts, resources, templates, skills and apps.
	promptRemoved            = wireRule("prompt-removed", Breaking, "sm", "the prompt is gone").code(ruleid.TouchItemGone).way(removeCall)
	promptAdded              = wireRule("prompt-added", Info, "m", "a new prompt").code(ruleid.TouchItemAdded)
	promptRenamed            = wireRule("prompt-renamed", Breaking, "smr", "the prompt has a new name; the message says how certain the rename is").code(ruleid.TouchNames).way(callOther)
	promptArgAddedRequired   = wireRule("prompt-arg-added-required", Breaking, "sm", "an argument is new and required").in(Arguments).code(ruleid.TouchMemberAdded).way(giveValue)
	promptArgAddedOptional   = wireRule("prompt-arg-added-optional", Info, "m", "an argument is new and optional").in(Arguments).code(ruleid.TouchMemberOptional)
	promptArgRemoved         = wireRule("prompt-arg-removed", Breaking, "sm", "an argument is gone").in(Arguments).code(ruleid.TouchMemberGone).way(leaveOut)
	promptArgRenamed         = wireRule("prompt-arg-renamed", Breaking, "smr", "an argument has a new name, and is otherwise unchanged").in(Arguments).code(ruleid.TouchMemberGone).way(otherName)
	promptArgBecameRequired  = wireRule("prompt-arg-became-required", Breaking, "sm", "an optional argument became required").in(Arguments).code(ruleid.TouchMemberRequired).way(giveValue)
	promptArgBecameOptional  = wireRule("prompt-arg-became-optional", Info, "sm", "a required argument became optional").in(Arguments).code(ruleid.TouchValue).way(mayBeMissing)
	promptDocsChanged        = modelRule("prompt-docs-changed", Info, "mt", "a title or description of the prompt differs")
	resourceRemoved          = wireRule("resource-removed", Warning, "sm", "the resource is gone").code(ruleid.TouchItemGone).way(removeCall)
	resourceAdded            = wireRule("resource-added", Info, "m", "a new resource").code(ruleid.TouchItemAdded)
	resourceDocsChanged      = modelRule("resource-docs-changed", Info, "mt", "a name, title or description differs")
	templateRemoved          = wireRule("template-removed", Breaking, "sm", "the template is gone").code(ruleid.TouchItemGone).way(removeCall)
	templateAdded            = wireRule("template-added", Info, "m", "a new template").code(ruleid.TouchItemAdded)
	templateVariablesChanged = wireRule("template-variables-changed", Breaking, "sm", "the template has other variables").code(ruleid.TouchParts).way(always("run mcpgen update, then pass the variables that the template has now"))
	templateURIChanged       = wireRule("template-uri-changed", Breaking, "sm", "the template has the same name and variables, but makes other URIs").code(ruleid.TouchCalls).way(always("run mcpgen update, then rebuild: the generated code makes the new URIs"))
	resourceSchemeChanged    = securityRule("resource-scheme-changed", Breaking, "", "an item keeps its name, but its URI has another scheme").code(ruleid.TouchCalls)
	skillRemoved             = modelRule("skill-removed", Warning, "m", "the skill is gone").code(ruleid.TouchItemGone).way(removeCall)
	skillAdded               = modelRule("skill-added", Info, "m", "a new skill").code(ruleid.TouchItemAdded)
	skillFilesChanged        = securityRule(ruleid.SkillFilesChanged, Breaking, "m", "the files of the skill differ from the accepted files, so the skill tells a model something else")
	skillBecameDynamic       = securityRule("skill-became-dynamic", Breaking, "m", "the server no longer promises that the files of the skill stay the same")
	skillDocsChanged         = modelRule("skill-docs-changed", Info, "mt", "the skill is described in another way")
	appRemoved               = modelRule("app-removed", Warning, "", "the page is gone").code(ruleid.TouchItemGone).way(removeCall)
	appAdded                 = securityRule("app-added", Warning, "", "the server has a new page, which clients show to people").code(ruleid.TouchItemAdded)
	appChanged               = securityRule(ruleid.AppChanged, Breaking, "", "the page that clients show to people has other bytes, or may contact other hosts")
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
var arrivals = map[schema.Kind]*row{
	schema.KindTool: toolAdded, schema.KindPrompt: promptAdded, schema.KindResource: resourceAdded, schema.KindTemplate: templateAdded, schema.KindSkill: skillAdded, schema.KindApp: appAdded,
}

// The rules about removed items.
var departures = map[schema.Kind]*row{
	schema.KindTool: toolRemoved, schema.KindPrompt: promptRemoved, schema.KindResource: resourceRemoved, schema.KindTemplate: templateRemoved, schema.KindSkill: skillRemoved, schema.KindApp: appRemoved,
}
