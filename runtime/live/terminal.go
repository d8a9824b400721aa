// The person at the terminal, who signs in and answers questions.

package live

import (
	"io"
	"os"
	"runtime"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/oauth"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// terminalPrompter returns a prompter for the person at the terminal; nil if there is
// none.
func terminalPrompter() policy.Prompter {
	if !attended() {
		return nil
	}
	return policy.Terminal(os.Stdin, os.Stderr)
}

// signIn returns the functions that get the tokens of servers. On a terminal a person
// can sign in, with instructions on out: no browser opens before they type y. The
// tokens are kept for runs without a person.
func signIn(out io.Writer) []attach.AuthFunc {
	opts := oauth.Options{NextStep: "sign in once, on a terminal: mcpgen status"}
	if path, err := oauth.DefaultPath(); err == nil {
		opts.Store = oauth.OpenStore(path)
	}
	if out == nil {
		out = os.Stderr
	}
	if attended() {
		opts.Auto = true
		if hasBrowser(runtime.GOOS, os.Getenv) {
			opts.Flow = oauth.Browser(oauth.BrowserOptions{Out: out, In: os.Stdin})
		} else {
			opts.Flow = oauth.Paste(out, os.Stdin)
		}
	}
	return []attach.AuthFunc{googleAuth, oauth.New(opts)}
}

// hasBrowser reports whether a browser that is started here is visible to the person.
// It is not on a machine that they use remotely.
func hasBrowser(goos string, getenv func(string) string) bool {
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return false
	}
	switch goos {
	case "windows", "darwin":
		return true
	}
	return getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != "" || getenv("WSL_DISTRO_NAME") != ""
}
