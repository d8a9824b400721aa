package validate

// The limits, for tests of what lies beyond them.
const (
	MaxSubschemas = maxSubschemas
	MaxInPlace    = maxInPlace
	MaxDepth      = maxDepth
	MaxValues     = maxValues
	MaxNumber     = maxNumber
	MaxErrors     = maxErrors
)
