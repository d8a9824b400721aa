//go:build peers

package peers

import "testing"

// TestObserve types what a real server returns as text and declares nowhere, and
// takes members away and adds others after the program was written.
func TestObserve(t *testing.T) {
	t.Parallel()
	m := newModule(t, "observed")
	m.link("mcp-server-everything")
	serve := func(env string) { m.configure(`command: ./bin/mcp-server-everything`, `args: [stdio]`, `env: `+env) }
	serve(`{FIRST: one, SECOND: two}`)
	m.do(mcpgen, "generate")
	if got, want := m.do(mcpgen, "observe", "observed/get-env"), "observed/get-env: observed.GetEnv returns *GetEnvResult\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	m.do("go", "vet", "./...")
	for _, tt := range []struct{ env, want string }{
		{`{FIRST: one, SECOND: two}`, "one two false\n"},
		{`{SECOND: "2", THIRD: "3"}`, "- 2 true\n"},
		{`{}`, "- - false\n"},
	} {
		serve(tt.env)
		if got := m.do("go", "run", "."); got != tt.want {
			t.Errorf("with %s: got %q, want %q", tt.env, got, tt.want)
		}
	}
	serve(`{FIRST: one, SECOND: two}`) // as it was locked
	m.gone()
	m.do(mcpgen, "generate", "--check")
}
