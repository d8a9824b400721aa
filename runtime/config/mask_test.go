package config

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// planted is in every place that can hold a secret.
const planted = "hunter2-hunter2-hunter2"

// dollarSyntax has ${NAME} and ${NAME:-default}.
func dollarSyntax() *texts.Syntax {
	return &texts.Syntax{Forms: []texts.Form{{Open: "${", Close: "}", Name: texts.VariableName, Defaults: true}}}
}

func TestMasker(t *testing.T) {
	m := masker{dollarSyntax().Expander()}
	for _, tt := range []struct{ args, want string }{
		{"--token " + planted, "--token ********"},
		{"--token=" + planted, "--token=********"},
		{"-e API_KEY=" + planted, "-e API_KEY=********"},
		{"--token ${TOKEN}", "--token ${TOKEN}"},
		{"--token=${TOKEN:-" + planted + "}", "--token=********"},
		{"--verbose x", "--verbose x"},
		{"https://me:" + planted + "@h.example/x", "https://********@h.example/x"},
		{"https://h.example/x?api_key=" + planted + "&page=2", "https://h.example/x?api_key=********&page=2"},
		{"https://h.example/s/a1b2c3d4e5f6a1b2c3d4e5f6/mcp", "https://h.example/s/********/mcp"},
		{"ghp_0123456789abcdef0123456789abcdef0123", "********"},
		{"prefix:sk-ant-0123456789abcdef", "prefix:********"},
		{"Authorization:" + planted, "Authorization:********"},
		{"Authorization:${AUTH}", "Authorization:${AUTH}"},
	} {
		got, masked := m.args(strings.Fields(tt.args))
		if joined := strings.Join(got, " "); joined != tt.want || masked != (tt.args != tt.want) {
			t.Errorf("%s: got %s, %v; want %s", tt.args, joined, masked, tt.want)
		}
	}
	if got, _ := m.args([]string{"--header", "Authorization: Bearer " + planted}); strings.Contains(got[1], "hunter2") {
		t.Errorf("got %q", got)
	}
}

// The handle of a secret is not a secret; what stands beside it may be.
func TestMaskerHandles(t *testing.T) {
	handles := &texts.Syntax{Forms: []texts.Form{texts.SecretForm()}}
	manifest, claude := masker{handles.Expander()}, masker{dollarSyntax().Expander()}
	for _, tt := range []struct {
		m                 masker
		name, value, want string
	}{
		{manifest, "GITHUB_TOKEN", "{{secret:github-token}}", "{{secret:github-token}}"},
		{manifest, "AUTH", "Bearer {{secret:github-token}}", "Bearer {{secret:github-token}}"},
		{manifest, "DSN", "password={{secret:db}};host=h", "password={{secret:db}};host=h"},
		{manifest, "DSN", "user={{secret:u}} password=" + planted, "user={{secret:u}} password=********"},
		{manifest, "GITHUB_TOKEN", "{{secret:a}}" + planted, "********"},
		{manifest, "X", "{{secret:ghp_0123456789abcdef0123456789abcdef0123}}", "{{secret:********}}"},
		{claude, "X", "{{secret:" + planted + "}}", "{{secret:********"}, // no handle there
	} {
		if got, masked := tt.m.named(endpoint.FieldEnv, tt.name, tt.value); got != tt.want || masked != (tt.value != tt.want) {
			t.Errorf("%s=%s: got %s, %v; want %s", tt.name, tt.value, got, masked, tt.want)
		}
	}
}

// TestSettingsHideSecrets plants one value wherever a file can hold a secret, and
// wants it nowhere in what is shown.
func TestSettingsHideSecrets(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TOKEN", planted)
	writeFile(t, ".mcp.json", strings.ReplaceAll(`{"mcpServers": {
		"a": {"command": "x", "args": ["--api-key", "PLANTED", "--auth=PLANTED", "https://u:PLANTED@h.example"], "env": {"API_KEY": "PLANTED", "B_TOKEN": "${TOKEN:-PLANTED}", "C": "${TOKEN}"}},
		"b": {"type": "http", "url": "https://h.example/?token=PLANTED", "headers": {"Authorization": "Bearer PLANTED", "X-Api-Key": "PLANTED"}, "oauth": {"clientId": "id", "clientSecret": "PLANTED"}}
	}}`, "PLANTED", planted))
	writeFile(t, "mcpgen.yaml", strings.ReplaceAll(`version: 1
import: [.mcp.json]
servers:
  c: {command: x, args: [--password, PLANTED], env: {SECRET: PLANTED, T: "x ${env:TOKEN}"}}
  d: {url: "https://h.example", headers: {Cookie: PLANTED}, auth: {oauth: {client_secret: PLANTED}}}
`, "PLANTED", planted))
	p, err := Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	masked := 0
	for _, s := range p.Settings() {
		if strings.Contains(s.Value, "hunter2") {
			t.Errorf("%s = %s", s.Key, s.Value)
		}
		if s.Masked {
			masked++
		}
		if s.Path != "" && s.Line == 0 {
			t.Errorf("%s has a file and no line", s.Key)
		}
	}
	if masked != 11 {
		t.Errorf("%d values are masked, want 11", masked)
	}
	for _, s := range p.Servers {
		if text := target(&s); strings.Contains(text, "hunter2") {
			t.Errorf("got %q, want the secret masked", text)
		}
	}
	if shown := fmt.Sprint(Discover(Environment{OS: "linux", Dir: p.Dir})); strings.Contains(shown, "hunter2") {
		t.Errorf("got %s, want the secret masked", shown)
	}
}

// TestBounded reads files that are made to cost more than they say.
func TestBounded(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'm'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1)
	}
	for name, tt := range map[string]struct{ file, text, want string }{
		"aliases":     {"agent.yaml", bomb, "more than 200000 values, aliases included"},
		"deep JSON":   {".mcp.json", strings.Repeat(`{"mcpServers":`, 5000), "nested deeper than 64 levels"},
		"deep TOML":   {"config.toml", "a = " + strings.Repeat("[", 5000), "nested deeper than 64 levels"},
		"many values": {".mcp.json", `{"mcpServers": {"a": {"args": [` + strings.Repeat("0,", 250_000) + `]}}}`, "more than 200000 values"},
		"large":       {".mcp.json", strings.Repeat(" ", dialect.MaxFile+1), "larger than 16777216 bytes"},
		"dollars":     {".mcp.json", `{"mcpServers": {"a": {"command": "x", "args": ["` + strings.Repeat("${", 1<<20) + `"]}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			p, err := loadFile(t, tt.file, tt.text)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				for _, s := range p.Servers {
					References(s)
				}
				p.Settings()
			} else {
				wantErrorSaying(t, err, tt.want)
			}
			t.Logf("after %v", time.Since(start))
		})
	}
}
