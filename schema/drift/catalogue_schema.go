package drift

// This file is the part of the catalogue that is about schemas. Each row is two rules: one about arguments, one
// about results. The severities are those of the caller profile, first for arguments, then for results. The
// marks: s, Go code stops compiling or changes its meaning; m, a model reads something else; *, the profile
// strict gates; !, of class security; t, about text that models and people read; r, a rename; -, proven by
// values without the member; +, proven by arguments with it and results without it; ^, the change is about a
// schema so many segments above its path.

import "github.com/mcpgen/mcpgen/internal/ruleid"

// effect is how a change affects the set of values that a schema allows.
type effect byte

const (
	neutral effect = iota // the same values
	narrows               // fewer values
	widens                // more values
	alters                // either, or both
)

// mirrored converts an effect on a schema into the effect on a reader of its values.
func (e effect) mirrored() effect {
	switch e {
	case narrows:
		return widens
	case widens:
		return narrows
	}
	return e
}

var (
	// Of objects.
	propertyAddedRequired            = narrowing("property-added-required", "sm-", "a member is new and required").code(ruleid.TouchMemberAdded).way(giveValue)
	propertyAddedRequiredWithDefault = narrowing("property-added-required-with-default", "sm-", "a member with a default is new, and the server requires it").code(ruleid.TouchMemberAdded).way(giveValue)
	propertyAddedOptional            = altering("property-added-optional", Info, "m*", "a member is new and optional").code(ruleid.TouchMemberOptional)
	propertyRemoved                  = altering("property-removed", Warning, "sm+", "a member is no longer declared").code(ruleid.TouchMemberGone).way(leaveOut)
	propertyBecameRequired           = narrowing("property-became-required", "sm-", "an optional member became required").code(ruleid.TouchMemberRequired).way(giveValue)
	propertyBecameOptional           = widening("property-became-optional", "sm-", "a required member became optional").way(mayBeMissing)
	propertyRenamed                  = altering("property-renamed", Breaking, "smr-+", "a member has a new name and the same schema").code(ruleid.TouchMemberGone).way(otherName)
	additionalPropertiesClosed       = unmoving("additional-properties-closed", Info, Info, "*", "undeclared members were allowed by default and are now forbidden").moving(narrows)
	additionalPropertiesOpened       = unmoving("additional-properties-opened", Info, Info, "*", "undeclared members were forbidden and are now allowed by default").moving(widens)
	additionalPropertiesForbidden    = narrowing("additional-properties-forbidden", "sm", "the old schema allows undeclared members explicitly, and the new schema forbids them")
	additionalPropertiesAllowed      = widening("additional-properties-allowed", "sm", "the new schema allows undeclared members explicitly")
	mapValueNarrowed                 = narrowing("map-value-narrowed", "sm", "undeclared members must now match a schema")
	mapValueWidened                  = widening("map-value-widened", "sm", "undeclared members no longer have to match a schema")
	propertyNamesAdded               = narrowing("property-names-added", "sm", "the names of members are now restricted").code(ruleid.TouchWhole)
	propertyNamesRemoved             = widening("property-names-removed", "sm", "the names of members are no longer restricted").code(ruleid.TouchWhole)
	patternPropertiesAdded           = altering("pattern-properties-added", Unknown, "sm", "members whose names match a pattern must now match a schema").way(checkFirst)
	patternPropertiesRemoved         = altering("pattern-properties-removed", Unknown, "sm", "members whose names match a pattern lost their own schema").way(checkFirst)
	unevaluatedPropertiesChanged     = altering("unevaluated-properties-changed", Unknown, "sm", "unevaluatedProperties differs")
	dependentRequiredAdded           = narrowing("dependent-required-added", "m", "if one member is present, another is now required").code(ruleid.TouchNeeds)
	dependentRequiredRemoved         = widening("dependent-required-removed", "m", "a member no longer requires another member").code(ruleid.TouchWhole)
	dependentSchemasAdded            = narrowing("dependent-schemas-added", "m", "if one member is present, the object must now match another schema, too").code(ruleid.TouchWhole)
	dependentSchemasRemoved          = widening("dependent-schemas-removed", "m", "an object with a certain member no longer has to match a further schema").code(ruleid.TouchWhole)

	// Of values.
	typeChanged             = altering("type-changed", Breaking, "sm", "the types of the value differ").way(otherType)
	typeWidened             = widening("type-widened", "sm", "the value may have more types").way(moreTypes)
	typeNarrowed            = narrowing("type-narrowed", "sm", "the value may have fewer types").way(otherType)
	nullableAdded           = widening("nullable-added", "sm", "null is now allowed").way(mayBeNull)
	nullableRemoved         = narrowing("nullable-removed", "sm", "null is not allowed any more").way(allowedType)
	enumValueAdded          = widening("enum-value-added", "m^", "the enumeration has a new value").way(unknownValues)
	enumValueRemoved        = narrowing("enum-value-removed", "sm^", "a value was removed from the enumeration").code(ruleid.TouchValueGone).way(otherValue)
	enumConstraintAdded     = narrowing("enum-constraint-added", "sm", "only listed values are now allowed").way(listedValue)
	enumConstraintRemoved   = widening("enum-constraint-removed", "sm", "the schema no longer lists the allowed values").way(unknownValues)
	constChanged            = altering("const-changed", Breaking, "sm", "the constant differs").code(ruleid.TouchValueGone).way(listedConst)
	patternAdded            = narrowing("pattern-added", "m", "text has to match a pattern").way(checkFirst)
	patternRemoved          = widening("pattern-removed", "m", "text need not match a pattern any more")
	patternChanged          = altering("pattern-changed", Unknown, "m", "the pattern of a text differs").way(checkFirst)
	formatAdded             = unmoving("format-added", Warning, Info, "sm", "a format is new; mcpgen does not check formats")
	formatChanged           = unmoving("format-changed", Warning, Warning, "sm", "the format differs; mcpgen does not check formats")
	formatRemoved           = unmoving("format-removed", Info, Warning, "sm", "the format is gone; mcpgen does not check formats")
	contentEncodingChanged  = unmoving("content-encoding-changed", Warning, Warning, "sm", "the encoding of a text differs")
	contentMediaTypeChanged = unmoving("content-media-type-changed", Warning, Warning, "sm", "the media type of a text differs")
	contentSchemaChanged    = unmoving("content-schema-changed", Warning, Warning, "sm", "the schema of a text's content differs")
	defaultAdded            = unmoving("default-added", Info, Info, "smt", "a default is new").code(ruleid.TouchDefault).way(reliedOn)
	defaultChanged          = unmoving("default-changed", Warning, Info, "smt", "the default differs, so an absent member means something else").code(ruleid.TouchDefault).way(reliedOn)
	defaultRemoved          = unmoving("default-removed", Warning, Info, "smt", "the default is gone, so an absent member means something else").code(ruleid.TouchDefault).way(reliedOn)

	// Of arrays.
	itemsAdded              = narrowing("items-added", "sm", "the elements must now match a schema")
	itemsRemoved            = widening("items-removed", "sm", "the elements no longer have to match a schema")
	tuplePositionAdded      = narrowing("tuple-position-added", "sm^^", "the element at one position now has its own schema")
	tuplePositionRemoved    = altering("tuple-position-removed", Breaking, "sm", "the element at one position no longer has its own schema")
	unevaluatedItemsChanged = altering("unevaluated-items-changed", Unknown, "sm", "unevaluatedItems differs")
	containsTightened       = narrowing("contains-tightened", "m", "the list must now contain an element that matches a given schema").way(checkFirst)
	containsRelaxed         = widening("contains-relaxed", "m", "the list no longer has to contain an element that matches a given schema")
	containsChanged         = altering("contains-changed", Unknown, "m", "the schema of the keyword contains differs")

	// Of schemas that are made of others.
	unionBranchAdded   = widening("union-branch-added", "sm^^", "the schema has one more alternative").way(moreTypes)
	unionBranchRemoved = narrowing("union-branch-removed", "sm", "the schema has one alternative fewer").code(ruleid.TouchVariantGone).way(otherType)
	unionAdded         = altering("union-added", Unknown, "sm", "the value may now have one of several types").way(otherType)
	unionRemoved       = altering("union-removed", Unknown, "sm", "the schema has no alternatives any longer").way(otherType)
	oneofBranchAdded   = altering("oneof-branch-added", Unknown, "sm^^", "oneOf has one more alternative, and exactly one must match").way(otherType)
	oneofBranchRemoved = altering("oneof-branch-removed", Unknown, "sm", "oneOf has one alternative fewer, and exactly one must match").code(ruleid.TouchVariantGone).way(allowedType)
	allofMemberAdded   = narrowing("allof-member-added", "sm^^", "the value must match one more schema").code(ruleid.TouchParts)
	allofMemberRemoved = widening("allof-member-removed", "sm", "the value must match one schema fewer").code(ruleid.TouchParts)
	ifThenElseAdded    = narrowing("if-then-else-added", "m", "the schema has a new condition (if, then, else)").code(ruleid.TouchWhole)
	ifThenElseRemoved  = widening("if-then-else-removed", "m", "a condition (if, then, else) was removed").code(ruleid.TouchWhole)
	ifThenElseChanged  = altering("if-then-else-changed", Unknown, "m", "a condition (if, then, else) differs").code(ruleid.TouchWhole)
	notAdded           = narrowing("not-added", "m", "the schema now excludes some values").code(ruleid.TouchWhole)
	notRemoved         = widening("not-removed", "m", "the schema no longer excludes some values").code(ruleid.TouchWhole)
	notChanged         = altering("not-changed", Unknown, "m", "the schema excludes other values than before").code(ruleid.TouchWhole)

	// Of schemas as a whole.
	recursionIntroduced         = altering("recursion-introduced", Unknown, "sm", "the schema contains itself")
	recursionRemoved            = altering("recursion-removed", Unknown, "sm", "the schema does not contain itself any more")
	schemaChanged               = altering("schema-changed", Breaking, "sm", "the whole schema allows other values, but no single keyword shows the difference")
	noValueFits                 = unmoving("no-value-fits", Breaking, Breaking, "sm", "no value matches the schema any longer, because the schema contradicts itself")
	schemaUndecided             = altering("schema-undecided", Unknown, "sm", "mcpgen cannot decide whether both schemas allow the same values")
	schemaDialectChanged        = altering("schema-dialect-changed", Info, "", "the dialect of the schema differs").code(ruleid.TouchNothing)
	schemaRefBroken             = unmoving("schema-ref-broken", Breaking, Breaking, "sm", "a reference has no target")
	schemaRefExternal           = unmoving("schema-ref-external", Breaking, Breaking, "m!", "a reference points outside the document; mcpgen never follows such a reference")
	schemaInvalid               = unmoving("schema-invalid", Breaking, Breaking, "sm", "the schema is not valid any more")
	schemaDegraded              = unmoving("schema-degraded", Breaking, Breaking, "sm!", "the schema no longer declares members, and allows any value")
	schemaEnriched              = altering("schema-enriched", Info, "sm", "the schema allowed any value, and now declares members")
	schemaKeywordUnknownChanged = altering("schema-keyword-unknown-changed", Unknown, "", "a keyword that mcpgen does not know differs")
	schemaExtensionChanged      = unmoving("schema-extension-changed", Info, Info, "", "an extension keyword (x-…) differs").code(ruleid.TouchNothing)
	schemaTooComplex            = unmoving("schema-too-complex", Unknown, Unknown, "", "the schema is too large or too deep to be judged")
	docsChanged                 = unmoving("docs-changed", Info, Info, "mt", "a title, description, example or comment differs").code(ruleid.TouchNothing)
	xMcpHeaderAdded             = unmoving("x-mcp-header-added", Breaking, Off, "!", "the argument must also be sent as an HTTP header").code(ruleid.TouchNothing)
	xMcpHeaderChanged           = unmoving("x-mcp-header-changed", Breaking, Off, "!", "the argument must be sent in a different HTTP header").code(ruleid.TouchNothing)
	xMcpHeaderRemoved           = unmoving("x-mcp-header-removed", Info, Off, "", "the argument is no longer sent as an HTTP header").code(ruleid.TouchNothing)
)

// schemaRules lists all rules of this file.
func schemaRules() []*row {
	rules := []*row{
		propertyAddedRequired, propertyAddedRequiredWithDefault, propertyAddedOptional, propertyRemoved,
		propertyBecameRequired, propertyBecameOptional, propertyRenamed, additionalPropertiesClosed,
		additionalPropertiesOpened, additionalPropertiesForbidden, additionalPropertiesAllowed, mapValueNarrowed,
		mapValueWidened, propertyNamesAdded, propertyNamesRemoved, patternPropertiesAdded,
		patternPropertiesRemoved, unevaluatedPropertiesChanged, dependentRequiredAdded, dependentRequiredRemoved,
		dependentSchemasAdded, dependentSchemasRemoved, typeChanged, typeWidened, typeNarrowed, nullableAdded,
		nullableRemoved, enumValueAdded, enumValueRemoved, enumConstraintAdded, enumConstraintRemoved,
		constChanged, patternAdded, patternRemoved, patternChanged, formatAdded, formatChanged, formatRemoved,
		contentEncodingChanged, contentMediaTypeChanged, contentSchemaChanged, defaultAdded, defaultChanged,
		defaultRemoved, itemsAdded, itemsRemoved, tuplePositionAdded, tuplePositionRemoved,
		unevaluatedItemsChanged, containsTightened, containsRelaxed, containsChanged, unionBranchAdded,
		unionBranchRemoved, unionAdded, unionRemoved, oneofBranchAdded, oneofBranchRemoved, allofMemberAdded,
		allofMemberRemoved, ifThenElseAdded, ifThenElseRemoved, ifThenElseChanged, notAdded, notRemoved,
		notChanged, recursionIntroduced, recursionRemoved, schemaChanged, noValueFits, schemaUndecided, schemaDialectChanged,
		schemaRefBroken, schemaRefExternal, schemaInvalid, schemaDegraded, schemaEnriched,
		schemaKeywordUnknownChanged, schemaExtensionChanged, schemaTooComplex, docsChanged, xMcpHeaderAdded,
		xMcpHeaderChanged, xMcpHeaderRemoved,
	}
	for _, b := range bounds {
		rules = append(rules, b.tightened, b.relaxed)
	}
	return rules
}
