//go:build unix

package npmcache

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDir(t *testing.T) {
	write := func(dir, text string) string {
		path := filepath.Join(dir, ".npmrc")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	home, project, bare := t.TempDir(), t.TempDir(), t.TempDir()
	write(home, "fund=false\n cache = /of/user \n")
	write(project, "cache=/of/project\n")
	other := write(t.TempDir(), "cache=/of/file\n")
	relative := write(t.TempDir(), "cache=here\n")
	for name, tt := range map[string]struct {
		env  []string
		dir  string
		want string
	}{
		"default":                  {[]string{"HOME=" + bare}, bare, filepath.Join(bare, ".npm")},
		"a variable":               {[]string{"HOME=" + home, "NPM_CONFIG_CACHE=/first", "npm_config_cache=/last/"}, project, "/last"},
		"settings of the user":     {[]string{"HOME=" + home}, bare, "/of/user"},
		"settings of the folder":   {[]string{"HOME=" + home}, project, "/of/project"},
		"settings that are named":  {[]string{"HOME=" + home, "npm_config_userconfig=" + other}, bare, "/of/file"},
		"a relative variable":      {[]string{"HOME=" + home, "npm_config_cache=here"}, bare, ""},
		"a relative setting":       {[]string{"HOME=" + home, "npm_config_userconfig=" + relative}, bare, ""},
		"no home":                  {nil, bare, ""},
		"a home that is not there": {[]string{"HOME=/nowhere"}, bare, "/nowhere/.npm"},
	} {
		if got := Dir(tt.env, tt.dir); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

func TestPackage(t *testing.T) {
	if got, want := Package("/c", "@playwright/mcp@0.0.83"), "/c/_npx/381cec31605a419a"; got != want { // as npm names it
		t.Errorf("got %q, want %q", got, want)
	}
}
