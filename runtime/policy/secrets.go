// The permissions of servers to get secrets.

package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// A SecretSource returns the value of a secret by its name. For an unknown secret the
// error wraps [ErrNoSecret]. Errors never quote a value.
type SecretSource func(ctx context.Context, name string) (string, error)

// FirstOf queries the sources in their order until one has the secret. An error other
// than [ErrNoSecret] ends the search: a broken source must not be skipped in favour
// of one with another value. Nil sources are skipped. If no source has the secret,
// the error has the next steps of the last source whose error has some.
func FirstOf(sources ...SecretSource) SecretSource {
	return func(ctx context.Context, name string) (string, error) {
		absent := ErrNoSecret
		for _, source := range sources {
			if source == nil {
				continue
			}
			value, err := source(ctx, name)
			if err == nil || !errors.Is(err, ErrNoSecret) {
				return value, err
			}
			if steps := nextSteps(err); steps != nil {
				absent = hint.With(ErrNoSecret, steps...)
			}
		}
		return "", absent
	}
}

// AllowSecret adds a rule for secrets. It applies to servers that are started from
// then on.
func (p *Policy) AllowSecret(r SecretRule) error { return p.allowSecret(r, p.servers, nil) }

func (p *Policy) allowSecret(r SecretRule, servers names, of serverSet) error {
	if r.Secret == "" {
		return hint.New("the rule names no secret", "add the key secret: the name of a secret, or a pattern")
	}
	name, err := parseGlob(r.Secret, true, '/')
	if err != nil {
		return fmt.Errorf("secret %q: %w", r.Secret, err)
	}
	if r.Tool == "" {
		return hint.With(fmt.Errorf("the rule for %q names no tools", r.Secret),
			`for every server, write tool: "*"`, "for one server, write tool: mcp.<server>.*")
	}
	tools, err := secretTools(r.Tool)
	if err != nil {
		return err
	}
	if tools, err = servers.resolveOwner(tools); err != nil {
		return nil // it cannot distinguish two servers, and so allows neither
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.secrets = append(p.secrets, secretPermission{r, name, tools, of})
	return nil
}

// secretTools parses the tools of a rule for secrets. Scarab omits the prefix
// tool.invoke: there.
func secretTools(text string) (rule, error) {
	if strings.HasPrefix(text, "mcp.") {
		text = "tool.invoke:" + text
	}
	return parseRule(text)
}

// AllowsSecret reports whether a server may get a secret, and by which rule. A nil
// policy allows none.
func (p *Policy) AllowsSecret(server, name string) (SecretRule, bool) {
	if p == nil {
		return SecretRule{}, false
	}
	now := p.now()
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, r := range p.secrets {
		ended := !r.Until.IsZero() && !now.Before(r.Until)
		if !ended && r.name.match(name) && r.tools.whole(server) && r.of.has(server) {
			return r.SecretRule, true
		}
	}
	return SecretRule{}, false
}

// Secrets returns the function by which attach looks up secrets: a secret that no
// rule allows the server is never looked up. Each request is reported to
// [Options.OnEvent], with the name and without the value. Errors are of type
// [*SecretError]. A nil policy allows no secret; a nil source has none.
func (p *Policy) Secrets(source SecretSource) func(context.Context, endpoint.Server, string) (string, error) {
	return func(ctx context.Context, server endpoint.Server, name string) (string, error) {
		r, ok := p.AllowsSecret(server.Name, name)
		if p != nil {
			p.event(event.Event{Server: server.Name, Allowed: ok, Detail: secretDetail(name, r, ok)})
		}
		if !ok {
			return "", &SecretError{Server: server.Name, Secret: name,
				Reason: fmt.Sprintf("no secret policy allows the server %q to get this secret", server.Name),
				steps:  p.secretSteps(server.Name, name)}
		}
		err := ErrNoSecret
		var value string
		if source != nil {
			value, err = source(ctx, name)
		}
		switch {
		case errors.Is(err, ErrNoSecret):
			return "", &SecretError{Server: server.Name, Secret: name, cause: err,
				Reason: "the server may get the secret, but no source has its value",
				steps:  append([]string{"store it with mcpgen secrets set " + shellQuote(name)}, nextSteps(err)...)}
		case err != nil:
			return "", &SecretError{Server: server.Name, Secret: name, cause: err, Reason: err.Error()}
		case value == "":
			return "", &SecretError{Server: server.Name, Secret: name, cause: ErrNoSecret,
				Reason: "it is empty", steps: []string{"store it with mcpgen secrets set " + shellQuote(name)}}
		}
		return value, nil
	}
}

// nextSteps returns the next steps of an error of a source.
func nextSteps(err error) []string {
	if with, ok := errors.AsType[hint.Stepper](err); ok {
		return with.NextSteps()
	}
	return nil
}

// secretSteps returns the next steps after a request for a secret that no rule
// allows.
func (p *Policy) secretSteps(server, name string) []string {
	var file, mcp, in string
	if p != nil {
		file, mcp, in = p.files[server], p.mcp, p.in
	}
	var steps []string
	switch {
	case file != "":
		steps = append(steps, "add the secret to the secret policies in "+file)
	case p == nil, in == ownList: // else the key policy would replace the permissions of other files
		const entry = "add this entry to policy.secrets: {label: …, secret: %s, tool: \"mcp.%s.*\"}"
		steps = append(steps, fmt.Sprintf(entry, name, server))
	}
	return append(steps, "run "+GrantCommand("secret:"+name, cmp.Or(file, mcp), ""))
}

func secretDetail(name string, r SecretRule, ok bool) string {
	switch {
	case !ok:
		return fmt.Sprintf("the secret %q: no secret policy allows it", name)
	case r.Label != "":
		return fmt.Sprintf("the secret %q: allowed by the secret policy %q", name, r.Label)
	}
	return fmt.Sprintf("the secret %q: a secret policy allows it", name)
}

// shellQuote quotes a word for a shell, if necessary.
func shellQuote(word string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./:@%+=,", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
