package endpoint

// Defaults, for tests.
const (
	DefaultMessage = defaultMessage
	DefaultPages   = defaultPages
)
