// The key auth of a server in mcpgen.yaml.

package config

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Auth says how requests to a remote server are authorised. At most one key besides callers is set.
type Auth struct {
	Google *googleKeys `json:"google_oauth,omitempty" jsonschema_description:"Google's application default credentials."`
	OAuth  *OAuth      `json:"oauth,omitempty" jsonschema_description:"OAuth with a client of your own."`
	None   bool        `json:"none,omitempty" jsonschema:"default=false" jsonschema_description:"With true, mcpgen never starts OAuth, even if the server asks for it."`

	Callers *endpoint.CallerAuth `json:"callers,omitempty" jsonschema_description:"How mcpgen serve makes a token for this server from the token of each caller. Each caller has its own session with the server."`
}

// googleKeys holds the scopes of Google's credentials.
type googleKeys struct {
	Scopes []string `json:"scopes" jsonschema_description:"The scopes to ask for; at least one."`
}

// OAuth holds the OAuth settings of a server. Missing settings are discovered from the server.
type OAuth struct {
	endpoint.Auth
	ClientCredentials bool `json:"client_credentials,omitempty" jsonschema:"default=false" jsonschema_description:"With true, mcpgen signs in as the client itself, without a user."`
}

// authOf checks and returns the authorisation of a server.
func (k *checker) authOf(entry *Entry, n *tree.Node, at tree.Path) endpoint.Auth {
	node := n.Value("auth")
	if entry.Auth == nil || node == nil || node.Kind != tree.Map {
		return endpoint.Auth{}
	}
	at = at.Key("auth")
	ways := len(node.Members)
	if node.Value("callers") != nil {
		ways = max(1, ways-1)
	}
	if ways != 1 {
		k.Fail(node.Pos, at, "want exactly one way to authorise", "keep one of google_oauth, oauth, none")
	}
	auth := k.ownAuth(entry.Auth, node, at)
	if c := entry.Auth.Callers; c != nil {
		auth.Callers = *c
		k.callers(&auth, node.Value("callers"), at.Key("callers"))
	}
	return auth
}

// callers checks how the tokens of callers are used.
func (k *checker) callers(a *endpoint.Auth, n *tree.Node, at tree.Path) {
	k.oneOf(n, at, "token", string(endpoint.TokenExchange), string(endpoint.TokenPassThrough))
	if v := n.Value("audience"); v != nil {
		if err := texts.Own(k.dir).Variables(endpoint.FieldAuth, v.Text); err != nil {
			k.FailErr(v.Pos, at.Key("audience"), err)
		}
	}
	switch c := a.Callers; {
	case c.Token == endpoint.TokenExchange &&
		(a.ClientID == "" || a.ClientSecret == "" || a.TokenURL == "" && a.MetadataURL == ""):
		k.Fail(n.Pos, at, "an exchange of tokens needs a client and the address of the token endpoint",
			"set client_id, client_secret and token_url in oauth")
	case c.Token == endpoint.TokenPassThrough && c.Audience == "":
		k.Fail(n.Pos, at, "mcpgen sends a caller's token only to a server that the token's audience names",
			"set the key audience to the name of the server in tokens")
	}
}

// ownAuth returns how the program's own requests are authorised.
func (k *checker) ownAuth(a *Auth, node *tree.Node, at tree.Path) endpoint.Auth {
	switch {
	case a.Google != nil:
		if scopes := node.Value("google_oauth").Value("scopes"); scopes != nil && !hasText(a.Google.Scopes) {
			k.Fail(scopes.Pos, at.Key("google_oauth").Key("scopes"), "at least one scope is required, and there is no default")
		}
		return endpoint.Auth{Kind: endpoint.AuthGoogle, Scopes: a.Google.Scopes}
	case a.OAuth != nil:
		return k.oauth(a.OAuth, node.Value("oauth"), at.Key("oauth"))
	case a.None:
		return endpoint.Auth{Kind: endpoint.AuthNone}
	}
	return endpoint.Auth{}
}

func hasText(texts []string) bool {
	return len(texts) > 0 && !slices.ContainsFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
}

func (k *checker) oauth(o *OAuth, n *tree.Node, at tree.Path) endpoint.Auth {
	vars := texts.Own(k.dir)
	for _, m := range n.Members {
		if m.Value.Kind != tree.String {
			continue
		}
		err := vars.Variables(endpoint.FieldAuth, m.Value.Text)
		if err == nil && (strings.HasSuffix(m.Name, "_url") || m.Name == "issuer") {
			err = vars.URL(m.Value.Text)
		}
		if err != nil {
			k.FailErr(m.Value.Pos, at.Key(m.Name), err)
		}
	}
	if port := n.Value("callback_port"); port != nil && port.Kind == tree.Int &&
		(o.CallbackPort < 1 || o.CallbackPort > 65535) {
		k.Fail(port.Pos, at.Key("callback_port"), "want a number from 1 to 65535")
	}
	made := o.Auth
	made.Kind = endpoint.AuthOAuth
	if o.ClientCredentials {
		made.Kind = endpoint.AuthClientCredentials
	}
	return made
}
