package serving

// This file says who may call the gateway of serve, and with what the callers reach servers: their sessions, tokens
// and secrets.

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/gateway"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/mask"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// ownSessions returns the sessions of callers: each caller has its own with the named servers, and each
// session of a caller with the servers that may ask it.
func ownSessions(st *locks.State, names []string) (*attach.CallerSessions, error) {
	if len(names) == 0 {
		return &attach.CallerSessions{Sessions: true}, nil
	}
	servers, err := st.Targets(names)
	if err != nil {
		return nil, fmt.Errorf("--session-per-caller: %w", err)
	}
	own := func(s endpoint.Server) bool {
		return slices.ContainsFunc(servers, func(o endpoint.Server) bool { return o.Name == s.Name })
	}
	return &attach.CallerSessions{Sessions: true, Servers: own}, nil
}

// checkDelegation requires tokens of callers if servers get tokens made of these. Over standard input and
// output, servers get what the program itself sends.
func checkDelegation(st *locks.State, opts *Options) error {
	for _, s := range st.Selected() {
		if a, ok := s.Launch.(*endpoint.Address); ok && a.Auth.Callers.Token != "" && opts.HTTP != "" && !opts.byIssuer() {
			err := fmt.Errorf("--http %s: %s needs the tokens of callers (the key auth.callers), "+
				"but callers of this gateway have no token of an authorization server", opts.HTTP, s.Name)
			return hint.With(err, "pass --issuer and --resource", "leave the server out: --servers")
		}
	}
	return nil
}

// callerTokens finds the token of a caller for one server: the secret SERVER/CALLER. The environment is
// not searched: its names cannot distinguish all pairs.
func callerTokens(project *config.Project) attach.AuthFunc {
	secrets := secretsOfCallers(project)
	return func(ctx context.Context, target attach.AuthTarget) (attach.Credentials, error) {
		if target.Auth.Callers.Token != "" {
			return nil, nil
		}
		return secrets(ctx, target)
	}
}

// isPlainName reports whether the secret_command of a project may get the name of a caller. It is the subject of a
// token, which the caller may have chosen, and the command may be sh -c.
func isPlainName(caller string) bool {
	return !strings.ContainsAny(caller, "$`\\\"'|&;<>()*?[]{}!#~ \n\r\t\x00") &&
		!slices.Contains(strings.Split(caller, "/"), "..")
}

// secretsOfCallers returns the tokens that are stored for callers.
func secretsOfCallers(project *config.Project) attach.AuthFunc {
	none := func(string) (string, bool) { return "", false }
	stored := *project
	stored.SecretCommand = nil
	findAny, findStored := live.Secrets(project, none), live.Secrets(&stored, none)
	return token.Callers(func(ctx context.Context, server, caller string) (oauth2.TokenSource, error) {
		name, find := server+"/"+caller, findAny
		if !isPlainName(caller) {
			find = findStored
		}
		value, err := find(ctx, name)
		if errors.Is(err, policy.ErrNoSecret) {
			err = fmt.Errorf("auth: the caller has no token for this server: the secret %q is missing (%w)",
				name, runtime.ErrAuth)
			return nil, hint.With(err, "store it: mcpgen secrets set "+hint.Word(name))
		}
		if err != nil {
			return nil, fmt.Errorf("the secret %q: %w", name, err)
		}
		return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: value}), nil
	})
}

// ownCaller is the name of the caller with this user's token.
const ownCaller = "local"

// verifiers finds the secrets that authenticate callers, and the keys that seal state.
func verifiers(ctx context.Context, project *config.Project, hidden *mask.Set, opts *Options) (
	auth *gateway.Auth, keys *gateway.Keys, err error,
) {
	find := live.Secrets(project, nil)
	secret := func(what, name string) string {
		value, e := find(ctx, name)
		if e != nil {
			e = fmt.Errorf("%s: the secret %q: %w", what, name, e)
			err = errors.Join(err, hint.With(e, "store it: mcpgen secrets set "+hint.Word(name)))
		}
		hidden.Add(value)
		return value
	}
	switch {
	case len(opts.Callers) > 0 && opts.byIssuer():
		return nil, nil, errors.New("--caller and --issuer exclude each other: a gateway accepts only one kind of token")
	case len(opts.Callers) > 0:
		tokens := map[string]string{}
		for caller, name := range opts.Callers {
			tokens[caller] = secret("--caller "+caller, name)
		}
		if err == nil {
			auth, err = gateway.Tokens(tokens)
		}
	case opts.byCertificate():
		auth, err = opts.TLS.Auth()
	case opts.JWT != nil:
		auth, err = opts.JWT.Auth()
	case opts.OAuth != nil:
		o := *opts.OAuth
		if o.Secret = secret("--client-secret", o.Secret); err == nil {
			auth, err = o.Auth()
		}
	case opts.HTTP != "" && !opts.Open:
		var token string
		if token, opts.tokenFile, err = gateway.OwnToken(ctx); err == nil {
			hidden.Add(token)
			auth, err = gateway.Tokens(map[string]string{ownCaller: token})
		}
		if err != nil {
			err = hint.With(err, "say who may call: --caller NAME=SECRET", "let every user of this machine call: --open")
		}
	}
	var ring []gateway.Key
	for _, text := range opts.Keys {
		id, name, _ := strings.Cut(text, "=")
		value, e := base64.StdEncoding.DecodeString(secret("--key "+id, name))
		if e != nil {
			e = fmt.Errorf("--key %s: the secret %q is not base64", id, name)
			err = errors.Join(err, hint.With(e, "make a key: openssl rand -base64 32"))
		}
		ring = append(ring, gateway.Key{ID: id, Secret: value})
	}
	if err == nil && ring != nil {
		keys, err = gateway.NewKeys(ring...)
	}
	return auth, keys, err
}
