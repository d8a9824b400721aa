package config

import (
	"testing"

	"github.com/mcpgen/mcpgen/schema/drift"
)

func TestJudgementOptions(t *testing.T) {
	project, err := Parse([]byte(`
version: 1
servers: {s: {command: s}}
drift:
  profile: source
  rules: {tool-description-changed: breaking}
  ignore: [{server: s, tool: t, rule: tool-title-changed, after: "sha256:07fe7f9d8d4d77d096893e9ef33eb01dad6a802c92d794e46687eacb384809ae", until: 2027-01-01, reason: known}]
`))
	if err != nil {
		t.Fatal(err)
	}
	o := project.Drift.Options()
	if o.Profile != drift.Caller || len(o.Rules) != 1 || len(o.Ignore) != 1 || len(o.Today) != len("2026-01-01") {
		t.Errorf("got %+v", o)
	}
	if o := (Judgement{}).Options(); o.Profile != "" || o.Rules != nil || o.Ignore != nil {
		t.Errorf("without the key: %+v", o)
	}
}
