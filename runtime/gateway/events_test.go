package gateway

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// The streams of one caller do not displace those of another, and nothing is kept of a session
// that has ended.
func TestEventsOfCallers(t *testing.T) {
	ctx := map[string]context.Context{}
	for _, caller := range []string{"ann", "bob"} {
		verify := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
			return &auth.TokenInfo{UserID: caller}, nil
		}
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Authorization", "Bearer x")
		auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			ctx[caller] = r.Context()
		})).ServeHTTP(httptest.NewRecorder(), r)
	}
	e := newCallerEvents()
	put := func(caller, session, stream string, data []byte) {
		t.Helper()
		for _, name := range []string{"", stream} {
			if err := e.Open(ctx[caller], session, name); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Append(context.Background(), session, stream, data); err != nil {
			t.Fatal(err)
		}
	}
	kept := func(session, stream string) (got string) {
		for data, err := range e.After(context.Background(), session, stream, -1) {
			if err != nil {
				return err.Error()
			}
			got += string(data)
		}
		return got
	}
	put("ann", "a", "1", []byte("answer"))
	for i := range 30 {
		put("bob", "b", fmt.Sprint(i), make([]byte, 1<<20))
	}
	if got := kept("a", "1"); got != "answer" {
		t.Errorf("ann's: %q", got)
	}
	if got := kept("b", "0"); got == string(make([]byte, 1<<20)) {
		t.Error("all of bob's is kept")
	}
	if len(e.callers) != 2 {
		t.Errorf("%d callers", len(e.callers))
	}
	_ = e.SessionClosed(context.Background(), "b")
	_ = e.Append(context.Background(), "b", "late", []byte("x"))
	if err := e.Open(ctx["bob"], "b", "late"); err == nil {
		t.Error("a session that has ended has another stream")
	}
	if len(e.callers) != 1 || len(e.sessions) != 1 || kept("b", "0") == "" || kept("a", "1") != "answer" {
		t.Errorf("after the end: %v, %v", e.callers, e.sessions)
	}
}
