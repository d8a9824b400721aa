package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// server counts the requests that reach it.
type server struct {
	mu   sync.Mutex
	seen []runtime.Request
}

func (s *server) Invoke(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, req)
	return &runtime.Result{}, nil
}

// serverBehindPolicy puts a policy before a server.
func serverBehindPolicy(t *testing.T, cfg Config, opts *Options) (*Policy, runtime.Invoker, *server) {
	t.Helper()
	p, err := New(cfg, opts)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{}
	return p, runtime.Chain(s, p.Middleware()), s
}

// callsThatPass makes the calls and reports which of them reached the server.
func callsThatPass(t *testing.T, cfg Config, calls ...string) []bool {
	t.Helper()
	_, inv, s := serverBehindPolicy(t, cfg, nil)
	var passed []bool
	for _, text := range calls {
		before := len(s.seen)
		_, err := inv.Invoke(t.Context(), callOf(text))
		reached := len(s.seen) > before
		if reached != (err == nil) || err != nil && !errors.Is(err, runtime.ErrDenied) {
			t.Errorf("%s: reached %v, error %v", text, reached, err)
		}
		passed = append(passed, reached)
	}
	return passed
}

func checkPassed(t *testing.T, got []bool, want ...bool) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("passed %v, want %v", got, want)
	}
}

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row.
func TestSeed(t *testing.T) {
	t.Run("000-12", func(t *testing.T) { // a capability for one tool
		cfg := Config{Allow: []string{"tool.invoke:mcp.github.list_prs"}}
		checkPassed(t, callsThatPass(t, cfg, "github/list_prs", "github/list_prs {\"state\":\"open\"}", "github/list_issues", "github/list_prs2", "search/list_prs"), true, true, false, false, false)
	})
	t.Run("000-13", func(t *testing.T) { // for one server, tools with dots as well
		cfg := Config{Allow: []string{"tool.invoke:mcp.search.*"}}
		checkPassed(t, callsThatPass(t, cfg, "search/web", "search/web.images.v2", "searcher/web", "github/web"), true, true, false, false)
	})
	t.Run("000-14", func(t *testing.T) { // for all of them; * elsewhere is one segment
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"tool.invoke:mcp.*"}}, "github/list_prs", "search/a.b"), true, true)
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"tool.invoke:mcp.*.list_prs"}}, "github/list_prs", "github/x.list_prs", "github/list"), true, false, false)
	})
	t.Run("000-16", func(t *testing.T) { // nothing listed, nothing allowed
		checkPassed(t, callsThatPass(t, Config{}, "github/list_prs", "/echo"), false, false)
	})
	t.Run("000-17", func(t *testing.T) { // capabilities for other things
		cfg := Config{Allow: []string{"tool.invoke:lm.complete", "tool.invoke:mcp.github.*"}}
		p, _, _ := serverBehindPolicy(t, cfg, nil)
		if got := p.Skipped(); len(got) != 1 || got[0] != "tool.invoke:lm.complete" {
			t.Errorf("skipped %v", got)
		}
		checkPassed(t, callsThatPass(t, cfg, "lm/complete", "github/x", "mcp/lm.complete"), false, true, false)
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"tool.invoke:lm.*", "fs.read:/home/**", "net.connect:*"}, Foreign: true}, "lm/complete", "github/x"), false, false)
	})
	t.Run("000-20", func(t *testing.T) { // label, secret pattern, tool pattern
		for _, tt := range []struct {
			secret, tool string
			server, name string
			want         bool
		}{
			{"github-token", "*", "github", "github-token", true},
			{"github-token", "*", "github", "github-token-2", false},
			{"github-*", "*", "github", "github-token", true},
			{"*", "*", "any", "thing", true},
			{"github-?oken", "*", "github", "github-token", true},
			{"github-token", "mcp.github.*", "github", "github-token", true},
			{"github-token", "mcp.github.*", "search", "github-token", false},
			{"github-token", "mcp.*", "search", "github-token", true},
			{"github-token", "tool.invoke:mcp.github.*", "github", "github-token", true},
			{"github-token", "mcp:github_*", "github", "github-token", true},
			{"github-token", "tool:github/*", "github", "github-token", true},
			{"github-token", "mcp.github.list_prs", "github", "github-token", false}, // it would go to all of them
			{"github-token", "mcp.github.list_*", "github", "github-token", false},
			{"github-token", "lm.*", "github", "github-token", false},
		} {
			p, _, _ := serverBehindPolicy(t, Config{Secrets: []SecretRule{{Label: "L", Secret: tt.secret, Tool: tt.tool}}}, nil)
			r, got := p.AllowsSecret(tt.server, tt.name)
			if got != tt.want || got && r.Label != "L" {
				t.Errorf("%+v: got %v, %+v", tt, got, r)
			}
		}
	})
	t.Run("001-18", func(t *testing.T) { // the gate's namespace, and bare
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"mcp:github_*"}}, "github/list"), true)
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"github_*"}}, "github/list"), true)
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"bash:github_*"}, Foreign: true}, "github/list"), false)
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"/srv/**", "./gradlew *", "github_*"}, Foreign: true}, "github/list"), true)
	})
	t.Run("001-19", func(t *testing.T) { // exactly that tool, with any arguments
		cfg := Config{Allow: []string{"mcp:filesystem_read_file"}}
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"mcp:every_get_sum"}, Deny: []string{"mcp:every_rm_all"}}, "every/get-sum", "every/get-sum2", "every/rm-all"), true, false, false)
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"mcp:*"}, Deny: []string{"mcp:every_rm_all"}}, "every/get-sum", "every/rm-all", "every/rm_all"), true, false, false)
		checkPassed(t, callsThatPass(t, cfg, `filesystem/read_file {"path":"/etc/hosts"}`, "filesystem/read_file", "filesystem/write_file", "filesystem/read_file_2"), true, true, false, false)
	})
	t.Run("001-20", func(t *testing.T) { // exact, open prefix, path-style; deny beats allow
		cfg := Config{Allow: []string{"mcp:fs_*", "mcp:docs_get?", "mcp:*_stat"}, Deny: []string{"mcp:fs_delete*", "mcp:docs_getX"}}
		checkPassed(t, callsThatPass(t, cfg,
			`fs/read {"path":"/a/b/c"}`, "fs/a/b", "fs/delete", `fs/delete_all {"path":"/"}`, "docs/get1", "docs/get12", "docs/getX", "any/stat", "any/x/stat"),
			true, true, false, false, true, false, false, true, false)
	})
	t.Run("001-21", func(t *testing.T) { // what a person is shown
		for _, n := range []int{199, 200, 201} {
			text := questionDetail("t", json.RawMessage(`{"a":"`+strings.Repeat("é", n-10)+`"}`))
			if n <= 200 && utf8.RuneCountInString(text) != n || n > 200 && (utf8.RuneCountInString(text) != 200 || !strings.HasSuffix(text, "é...")) || !utf8.ValidString(text) {
				t.Errorf("%d characters: %d, %q", n, utf8.RuneCountInString(text), text)
			}
		}
		if got := questionDetail("echo", nil); got != "echo" {
			t.Errorf("got %q", got)
		}
		if got := questionDetail("echo", json.RawMessage("{ \"a\":\n 1 }")); got != `echo {"a":1}` {
			t.Errorf("got %q", got)
		}
		// The question and what is kept of the answer show the tool as the system names it.
		for scheme, shown := range map[naming.Scheme]string{
			naming.Underscore: "file_system_read_file", naming.Dot: "mcp.file-system.read_file", naming.Bare: "read_file",
		} {
			person := &script{answers: []Answer{{Decision: Once}, {Decision: Once}}}
			p, inv, _ := serverBehindPolicy(t, Config{Mode: Ask, Naming: scheme}, &Options{Prompter: person})
			for _, text := range []string{`file-system/read_file {"path":"/tmp"}`, "/echo"} {
				if _, err := inv.Invoke(t.Context(), callOf(text)); err != nil {
					t.Fatal(err)
				}
			}
			if got := person.asked[0].Detail; got != shown+` {"path":"/tmp"}` || p.Approvals()[0].Key != got || person.asked[1].Detail != "echo" {
				t.Errorf("%s: %q, %q, %+v", scheme, got, person.asked[1].Detail, p.Approvals())
			}
		}
	})
	t.Run("001-22", func(t *testing.T) { // modes and rules
		for _, tt := range []struct {
			mode                         Mode
			allowed, denied, unmentioned bool
		}{
			{Enforce, true, false, false}, {"allow", true, false, false}, {"", true, false, false},
			{Ask, true, false, false}, {Yolo, true, false, true},
		} {
			got := callsThatPass(t, Config{Mode: tt.mode, Allow: []string{"mcp:fs_*"}, Deny: []string{"mcp:fs_rm"}}, "fs/read", "fs/rm", "bash/rm")
			if got[0] != tt.allowed || got[1] != tt.denied || got[2] != tt.unmentioned {
				t.Errorf("%s: %v", tt.mode, got)
			}
		}
		checkPassed(t, callsThatPass(t, Config{Mode: Yolo}, `shell/run {"command":"rm -rf /"}`), true) // no list of bad commands here
	})
	t.Run("001-23", func(t *testing.T) { // nobody to ask
		_, inv, s := serverBehindPolicy(t, Config{Mode: Ask}, nil)
		_, err := inv.Invoke(t.Context(), callOf("fs/read"))
		if !errors.Is(err, ErrNoPrompter) || !errors.Is(err, runtime.ErrDenied) || len(s.seen) != 0 || !strings.Contains(err.Error(), "mcpgen policy grant tool:fs/read") {
			t.Errorf("got %v, %d requests", err, len(s.seen))
		}
	})
	t.Run("001-24", testGrants)
	t.Run("001-25", testApprovals)
	t.Run("002-08", func(t *testing.T) { // the clock needs no grant
		checkPassed(t, callsThatPass(t, Config{}, "/clock", "/echo", "remote/clock"), true, false, false)
		checkPassed(t, callsThatPass(t, Config{Deny: []string{"tool.call.clock"}}, "/clock"), false)
	})
	t.Run("002-10", func(t *testing.T) { // every call needs its capability
		checkPassed(t, callsThatPass(t, Config{Allow: []string{"tool.call.echo"}}, "/echo", "notes/echo", "notes/read", "/echo2"), true, true, false, false)
		checkPassed(t, callsThatPass(t, Config{}, "notes/echo"), false)
	})
	t.Run("002-24", func(t *testing.T) { // a scope is the whole object of arguments
		var scope Scope
		if err := json.Unmarshal([]byte(`{"version":1,"tool":"echo","arguments":{"allow":{"text":"hi","n":1}}}`), &scope); err != nil {
			t.Fatal(err)
		}
		cfg := Config{Grants: []Grant{{Rule: "tool.call.echo", Scope: &scope}}}
		checkPassed(t, callsThatPass(t, cfg,
			`/echo {"text":"hi","n":1}`, `/echo {"n":1.0, "text":"\u0068i"}`,
			`/echo {"text":"hi"}`, `/echo {"text":"hi","n":1,"x":2}`, `/echo {"text":"ho","n":1}`, `/echo`, `/echo {"text":"hi","n":1,"n":1}`),
			true, true, false, false, false, false, false)
		for _, bad := range []Scope{{Version: 2}, {Version: 1}, {Version: 1, Arguments: Arguments{Allow: json.RawMessage(`[]`)}}, {Version: 1, Arguments: Arguments{Allow: json.RawMessage(`{"a":1,"a":2}`)}}} {
			if _, err := New(Config{Grants: []Grant{{Rule: "tool.call.echo", Scope: &bad}}}, nil); err == nil {
				t.Errorf("%+v is taken", bad)
			}
		}
	})
}

// lookupSecret has one secret.
func lookupSecret(_ context.Context, name string) (string, error) {
	if name == "github-token" {
		return "the value", nil
	}
	return "", ErrNoSecret
}

// memory is a store.
type memory struct {
	mu    sync.Mutex
	all   []Grant
	fails error
}

func (m *memory) Grants() ([]Grant, error) { return m.all, nil }

func (m *memory) Add(g Grant) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, g)
	return m.fails
}

// script answers questions in its order, and keeps them.
type script struct {
	answers []Answer
	asked   []Question
}

func (s *script) Ask(_ context.Context, q Question) (Answer, error) {
	s.asked = append(s.asked, q)
	if len(s.asked) > len(s.answers) {
		return Answer{}, errors.New("asked too often")
	}
	return s.answers[len(s.asked)-1], nil
}

// testGrants: once, this call, this tool, always. Another tool still asks.
func testGrants(t *testing.T) {
	for _, tt := range []struct {
		answer Decision
		asks   [4]bool // the same call again, other arguments, another tool, a new policy over the same store
	}{
		{No, [4]bool{true, true, true, true}},
		{Once, [4]bool{true, true, true, true}},
		{Session, [4]bool{false, true, true, true}},
		{SessionTool, [4]bool{false, false, true, true}},
		{Always, [4]bool{false, false, true, false}},
	} {
		person := &script{answers: []Answer{{Decision: tt.answer}, {}, {}, {}, {}}}
		store := &memory{}
		_, inv, s := serverBehindPolicy(t, Config{Mode: Ask}, &Options{Prompter: person, Grants: store})
		_, err := inv.Invoke(t.Context(), callOf(`fs/read {"path":"a","n":1}`))
		if (err == nil) != (tt.answer != No) || len(s.seen) == 1 != (tt.answer != No) || len(person.asked) != 1 {
			t.Fatalf("%v: %v, %d requests, %d questions", tt.answer, err, len(s.seen), len(person.asked))
		}
		again := func(inv runtime.Invoker, text string) bool {
			before := len(person.asked)
			_, _ = inv.Invoke(t.Context(), callOf(text))
			return len(person.asked) > before
		}
		_, restarted, _ := serverBehindPolicy(t, Config{Mode: Ask}, &Options{Prompter: person, Grants: store})
		got := [4]bool{again(inv, `fs/read { "n":1.0, "path":"a" }`), again(inv, `fs/read {"path":"b"}`), again(inv, `fs/write {}`), again(restarted, `fs/read {"path":"a","n":1}`)}
		if got != tt.asks {
			t.Errorf("%v: asks again %v, want %v", tt.answer, got, tt.asks)
		}
		if tt.answer == Always && (len(store.all) != 1 || store.all[0].Rule != "tool:fs/read" || store.all[0].Time.IsZero()) {
			t.Errorf("stored %+v", store.all)
		}
	}
	// What cannot be stored was not allowed.
	_, inv, s := serverBehindPolicy(t, Config{Mode: Ask}, &Options{Prompter: &script{answers: []Answer{{Decision: Always}}}, Grants: &memory{fails: errors.New("disk full")}})
	if _, err := inv.Invoke(t.Context(), callOf("fs/read")); err == nil || !strings.Contains(err.Error(), "disk full") || len(s.seen) != 0 {
		t.Errorf("got %v", err)
	}
}

// testApprovals: what was allowed, when, by whom, in order.
func testApprovals(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	person := &script{answers: []Answer{{Decision: Once, By: "ada"}, {Decision: No}, {Decision: SessionTool}}}
	p, inv, _ := serverBehindPolicy(t, Config{Mode: Ask}, &Options{Prompter: person, Now: func() time.Time { now = now.Add(time.Second); return now }})
	for _, text := range []string{`fs/read {"path":"a"}`, "fs/rm", "fs/list", "fs/list"} {
		_, _ = inv.Invoke(t.Context(), callOf(text))
	}
	got := p.Approvals()
	if len(got) != 2 || got[0].Tool != "fs/read" || got[0].Key != `fs__read {"path":"a"}` || got[0].Decision != Once || got[0].By != "ada" ||
		got[1].Tool != "fs/list" || got[1].Decision != SessionTool || got[1].By != "" || !got[0].Time.Before(got[1].Time) {
		t.Errorf("got %+v", got)
	}
}
