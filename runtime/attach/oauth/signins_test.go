package oauth

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// A server that accepts no token, or a person who refuses, costs one page: not one
// for each request, call or attempt to attach.
func TestOnePage(t *testing.T) {
	for name, set := range map[string]func(*world){
		"no token is accepted":   func(w *world) { w.deaf = true },
		"the sign-in is refused": func(w *world) { w.denied = true },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			set(w)
			v := &visits{}
			s := w.server(endpoint.AuthOAuth)
			addressOf(s.Launch).Transport = endpoint.Auto
			opts := &attach.Options{Auth: []attach.AuthFunc{New(Options{Flow: Browser(BrowserOptions{Open: v.open})})}}
			for range 2 {
				h, err := attach.Connect(t.Context(), []endpoint.Server{s}, opts)
				if err != nil {
					t.Fatal(err)
				}
				defer h.Close()
				if err := h.Err(); !errors.Is(err, runtime.ErrAuth) || !strings.Contains(err.Error(), "the next sign-in is possible in 1m0s") && h.Status()[0].LastErr == nil {
					t.Errorf("got %v", err)
				}
				if v.count() != 1 {
					t.Fatalf("%d pages while attaching", v.count())
				}
			}
		})
	}
}

// The same while the server is attached: calls, and all that is done to reach it
// again.
func TestOnePageForCalls(t *testing.T) {
	w := newWorld(t)
	v := &visits{}
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: Browser(BrowserOptions{Open: v.open}), Store: OpenStore(t.TempDir() + "/tokens.json")})
	if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	w.deaf = true
	w.mu.Unlock()
	for range 10 {
		if err := callTool(t, h); !errors.Is(err, runtime.ErrAuth) {
			t.Errorf("got %v", err)
		}
	}
	if v.count() != 2 { // the first sign-in, and one for the token that is refused now
		t.Errorf("%d pages", v.count())
	}
}

// oneAtATime is a person who looks at one page, and finds out about another.
type oneAtATime struct {
	Flow
	open, most atomic.Int64
}

func (f *oneAtATime) Begin(ctx context.Context, r Request) (Login, error) {
	l, err := f.Flow.Begin(ctx, r)
	f.most.Store(max(f.most.Load(), f.open.Add(1)))
	return closing{l, f}, err
}

type closing struct {
	Login
	f *oneAtATime
}

func (c closing) Close() error {
	c.f.open.Add(-1)
	return c.Login.Close()
}

func TestOnePageAtATime(t *testing.T) {
	flow := &oneAtATime{Flow: Browser(BrowserOptions{Open: (&visits{}).open})}
	var servers []endpoint.Server
	for _, name := range []string{"a", "b", "c"} {
		s := newWorld(t).server(endpoint.AuthOAuth)
		s.Name = name
		servers = append(servers, s)
	}
	h, err := attach.Connect(t.Context(), servers, &attach.Options{Auth: []attach.AuthFunc{New(Options{Flow: flow})}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Err(); err != nil || flow.most.Load() != 1 {
		t.Errorf("%d pages at the same time, %v", flow.most.Load(), err)
	}
}

// After the pause somebody is asked again; what was got meanwhile is shared; a
// failure before a page was shown is not a reason to wait.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSignIns(time.Now)
		no := errors.New("no")
		runs := 0
		try := func(own *source, got *source, err error) (*source, error) {
			return s.do(t.Context(), "k", own, func() (*source, error) { runs++; return got, err })
		}
		_, _ = try(nil, nil, no)
		if _, err := try(nil, nil, errShown{no}); runs != 2 || err == nil {
			t.Errorf("%d runs, %v", runs, err)
		}
		time.Sleep(20 * time.Second)
		if _, err := try(nil, nil, nil); runs != 2 || !errors.Is(err, no) || !strings.Contains(err.Error(), "possible in 40s") {
			t.Errorf("%d runs, %v", runs, err)
		}
		time.Sleep(40 * time.Second)
		first, second := &source{}, &source{}
		if got, err := try(nil, first, nil); runs != 3 || got != first || err != nil {
			t.Errorf("%d runs, %v", runs, err)
		}
		if got, err := try(nil, nil, no); runs != 3 || got != first || err != nil {
			t.Errorf("what there is is not used: %d runs, %v", runs, err)
		}
		if got, err := try(first, second, nil); runs != 4 || got != second || err != nil {
			t.Errorf("a token that ended is not replaced: %d runs, %v", runs, err)
		}
	})
}

// The page's address, which a server chooses, moves nothing on a terminal.
func TestPageIsPlain(t *testing.T) {
	w := newWorld(t)
	w.page = "/\u202egnp.exe\u009b31m\u2066 \u2028x"
	out := &syncBuffer{}
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open, Out: out})})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if r > '~' || r < ' ' && r != '\n' {
			t.Fatalf("%q in %q", r, out)
		}
	}
	if !strings.Contains(out.String(), "/authorize/%E2%80%AEgnp.exe") {
		t.Errorf("the address is not shown: %q", out)
	}
}
