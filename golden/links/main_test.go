package main

import "testing"

// A program with the tag mcpgen_lean links at most seven modules that the prover of
// drift does not need, and a typed call links none.
func TestModules(t *testing.T) {
	count := func(program, tags string) int {
		l, err := measure(module+"/golden/links/"+program, tags)
		if err != nil {
			t.Fatal(err)
		}
		return l.modules
	}
	if n := count("call", ""); n != 0 {
		t.Errorf("call links %d modules, want 0", n)
	}
	if judge, lean := count("judge", ""), count("live", "mcpgen_lean"); lean > judge+7 {
		t.Errorf("live with mcpgen_lean links %d modules, want at most 7 more than judge, which links %d", lean, judge)
	}
}
