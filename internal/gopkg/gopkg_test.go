package gopkg

import (
	"go/types"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for server, want := range map[string]string{
		"github": "github", "my-server": "myserver", "my_server": "myserver", "GitHub.Enterprise": "githubenterprise", "x_test": "xtest",
		"1password": "mcp1password", "2fa": "mcp2fa", "func": "mcpfunc", "string": "mcpstring", "main": "mcpmain", "internal": "mcpinternal",
		"vendor": "mcpvendor", "documentation": "mcpdocumentation", "nul": "mcpnul", "con": "mcpcon", "lpt9": "mcplpt9", "init": "mcpinit", "go": "mcpgo",
		"io.github.owner/server": "iogithubownerserver", "../evil": "evil", "日本": "mcpcf2abf0c", "---": "mcpcb3f91d5", "": "mcpe3b0c442",
		strings.Repeat("a", 128): strings.Repeat("a", 64), strings.Repeat("1", 128): "mcp" + strings.Repeat("1", 61),
	} {
		if got := Of(server); got != want {
			t.Errorf("%q: got %q, want %q", server, got, want)
		}
	}
}

func TestPredeclared(t *testing.T) {
	for _, name := range types.Universe.Names() {
		if !predeclared.MatchString(name) {
			t.Errorf("%s is predeclared and may be the name of a package", name)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, server := range []string{"", "日本", "🚀", "../..", strings.Repeat("x", 1000), "\x00", "nul", "func", "go", "1"} {
		f.Add(server)
	}
	f.Fuzz(func(t *testing.T, server string) {
		if got := Of(server); Reason(got) != "" {
			t.Errorf("%q: %q is not a package name: %s", server, got, Reason(got))
		}
	})
}
