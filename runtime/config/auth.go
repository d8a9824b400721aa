// The key auth of a server in mcpgen.yaml.

package config

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Auth says how requests to a remote server are authorised. Exactly one key is set.
type Auth struct {
	Google *GoogleAuth `json:"google_oauth,omitempty" jsonschema_description:"Google's application default credentials."`
	OAuth  *OAuth      `json:"oauth,omitempty" jsonschema_description:"OAuth with a client of your own."`
	None   bool        `json:"none,omitempty" jsonschema:"default=false" jsonschema_description:"True never starts OAuth, whatever the server asks for."`
}

// GoogleAuth holds the scopes of Google's credentials.
type GoogleAuth struct {
	Scopes []string `json:"scopes" jsonschema_description:"At least one scope."`
}

// OAuth holds the OAuth settings of a server. Missing settings are discovered from the server.
type OAuth struct {
	endpoint.Auth
	ClientCredentials bool `json:"client_credentials,omitempty" jsonschema:"default=false" jsonschema_description:"True signs in as the client itself, without a user."`
}

// authOf checks and returns the authorisation of a server.
func (l *loader) authOf(entry *Entry, n *tree.Node, at tree.Path) endpoint.Auth {
	node := n.Value("auth")
	if entry.Auth == nil || node == nil || node.Kind != tree.Map {
		return endpoint.Auth{}
	}
	at = at.Key("auth")
	if len(node.Members) != 1 {
		l.Fail(node.Pos, at, "want exactly one way to authorise", "keep one of google_oauth, oauth, none")
	}
	switch a := entry.Auth; {
	case a.Google != nil:
		if scopes := node.Value("google_oauth").Value("scopes"); scopes != nil && !hasText(a.Google.Scopes) {
			l.Fail(scopes.Pos, at.Key("google_oauth").Key("scopes"), "at least one scope is needed, and there is no default")
		}
		return endpoint.Auth{Kind: endpoint.AuthGoogle, Scopes: a.Google.Scopes}
	case a.OAuth != nil:
		return l.oauth(a.OAuth, node.Value("oauth"), at.Key("oauth"))
	case a.None:
		return endpoint.Auth{Kind: endpoint.AuthNone}
	}
	return endpoint.Auth{}
}

func hasText(texts []string) bool {
	return len(texts) > 0 && !slices.ContainsFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
}

func (l *loader) oauth(o *OAuth, n *tree.Node, at tree.Path) endpoint.Auth {
	vars := texts.Own(l.dir)
	for _, m := range n.Members {
		if m.Value.Kind != tree.String {
			continue
		}
		err := vars.Variables(endpoint.FieldAuth, m.Value.Text)
		if err == nil && (strings.HasSuffix(m.Name, "_url") || m.Name == "issuer") {
			err = vars.URL(m.Value.Text)
		}
		if err != nil {
			l.FailErr(m.Value.Pos, at.Key(m.Name), err)
		}
	}
	if port := n.Value("callback_port"); port != nil && port.Kind == tree.Int && (o.CallbackPort < 1 || o.CallbackPort > 65535) {
		l.Fail(port.Pos, at.Key("callback_port"), "want a number from 1 to 65535")
	}
	made := o.Auth
	made.Kind = endpoint.AuthOAuth
	if o.ClientCredentials {
		made.Kind = endpoint.AuthClientCredentials
	}
	return made
}
