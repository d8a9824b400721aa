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
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"github.com/natefinch/atomic"
	"golang.org/x/oauth2"
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
func DefaultPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("oauth tokens: there is no folder to keep them in: %w: set HOME", err)
	}
	return filepath.Join(dir, "mcpgen", "tokens.json"), nil
}

// Path returns where the file is.
func (s *Store) Path() string { return s.path }

// Forget removes what is kept for a server and a configured client id, "" for a
// registered one. It reports whether there was something.
func (s *Store) Forget(ctx context.Context, serverURL, clientID string) (bool, error) {
	found := false
	err := s.change(ctx, func(all map[string]*entry) bool {
		key := keyOf(serverURL, clientID)
		_, found = all[key]
		delete(all, key)
		return found
	})
	return found, err
}

// entry is what is kept for one server and client.
type entry struct {
	Server       string    `json:"server"`
	ClientID     string    `json:"client_id"` // configured or registered
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

// take puts a new token into the entry. A server that sends no new refresh token
// means the old one to go on.
func (e *entry) take(t *oauth2.Token) {
	e.AccessToken, e.TokenType, e.Expiry = t.AccessToken, t.TokenType, t.Expiry
	if t.RefreshToken != "" {
		e.RefreshToken = t.RefreshToken
	}
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
	maxFile     = 16 << 20
	lockPause   = 20 * time.Millisecond
	lockTime    = 10 * time.Second // for the file, which is held for a moment
)

// get returns the entry of a key; nil if there is none.
func (s *Store) get(key string) (*entry, error) {
	all, err := s.read()
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

// change reads the file, lets f change it and writes it, unless f reports that
// there is nothing to write. Other processes wait.
func (s *Store) change(ctx context.Context, f func(map[string]*entry) bool) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("oauth tokens: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	unlock, err := s.lock(ctx, "")
	if err != nil {
		return err
	}
	defer unlock()
	all, err := s.read()
	if err != nil || !f(all) {
		return err
	}
	data, err := json.MarshalIndent(file{fileVersion, all}, "", "  ")
	if err != nil {
		return fmt.Errorf("oauth tokens: %w", err)
	}
	// The temporary file is its owner's alone from the beginning, and so is what
	// it becomes.
	if err := atomic.WriteFile(s.path, bytes.NewReader(append(data, '\n'))); err != nil {
		return fmt.Errorf("oauth tokens: %s cannot be written: %w", s.path, err)
	}
	return os.Chmod(s.path, 0o600)
}

// read returns all entries. A file that is damaged, newer, or open to others is
// an error, and stays as it is.
func (s *Store) read() (map[string]*entry, error) {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]*entry{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("oauth tokens: %w", err)
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("oauth tokens: %s is no file: move it away", s.path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("oauth tokens: %s can be read by others (mode %04o): run chmod 600 on it, and sign in again if others may have read it", s.path, info.Mode().Perm())
	case info.Size() > maxFile:
		return nil, fmt.Errorf("oauth tokens: %s is larger than %d bytes: move it away and sign in again", s.path, maxFile)
	}
	data, err := os.ReadFile(s.path)
	if err != nil {
		return nil, fmt.Errorf("oauth tokens: %w", err)
	}
	return s.parse(data)
}

func (s *Store) parse(data []byte) (map[string]*entry, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		var at *json.SyntaxError
		place := s.path
		if errors.As(err, &at) {
			place = fmt.Sprintf("%s:%d", s.path, 1+bytes.Count(data[:min(int(at.Offset), len(data))], []byte("\n")))
		}
		// The decoder's own words may quote a token.
		return nil, fmt.Errorf("oauth tokens: %s: the file is damaged and was left as it is: mend it, or move it away and sign in again", place)
	}
	if f.Version != fileVersion {
		return nil, fmt.Errorf("oauth tokens: %s: written in version %d of the format, and only %d is known: use a newer mcpgen, or move the file away and sign in again", s.path, f.Version, fileVersion)
	}
	for key, e := range f.Tokens {
		if e == nil {
			delete(f.Tokens, key)
		}
	}
	if f.Tokens == nil {
		f.Tokens = map[string]*entry{}
	}
	return f.Tokens, nil
}

// lock takes a lock that other processes see: with a key that of one entry, for
// as long as a refresh takes, else that of the file.
func (s *Store) lock(ctx context.Context, key string) (unlock func(), err error) {
	path := s.path + ".lock"
	if key != "" {
		sum := sha256.Sum256([]byte(key))
		path = s.path + "." + hex.EncodeToString(sum[:6]) + ".lock"
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	if ok, err := l.TryLockContext(ctx, lockPause); err != nil || !ok {
		return nil, fmt.Errorf("oauth tokens: %s is held by another process: try again, or remove it if there is none: %w", path, err)
	}
	return func() { _ = l.Unlock() }, nil
}
