package gateway

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// An authorization server is asked about a valid token once in ten seconds, about another
// one each time, and no answer outlives its token.
func TestAnswersAboutTokens(t *testing.T) {
	asked := map[string]int{}
	now := time.Unix(1000, 0)
	verify := rememberAnswers(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		asked[token]++
		if token == "bad" {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: token, Expiration: time.Unix(1025, 0), Extra: map[string]any{}}, nil
	}, func() time.Time { return now })
	ask := func(token string, want int) {
		t.Helper()
		info, err := verify(t.Context(), token, nil)
		if (err != nil) != (token == "bad") {
			t.Errorf("%s: %v", token, err)
		}
		if err == nil {
			if info.UserID != token || len(info.Extra) != 0 {
				t.Errorf("%s is %s with %v", token, info.UserID, info.Extra)
			}
			info.Extra["used"] = true
		}
		if asked[token] != want {
			t.Errorf("at %d s, the server was asked %d times about %s, want %d", now.Unix()-1000, asked[token], token, want)
		}
	}
	ask("ann", 1)
	ask("ann", 1)
	ask("bob", 1)
	ask("bad", 1)
	ask("bad", 2)
	now = time.Unix(1011, 0)
	ask("ann", 2)
	now = time.Unix(1020, 0)
	ask("ann", 2)
	now = time.Unix(1022, 0)
	ask("ann", 3)
	now = time.Unix(1026, 0) // the token has expired
	ask("ann", 4)
	ask("ann", 5)
	for range 2 * mostAnswers {
		now = now.Add(time.Microsecond)
		ask(newID(), 1)
	}
}
