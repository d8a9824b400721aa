package attach

import "github.com/mcpgen/mcpgen/schema/drift"

// proving makes the judge of the tests.
var proving func(*drift.Options) Judge

// UseProver sets it.
func UseProver(make func(*drift.Options) Judge) bool {
	proving = make
	return true
}
