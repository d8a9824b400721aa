package policy

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// A profile narrows what the rules allow, in calls and in listings, and never allows
// more.
func TestProfiles(t *testing.T) {
	config := Config{Mode: Yolo, Denied: Visible, Deny: []string{"tool:github/delete_*"}, Servers: []string{"github", "files"}, Profiles: map[string]Profile{
		"all":    {},
		"review": {Servers: []string{"github"}, Include: []string{"tool:github/list_*", "tool:files/*", "prompt:github/*", "tool:github/delete_*"}, Exclude: []string{"mcp:github_list_secrets"}},
		"other":  {Servers: []string{}},
		"ours":   {Callers: []CallerMatch{{Caller: "ci"}, {Caller: "guest-*"}, {Claim: "groups", Is: "devs"}}},
		"nobody": {Callers: []CallerMatch{}},
	}}
	p, err := New(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		profile, server, method, name string
		allowed, shown                bool
		reason                        string
	}{
		{"", "files", protocol.MethodCallTool, "read", true, true, ""},
		{"all", "files", protocol.MethodCallTool, "read", true, true, ""},
		{"all", "github", protocol.MethodCallTool, "delete_all", false, true, "denies it"},
		{"review", "github", protocol.MethodCallTool, "list_prs", true, true, ""},
		{"review", "github", protocol.MethodCallTool, "delete_all", false, true, "denies it"},
		{"review", "github", protocol.MethodCallTool, "list_secrets", false, false, `"mcp:github_list_secrets" excludes this item`},
		{"review", "github", protocol.MethodCallTool, "LIST_secrets", false, false, "excludes this item"},
		{"review", "github", protocol.MethodCallTool, "merge", false, false, "no rule includes this item"},
		{"review", "github", protocol.MethodGetPrompt, "review", true, true, ""},
		{"review", "github", protocol.MethodReadResource, "file:///a", false, false, "no rule includes this item"},
		{"review", "files", protocol.MethodCallTool, "read", false, false, "does not include the server"},
		{"review", "", protocol.MethodCallTool, "clock", false, false, "does not include the server"},
		{"other", "github", protocol.MethodCallTool, "list_prs", false, false, "does not include the server"},
		{"Review", "github", protocol.MethodCallTool, "list_prs", false, false, `there is no profile "Review"`},
	} {
		req := runtime.Request{Server: c.server, Method: c.method, Name: c.name, Options: runtime.Options{Profile: c.profile}}
		said := p.Explain(req)
		if err := p.Check(t.Context(), req); (err == nil) != c.allowed || said.Allowed != c.allowed || p.Shows(req) != c.shown {
			t.Errorf("%+v: %v, explained %+v, shown %t", c, err, said, p.Shows(req))
		}
		if !strings.Contains(said.Reason, c.reason) || !c.allowed && (said.Grant != "" || said.Reason == "") {
			t.Errorf("%+v: explained %+v", c, said)
		}
	}
	for _, c := range []struct {
		profile, caller string
		claims          []string
		allowed         bool
	}{
		{"ours", "ci", nil, true},
		{"ours", "guest-7", nil, true},
		{"ours", "eve", []string{"groups=devs"}, true},
		{"ours", "eve", []string{"groups=dev", "devs"}, false},
		{"ours", "ci2", nil, false},
		{"ours", "", nil, false},
		{"nobody", "ci", nil, false},
		{"all", "eve", nil, true},
	} {
		req := runtime.Request{Server: "files", Method: protocol.MethodCallTool, Name: "read", Options: runtime.Options{Profile: c.profile, Caller: c.caller, Claims: c.claims}}
		if p.Allows(req) != c.allowed || p.Shows(req) != c.allowed || config.Profiles[c.profile].IsFor(c.caller, c.claims...) != c.allowed {
			t.Errorf("%+v: %+v", c, p.Explain(req))
		}
	}
	for _, mode := range []Mode{Enforce, Ask} {
		config.Mode, config.Denied, config.Allow = mode, Hidden, []string{"tool:*/list_*"}
		if p, err = New(config, nil); err != nil {
			t.Fatal(err)
		}
		req := runtime.Request{Server: "files", Method: protocol.MethodCallTool, Name: "list_dirs", Options: runtime.Options{Profile: "review"}}
		if p.Shows(req) || p.Allows(req) || p.Explain(req).Asked {
			t.Errorf("mode %s: %+v", mode, p.Explain(req))
		}
	}
}

func TestProfilesAreChecked(t *testing.T) {
	for want, of := range map[string]map[string]Profile{
		`"a/b" is not the name of a profile`:                {"a/b": {}},
		`"" is not the name`:                                {"": {}},
		`profiles.x.include[1]: the rule "nonsense:x"`:      {"x": {Include: []string{"tool:a/b", "nonsense:x"}}},
		`profiles.x.exclude[0]: the rule "": it is empty`:   {"x": {Exclude: []string{""}}},
		`profiles.x.callers[1]: is: the value of the claim`: {"x": {Callers: []CallerMatch{{Caller: "ci"}, {Claim: "groups"}}}},
		`profiles.x.include[0]: the rule "bash:git *": "ba`: {"x": {Include: []string{"bash:git *"}}},
	} {
		if _, err := New(Config{Profiles: of}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
