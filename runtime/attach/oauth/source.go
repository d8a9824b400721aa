// Tokens that are refreshed in the store.

package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// source gives the token of one entry.
type source struct {
	store  *Store // nil: tokens are only kept in memory
	key    string
	client *http.Client

	mu    sync.Mutex
	entry *entry
}

// refreshTime bounds a refresh, including the wait for other processes.
const refreshTime = time.Minute

// errExpired returns the error of an expired token without a refresh token. It has
// the form of a server's refusal, which has the same consequence: a new sign-in.
func errExpired() error {
	const why = "the token has expired and there is none to refresh it with"
	return &oauth2.RetrieveError{ErrorCode: "invalid_grant", ErrorDescription: why}
}

// Token implements [oauth2.TokenSource].
func (s *source) Token() (*oauth2.Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entry.good() {
		return s.entry.token(), nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), refreshTime)
	defer cancel()
	if s.store == nil {
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
		return s.entry.token(), nil
	}
	// Many refresh tokens can be used only once: one process refreshes, and the
	// others read the new token.
	if err := s.store.alone(ctx, s.key, func() error { return s.renew(ctx) }); err != nil {
		return nil, err
	}
	return s.entry.token(), nil
}

// renew takes the token that another process has got meanwhile, or else refreshes and
// stores it.
func (s *source) renew(ctx context.Context) error {
	kept, err := s.store.get(s.key)
	if err != nil {
		return err
	}
	if kept != nil {
		s.entry = kept
	}
	if s.entry.good() {
		return nil
	}
	if err := s.refresh(ctx); err != nil {
		return err
	}
	return s.store.put(ctx, s.key, s.entry)
}

// refresh gets a new token for the old one.
func (s *source) refresh(ctx context.Context) error {
	if s.entry.RefreshToken == "" {
		return errExpired()
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, s.client)
	token, err := s.entry.config().TokenSource(ctx, &oauth2.Token{RefreshToken: s.entry.RefreshToken}).Token()
	var refused *oauth2.RetrieveError
	switch {
	case err == nil:
		fresh := *s.entry
		if err := fresh.take(token); err != nil {
			return err
		}
		s.entry = &fresh
		return nil
	case errors.As(err, &refused):
		return err
	}
	return fmt.Errorf("the token cannot be refreshed: %w", err)
}
