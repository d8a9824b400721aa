package drift

// This file is the part of the catalogue that is about schemas. Each row is two rules: one about arguments, one
// about results. The severities are those of the caller profile, first for arguments, then for results. The
// marks: s, Go code stops compiling or changes its meaning; m, a model reads something else; *, the profile
// strict gates; !, of class security; t, about text that models and people read; r, a rename; -, proven by
// values without the member; +, proven by arguments with it and results without it; ^, the change is about a
// schema so many segments above its path.

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
	propertyAddedRequired            = narrowing("property-added-required", "sm-", "a new member, and it is required").code(TouchMemberAdded).way(giveValue)
	propertyAddedRequiredWithDefault = narrowing("property-added-required-with-default", "sm-", "a new member is required; it has a default, but the server still requires it").code(TouchMemberAdded).way(giveValue)
	propertyAddedOptional            = altering("property-added-optional", Info, "m*", "a new member, and it is optional").code(TouchMemberOptional)
	propertyRemoved                  = altering("property-removed", Warning, "sm+", "a member is not declared any more").code(TouchMemberGone).way(leaveOut)
	propertyBecameRequired           = narrowing("property-became-required", "sm-", "a member that was optional is required").code(TouchMemberRequired).way(giveValue)
	propertyBecameOptional           = widening("property-became-optional", "sm-", "a member that was required is optional").way(mayBeMissing)
	propertyRenamed                  = altering("property-renamed", Breaking, "smr-+", "a member of the same schema has another name").code(TouchMemberGone).way(otherName)
	additionalPropertiesClosed       = unmoving("additional-properties-closed", Info, Info, "*", "undeclared members were allowed by default and are forbidden").moving(narrows)
	additionalPropertiesOpened       = unmoving("additional-properties-opened", Info, Info, "*", "undeclared members were forbidden and are allowed by default").moving(widens)
	additionalPropertiesForbidden    = narrowing("additional-properties-forbidden", "sm", "undeclared members were allowed on purpose and are forbidden")
	additionalPropertiesAllowed      = widening("additional-properties-allowed", "sm", "undeclared members are allowed on purpose")
	mapValueNarrowed                 = narrowing("map-value-narrowed", "sm", "undeclared members were free and have a schema")
	mapValueWidened                  = widening("map-value-widened", "sm", "undeclared members had a schema and are free")
	propertyNamesAdded               = narrowing("property-names-added", "sm", "the names of members are restricted").code(TouchWhole)
	propertyNamesRemoved             = widening("property-names-removed", "sm", "the names of members are not restricted any more").code(TouchWhole)
	patternPropertiesAdded           = altering("pattern-properties-added", Unknown, "sm", "a schema for members whose names match a pattern is new").way(checkFirst)
	patternPropertiesRemoved         = altering("pattern-properties-removed", Unknown, "sm", "a schema for members whose names match a pattern is gone").way(checkFirst)
	unevaluatedPropertiesChanged     = altering("unevaluated-properties-changed", Unknown, "sm", "unevaluatedProperties differs")
	dependentRequiredAdded           = narrowing("dependent-required-added", "m", "a member requires another one").code(TouchNeeds)
	dependentRequiredRemoved         = widening("dependent-required-removed", "m", "a member does not require another one any more").code(TouchWhole)
	dependentSchemasAdded            = narrowing("dependent-schemas-added", "m", "if the value has a member, another schema applies, too").code(TouchWhole)
	dependentSchemasRemoved          = widening("dependent-schemas-removed", "m", "if the value has a member, no other schema applies any longer").code(TouchWhole)

	// Of values.
	typeChanged             = altering("type-changed", Breaking, "sm", "the value has other types").way(otherType)
	typeWidened             = widening("type-widened", "sm", "the value may have more types").way(otherType)
	typeNarrowed            = narrowing("type-narrowed", "sm", "the value may have fewer types").way(otherType)
	nullableAdded           = widening("nullable-added", "sm", "null is allowed").way(mayBeNull)
	nullableRemoved         = narrowing("nullable-removed", "sm", "null is not allowed any more").way(allowedType)
	enumValueAdded          = widening("enum-value-added", "m^", "a value joined the enumeration").way(unknownValues)
	enumValueRemoved        = narrowing("enum-value-removed", "sm^", "a value left the enumeration").code(TouchValueGone).way(otherValue)
	enumConstraintAdded     = narrowing("enum-constraint-added", "sm", "only listed values are allowed").way(listedValue)
	enumConstraintRemoved   = widening("enum-constraint-removed", "sm", "the values are not enumerated any more").way(unknownValues)
	constChanged            = altering("const-changed", Breaking, "sm", "the constant differs").code(TouchValueGone).way(listedConst)
	patternAdded            = narrowing("pattern-added", "m", "text has to match a pattern").way(checkFirst)
	patternRemoved          = widening("pattern-removed", "m", "text need not match a pattern any more").way(checkFirst)
	patternChanged          = altering("pattern-changed", Unknown, "m", "the pattern of a text differs").way(checkFirst)
	formatAdded             = unmoving("format-added", Warning, Info, "sm", "a format is new; mcpgen does not check formats")
	formatChanged           = unmoving("format-changed", Warning, Warning, "sm", "the format differs; mcpgen does not check formats")
	formatRemoved           = unmoving("format-removed", Info, Warning, "sm", "the format is gone; mcpgen does not check formats")
	contentEncodingChanged  = unmoving("content-encoding-changed", Warning, Warning, "sm", "the encoding of a text differs")
	contentMediaTypeChanged = unmoving("content-media-type-changed", Warning, Warning, "sm", "the media type of a text differs")
	contentSchemaChanged    = unmoving("content-schema-changed", Warning, Warning, "sm", "the schema of a text's content differs")
	defaultAdded            = unmoving("default-added", Info, Info, "smt", "a default is new").code(TouchDefault).way(reliedOn)
	defaultChanged          = unmoving("default-changed", Warning, Info, "smt", "the default differs: an argument that is left out means something else").code(TouchDefault).way(reliedOn)
	defaultRemoved          = unmoving("default-removed", Warning, Info, "smt", "the default is gone: an argument that is left out means something else").code(TouchDefault).way(reliedOn)

	// Of arrays.
	itemsAdded              = narrowing("items-added", "sm", "the elements have a schema")
	itemsRemoved            = widening("items-removed", "sm", "the elements have no schema any more")
	tuplePositionAdded      = narrowing("tuple-position-added", "sm^^", "an element has a schema by its position")
	tuplePositionRemoved    = altering("tuple-position-removed", Breaking, "sm", "an element has no schema by its position any more")
	unevaluatedItemsChanged = altering("unevaluated-items-changed", Unknown, "sm", "unevaluatedItems differs")
	containsTightened       = narrowing("contains-tightened", "m", "the list has to contain an element of a given schema").way(checkFirst)
	containsRelaxed         = widening("contains-relaxed", "m", "the list no longer has to contain an element of a given schema")
	containsChanged         = altering("contains-changed", Unknown, "m", "the schema under contains differs")

	// Of schemas that are made of others.
	unionBranchAdded   = widening("union-branch-added", "sm^^", "there is one more alternative").way(otherType)
	unionBranchRemoved = narrowing("union-branch-removed", "sm", "there is one alternative fewer").code(TouchVariantGone).way(otherType)
	unionAdded         = altering("union-added", Unknown, "sm", "the value may now have one of several types").way(otherType)
	unionRemoved       = altering("union-removed", Unknown, "sm", "the schema has no alternatives any longer").way(otherType)
	oneofBranchAdded   = altering("oneof-branch-added", Unknown, "sm^^", "there is one more alternative, and exactly one has to match").way(allowedType)
	oneofBranchRemoved = altering("oneof-branch-removed", Unknown, "sm", "there is one alternative fewer, and exactly one has to match").code(TouchVariantGone).way(allowedType)
	allofMemberAdded   = narrowing("allof-member-added", "sm^^", "the value has to match one more schema").code(TouchParts)
	allofMemberRemoved = widening("allof-member-removed", "sm", "the value has to match one schema fewer").code(TouchParts)
	ifThenElseAdded    = narrowing("if-then-else-added", "m", "a condition is new").code(TouchWhole)
	ifThenElseRemoved  = widening("if-then-else-removed", "m", "a condition is gone").code(TouchWhole)
	ifThenElseChanged  = altering("if-then-else-changed", Unknown, "m", "a condition differs").code(TouchWhole)
	notAdded           = narrowing("not-added", "m", "values are ruled out").code(TouchWhole)
	notRemoved         = widening("not-removed", "m", "values are not ruled out any more").code(TouchWhole)
	notChanged         = altering("not-changed", Unknown, "m", "the keyword not excludes other values than before").code(TouchWhole)

	// Of schemas as a whole.
	recursionIntroduced         = altering("recursion-introduced", Unknown, "sm", "the schema contains itself")
	recursionRemoved            = altering("recursion-removed", Unknown, "sm", "the schema does not contain itself any more")
	schemaChanged               = altering("schema-changed", Breaking, "sm", "the schema as a whole allows other values, and no single keyword shows it")
	noValueFits                 = unmoving("no-value-fits", Breaking, Breaking, "sm", "no value matches the schema any longer, because the schema contradicts itself")
	schemaUndecided             = altering("schema-undecided", Unknown, "sm", "mcpgen does not know whether the whole schema allows the same values")
	schemaDialectChanged        = altering("schema-dialect-changed", Info, "", "the dialect of the schema differs").code(TouchNothing)
	schemaRefBroken             = unmoving("schema-ref-broken", Breaking, Breaking, "sm", "a reference has no target")
	schemaRefExternal           = unmoving("schema-ref-external", Breaking, Breaking, "m!", "a reference leads out of the document; mcpgen never follows it")
	schemaInvalid               = unmoving("schema-invalid", Breaking, Breaking, "sm", "the schema is not valid any more")
	schemaDegraded              = unmoving("schema-degraded", Breaking, Breaking, "sm!", "declared members are gone, and anything is allowed")
	schemaEnriched              = altering("schema-enriched", Info, "sm", "members are declared where anything was allowed")
	schemaKeywordUnknownChanged = altering("schema-keyword-unknown-changed", Unknown, "", "a keyword that mcpgen does not know differs")
	schemaExtensionChanged      = unmoving("schema-extension-changed", Info, Info, "", "an extension keyword (x-…) differs").code(TouchNothing)
	schemaTooComplex            = unmoving("schema-too-complex", Unknown, Unknown, "", "the schema is too large or too deep to be judged")
	docsChanged                 = unmoving("docs-changed", Info, Info, "mt", "a title, description, example or comment differs").code(TouchNothing)
	xMcpHeaderAdded             = unmoving("x-mcp-header-added", Breaking, Off, "!", "the argument has to be sent as an HTTP header as well").code(TouchNothing)
	xMcpHeaderChanged           = unmoving("x-mcp-header-changed", Breaking, Off, "!", "the argument has to be sent as another HTTP header").code(TouchNothing)
	xMcpHeaderRemoved           = unmoving("x-mcp-header-removed", Info, Off, "", "the argument is not sent as an HTTP header any more").code(TouchNothing)
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
