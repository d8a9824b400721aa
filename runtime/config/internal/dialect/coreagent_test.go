package dialect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A rule is never left out because of its form: each wrong form fails, with the place.
func TestCorePermissionsInAnotherForm(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		`{"permissions": {"allow": ["mcp:*"], "deny": "mcp:fs_write"}}`:         "permissions.deny: want a list, found a string",
		`{"permissions": {"allow": ["mcp:*"], "deny": {"mcp:fs_write": true}}}`: "permissions.deny: want a list, found a mapping",
		`{"permissions": {"allow": "mcp:*"}}`:                                   "permissions.allow: want a list, found a string",
		`{"permissions": {"allow": ["mcp:*"], "Deny": ["mcp:fs_write"]}}`:       "permissions.Deny: the key has another case",
		`{"permissions": {"mode": ["ask"]}}`:                                    "permissions.mode: want a string, found a list",
		`{"Permissions": {"deny": ["mcp:*"]}}`:                                  "Permissions: the key has another case",
		`{"permissions": "ask"}`:                                                "permissions: want a mapping, found a string",
		`{"permissions": []}`:                                                   "permissions: want a mapping, found a list",
		`[]`:                                                                    "want a mapping, found a list",
		`{"permissions": null}`:                                                 "",
		`{"permissions": {"allow": null, "deny": ["mcp:fs_write"]}}`:            "",
		`{}`: "",
	} {
		if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs := corePermissions(Machine{}, filepath.Join(dir, "mcp.json"))
		var got []string
		for _, e := range errs {
			got = append(got, e.Error())
		}
		if all := strings.Join(got, "\n"); want == "" && len(errs) > 0 || !strings.Contains(all, want) {
			t.Errorf("%s: got %q, want %q", text, all, want)
		}
	}
}
