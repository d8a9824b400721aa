package config

import (
	"strings"
	"testing"
)

func lookupTestVariable(name string) (string, bool) {
	value, ok := map[string]string{
		"A": "alpha", "EMPTY": "", "NESTED": "${env:A}${A}$${", "TOKEN": "hunter2-hunter2",
	}[name]
	return value, ok
}

// TestResolve goes the whole way: from a file to what a session is started
// with, and to the error that a user sees.
func TestResolve(t *testing.T) {
	p, err := Parse([]byte(`version: 1
servers:
  a:
    command: ${env:A}
    args: ["--token=${env:TOKEN}", "$${env:A}"]
    env: {SECOND: "2", FIRST: "${env:EMPTY}"}
    inherit_env: [A]
  b:
    url: https://example.com/${env:GONE}
    headers:
      Authorization: Bearer ${env:TOKEN}${env:MISSING}
`))
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Servers[0].Resolve(lookupTestVariable)
	if err != nil {
		t.Fatal(err)
	}
	if processOf(a.Launch).Command != "alpha" || processOf(a.Launch).Args[0] != "--token=hunter2-hunter2" || processOf(a.Launch).Args[1] != "${env:A}" {
		t.Errorf("got %q %q", processOf(a.Launch).Command, processOf(a.Launch).Args)
	}
	if got := strings.Join(processOf(a.Launch).Environ(), " "); got != "A=alpha SECOND=2 FIRST=" {
		t.Errorf("got environment %q", got)
	}
	_, err = p.Servers[1].Resolve(lookupTestVariable)
	if err == nil {
		t.Fatal("Resolve has no error, want one that names the two unset variables")
	}
	for _, want := range []string{"GONE is not set", "MISSING is not set", `"b"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error holds a value: %v", err)
	}
}

// TestUnsetPosition wants file and line in the error of a session's start.
func TestUnsetPosition(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, ".mcp.json", "{\"mcpServers\": {\n\n  \"a\": {\"command\": \"x\", \"env\": {\"KEY\": \"${GONE}\"}}}}")
	writeFile(t, "mcpgen.yaml", "version: 1\nimport: [.mcp.json]\nservers:\n  b: {command: x, args: ['${env:GONE}']}\n")
	p, err := Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"mcpgen.yaml:4: ", ".mcp.json:3: "} {
		_, err := p.Servers[i].Resolve(lookupTestVariable)
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "GONE is not set") {
			t.Errorf("got %v, want a place like %s", err, want)
		}
	}
}

// TestLateLookup wants variables to be read when a session starts and not when
// the file is read.
func TestLateLookup(t *testing.T) {
	t.Setenv("MCPGEN_TEST_LATE", "early")
	p, err := Parse([]byte("version: 1\nservers: {a: {command: x, args: ['${env:MCPGEN_TEST_LATE}']}}"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("MCPGEN_TEST_LATE", "late")
	r, err := p.Servers[0].Resolve(nil)
	if err != nil || processOf(r.Launch).Args[0] != "late" {
		t.Errorf("got %q, %v", processOf(r.Launch).Args, err)
	}
	if processOf(p.Servers[0].Launch).Args[0] != "${env:MCPGEN_TEST_LATE}" {
		t.Errorf("after Resolve the argument is %q, want the variable as it was written", processOf(p.Servers[0].Launch).Args[0])
	}
}
