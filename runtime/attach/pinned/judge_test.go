package pinned_test

// The tests of this package judge with package judge, which imports it: only a test
// from outside can hand it in.

import (
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/judge"
)

var _ = pinned.UseJudge(judge.New)
