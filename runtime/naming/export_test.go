package naming

// Schemes returns all schemes.
func Schemes() []Scheme { return schemes() }
