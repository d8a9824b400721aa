package policy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// callOf is a request for a tool: server/tool, and arguments behind a space.
func callOf(text string) runtime.Request {
	text, args, _ := strings.Cut(text, " ")
	server, tool, _ := strings.Cut(text, "/")
	req := runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool}
	if args != "" {
		req.Args = json.RawMessage(args)
	}
	return req
}

func TestRules(t *testing.T) {
	for _, tt := range []struct {
		rule    string
		allows  string // requests, separated by |
		refuses string
	}{
		{"tool.invoke:mcp.github.list_prs", "github/list_prs|github/list_prs {}", "github/list_prs_2|github/list|search/list_prs|/list_prs"},
		{"tool.invoke:mcp.search.*", "search/web|search/a.b.c|search/x/y", "searching/web|github/search|/search"},
		{"tool.invoke:mcp.search.find_*", "search/find_a|search/find_a.b", "search/lost"},
		{"tool.invoke:mcp.*", "github/list_prs|a.b/c|x/y.z", "/echo"},
		{"tool.invoke:mcp.**", "github/list_prs|a.b/c.d", "/echo"},
		{"tool.invoke:*", "github/list_prs|/echo", ""},
		{"tool.invoke:mcp.git*", "github/a|git.lab/b", "search/git"},
		{"tool.invoke:mcp.*.list_prs", "github/list_prs|gitlab/list_prs", "github/x.list_prs|git.hub/list_prs|github/list"},
		{"tool.invoke:mcp.**.list_prs", "github/list_prs|git.hub/list_prs|github/x.list_prs", "github/list_prs_x"},
		{"tool.invoke:mcp.a.*", "a/x|a/b.x", "a.b/x"},
		{"tool.invoke:mcp.a.b.*", "a/b.x|a.b/x", "a/b|a/c"},
		{"tool.invoke:mcp.g?thub.list", "github/list", "guthub/list_all|g.thub/list"},

		{"mcp:filesystem_read_file", `filesystem/read_file|filesystem/read_file {"path":"/a/b"}`, "filesystem/write_file|filesystem/read_file_2|other/read_file"},
		{"mcp:filesystem_*", `filesystem/read|filesystem/a/b|filesystem/x {"p":"/"}`, "files/ystem"},
		{"mcp:my_server_x", "my-server/x|my.server/x|my_server/x", "my-server/y"},
		{"mcp:*_read_file", "fs/read_file|docs/read_file", "fs/read_file_2|fs/a/read_file|fs/a/b_read_file"},
		{"mcp:*", "a/b|/echo", ""},
		{"filesystem_*", "filesystem/read", "fs/read"},
		{"*foo*", "a/foo|a/xfooy|foo/x", "a/bar"},
		{"mcp:fs_[rw]m", "fs/rm|fs/wm", "fs/xm"},
		{"mcp:fs_[^r]m", "fs/xm", "fs/rm"},
		{"mcp:fs_[.-0]x", "fs/.x|fs/0x", "fs//x"},
		{`mcp:fs_a\*`, "fs/a*", "fs/ab"},
		{`mcp:fs_rm {"path":"/tmp/*`, `fs/rm {"path":"/tmp/a/b"}|fs/rm { "path" : "/tmp/x" }|fs/rm {"path":"\/tmp/x"}`, `fs/rm {"path":"/etc"}|fs/rm|fs/rm {"path":"/tmp/x","path":"/etc"}|fs/rm {"a":1,"path":"/tmp/x"}`},
		{"mcp:fs_rm *", `fs/rm|fs/rm {"path":"/etc"}`, "fs/rmdir"},
		{"echo", "/echo", "a/echo"},

		{"tool.call.echo", "/echo|a/echo|b/echo {}", "/echo2|a/ech"},
		{"tool.call.*", "/echo|a/b", ""},

		{"tool:github/list_prs", "github/list_prs", "github/list|gitlab/list_prs"},
		{"tool:github/*", "github/a|github/a/b", "gitlab/a"},
		{"tool:*/list", "a/list|b/list", "a/lists"},
		{`tool:a\/b/c`, "", "a/b/c"}, // the server is a/b: no request here has it
		{"tool:/echo", "/echo", "a/echo"},
	} {
		p, err := New(Config{Allow: []string{tt.rule}}, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, text := range splitList(tt.allows) {
			if !p.Allows(callOf(text)) {
				t.Errorf("%s: refuses %s", tt.rule, text)
			}
		}
		for _, text := range splitList(tt.refuses) {
			if p.Allows(callOf(text)) {
				t.Errorf("%s: allows %s", tt.rule, text)
			}
		}
	}
}

func splitList(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, "|")
}

func TestRuleErrors(t *testing.T) {
	for rule, want := range map[string]string{
		"":                                 "it is empty",
		" mcp:x":                           "a space",
		"mcp:a\nb":                         "control characters",
		"tool.invoke:mcp":                  "a server is missing",
		"tool.invoke:mcp.github":           "tool.invoke:mcp.github.*",
		"tool.invoke:mcp..x":               "a segment is empty",
		"tool.invoke:mcp.github.":          "a segment is empty",
		"tool.invoke:m*.github.x":          "the first segment",
		"tool.invoke":                      "it is incomplete",
		"tool.call":                        "it is incomplete",
		"tool.call.":                       "empty pattern",
		"mcp:":                             "empty pattern",
		"mcp.github.*":                     "write tool.invoke:mcp.github.*",
		"mcp__github__list":                "write tool:<server>/<tool>",
		"github/list_prs":                  "write tool:github/list_prs",
		"*/delete_*":                       "write tool:*/delete_*",
		"mcp:fs_[a":                        "a [ is not closed",
		`mcp:fs_\`:                         `ends with a \`,
		"mcp:fs_[z-a]":                     "is reversed",
		"tool:github":                      "with a slash between them",
		"tool:github/":                     "empty pattern",
		"prompt:x":                         "with a slash between them",
		"mpc:github_*":                     `did you mean "mcp:"?`,
		"tools:github/x":                   `did you mean "tool:"?`,
		"resuorce:a/b":                     `did you mean "resource:"?`,
		"bash:git *":                       "matches no tool of an MCP server",
		"secret:x":                         "policy.secrets",
		"mcp:" + strings.Repeat("?", 2000): "too long",
		`mcp:s_t {"a":1`:                   "the object is not closed",
		`mcp:s_t {"a":1*`:                  "inside a string, or stand for further members",
		`mcp:s_t {"a*`:                     "inside the name of a member",
		`mcp:s_t {"a":{"b":"x*`:            "the object is not closed",
		`mcp:s_t {"a":*}`:                  "the arguments: ",
		`mcp:s_t {"a":1,"a":2}`:            "the arguments: ",
		`mcp:s_t {"a":"[x"}`:               "a [ is not closed",
	} {
		for field, cfg := range map[string]Config{"allow[0]": {Allow: []string{rule}}, "deny[0]": {Deny: []string{rule}}} {
			_, err := New(cfg, nil)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "policy: "+field+": ") {
				t.Errorf("%q in %s: got %v, want %q", rule, field, err, want)
			}
		}
	}
	// All that is wrong is named.
	_, err := New(Config{Mode: "strict", Allow: []string{"mcp:a_*", "mcp:["}, Deny: []string{"nope:x"}, Secrets: []SecretRule{{Secret: "x"}}}, nil)
	for _, want := range []string{`unknown mode "strict"`, "allow[1]", "deny[0]", "secrets[0]"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %s", err, want)
		}
	}
}

// Names that could mean two servers are told apart, or refused.
func TestConfusableNames(t *testing.T) {
	p, err := New(Config{Allow: []string{"mcp:git_*", "tool.invoke:mcp.a.*"}, Servers: []string{"git", "git_hub", "a", "a.b"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"git/log": true, "git_hub/log": false, "a/x": true, "a.b/x": false, "git/hub_log": true} {
		if p.Allows(callOf(text)) != want {
			t.Errorf("%s: allowed is not %v", text, want)
		}
	}
	p, err = New(Config{Allow: []string{"mcp:git_hub_*"}, Servers: []string{"git", "git_hub"}}, nil)
	if err != nil || !p.Allows(callOf("git_hub/x")) || p.Allows(callOf("git/hub_x")) {
		t.Error("the longest name is not the one that is meant", err)
	}
	_, err = New(Config{Allow: []string{"mcp:my_server_x"}, Servers: []string{"my-server", "my_server"}}, nil)
	if err == nil || !strings.Contains(err.Error(), `"my-server"`) || !strings.Contains(err.Error(), `"my_server"`) {
		t.Errorf("got %v", err)
	}
	// What denies means both.
	p, err = New(Config{Mode: Yolo, Deny: []string{"mcp:my_server_x", "tool.invoke:mcp.a.b.*"}, Servers: []string{"my-server", "my_server", "a", "a.b"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"my-server/x", "my_server/x", "a.b/c", "a/b.c"} {
		if p.Allows(callOf(text)) {
			t.Errorf("%s is allowed", text)
		}
	}
}

// Prompts and resources have rules of their own. What denies a whole server
// denies them, too.
func TestOtherMethods(t *testing.T) {
	prompt := runtime.Request{Server: "docs", Method: protocol.MethodGetPrompt, Name: "review"}
	resource := runtime.Request{Server: "docs", Method: protocol.MethodReadResource, Name: "file:///guide/a.md"}
	complete := func(name, args string) runtime.Request {
		return runtime.Request{Server: "docs", Method: protocol.MethodComplete, Name: name, Args: json.RawMessage(args)}
	}
	const argument = `"argument":{"name":"a","value":"b"}`
	promptRef := complete("review", `{"ref":{"type":"ref/prompt","name":"review"},`+argument+`}`)
	resourceRef := complete("x", `{"ref":{"type":"ref/resource","uri":"file:///guide/{name}"},`+argument+`}`)
	tests := []struct {
		cfg   Config
		req   runtime.Request
		allow bool
	}{
		{Config{Allow: []string{"tool.invoke:*", "mcp:*", "tool.call.*", "tool:docs/*"}}, prompt, false},
		{Config{Allow: []string{"tool.invoke:*", "mcp:*", "tool.call.*", "tool:docs/*"}}, resource, false},
		{Config{Allow: []string{"prompt:docs/*"}}, prompt, true},
		{Config{Allow: []string{"prompt:docs/*"}}, resource, false},
		{Config{Allow: []string{"prompt:docs/*"}}, callOf("docs/review"), false},
		{Config{Allow: []string{"resource:docs/file:///guide/*"}}, resource, true},
		{Config{Allow: []string{"resource:docs/file:///etc/*"}}, resource, false},
		{Config{Allow: []string{"prompt:docs/review"}}, promptRef, true},
		{Config{Allow: []string{"prompt:docs/review"}}, complete("review", `{`+argument+`}`), true},
		{Config{Allow: []string{"resource:docs/file:///guide/*"}}, resourceRef, true},
		{Config{Allow: []string{"resource:docs/x*"}}, resourceRef, false}, // what is sent counts
		{Config{Allow: []string{"prompt:docs/*"}}, complete("review", `{"ref":{"type":"ref/prompt","name":"review","uri":"x"}}`), false},
		{Config{Allow: []string{"prompt:docs/*"}}, complete("review", `{"ref":{"type":"ref/prompt","name":"a","name":"b"}}`), false},
		{Config{Allow: []string{"prompt:docs/*"}}, complete("review", `{"ref":{"type":"ref/odd","name":"review"}}`), false},
		{Config{Allow: []string{"prompt:docs/*"}}, complete("review", `[]`), false},
		{Config{Mode: Yolo}, prompt, true},
		{Config{Mode: Yolo}, complete("review", `[]`), false},
		{Config{Mode: Yolo}, runtime.Request{Server: "docs", Method: "tools/list"}, false},
		{Config{Mode: Yolo, Deny: []string{"prompt:docs/*"}}, prompt, false},
		{Config{Mode: Yolo, Deny: []string{"tool:docs/review"}}, prompt, true},
		{Config{Mode: Yolo, Deny: []string{"tool.invoke:mcp.docs.*"}}, prompt, false},
		{Config{Mode: Yolo, Deny: []string{"mcp:docs_*"}}, resource, false},
		{Config{Mode: Yolo, Deny: []string{"tool.call.*"}}, resource, false},
		{Config{Mode: Yolo, Deny: []string{"tool:docs/*"}}, promptRef, false},
		{Config{Mode: Yolo, Deny: []string{"mcp:docs_r*"}}, prompt, true},
	}
	for i, tt := range tests {
		p, err := New(tt.cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Allows(tt.req) != tt.allow {
			t.Errorf("%d: %+v, %s %s %s: allowed is not %v", i, tt.cfg, tt.req.Method, tt.req.Name, tt.req.Args, tt.allow)
		}
	}
}

// FuzzRules holds any rule against any name: no panic, no endless time; a rule
// that is written for one target allows that target alone.
func FuzzRules(f *testing.F) {
	f.Add("tool.invoke:mcp.*.list", "github", "list", `{"a":1}`)
	f.Add("mcp:fs_[a-z]* {*", "fs", "x", `{"a":[1.0e2]}`)
	f.Add("tool:a/*?[", "a*", `b\`, "")
	f.Add("**a**b**c**", "aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaa", "{}")
	f.Fuzz(func(t *testing.T, rule, server, tool, args string) {
		req := runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool, Args: json.RawMessage(args)}
		for _, cfg := range []Config{{Allow: []string{rule}}, {Deny: []string{rule}, Mode: Yolo}} {
			if p, err := New(cfg, nil); err == nil {
				p.Allows(req)
			}
		}
		own := ownText(targetOf(req))
		if CheckRule(own) != nil {
			return // a name that no rule can hold
		}
		p, err := New(Config{Allow: []string{own}}, nil)
		if err != nil || !p.Allows(req) {
			t.Errorf("%q does not allow %q/%q: %v", own, server, tool, err)
		}
		for _, other := range []runtime.Request{{Server: server + "x", Name: tool}, {Server: server, Name: tool + "x"}, {Server: server + "/" + tool, Name: tool}} {
			other.Method = protocol.MethodCallTool
			if p.Allows(other) && (other.Server != "" || other.Name != "clock") {
				t.Errorf("%q allows %q/%q", own, other.Server, other.Name)
			}
		}
	})
}

// A rule about arguments means values: a rule that denies fires for every spelling.
func TestArgumentPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern  string
		takes    string // arguments, separated by |
		refuses  string
		denyOnly string // taken where the rule denies alone
	}{
		{`{"amount":10.50}`, `{"amount":10.5}|{"amount":10.50}|{"amount":1050e-2}|{"amount":1.05E1} `, `{"amount":10}|{"amount":"10.50"}|{"amount":10.5,"b":1}|{}|[10.5]`, ""},
		{`{"a":1.0}`, `{"a":1}|{"a":1e0}|{"\u0061":1.00}`, `{"a":2}|{"a":[1]}|{"a":null}`, ""},
		{`{"a":1e100}`, `{"a":1E+100}|{"a":1` + strings.Repeat("0", 100) + `}`, `{"a":1e101}`, ""},
		{`{"a":9007199254740993}`, `{"a":9007199254740993.0}`, `{"a":9007199254740992}`, ""},
		{`{ "b": [1, {"c": true}], "a": null }`, `{"a":null,"b":[1,{"c":true}]}|{"b":[1.0,{"c":true}],"a":null}`, `{"a":null,"b":[{"c":true},1]}|{"b":[1,{"c":true}]}|{"a":null,"b":[1]}`, ""},
		{`{"path":"/tmp/*"}`, `{"path":"/tmp/a"}|{"path":"\/tmp\/"}`, `{"path":"/tmp/a/b"}|{"path":"/tmp/a","force":true}|{"path":7}`, ""},
		{`{"text":"a\\*\"b"}`, `{"text":"a*\"b"}`, `{"text":"ax\"b"}`, ""},
		{`{"path":"/tmp/*`, `{"path":"/tmp/a/b"}|{"path":"/tmp/","recursive":true}`, `{"path":"/etc"}|{}|{"recursive":true}`, `{"a":1,"path":"/tmp/x"}`},
		{`{"b":1,*`, `{"b":1}|{"b":1,"c":2}`, `{"b":2,"c":2}|{"c":2}`, `{"a":0,"b":1}`},
		{`{*`, `{}|{"a":1}`, "", ""},
		{`*`, `{}|{"a":1}`, "", ""},
		{`{"a":""}`, `{"a":""}`, `{"a":"x"}`, ""},
	} {
		for _, deny := range []bool{false, true} {
			cfg := Config{Allow: []string{"mcp:s_t " + tt.pattern}}
			if deny {
				cfg = Config{Mode: Yolo, Deny: cfg.Allow}
			}
			p, err := New(cfg, nil)
			if err != nil {
				t.Errorf("%s: %v", tt.pattern, err)
				continue
			}
			want := func(list string, takes bool) {
				for _, args := range splitList(list) {
					if p.Allows(callOf("s/t "+args)) == deny == takes {
						t.Errorf("%s: takes %s is not %t where it denies %t", tt.pattern, args, takes, deny)
					}
				}
			}
			want(tt.takes, true)
			want(tt.refuses, false)
			want(tt.denyOnly, deny)
		}
	}
	// What two readers could take for two things is denied.
	p, err := New(Config{Mode: Yolo, Deny: []string{`mcp:s_t {"a":1}`}}, nil)
	if err != nil || p.Allows(callOf(`s/t {"a":2,"a":1}`)) || p.Allows(callOf(`s/t {"a"`)) {
		t.Error("arguments of two meanings are allowed", err)
	}
}

// A pattern takes the arguments that it is made of, however they are spelled.
func FuzzArguments(f *testing.F) {
	for _, text := range []string{`{"a":1.50}`, `{"b":[1,"x",null],"a":{"c":true}}`, `{"path":"/tmp/*`, `{"a":1,*`, `{*`, `{"a":"\\*"}`, `{"a":"[a-c]"}`, `*`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parseArguments(text)
		if err != nil {
			return
		}
		canonical, err := canonicalJSON([]byte(text))
		if err != nil || strings.ContainsAny(text, `*?[\`) {
			return // a part of one, or a pattern that need not take itself
		}
		value, err := jsontext.Decode([]byte(canonical))
		if err != nil || !p.match(value, false) || !p.match(value, true) {
			t.Errorf("%s does not take itself: %v", text, err)
		}
	})
}

func TestCanonical(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"b":1,"a":[1.0,1e2,-0,0.10,"<&>",null,true]}`, `{"a":[1,100,0,0.1,"<&>",null,true],"b":1}`},
		{` { "a" : "\u0061\/" } `, `{"a":"a/"}`},
		{`{"a":1,"a":2}`, ""}, {`{"a":1} {}`, ""}, {`{`, ""}, {"{\"a\":\"\xff\"}", ""},
		{strings.Repeat("[", 600) + strings.Repeat("]", 600), ""},
		{`{"a":"\ud800"}`, ""}, {`{"a":"C:\\users\\udo \ud83d\ude00"}`, `{"a":"C:\\users\\udo 😀"}`},
		{`{"n":1e999999999,"m":9007199254740993}`, `{"m":9007199254740993,"n":1e999999999}`},
	} {
		got, err := canonicalJSON([]byte(tt.in))
		if (err != nil) != (tt.want == "") || err == nil && got != tt.want {
			t.Errorf("%.60s: got %s, %v", tt.in, got, err)
		}
	}
}

// A rule without a kind is about a server, or about native tools alone.
func TestIsAbout(t *testing.T) {
	for rule, want := range map[string]bool{
		"write_file": false, "write_*": false, "fs_write_file": true, "my_fs_x": true, "fs": true, "*": true, "": true,
		"f[a-z]_x": true, "delete_file {}": false, "tool:nobody/x": true, "mcp:write_file": true, "tool.call.write_file": true,
	} {
		if got := IsAbout(rule, []string{"fs", "my.fs"}); got != want {
			t.Errorf("%q: got %t, want %t", rule, got, want)
		}
	}
}
