package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// callBy is a call on behalf of a caller.
func callBy(caller, server, tool string) runtime.Request {
	r := runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool}
	r.Options.Caller = caller
	return r
}

func newPolicy(t *testing.T, cfg Config, opts *Options) *Policy {
	t.Helper()
	p, err := New(cfg, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What a rule says of a caller holds for that one alone, for calls and in listings; the
// program itself is local.
func TestCallers(t *testing.T) {
	p := newPolicy(t, Config{
		Allow: []string{"tool:docs/*"},
		Callers: []CallerRules{
			{CallerMatch: CallerMatch{Caller: "ci"}, Allow: []string{"tool:github/*"}, Deny: []string{"tool:docs/secret"}},
			{CallerMatch: CallerMatch{Caller: "team-*"}, Allow: []string{"mcp:github_list"}},
			{CallerMatch: CallerMatch{Caller: "local"}, Allow: []string{"tool:own/*", `mcp:fs_rm {"path":"/tmp/*`}},
		},
	}, nil)
	for _, c := range []struct {
		caller, server, tool string
		allowed              bool
	}{
		{"ci", "github", "delete", true}, {"ci", "docs", "read", true}, {"ci", "docs", "secret", false}, {"ci", "own", "x", false},
		{"team-a", "github", "list", true}, {"team-a", "github", "delete", false}, {"team-a", "docs", "secret", true},
		{"ci2", "github", "list", false}, {"CI", "github", "list", false},
		{"", "own", "x", true}, {"local", "own", "x", true}, {"", "github", "list", false},
	} {
		req := callBy(c.caller, c.server, c.tool)
		if got := p.Explain(req).Allowed; got != c.allowed {
			t.Errorf("%+v: allowed %v", c, got)
		}
		if got := p.Shows(req); got != c.allowed {
			t.Errorf("%+v: shown %v", c, got)
		}
		if err := p.Check(t.Context(), req); (err == nil) != c.allowed {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if !p.Shows(callBy("", "fs", "rm")) || p.Shows(callBy("ci", "fs", "rm")) {
		t.Error("a tool that may be called with some arguments is shown to whom that is said of")
	}
	if !newPolicy(t, Config{Denied: Visible}, nil).Shows(callBy("ci", "a", "b")) || !newPolicy(t, Config{Mode: Ask}, nil).Shows(callBy("ci", "a", "b")) {
		t.Error("what is visible, or asked about, is not shown")
	}
	if newPolicy(t, Config{Mode: Ask, Deny: []string{"tool:a/b"}}, nil).Shows(callBy("ci", "a", "b")) {
		t.Error("what a rule denies is shown")
	}
}

// Rules for a claim hold for the callers who have it, in addition to those by name; what
// one entry denies, no other allows.
func TestClaims(t *testing.T) {
	p := newPolicy(t, Config{Callers: []CallerRules{
		{CallerMatch: CallerMatch{Claim: "groups", Is: "devs"}, Allow: []string{"tool:github/*"}, Limits: []Limit{{Rate: "1/1m"}}},
		{CallerMatch: CallerMatch{Claim: "groups", Is: "guests"}, Deny: []string{"tool:github/delete"}},
		{CallerMatch: CallerMatch{Caller: "svc-*", Claim: "client_id", Is: "*"}, Allow: []string{"tool:own/*"}},
		{CallerMatch: CallerMatch{Caller: "ann"}, Allow: []string{"tool:github/delete"}},
	}}, nil)
	for _, c := range []struct {
		caller, claims, server, tool string
		allowed                      bool
	}{
		{"bob", "groups=devs", "github", "list", true}, {"bob", "groups=ops groups=devs", "github", "delete", true},
		{"bob", "", "github", "list", false}, {"bob", "groups=dev", "github", "list", false}, {"bob", "roles=devs", "github", "list", false},
		{"groups=devs", "", "github", "list", false}, {"", "groups=devs", "github", "list", true},
		{"ann", "", "github", "delete", true}, {"ann", "groups=guests groups=devs", "github", "delete", false}, {"ann", "groups=guests", "github", "list", false},
		{"svc-a", "client_id=*", "own", "x", true}, {"svc-a", "client_id=x", "own", "x", false}, {"svc-a", "", "own", "x", false}, {"bob", "client_id=*", "own", "x", false},
	} {
		req := callBy(c.caller, c.server, c.tool)
		req.Options.Claims = strings.Fields(c.claims)
		if got := p.Explain(req).Allowed; got != c.allowed {
			t.Errorf("%+v: allowed %v", c, got)
		}
		if got := p.Shows(req); got != c.allowed {
			t.Errorf("%+v: shown %v", c, got)
		}
		if err := p.Check(t.Context(), req); (err == nil) != c.allowed {
			t.Errorf("%+v: %v", c, err)
		}
	}
	bob := callBy("bob", "github", "list")
	bob.Options.Claims = []string{"groups=devs"}
	enter := func(p *Policy, req runtime.Request) error {
		leave, err := p.check(t.Context(), req, true)
		if err == nil {
			leave()
		}
		return err
	}
	if err := enter(p, bob); err != nil {
		t.Fatal(err)
	}
	again := newPolicy(t, Config{Mode: Yolo, Callers: []CallerRules{
		{CallerMatch: CallerMatch{Claim: "groups", Is: "ops"}, Limits: []Limit{{Rate: "1/1m"}}}, {CallerMatch: CallerMatch{Claim: "groups", Is: "devs"}, Limits: []Limit{{Rate: "1/1m"}}},
	}}, &Options{Replaces: p})
	if err := enter(again, bob); err == nil || !strings.Contains(err.Error(), "1 calls in 1m for callers with groups=devs, for each caller) is reached") {
		t.Errorf("after a reload: %v", err)
	}
	bob.Options.Claims = []string{"groups=ops"}
	if err := enter(again, bob); err != nil {
		t.Errorf("the limit for another claim: %v", err)
	}
}

// What a person allows a caller is that caller's.
func TestAnswersAreOneCallers(t *testing.T) {
	for _, d := range []Decision{Session, SessionTool, Always} {
		asked := 0
		p := newPolicy(t, Config{Mode: Ask}, &Options{Prompter: PrompterFunc(func(_ context.Context, q Question) (Answer, error) {
			if asked++; q.Caller != "ci" {
				return Answer{}, nil
			}
			return Answer{Decision: d}, nil
		})})
		for range 2 {
			if err := p.Check(t.Context(), callBy("ci", "a", "b")); err != nil {
				t.Errorf("%v: %v", d, err)
			}
		}
		if err := p.Check(t.Context(), callBy("other", "a", "b")); err == nil || asked != 2 {
			t.Errorf("%v: another caller: %v, asked %d times", d, err, asked)
		}
	}
}

// A rate and a bound hold for each caller, or for each tool, and give back what they took.
func TestLimits(t *testing.T) {
	now := time.Unix(0, 0)
	var checks []event.Event
	p := newPolicy(t, Config{Mode: Yolo, Callers: []CallerRules{{CallerMatch: CallerMatch{Caller: "*"}, Limits: []Limit{
		{Rule: "tool:a/*", Rate: "2/1m"}, {Rule: "tool:b/*", Concurrent: 1, Per: "tool"},
	}}}}, &Options{Now: func() time.Time { return now }, OnEvent: func(e event.Event) { checks = append(checks, e) }})
	var within func()
	inv := p.Middleware()(runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
		if within != nil {
			within()
		}
		return &runtime.Result{}, nil
	}))
	call := func(caller, server, tool string) error {
		_, err := inv.Invoke(t.Context(), callBy(caller, server, tool))
		return err
	}
	want := func(err error, part string) {
		t.Helper()
		if part == "" && err != nil || part != "" && (!errors.Is(err, runtime.ErrDenied) || !strings.Contains(err.Error(), part)) {
			t.Errorf("got %v, want %q", err, part)
		}
	}
	want(call("x", "a", "1"), "")
	want(call("x", "a", "2"), "")
	want(call("x", "a", "1"), "2 calls in 1m of tool:a/*, for each caller) is reached: the next call is possible in 30s")
	want(call("y", "a", "1"), "")
	want(call("x", "c", "1"), "")
	if last := checks[2]; last.Caller != "x" || last.Allowed {
		t.Errorf("the event: %+v", last)
	}
	now = now.Add(31 * time.Second)
	want(call("x", "a", "1"), "")
	want(call("x", "a", "1"), "the next call is possible in")
	within = func() {
		within = nil
		want(call("y", "b", "1"), "1 at the same time of tool:b/*, for each tool) is reached: the next call is possible when a call in progress ends")
		want(call("y", "b", "2"), "")
	}
	want(call("x", "b", "1"), "")
	want(call("y", "b", "1"), "")
	if e := p.Explain(callBy("x", "a", "1")); fmt.Sprint(e.Limits) != "[2 calls in 1m of tool:a/*, for each caller]" {
		t.Errorf("explained: %q", e.Limits)
	}
}

// What cannot mean anything is an error at its place.
func TestCallersMistakes(t *testing.T) {
	for want, c := range map[string]CallerRules{
		"callers[0].caller: the caller is empty":                          {},
		"callers[0].is: the value of the claim is missing":                {CallerMatch: CallerMatch{Claim: "a"}},
		"callers[0].claim: the name of the claim is missing":              {CallerMatch: CallerMatch{Caller: "a", Is: "b"}},
		`callers[0].claim: the name "a=b" has a =`:                        {CallerMatch: CallerMatch{Claim: "a=b", Is: "c"}},
		"callers[0].allow[0]: the rule":                                   {CallerMatch: CallerMatch{Caller: "a"}, Allow: []string{"nonsense:x"}},
		"callers[0].limits[0]: the limit has neither rate nor concurrent": {CallerMatch: CallerMatch{Caller: "a"}, Limits: []Limit{{}}},
		`callers[0].limits[0]: rate: "many"`:                              {CallerMatch: CallerMatch{Caller: "a"}, Limits: []Limit{{Rate: "many"}}},
		`callers[0].limits[0]: per: unknown value "day"`:                  {CallerMatch: CallerMatch{Caller: "a"}, Limits: []Limit{{Rate: "1/1m", Per: "day"}}},
		"callers[0].limits[0]: the rule \"x:y\"":                          {CallerMatch: CallerMatch{Caller: "a"}, Limits: []Limit{{Rate: "1/1m", Rule: "x:y"}}},
	} {
		if _, err := New(Config{Callers: []CallerRules{c}}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := New(Config{Denied: "gone"}, nil); err == nil {
		t.Error("denied: gone")
	}
}

// A call that becomes a task is counted until the task ends, however that is learned,
// and also by a policy that replaces the first.
func TestLimitsOfTasks(t *testing.T) {
	now := time.Unix(0, 0)
	rules := Config{Mode: Yolo, Callers: []CallerRules{{CallerMatch: CallerMatch{Caller: "*"}, Limits: []Limit{{Concurrent: 1}}}}}
	p := newPolicy(t, rules, &Options{Now: func() time.Time { return now }})
	p = newPolicy(t, rules, &Options{Now: func() time.Time { return now }, Replaces: p})
	var answer *runtime.Result
	var failure error
	send := func(method, args string) error {
		inv := p.Middleware()(runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) { return answer, failure }))
		_, err := inv.Invoke(t.Context(), runtime.Request{Server: "s", Method: method, Name: "t", Args: []byte(args), Options: runtime.Options{Caller: "ci"}})
		return err
	}
	begin := func(id string) error {
		answer, failure = &runtime.Result{Type: "task", Structured: []byte(`{"taskId":"` + id + `","status":"working","ttl":60000}`)}, nil
		return send(protocol.MethodCallTool, "{}")
	}
	about := func(id, method, status string, err error) {
		answer, failure = &runtime.Result{Structured: []byte(`{"taskId":"` + id + `","status":"` + status + `"}`)}, err
		_ = send(method, `{"taskId":"`+id+`"}`)
	}
	for name, end := range map[string]func(id string){
		"completed": func(id string) { about(id, protocol.MethodGetTask, "completed", nil) },
		"failed":    func(id string) { about(id, protocol.MethodGetTask, "failed", nil) },
		"cancelled": func(id string) { about(id, protocol.MethodCancelTask, "cancelled", nil) },
		"a result":  func(id string) { about(id, protocol.MethodAwaitTask, "", nil) },
		"unknown":   func(id string) { about(id, protocol.MethodGetTask, "", &runtime.RPCError{Code: -32602}) },
		"its time":  func(string) { now = now.Add(time.Minute) },
	} {
		if err := begin(name); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		about(name, protocol.MethodGetTask, "working", nil)
		about("another", protocol.MethodGetTask, "completed", nil)
		about(name, protocol.MethodAwaitTask, "", runtime.ErrTimeout)
		if err := begin("second"); !errors.Is(err, runtime.ErrDenied) {
			t.Errorf("%s: a second task: %v, want a denial", name, err)
		}
		end(name)
		if err := begin(name + " 2"); err != nil {
			t.Errorf("after %s: %v", name, err)
		}
		about(name+" 2", protocol.MethodGetTask, "completed", nil)
	}
}

// A policy that replaces another one counts on, for the limits that both have.
func TestLimitsHoldOn(t *testing.T) {
	rules := func(limits ...Limit) Config {
		return Config{Mode: Yolo, Callers: []CallerRules{{CallerMatch: CallerMatch{Caller: "*"}, Limits: limits}}}
	}
	call := func(p *Policy, tool string) error {
		_, err := p.Middleware()(runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
			return &runtime.Result{}, nil
		})).Invoke(t.Context(), callBy("ci", "a", tool))
		return err
	}
	first := newPolicy(t, rules(Limit{Rate: "1/1m"}), nil)
	if err := call(first, "x"); err != nil {
		t.Fatal(err)
	}
	second := newPolicy(t, rules(Limit{Rule: "tool:a/y", Rate: "1/1m"}, Limit{Rate: "1/1m"}), &Options{Replaces: first})
	if err := call(second, "x"); err == nil {
		t.Error("the call before is forgotten")
	}
	if err := call(newPolicy(t, rules(Limit{Rate: "2/1m"}), &Options{Replaces: second}), "x"); err != nil {
		t.Errorf("another limit begins anew: %v", err)
	}
}

// Calls of ten thousand tools that nobody has leave the limits of the others as they are.
func TestLimitsOfManyNames(t *testing.T) {
	p := newPolicy(t, Config{Mode: Yolo, Callers: []CallerRules{{CallerMatch: CallerMatch{Caller: "*"}, Limits: []Limit{{Rate: "2/24h", Per: "tool"}}}}}, nil)
	enter := func(tool string) error {
		leave, err := p.check(t.Context(), callBy("ci", "s", tool), true)
		if err == nil {
			leave()
		}
		return err
	}
	for range 2 {
		if err := enter("used up"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range maxCounted + 10 {
		if err := enter(fmt.Sprint("no tool ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := enter("another"); err != nil {
		t.Errorf("a tool that was not called: %v", err)
	}
	if err := enter("used up"); err == nil {
		t.Error("a limit that was reached is forgotten")
	}
}

// A denial suggests a grant for its caller alone, whatever the caller is called.
func TestGrantForOneCaller(t *testing.T) {
	p := newPolicy(t, Config{}, nil)
	for caller, want := range map[string]string{
		"": "policy grant tool:s/t", localCaller: "policy grant tool:s/t", "ci": "policy grant --caller ci tool:s/t", "$(id) *": `policy grant --caller '$(id) \*' tool:s/t`,
	} {
		if err := p.Check(t.Context(), callBy(caller, "s", "t")); err == nil || !strings.HasSuffix(err.Error(), "run mcpgen "+want) {
			t.Errorf("%q: %v", caller, err)
		}
	}
}
