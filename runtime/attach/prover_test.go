package attach_test

// The tests of this package judge with package runtime/judge, which imports it:
// only a test from outside can hand it in.

import (
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/judge"
	"github.com/mcpgen/mcpgen/schema/drift"
)

var _ = attach.UseProver(func(o *drift.Options) attach.Judge { return judge.New(o) })
