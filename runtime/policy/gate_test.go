package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// A denied call says why, and what would allow it.
func TestDenied(t *testing.T) {
	_, inv, _ := serverBehindPolicy(t, Config{Deny: []string{"mcp:fs_rm"}}, nil)
	for text, want := range map[string]string{
		"fs/rm":      `fs/rm: gate: denied: the rule "mcp:fs_rm" denies it`,
		"fs/read":    `fs/read: gate: denied: no rule allows it: add "tool:fs/read" to policy.allow, or run mcpgen policy grant tool:fs/read`,
		"a b/it's":   `add "tool:a b/it's" to policy.allow, or run mcpgen policy grant 'tool:a b/it'\''s'`,
		"fs/star*[x": `add "tool:fs/star\\*\\[x" to policy.allow`,
	} {
		server, tool, _ := strings.Cut(text, "/")
		_, err := inv.Invoke(t.Context(), runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool})
		e, ok := errors.AsType[*runtime.CallError](err)
		if !ok || e.Stage != stage.Gate || e.Sent || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		d, ok := errors.AsType[*DeniedError](err)
		if !ok || d.Server != server || d.Name != tool || d.Method != protocol.MethodCallTool || (d.Rule == "") == (d.Grant == "") {
			t.Errorf("got %+v", d)
		}
	}
	_, err := inv.Invoke(t.Context(), runtime.Request{Server: "fs", Method: protocol.MethodCallTool, Name: strings.Repeat("x", 1<<20)})
	if !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("got %v for a name of 1 MiB, want it denied", err)
	}
}

// A nil policy is none: calls pass, secrets do not.
func TestNilPolicy(t *testing.T) {
	var p *Policy
	s := &server{}
	if _, err := runtime.Chain(s, p.Middleware()).Invoke(t.Context(), callOf("a/b")); err != nil || len(s.seen) != 1 || p.Check(t.Context(), callOf("a/b")) != nil {
		t.Errorf("got %v", err)
	}
	if p.Mode() != Yolo || p.Skipped() != nil || p.Approvals() != nil || !p.Allows(callOf("a/b")) {
		t.Errorf("a nil policy: mode %v, skipped %v, approvals %v, want yolo and none, and all allowed", p.Mode(), p.Skipped(), p.Approvals())
	}
}

// Each check is told: what was asked for, and what became of it. Arguments and
// values are not.
func TestEvents(t *testing.T) {
	var events []event.Event
	p, inv, _ := serverBehindPolicy(t, Config{Allow: []string{"mcp:fs_read"}, Secrets: []SecretRule{{Label: "GitHub", Secret: "github-token", Tool: "*"}}},
		&Options{OnEvent: func(e event.Event) { events = append(events, e) }})
	_, _ = inv.Invoke(t.Context(), callOf(`fs/read {"path":"private"}`))
	_, _ = inv.Invoke(t.Context(), callOf("fs/rm"))
	_, _ = p.Secrets(lookupSecret)(t.Context(), endpoint.Server{Name: "gh"}, "github-token")
	_, _ = p.Secrets(lookupSecret)(t.Context(), endpoint.Server{Name: "gh"}, "other")
	for i, want := range []event.Event{
		{Server: "fs", Tool: "read", Method: protocol.MethodCallTool, Allowed: true, Detail: `the rule "mcp:fs_read" allows it`},
		{Server: "fs", Tool: "rm", Method: protocol.MethodCallTool, Detail: "no rule allows it"},
		{Server: "gh", Allowed: true, Detail: `the secret "github-token": allowed by the secret policy "GitHub"`},
		{Server: "gh", Detail: `the secret "other": no secret policy allows it`},
	} {
		if i >= len(events) {
			t.Fatalf("only %d events", i)
		}
		got := events[i]
		if got.Kind != event.Check || got.Time.IsZero() || got.Server != want.Server || got.Tool != want.Tool ||
			got.Method != want.Method || got.Allowed != want.Allowed || got.Detail != want.Detail {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if text := fmt.Sprintf("%+v", got); strings.Contains(text, "private") || strings.Contains(text, "the value") {
			t.Errorf("it tells too much: %s", text)
		}
	}
}

// A person is asked one question at a time, and not again what an answer to the
// one before covers.
func TestOneQuestionAtATime(t *testing.T) {
	var asking, asked atomic.Int32
	person := PrompterFunc(func(context.Context, Question) (Answer, error) {
		if asking.Add(1) > 1 {
			t.Error("two questions were asked at once, want one after the other")
		}
		defer asking.Add(-1)
		asked.Add(1)
		return Answer{Decision: SessionTool}, nil
	})
	_, inv, _ := serverBehindPolicy(t, Config{Mode: Ask}, &Options{Prompter: person})
	var work sync.WaitGroup
	for i := range 32 {
		work.Go(func() {
			if _, err := inv.Invoke(t.Context(), callOf(fmt.Sprintf("fs/tool%d", i%2))); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	if asked.Load() != 2 {
		t.Errorf("asked %d times", asked.Load())
	}
}

// Who waits for a person is not held longer than its context; a prompter that
// fails is a no.
func TestPrompterFails(t *testing.T) {
	release := make(chan struct{})
	entered := make(chan struct{})
	person := PrompterFunc(func(_ context.Context, q Question) (Answer, error) {
		if q.Name == "slow" {
			close(entered)
			<-release
		}
		return Answer{Decision: Always}, errors.New("the terminal is gone")
	})
	_, inv, s := serverBehindPolicy(t, Config{Mode: Ask}, &Options{Prompter: person})
	done := make(chan error)
	go func() {
		_, err := inv.Invoke(context.Background(), callOf("fs/slow"))
		done <- err
	}()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inv.Invoke(ctx, callOf("fs/other")); !errors.Is(err, context.Canceled) || !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("got %v", err)
	}
	close(release)
	if err := <-done; !errors.Is(err, runtime.ErrDenied) || !strings.Contains(err.Error(), "the terminal is gone") {
		t.Errorf("got %v", err)
	}
	if len(s.seen) != 0 {
		t.Errorf("the server got %d requests, want none", len(s.seen))
	}
	none := PrompterFunc(func(context.Context, Question) (Answer, error) {
		return Answer{}, fmt.Errorf("no tty: %w", ErrNoPrompter)
	})
	_, inv, _ = serverBehindPolicy(t, Config{Mode: Ask}, &Options{Prompter: none})
	if _, err := inv.Invoke(t.Context(), callOf("fs/x")); !errors.Is(err, ErrNoPrompter) {
		t.Errorf("got %v", err)
	}
	odd := PrompterFunc(func(context.Context, Question) (Answer, error) { return Answer{Decision: 99}, nil })
	_, inv, _ = serverBehindPolicy(t, Config{Mode: Ask}, &Options{Prompter: odd})
	if _, err := inv.Invoke(t.Context(), callOf("fs/x")); !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("an answer that is none: got %v", err)
	}
}

// Stored grants count from the start; one that cannot mean anything is an error.
func TestStoredGrants(t *testing.T) {
	_, inv, s := serverBehindPolicy(t, Config{}, &Options{Grants: &memory{all: []Grant{{Rule: "mcp:fs_*"}, {Secret: &SecretRule{Secret: "a", Tool: "*"}}}}})
	if _, err := inv.Invoke(t.Context(), callOf("fs/x")); err != nil || len(s.seen) != 1 {
		t.Errorf("got %v", err)
	}
	for _, bad := range []Grant{{}, {Rule: "nope:x"}, {Rule: "mcp:x", Secret: &SecretRule{Secret: "a", Tool: "*"}}, {Secret: &SecretRule{}}} {
		if _, err := New(Config{}, &Options{Grants: &memory{all: []Grant{bad}}}); err == nil || !strings.Contains(err.Error(), "stored grant") {
			t.Errorf("%+v: got %v", bad, err)
		}
	}
}

func TestSecretErrors(t *testing.T) {
	broken := func(context.Context, string) (string, error) { return "", errors.New("the store is locked") }
	empty := func(context.Context, string) (string, error) { return "", nil }
	p, _, _ := serverBehindPolicy(t, Config{Secrets: []SecretRule{{Secret: "*", Tool: "*"}}}, nil)
	for _, tt := range []struct {
		source SecretSource
		want   string
		absent bool
	}{
		{nil, "no source has its value: store it with mcpgen secrets set x", true},
		{lookupSecret, "no source has its value", true},
		{FirstOf(nil, lookupSecret, empty), "it is empty", true},
		{FirstOf(broken, empty), "the store is locked", false},
		{FirstOf(lookupSecret, broken), "the store is locked", false},
	} {
		_, err := p.Secrets(tt.source)(t.Context(), endpoint.Server{Name: "s"}, "x")
		if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, ErrNoSecret) != tt.absent || errors.Is(err, runtime.ErrDenied) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
	// A rule ends.
	now := time.Now()
	p, _, _ = serverBehindPolicy(t, Config{Secrets: []SecretRule{{Secret: "*", Tool: "*", Until: now}}}, &Options{Now: func() time.Time { return now }})
	if _, ok := p.AllowsSecret("s", "x"); ok {
		t.Error("a rule allows at the time of its end, want it ended")
	}
	for _, bad := range []SecretRule{{}, {Secret: "x"}, {Secret: "[", Tool: "*"}, {Secret: "x", Tool: "nope:x"}, {Secret: "x", Tool: "mcp."}} {
		if err := p.AllowSecret(bad); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// BenchmarkGate is what the gate costs a call.
func BenchmarkGate(b *testing.B) {
	rules := []string{"tool.invoke:mcp.a.*", "mcp:b_*", "tool.call.c", "prompt:d/*", "tool.invoke:mcp.*.list_prs", "mcp:*_read", "mcp:github_list_prs"}
	for name, cfg := range map[string]Config{"exact": {Allow: rules[6:]}, "seven rules": {Allow: rules}, "deny": {Allow: rules, Deny: rules[:4]}} {
		b.Run(name, func(b *testing.B) {
			p, err := New(cfg, nil)
			if err != nil {
				b.Fatal(err)
			}
			inv := runtime.Chain(runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return nil, nil }), p.Middleware())
			req := callOf(`github/list_prs {"repo":"a/b","state":"open"}`)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := inv.Invoke(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A stored grant counts for the servers of its file alone; one that a program gives
// counts for all. What a person allows for always is kept for the file of the tool.
func TestGrantsOfFiles(t *testing.T) {
	files := map[string]string{"a": "/a.yaml", "b": "/b.yaml"}
	allows := func(p *Policy, server string) string {
		said := ""
		if p.Explain(runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: "x"}).Allowed {
			said = "call "
		}
		if _, ok := p.AllowsSecret(server, "token"); ok {
			said += "secret"
		}
		return said
	}
	store := &memory{all: []Grant{{Rule: "tool:*/x", File: "/a.yaml"}, {Secret: &SecretRule{Secret: "token", Tool: "*"}, File: "/a.yaml"}, {Rule: "tool:own/*"}, {Rule: "tool:b/*"}}}
	p, inv, _ := serverBehindPolicy(t, Config{Mode: Ask, GrantFiles: files}, &Options{Grants: store, Prompter: &script{answers: []Answer{{Decision: Always}}}})
	for server, want := range map[string]string{"a": "call secret", "b": "", "own": "call "} {
		if got := allows(p, server); got != want {
			t.Errorf("%s: got %q, want %q", server, got, want)
		}
	}
	if err := p.Grant(Grant{Secret: &SecretRule{Secret: "token", Tool: "*"}}); err != nil || allows(p, "b") != "secret" {
		t.Errorf("what the program granted: %q, %v", allows(p, "b"), err)
	}
	if _, err := inv.Invoke(t.Context(), runtime.Request{Server: "b", Method: protocol.MethodCallTool, Name: "x"}); err != nil {
		t.Fatal(err)
	}
	if last := store.all[len(store.all)-1]; last.File != "/b.yaml" || allows(p, "b") != "call secret" {
		t.Errorf("stored %+v; then %q", last, allows(p, "b"))
	}
	_, err := p.Secrets(nil)(t.Context(), endpoint.Server{Name: "b"}, "other")
	if want := "add the secret to the secret policies in /b.yaml, or run mcpgen --mcp /b.yaml policy grant secret:other"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

// Without a policy every call is allowed, and no secret.
func TestNoPolicyAllowsNoSecret(t *testing.T) {
	var none *Policy
	if _, err := none.Secrets(lookupSecret)(t.Context(), endpoint.Server{Name: "github"}, "github-token"); !errors.Is(err, runtime.ErrDenied) || !strings.Contains(err.Error(), "policy.secrets") {
		t.Errorf("got %v", err)
	}
}

// An answer for always allows what its grant allows after a restart: the tool of one server.
func TestAlwaysOfOneServer(t *testing.T) {
	always := PrompterFunc(func(context.Context, Question) (Answer, error) { return Answer{Decision: Always}, nil })
	p, err := New(Config{Mode: Ask, Grammar: GrammarCoreAgent, Servers: []string{"a", "a_b"}}, &Options{Prompter: always})
	if err != nil {
		t.Fatal(err)
	}
	gate := p.Middleware()(runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return &runtime.Result{}, nil }))
	if _, err := gate.Invoke(t.Context(), callOf("a_b/c")); err != nil {
		t.Fatal(err)
	}
	if !p.Allows(callOf("a_b/c")) || p.Allows(callOf("a/b_c")) {
		t.Errorf("after always for a_b/c: a_b/c %v, a/b_c %v, want true and false", p.Allows(callOf("a_b/c")), p.Allows(callOf("a/b_c")))
	}
}
