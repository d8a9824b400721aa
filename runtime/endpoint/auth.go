// How requests to a remote server are authorised.

package endpoint

// AuthKind is a way to get a token.
type AuthKind string

// The kinds of authorisation.
const (
	// AuthAuto uses the headers as written, and OAuth if the server requires it and the program allows it.
	AuthAuto AuthKind = ""
	// AuthNone never starts OAuth, even if the server requires it.
	AuthNone AuthKind = "none"
	// AuthOAuth is OAuth with the client in [Auth].
	AuthOAuth AuthKind = "oauth"
	// AuthClientCredentials is OAuth without a user.
	AuthClientCredentials AuthKind = "client-credentials"
	// AuthGoogle is Google's application default credentials with [Auth.Scopes].
	AuthGoogle AuthKind = "google-adc"
)

// Auth says how requests to a remote server are authorised in addition to its headers. A token from OAuth
// or Google replaces an Authorization header. The zero value is [AuthAuto]. Texts are as written:
// [Server.Resolve] expands them. The tags are the keys of OAuth in an mcpgen.yaml and their schema.
type Auth struct {
	Kind AuthKind `json:"-"`
	// Scopes are in file order; nil means the scopes that the server names.
	Scopes []string `json:"scopes,omitempty" jsonschema_description:"The scopes to ask for. By default the scopes that the server names."`

	// ClientID is the client, or the https address of the document that describes it. With "", a client is
	// registered if the server allows it.
	ClientID string `json:"client_id,omitempty" jsonschema_description:"The client, or the https address of the document that describes it. If it is missing, or the server does not read the document, mcpgen registers a client if the server allows that."`
	// ClientSecret is as written, so it may be a secret.
	ClientSecret string `json:"client_secret,omitempty" jsonschema_description:"Its secret: write ${env:NAME}."`

	// RedirectURL is the redirect address; "" means a loopback address.
	RedirectURL string `json:"redirect_url,omitempty" jsonschema_description:"By default a loopback address."`
	// CallbackPort is the port of the loopback address; 0 means any free port.
	CallbackPort int `json:"callback_port,omitempty" jsonschema:"minimum=1,maximum=65535" jsonschema_description:"The port of the loopback address. By default any free one."`

	// Issuer is the authorization server that the client is registered with, and the only one that gets the
	// client secret. If it is "", the secret is only sent to the addresses below that are set.
	Issuer string `json:"issuer,omitempty" jsonschema_description:"The authorisation server that the client is registered with. The client secret is sent to no other server."`

	// If one of these is "", it is discovered from the server.
	MetadataURL      string   `json:"metadata_url,omitempty" jsonschema_description:"The metadata of the authorisation server."`
	AuthorizationURL string   `json:"authorization_url,omitempty" jsonschema_description:"Where a user signs in."`
	TokenURL         string   `json:"token_url,omitempty" jsonschema_description:"Where tokens come from."`
	Audiences        []string `json:"audiences,omitempty" jsonschema_description:"The resource that the tokens are for. By default the server."`
}

// IsZero reports whether no setting is made.
func (a Auth) IsZero() bool {
	return a.Kind == AuthAuto && a.Scopes == nil && a.ClientID == "" && a.ClientSecret == "" && a.RedirectURL == "" &&
		a.CallbackPort == 0 && a.Issuer == "" && a.MetadataURL == "" && a.AuthorizationURL == "" && a.TokenURL == "" && a.Audiences == nil
}
