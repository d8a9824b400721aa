// The secrets of servers: looked up when a session is opened, and masked from then
// on.

package attach

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// learners holds the learners of values that must not be shown: see [Host.Learn].
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

// secrets returns the server's own values to mask.
func (o *opener) secrets() []string { return slices.Concat(o.issued(), o.resolved.Secrets) }

// sensitive returns the secrets that must not appear in what the server lists.
func (o *opener) sensitive() []string { return slices.Concat(o.issued(), o.resolved.Sensitive) }

// issued returns the tokens that were issued.
func (o *opener) issued() []string {
	if o.tokens == nil {
		return nil
	}
	return o.tokens.Secrets()
}

// mask makes a text of or about the server fit to be shown.
func (o *opener) mask(text string) string { return o.conceal(text, o.secrets()) }

// conceal removes the secrets of all servers of the host from a text. Own are those in
// use: the set of the host forgets the oldest of a crowd.
func (s *settings) conceal(text string, own []string) string {
	return quote.Mask(s.hidden.Text(text), own)
}

// errNoInput is the error of an unknown input, whose name is in the text around it.
var errNoInput = errors.New("the input is not known")

// resolve expands the texts of the server. Secrets come from Options.Secrets if it is
// set; inputs always come from the server's own Secret.
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
	if err == nil && o.worked == "" { // not again when the server is started again
		o.warnUnset()
	}
	return err
}

// warnUnset warns of texts with an unset variable. The systems that these texts come
// from ignore such variables silently, and a server without its key rarely reports
// the cause.
func (o *opener) warnUnset() {
	for _, text := range o.resolved.Unset {
		o.warn(hint.New(text, "set the variable where this program runs"))
	}
}

// warn logs something about the server that does not end its session, and makes it an event.
func (o *opener) warn(err error) {
	o.log.Warn(fmt.Sprintf("MCP server %q: %v", o.server.Name, err))
	o.settings.notifier.event(event.Event{Kind: event.Notice, Server: o.server.Name, Detail: err.Error()})
}

// proxyPasswords returns the passwords of the proxies that package net/http uses, alone
// and with their users.
func proxyPasswords() []string {
	var all []string
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		value := os.Getenv(name)
		u, err := url.Parse(value)
		if err != nil || u.Host == "" { // net/http accepts these without a scheme
			if u, err = url.Parse("http://" + value); err != nil {
				continue
			}
		}
		if password, ok := u.User.Password(); ok {
			all = append(all, password, u.User.Username()+":"+password)
		}
	}
	return all
}

// errRepeats is the error of a definition that contains a secret of the server. Such
// an item is left out, because listings are shown to models and kept in files.
var errRepeats = hint.New("the definition contains a secret that mcpgen gave to the server", "fix the server, or report the bug to its author")

// repeats reports whether a definition contains a secret, in its raw form or in one of
// its strings.
func repeats(def json.RawMessage, secrets []string) bool {
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

// withhold removes the secrets from what a server reports about itself.
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
