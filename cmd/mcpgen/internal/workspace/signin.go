package workspace

import (
	"os"
	"runtime"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/google"
	"github.com/mcpgen/mcpgen/runtime/attach/oauth"
)

// authFuncs get the tokens of servers. On a terminal a person can sign in to
// those that want it; what they get is kept for the runs without one.
func authFuncs(c *console.Console) []attach.AuthFunc {
	opts := oauth.Options{NextStep: "run mcpgen status on a terminal once, which lets you sign in"}
	if path, err := oauth.DefaultPath(); err == nil {
		opts.Store = oauth.OpenStore(path)
	}
	if console.IsTerminal(c.Err) && console.IsTerminal(os.Stdin) {
		opts.Auto = true
		if hasBrowser(os.Getenv) {
			opts.Flow = oauth.Browser(oauth.BrowserOptions{Out: c.Err})
		} else {
			opts.Flow = oauth.Paste(oauth.PasteOptions{Out: c.Err, In: os.Stdin})
		}
	}
	return []attach.AuthFunc{google.Auth, oauth.New(opts)}
}

// hasBrowser reports whether a browser that is started here is in front of the
// person: not so on a machine that they are on from afar.
func hasBrowser(getenv func(string) string) bool {
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return false
	}
	switch runtime.GOOS {
	case "windows", "darwin":
		return true
	}
	return getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != "" || getenv("WSL_DISTRO_NAME") != ""
}
