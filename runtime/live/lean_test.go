//go:build mcpgen_lean

package live

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// What the tag leaves out is an error that names the tag, where a configuration needs
// it.
func TestLean(t *testing.T) {
	const says = "mcpgen_lean"
	for name, open := range map[string]func() error{
		"ledger": func() error {
			_, err := Open(t.Context(), Options{Dir: t.TempDir(), Config: []byte("version: 1\nledger: {}\nservers: {}\n")})
			return err
		},
		"google": func() error {
			host, err := Open(t.Context(), Options{Dir: t.TempDir(), Config: []byte("version: 1\nservers:\n  a:\n    url: https://127.0.0.1:1/mcp\n    auth: {google_oauth: {scopes: [x]}}\n")})
			if err == nil {
				defer host.Close()
				err = host.Err()
			}
			return err
		},
		"toml": func() error {
			file := filepath.Join(t.TempDir(), "config.toml")
			if err := os.WriteFile(file, []byte("[mcp_servers.a]\ncommand = \"x\"\n"), 0o600); err != nil {
				return err
			}
			_, err := Open(t.Context(), Options{Dir: t.TempDir(), MCP: []string{file}})
			return err
		},
		"secret": func() error {
			_, err := policy.FirstOf(keyringSource())(t.Context(), "x")
			return err
		},
		"native": func() error {
			_, err := native.New("x", "", func(context.Context, struct{}) (string, error) { return "", nil })
			return err
		},
	} {
		if err := open(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want an error that names the tag", name, err)
		}
	}
	set, err := native.NewSet(native.Echo(), native.Clock(nil))
	if err != nil {
		t.Fatal(err)
	}
	if res, err := set.Call(t.Context(), native.EchoName, []byte(`{"text":"hello"}`)); err != nil || res.Text() != "hello" {
		t.Errorf("echo: got %v, %v", res, err)
	}
}
