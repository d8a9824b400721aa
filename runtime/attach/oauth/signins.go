// Sign-ins: one at a time, and with a pause after one that failed.

package oauth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// signInPause is how long no person is asked again after a failed sign-in.
const signInPause = time.Minute

// signIns holds the sign-ins of all servers of one program.
type signIns struct {
	turn chan struct{} // holds one: a person can look at one page
	now  func() time.Time

	mu   sync.Mutex
	last map[string]*signIn // by server and client, and requested scopes
}

// signIn is a sign-in that has ended.
type signIn struct {
	ended  time.Time
	err    error
	source *source // its tokens; nil if it failed
	again  int     // how many sign-ins preceded it, each soon after the previous one
}

// maxAgain is how many sign-ins may follow a successful one, each within signInPause
// of the previous one: a server whose tokens expire at once must not show a page for
// each request.
const maxAgain = 3

func newSignIns(now func() time.Time) *signIns {
	return &signIns{turn: make(chan struct{}, 1), now: now, last: map[string]*signIn{}}
}

// errShown marks a failure after a page was shown to a person. Before that no person
// was disturbed, and the next attempt may follow at once.
type errShown struct{ error }

func (e errShown) Unwrap() error { return e.error }

// do runs a sign-in when its turn comes. If another session of the same server has
// just signed in, or did so while this one waited, the result of that sign-in is
// used; own is this session's current source.
func (s *signIns) do(ctx context.Context, key string, own *source, run func() (*source, error)) (*source, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.Lock()
	last := s.last[key]
	s.mu.Unlock()
	again := 0
	if last != nil {
		left := signInPause - s.now().Sub(last.ended)
		switch {
		case left <= 0:
		case last.err != nil:
			return nil, fmt.Errorf("%w; the next sign-in is possible in %v", last.err, left.Round(time.Second))
		case last.source != own:
			return last.source, nil
		case last.again == maxAgain:
			err := fmt.Errorf("the server soon refused the tokens of the last %d sign-ins; the next sign-in is possible in %v",
				maxAgain+1, left.Round(time.Second))
			return nil, hint.With(err, "ask the operator of the server")
		default:
			again = last.again + 1
		}
	}
	got, err := run()
	if shown := (errShown{}); err == nil || errors.As(err, &shown) {
		if err != nil {
			err = shown.error
		}
		s.mu.Lock()
		s.last[key] = &signIn{ended: s.now(), err: err, source: got, again: again}
		s.mu.Unlock()
	}
	return got, err
}
