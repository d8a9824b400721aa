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
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
)

// Store keeps tokens in one file that only its owner can read. The file is written
// completely or not at all, and an unreadable file is never overwritten. Its methods
// are safe for concurrent use, also by several processes.
type Store struct{ path string }

// OpenStore returns the store at a path. The file and its folder are created when the
// first token is stored.
func OpenStore(path string) *Store { return &Store{path: path} }

// DefaultPath returns the default path of the store, in the user's configuration
// folder.
func DefaultPath() (string, error) { return statefile.Path("tokens.json") }

// Path returns the path of the file.
func (s *Store) Path() string { return s.path }

// entry holds the tokens for one server and client.
type entry struct {
	Server       string    `json:"server"`
	Issuer       string    `json:"issuer,omitempty"` // as configured
	ClientID     string    `json:"client_id"`        // configured or registered
	ClientSecret string    `json:"client_secret,omitempty"`
	TokenURL     string    `json:"token_url"`
	AuthStyle    int       `json:"auth_style,omitempty"`
	Scopes       []string  `json:"scopes,omitempty"` // granted
	AccessToken  string    `json:"access_token"`
	TokenType    string    `json:"token_type,omitempty"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expiry       time.Time `json:"expiry,omitzero"`
}

func (e *entry) token() *oauth2.Token {
	return &oauth2.Token{
		AccessToken: e.AccessToken, TokenType: e.TokenType, RefreshToken: e.RefreshToken, Expiry: e.Expiry,
	}
}

// take puts a new token into the entry, unless it is unusable. Without a new refresh
// token, the old one stays valid.
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

// good reports whether the token is valid for longer than early.
func (e *entry) good() bool {
	return e.AccessToken != "" && (e.Expiry.IsZero() || time.Until(e.Expiry) > early)
}

// early is how long before its expiry a token is refreshed.
const early = 30 * time.Second

func (e *entry) config() *oauth2.Config {
	return &oauth2.Config{
		ClientID: e.ClientID, ClientSecret: e.ClientSecret, Scopes: e.Scopes,
		Endpoint: oauth2.Endpoint{TokenURL: e.TokenURL, AuthStyle: oauth2.AuthStyle(e.AuthStyle)},
	}
}

// keyOf returns the key of an entry: a server may be used by several clients.
func keyOf(serverURL, clientID string) string { return serverURL + " " + clientID }

// file is the content of the file.
type file struct {
	Version int               `json:"mcpgen"`
	Tokens  map[string]*entry `json:"tokens"`
}

const (
	fileVersion = 1
	lockTime    = 10 * time.Second // to lock the file, which is held for a moment
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

// put stores an entry.
func (s *Store) put(ctx context.Context, key string, e *entry) error {
	return s.change(ctx, func(all map[string]*entry) bool {
		all[key] = e
		return true
	})
}

// change has f change the entries, and writes them if f returns true. Other processes
// wait.
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

// alone runs f while no other process runs one for this key. The whole file is not
// locked, since a refresh takes too long for that.
func (s *Store) alone(ctx context.Context, key string, f func() error) error {
	sum := sha256.Sum256([]byte(key))
	lock := statefile.File{Path: s.path + "." + hex.EncodeToString(sum[:6])}
	return lock.Update(ctx, func([]byte) ([]byte, error) { return nil, f() })
}

func (s *Store) file() statefile.File { return statefile.File{Path: s.path, Private: true} }

// parse parses the file. A damaged or newer file is an error, and is left unchanged.
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
		// The decoder's text may quote a token.
		return nil, hint.With(fmt.Errorf("%s: the file is damaged, and mcpgen did not change it", place),
			"fix the file", "move the file away and sign in again")
	}
	if f.Version != fileVersion {
		err := fmt.Errorf("%s: written in version %d of the format, but this mcpgen reads only version %d",
			s.path, f.Version, fileVersion)
		return nil, hint.With(err, "use a newer mcpgen", "move the file away and sign in again")
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
