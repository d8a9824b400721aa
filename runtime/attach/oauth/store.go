// Tokens on disk, shared by the processes of one user.

package oauth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
	"github.com/mcpgen/mcpgen/runtime/internal/statefile"
)

// Store keeps tokens in one file that only its owner can read. It is written
// whole or not at all, and a file that cannot be read is never written over. Its
// methods are safe for concurrent use, by several processes too.
type Store struct{ path string }

// OpenStore returns the store at a path. The file and its folder are made when
// the first token is kept.
func OpenStore(path string) *Store { return &Store{path: path} }

// DefaultPath returns where tokens are kept unless a program says otherwise: in
// the user's configuration folder.
func DefaultPath() (string, error) { return statefile.Path("tokens.json") }

// Path returns where the file is.
func (s *Store) Path() string { return s.path }

// entry is what is kept for one server and client.
type entry struct {
	Server       string    `json:"server"`
	Issuer       string    `json:"issuer,omitempty"` // as configured
	ClientID     string    `json:"client_id"`        // configured or registered
	ClientSecret string    `json:"client_secret,omitempty"`
	TokenURL     string    `json:"token_url"`
	AuthStyle    int       `json:"auth_style,omitempty"`
	Scopes       []string  `json:"scopes,omitempty"` // that were granted
	AccessToken  string    `json:"access_token"`
	TokenType    string    `json:"token_type,omitempty"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expiry       time.Time `json:"expiry,omitzero"`
}

func (e *entry) token() *oauth2.Token {
	return &oauth2.Token{AccessToken: e.AccessToken, TokenType: e.TokenType, RefreshToken: e.RefreshToken, Expiry: e.Expiry}
}

// take puts a new token into the entry, if it can be used at all. A server that sends no
// new refresh token means the old one to go on.
func (e *entry) take(t *oauth2.Token) error {
	if err := token.Check(t); err != nil {
		return err
	}
	e.AccessToken, e.TokenType, e.Expiry = t.AccessToken, t.TokenType, t.Expiry
	if t.RefreshToken != "" {
		e.RefreshToken = t.RefreshToken
	}
	return nil
}

// good reports whether the token can still be used for a while.
func (e *entry) good() bool {
	return e.AccessToken != "" && (e.Expiry.IsZero() || time.Until(e.Expiry) > early)
}

// early is how long before its end a token is refreshed.
const early = 30 * time.Second

func (e *entry) config() *oauth2.Config {
	return &oauth2.Config{
		ClientID: e.ClientID, ClientSecret: e.ClientSecret, Scopes: e.Scopes,
		Endpoint: oauth2.Endpoint{TokenURL: e.TokenURL, AuthStyle: oauth2.AuthStyle(e.AuthStyle)},
	}
}

// keyOf tells entries apart: a server may be used as several clients.
func keyOf(serverURL, clientID string) string { return serverURL + " " + clientID }

// file is the whole file.
type file struct {
	Version int               `json:"mcpgen"`
	Tokens  map[string]*entry `json:"tokens"`
}

const (
	fileVersion = 1
	lockTime    = 10 * time.Second // for the file, which is held for a moment
)

// get returns the entry of a key; nil if there is none.
func (s *Store) get(key string) (*entry, error) {
	data, err := s.file().Read()
	if err != nil {
		return nil, storeError(err)
	}
	all, err := s.parse(data)
	if err != nil {
		return nil, err
	}
	return all[key], nil
}

// put keeps an entry.
func (s *Store) put(ctx context.Context, key string, e *entry) error {
	return s.change(ctx, func(all map[string]*entry) bool {
		all[key] = e
		return true
	})
}

// change lets f change the entries, and writes them unless f reports that there is
// nothing to write. Other processes wait.
func (s *Store) change(ctx context.Context, f func(map[string]*entry) bool) error {
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	return storeError(s.file().Update(ctx, func(data []byte) ([]byte, error) {
		all, err := s.parse(data)
		if err != nil || !f(all) {
			return nil, err
		}
		data, err = json.MarshalIndent(file{fileVersion, all}, "", "  ")
		return append(data, '\n'), err
	}))
}

// alone runs f while no other process does the same for this key. A refresh takes
// longer than the whole file may be held.
func (s *Store) alone(ctx context.Context, key string, f func() error) error {
	sum := sha256.Sum256([]byte(key))
	lock := statefile.File{Path: s.path + "." + hex.EncodeToString(sum[:6])}
	return lock.Update(ctx, func([]byte) ([]byte, error) { return nil, f() })
}

func (s *Store) file() statefile.File { return statefile.File{Path: s.path, Private: true} }

// parse reads the file. One that is damaged or newer is an error, and so stays as
// it is.
func (s *Store) parse(data []byte) (map[string]*entry, error) {
	if data == nil {
		return map[string]*entry{}, nil
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		var at *json.SyntaxError
		place := s.path
		if errors.As(err, &at) {
			place = fmt.Sprintf("%s:%d", s.path, 1+bytes.Count(data[:min(int(at.Offset), len(data))], []byte("\n")))
		}
		// The decoder's own words may quote a token.
		return nil, hint.With(fmt.Errorf("%s: the file is damaged and was left as it is", place), "fix it", "move it away and sign in again")
	}
	if f.Version != fileVersion {
		return nil, hint.With(fmt.Errorf("%s: written in version %d of the format, and only %d is known", s.path, f.Version, fileVersion), "use a newer mcpgen", "move the file away and sign in again")
	}
	all := map[string]*entry{}
	for key, e := range f.Tokens {
		if e != nil {
			all[key] = e
		}
	}
	return all, nil
}

func storeError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("oauth tokens: %w", err)
}
