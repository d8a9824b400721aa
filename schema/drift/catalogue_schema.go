package drift

// This file is the part of the catalogue that is about schemas. The severities
// are those for a caller: of inputs, then of outputs. The marks: s, Go code stops
// compiling or means something else; m, a model reads something else; *, the
// profile strict gates; !, of class security.

// effect says how a change moves the set of values that a schema allows.
type effect byte

const (
	neutral effect = iota // not at all
	narrows               // fewer values
	widens                // more values
	alters                // either, or both
)

// mirrored turns an effect on a schema into the effect on who reads its values.
func (e effect) mirrored() effect {
	switch e {
	case narrows:
		return widens
	case widens:
		return narrows
	}
	return e
}

func objectRows() []schemaRow {
	return []schemaRow{
		{"property-added-required", narrows, Breaking, Info, "sm", "a new member, and it is required"},
		{"property-added-required-with-default", narrows, Breaking, Info, "sm", "a new member is required; its default is no help, because the server still wants it"},
		{"property-added-optional", alters, Info, Info, "m*", "a new member that may be left out"},
		{"property-removed", alters, Warning, Warning, "sm", "a member is not declared any more"},
		{"property-became-required", narrows, Breaking, Info, "sm", "a member that could be left out is required"},
		{"property-became-optional", widens, Info, Breaking, "sm", "a member that was required may be left out"},
		{"property-renamed", alters, Breaking, Breaking, "sm", "a member of the same schema has another name"},
		{"additional-properties-closed", narrows, Info, Info, "*", "members that are not declared were allowed by default and are forbidden"},
		{"additional-properties-opened", widens, Info, Info, "*", "members that are not declared were forbidden and are allowed by default"},
		{"additional-properties-forbidden", narrows, Breaking, Info, "sm", "members that are not declared were allowed on purpose and are forbidden"},
		{"additional-properties-allowed", widens, Info, Breaking, "sm", "members that are not declared are allowed on purpose"},
		{"map-value-narrowed", narrows, Breaking, Info, "sm", "members that are not declared were free and have a schema"},
		{"map-value-widened", widens, Info, Breaking, "sm", "members that are not declared had a schema and are free"},
		{"property-names-added", narrows, Breaking, Info, "sm", "the names of members are restricted"},
		{"property-names-removed", widens, Info, Breaking, "sm", "the names of members are not restricted any more"},
		{"pattern-properties-added", alters, Unknown, Unknown, "sm", "a schema for members whose names match a pattern is new"},
		{"pattern-properties-removed", alters, Unknown, Unknown, "sm", "a schema for members whose names match a pattern is gone"},
		{"unevaluated-properties-changed", alters, Unknown, Unknown, "sm", "unevaluatedProperties differs"},
		{"dependent-required-added", narrows, Breaking, Info, "m", "a member requires another one"},
		{"dependent-required-removed", widens, Info, Breaking, "m", "a member does not require another one any more"},
		{"dependent-schemas-added", narrows, Breaking, Info, "m", "a member brings a schema with it"},
		{"dependent-schemas-removed", widens, Info, Breaking, "m", "a member does not bring a schema with it any more"},
	}
}

func valueRows() []schemaRow {
	return []schemaRow{
		{"type-changed", alters, Breaking, Breaking, "sm", "other types of values"},
		{"type-widened", widens, Info, Breaking, "sm", "more types of values"},
		{"type-narrowed", narrows, Breaking, Info, "sm", "fewer types of values"},
		{"nullable-added", widens, Info, Breaking, "sm", "null is allowed"},
		{"nullable-removed", narrows, Breaking, Info, "sm", "null is not allowed any more"},
		{"enum-value-added", widens, Info, Breaking, "m", "a value joined the enumeration"},
		{"enum-value-removed", narrows, Breaking, Info, "sm", "a value left the enumeration"},
		{"enum-constraint-added", narrows, Breaking, Info, "sm", "only listed values are allowed"},
		{"enum-constraint-removed", widens, Info, Breaking, "sm", "the values are not enumerated any more"},
		{"const-changed", alters, Breaking, Breaking, "sm", "the constant differs"},
		{"pattern-added", narrows, Breaking, Info, "m", "text has to match a pattern"},
		{"pattern-removed", widens, Info, Breaking, "m", "text need not match a pattern any more"},
		{"pattern-changed", alters, Unknown, Unknown, "m", "the pattern of a text differs"},
		{"format-added", neutral, Warning, Info, "sm", "a format is new; formats are not checked"},
		{"format-changed", neutral, Warning, Warning, "sm", "the format differs; formats are not checked"},
		{"format-removed", neutral, Info, Warning, "sm", "the format is gone; formats are not checked"},
		{"content-encoding-changed", neutral, Warning, Warning, "sm", "the encoding of a text differs"},
		{"content-media-type-changed", neutral, Warning, Warning, "sm", "the media type of a text differs"},
		{"content-schema-changed", neutral, Warning, Warning, "sm", "the schema of a text's content differs"},
		{"default-added", neutral, Info, Info, "sm", "a default is new"},
		{"default-changed", neutral, Warning, Info, "sm", "the default differs: an argument that is left out means something else"},
		{"default-removed", neutral, Warning, Info, "sm", "the default is gone: an argument that is left out means something else"},
	}
}

// boundRows are two rules for each bound.
func boundRows() []schemaRow {
	var rows []schemaRow
	for _, b := range bounds() {
		rows = append(rows,
			schemaRow{b.rule + "-tightened", narrows, Breaking, Info, "m", b.keyword + " allows less"},
			schemaRow{b.rule + "-relaxed", widens, Info, Breaking, "m", b.keyword + " allows more"})
	}
	return rows
}

func arrayRows() []schemaRow {
	return []schemaRow{
		{"items-added", narrows, Breaking, Info, "sm", "the elements have a schema"},
		{"items-removed", widens, Info, Breaking, "sm", "the elements have no schema any more"},
		{"tuple-position-added", narrows, Breaking, Info, "sm", "an element has a schema by its position"},
		{"tuple-position-removed", alters, Breaking, Breaking, "sm", "an element has no schema by its position any more"},
		{"unevaluated-items-changed", alters, Unknown, Unknown, "sm", "unevaluatedItems differs"},
		{"contains-tightened", narrows, Breaking, Info, "m", "an element of a certain schema is wanted"},
		{"contains-relaxed", widens, Info, Breaking, "m", "an element of a certain schema is not wanted any more"},
		{"contains-changed", alters, Unknown, Unknown, "m", "the schema of the wanted element differs"},
	}
}

func combinationRows() []schemaRow {
	return []schemaRow{
		{"union-branch-added", widens, Info, Breaking, "sm", "one more alternative"},
		{"union-branch-removed", narrows, Breaking, Info, "sm", "one alternative less"},
		{"union-added", alters, Unknown, Unknown, "sm", "the value is one of several types"},
		{"union-removed", alters, Unknown, Unknown, "sm", "the alternatives are not listed any more"},
		{"oneof-branch-added", alters, Unknown, Unknown, "sm", "one more alternative of which exactly one has to fit"},
		{"oneof-branch-removed", alters, Unknown, Unknown, "sm", "one alternative less of which exactly one has to fit"},
		{"allof-member-added", narrows, Breaking, Info, "sm", "one more schema has to fit"},
		{"allof-member-removed", widens, Info, Breaking, "sm", "one schema less has to fit"},
		{"if-then-else-added", narrows, Breaking, Info, "m", "a condition is new"},
		{"if-then-else-removed", widens, Info, Breaking, "m", "a condition is gone"},
		{"if-then-else-changed", alters, Unknown, Unknown, "m", "a condition differs"},
		{"not-added", narrows, Breaking, Info, "m", "values are ruled out"},
		{"not-removed", widens, Info, Breaking, "m", "values are not ruled out any more"},
		{"not-changed", alters, Unknown, Unknown, "m", "other values are ruled out"},
	}
}

func documentRows() []schemaRow {
	return []schemaRow{
		{"recursion-introduced", alters, Unknown, Unknown, "sm", "the schema contains itself"},
		{"recursion-removed", alters, Unknown, Unknown, "sm", "the schema does not contain itself any more"},
		{"schema-changed", alters, Breaking, Breaking, "sm", "the schema as a whole allows other values, and no single keyword shows it"},
		{"no-value-fits", neutral, Breaking, Breaking, "sm", "no value fits this any more: what the schema says there contradicts itself"},
		{"schema-undecided", alters, Unknown, Unknown, "sm", "it is not known whether the schema as a whole allows the same values"},
		{"schema-dialect-changed", alters, Info, Info, "", "the dialect of the schema differs"},
		{"schema-ref-broken", neutral, Breaking, Breaking, "sm", "a reference leads to nothing"},
		{"schema-ref-external", neutral, Breaking, Breaking, "m!", "a reference leads out of the document; it is never followed"},
		{"schema-invalid", neutral, Breaking, Breaking, "sm", "the schema is not valid any more"},
		{"schema-degraded", neutral, Breaking, Breaking, "sm!", "declared members are gone, and anything is allowed"},
		{"schema-enriched", alters, Info, Info, "sm", "members are declared where anything was allowed"},
		{"schema-keyword-unknown-changed", alters, Unknown, Unknown, "", "a keyword differs whose meaning is not known"},
		{"schema-extension-changed", neutral, Info, Info, "", "an extension keyword (x-…) differs"},
		{"schema-too-complex", neutral, Unknown, Unknown, "", "the schema is too large or too deep to be judged"},
		{"docs-changed", neutral, Off, Off, "m", "a title, description, example or comment differs"},
		{"x-mcp-header-added", neutral, Breaking, Off, "!", "the argument has to be sent as an HTTP header as well"},
		{"x-mcp-header-changed", neutral, Breaking, Off, "!", "the argument has to be sent as another HTTP header"},
		{"x-mcp-header-removed", neutral, Info, Off, "", "the argument is not sent as an HTTP header any more"},
	}
}
