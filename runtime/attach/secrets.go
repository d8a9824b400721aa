// The secrets of servers: resolved when a session is opened, masked from then on.

package attach

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// learners are all who learn what is not to be shown: see [Host.Learn].
type learners struct {
	all sync.Map // endpoint.Learner → true
}

// AddResolved implements [endpoint.Learner].
func (l *learners) AddResolved(r endpoint.Resolved) {
	for m := range l.all.Range {
		m.(endpoint.Learner).AddResolved(r)
	}
}

// AddToken implements [endpoint.Learner].
func (l *learners) AddToken(source, token string) {
	for m := range l.all.Range {
		m.(endpoint.Learner).AddToken(source, token)
	}
}

// secrets are masked wherever the server is spoken of.
func (o *opener) secrets() []string { return slices.Concat(o.issued(), o.resolved.Secrets) }

// sensitive are those of them that nothing which the server lists may hold.
func (o *opener) sensitive() []string { return slices.Concat(o.issued(), o.resolved.Sensitive) }

// issued are the tokens that were handed out.
func (o *opener) issued() []string {
	if o.tokens == nil {
		return nil
	}
	return o.tokens.Secrets()
}

// mask makes a text of or about the server fit to be shown.
func (o *opener) mask(text string) string { return quote.Mask(text, o.secrets()) }

// errNoInput is an input that nobody gives; the text that names it says so.
var errNoInput = errors.New("the input is not known")

// resolve expands the texts of the server. Secrets come from Options.Secrets if
// it is set; inputs are always the server's own to find.
func (o *opener) resolve(ctx context.Context) error {
	server := o.server
	if o.Secrets != nil {
		own := server.Secret
		server.Secret = func(name string, r endpoint.Reference) (string, error) {
			switch {
			case r.Kind == endpoint.ReferenceSecret:
				return o.Secrets(ctx, o.server, r.Name)
			case own != nil:
				return own(name, r)
			}
			return "", errNoInput
		}
	}
	var err error
	o.resolved, err = server.Resolve(o.LookupEnv)
	o.learners.AddResolved(o.resolved)
	if err == nil && o.worked == "" { // and not again when it is started again
		o.warnUnset()
	}
	return err
}

// warnUnset warns of texts that go without a variable: their system does so in
// silence, and a server without its key says many things, but hardly that.
func (o *opener) warnUnset() {
	for _, text := range o.resolved.Unset {
		detail := text + ", and the value is used without it: set it where this program runs"
		o.log.Warn(fmt.Sprintf("MCP server %q: %s", o.server.Name, detail))
		o.settings.notifier.event(event.Event{Kind: event.Notice, Server: o.server.Name, Detail: detail})
	}
}

// errRepeats is an item in whose definition the server repeats its secret. It is
// left out: what is listed is shown to models and kept in files.
var errRepeats = hint.New("it contains a secret that was given to the server", "this has to be fixed in the server")

// repeats reports whether a definition holds a secret of the server's own: as it
// was sent, or in one of its texts.
func (s *session) repeats(def json.RawMessage) bool {
	secrets := s.sensitive()
	if len(secrets) == 0 {
		return false
	}
	if holds(string(def), secrets) {
		return true
	}
	for d := json.NewDecoder(bytes.NewReader(def)); ; {
		t, err := d.Token()
		if err != nil {
			return false
		}
		if text, ok := t.(string); ok && holds(text, secrets) {
			return true
		}
	}
}

func holds(text string, secrets []string) bool {
	return slices.ContainsFunc(secrets, func(secret string) bool { return strings.Contains(text, secret) })
}

// withhold takes the secrets out of what a server says of itself.
func (h handshakeResult) withhold(secrets []string) handshakeResult {
	h.instructions = quote.Mask(h.instructions, secrets)
	h.name, h.version = quote.Mask(h.name, secrets), quote.Mask(h.version, secrets)
	if holds(string(h.identity), secrets) {
		h.identity = nil
	}
	if holds(string(h.capabilities), secrets) {
		h.capabilities = nil
	}
	return h
}
