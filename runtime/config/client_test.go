package config

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// What is declared to a server is its own client, key by key over that of the file.
func TestClient(t *testing.T) {
	const entry = "version: 1\n%s\nservers:\n  s:\n    command: x\n    %s\n"
	form, all := endpoint.Offers{Forms: true}, endpoint.Offers{Forms: true, Pages: true, Sampling: true, Roots: true}
	for _, c := range []struct {
		file, own string
		want      *endpoint.Offers
	}{
		{"", "", nil},
		{"", "client: {}", &endpoint.Offers{}},
		{"", "client: {elicitation: true, sampling: true, roots: true}", &all},
		{"", "client: {elicitation: form}", &form},
		{"client: {elicitation: form}", "", &form},
		{"client: {elicitation: true, sampling: true}", "client: {sampling: false, roots: true}", &endpoint.Offers{Forms: true, Pages: true, Roots: true}},
		{"client: {elicitation: true}", "client: {elicitation: false}", &endpoint.Offers{}},
	} {
		text := strings.Replace(strings.Replace(entry, "%s", c.file, 1), "%s", c.own, 1)
		p, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := p.Servers[0].Client
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %v, want %v", text, got, c.want)
		}
	}
	for own, want := range map[string]string{
		"client: {elicitation: url}": `servers.s.client.elicitation: want true, false or form, found "url"`,
		"client: {sampling: form}":   "servers.s.client.sampling",
		"client: {samplin: true}":    `unknown key`,
		"client: true":               "servers.s.client",
	} {
		_, err := Parse([]byte(strings.Replace(strings.Replace(entry, "%s", "", 1), "%s", own, 1)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", own, err, want)
		}
	}
}

// A revision is written as it is, quoted or not, and is one of those that are spoken.
func TestProtocol(t *testing.T) {
	for _, written := range []string{"2025-11-25", `"2025-11-25"`} {
		p, err := Parse([]byte("version: 1\nservers: {s: {command: x, protocol: " + written + "}}\n"))
		if err != nil || p.Servers[0].Protocol != "2025-11-25" {
			t.Errorf("%s: %v", written, err)
		}
	}
	_, err := Parse([]byte("version: 1\nservers: {s: {command: x, protocol: 2025-11-26}}\n"))
	for _, want := range append(endpoint.Revisions(), "mcpgen.yaml:2:", `servers.s.protocol: unknown value "2025-11-26"`) {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Both are shown with their places.
func TestClientShown(t *testing.T) {
	p, err := Parse([]byte("version: 1\nclient: {roots: true}\nservers: {s: {url: \"https://example.com/mcp\", client: {elicitation: form}, protocol: 2025-06-18}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, s := range p.Settings() {
		shown[s.Key] = s.Value
	}
	for key, want := range map[string]string{"client.roots": "true", "servers.s.client.elicitation": "form", "servers.s.protocol": "2025-06-18"} {
		if shown[key] != want {
			t.Errorf("%s is %q, want %q", key, shown[key], want)
		}
	}
}
