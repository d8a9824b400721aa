package lockfile

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// launchOf is a launch of a command line; its hash is made of the words.
func launchOf(command string, args ...string) Launch {
	return Launch{Command: command, Args: args, Hash: TextHash(command + "\x00" + strings.Join(args, "\x00"))}
}

func TestLaunchDifferences(t *testing.T) {
	npx := launchOf("npx", "-y", "@playwright/mcp@0.0.61", "--headless")
	with := func(l Launch, edit func(*Launch)) Launch {
		l.Hash = TextHash("another one")
		edit(&l)
		return l
	}
	remote := Launch{URL: "https://a.example/mcp", Headers: map[string]string{"Authorization": Hidden}, Hash: TextHash("remote")}
	for name, tc := range map[string]struct {
		was, now Launch
		want     string
	}{
		"the same":          {npx, npx, ""},
		"npm version":       {npx, launchOf("npx", "-y", "@playwright/mcp@0.0.83", "--headless"), "@playwright/mcp 0.0.61 → 0.0.83"},
		"python version":    {launchOf("uvx", "mcp-server-git==1.0"), launchOf("uvx", "mcp-server-git==2.0"), "mcp-server-git 1.0 → 2.0"},
		"image tag":         {launchOf("docker", "run", "ghcr.io/a/b:1.2"), launchOf("docker", "run", "ghcr.io/a/b:1.3"), "ghcr.io/a/b 1.2 → 1.3"},
		"Go version":        {launchOf("go", "run", "a.example/m/cmd@v1.2.3"), launchOf("go", "run", "a.example/m/cmd@latest"), "a.example/m/cmd v1.2.3 → latest"},
		"version left out":  {npx, launchOf("npx", "-y", "@playwright/mcp", "--headless"), `argument "@playwright/mcp@0.0.61" → "@playwright/mcp"`},
		"another package":   {npx, launchOf("npx", "-y", "@playwrite/mcp@0.0.61", "--headless"), `argument "@playwright/mcp@0.0.61" → "@playwrite/mcp@0.0.61"`},
		"version and flag":  {npx, launchOf("npx", "-y", "@playwright/mcp@0.0.83"), `@playwright/mcp 0.0.61 → 0.0.83; argument "--headless" removed`},
		"new flag":          {npx, launchOf("npx", "-y", "@playwright/mcp@0.0.61", "--headless", "--no-sandbox"), `new argument "--no-sandbox"`},
		"new flag in front": {npx, launchOf("npx", "--registry=https://r.example", "-y", "@playwright/mcp@0.0.61", "--headless"), `new argument "--registry=https://r.example"`},
		"command":           {npx, with(npx, func(l *Launch) { l.Command = "bunx" }), `command "npx" → "bunx"`},
		"preload":           {npx, with(npx, func(l *Launch) { l.Env = map[string]string{"LD_PRELOAD": Hidden} }), `new environment variable "LD_PRELOAD"`},
		"other reference": {with(npx, func(l *Launch) { l.Env = map[string]string{"T": "${env:A}"} }), with(npx, func(l *Launch) { l.Env = map[string]string{"T": "${env:B}"}; l.Hash = TextHash("b") }),
			`environment variable "T": "${env:A}" → "${env:B}"`},
		"inherited": {npx, with(npx, func(l *Launch) { l.Inherit = []string{"*"} }), `new inherited variable "*"`},
		"env file":  {npx, with(npx, func(l *Launch) { l.EnvFile = ".env" }), `new envFile ".env"`},
		"url":       {remote, with(remote, func(l *Launch) { l.URL = "https://b.example/mcp" }), `url "https://a.example/mcp" → "https://b.example/mcp"`},
		"port":      {remote, with(remote, func(l *Launch) { l.URL = "https://a.example:8443" }), `url "https://a.example/mcp" → "https://a.example:8443"`},
		"header":    {remote, with(remote, func(l *Launch) { l.Headers = nil }), `header "Authorization" removed`},
		"transport": {remote, with(remote, func(l *Launch) { l.Transport = "sse" }), `new transport "sse"`},
		"hidden":    {npx, with(npx, func(*Launch) {}), "the working directory differs, or a value that the lock does not show"},
		"only hash": {Launch{Hash: TextHash("x")}, npx, "the lock has only a hash of the old launch, which cannot be shown"},
		"many":      {launchOf("x", strings.Fields("a b c d e f g h i j")...), launchOf("x"), "and 2 more"},
		"hostile":   {launchOf("x", "a\u202e\x1b[2J@1"), launchOf("x", "a\u202e\x1b[2J@2"), `argument "a\u202e\x1b[2J@1" → "a\u202e\x1b[2J@2"`},
	} {
		t.Run(name, func(t *testing.T) {
			diff := tc.was.Differences(tc.now)
			got := strings.Join(diff, "; ")
			if got != tc.want && (name != "many" || !strings.HasSuffix(got, tc.want)) {
				t.Errorf("got %s\nwant %s", got, tc.want)
			}
			if slices.ContainsFunc([]rune(got), func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%q is not printable", got)
			}
		})
	}
}

func TestLaunchJSON(t *testing.T) {
	for want, l := range map[string]Launch{
		"null":                    {},
		`"` + TextHash("x") + `"`: {Hash: TextHash("x")},
		`{"command":"npx","args":["-y"],"hash":"` + TextHash("npx\x00-y") + `"}`: launchOf("npx", "-y"),
	} {
		if got := string(l.JSON()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
