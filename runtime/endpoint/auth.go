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

// CallerToken is how the token of a caller of this program becomes one for a server.
type CallerToken string

const (
	// TokenExchange exchanges it at the authorization server for a token for the server (RFC 8693).
	TokenExchange CallerToken = "exchange"
	// TokenPassThrough sends it as it is, if it is for the server, too.
	TokenPassThrough CallerToken = "pass_through"
)

// CallerAuth says how requests on behalf of a caller of this program, such as a gateway, are authorised. In
// the zero value, servers get no tokens that depend on the callers'. The tags are as in [Auth].
type CallerAuth struct {
	Token    CallerToken `json:"token" jsonschema:"required,enum=exchange,enum=pass_through" jsonschema_description:"With \"exchange\", the client of \"oauth\" exchanges the caller's token for a token for the server (RFC 8693). With \"pass_through\", the server gets the caller's token, if that token names both the gateway and the value of \"audience\"."`
	Audience string      `json:"audience,omitempty" jsonschema_description:"The name that the authorisation server uses for this server in tokens. With \"exchange\", the default is the URL of the server, sent as the parameter \"resource\"."`
	Scopes   []string    `json:"scopes,omitempty" jsonschema_description:"With \"exchange\", the scopes to ask for. By default the authorisation server decides."`
}

// Auth says how requests to a remote server are authorised in addition to its headers. A token from OAuth
// or Google replaces an Authorization header. The zero value is [AuthAuto]. Texts are as written:
// [Server.Resolve] expands them. The tags are the keys of OAuth in an mcpgen.yaml and their schema.
type Auth struct {
	Kind AuthKind `json:"-"`
	// Scopes are in file order; nil means the scopes that the server names.
	Scopes []string `json:"scopes,omitempty" jsonschema_description:"The scopes to ask for. The default is the scopes that the server names."`

	// ClientID is the client, or the https address of the document that describes it. With "", a client is
	// registered if the server allows it.
	ClientID string `json:"client_id,omitempty" jsonschema_description:"The client's ID, or the https address of its metadata document. Without this key, or if the authorisation server does not read the document, mcpgen tries to register a client."`
	// ClientSecret is as written, so it may be a secret.
	ClientSecret string `json:"client_secret,omitempty" jsonschema_description:"The secret of the client: write ${env:NAME}."`

	// RedirectURL is the redirect address; "" means a loopback address.
	RedirectURL string `json:"redirect_url,omitempty" jsonschema_description:"The address to which the authorisation server sends the user back. The default is a loopback address."`
	// CallbackPort is the port of the loopback address; 0 means any free port.
	CallbackPort int `json:"callback_port,omitempty" jsonschema:"minimum=1,maximum=65535" jsonschema_description:"The port of the loopback address. The default is any free port."`

	// Issuer is the authorization server that the client is registered with, and the only one that gets the
	// client secret. If it is "", the secret is only sent to the addresses below that are set.
	Issuer string `json:"issuer,omitempty" jsonschema_description:"The authorisation server that the client is registered with. The client secret is sent to no other server."`

	// If one of these is "", it is discovered from the server.
	MetadataURL      string   `json:"metadata_url,omitempty" jsonschema_description:"The address of the authorisation server's metadata."`
	AuthorizationURL string   `json:"authorization_url,omitempty" jsonschema_description:"The address at which a user signs in."`
	TokenURL         string   `json:"token_url,omitempty" jsonschema_description:"The address that issues tokens."`
	Audiences        []string `json:"audiences,omitempty" jsonschema_description:"The resource that the tokens are for. The default is the server."`

	// Callers is about requests on behalf of callers. All else is about the program's own requests.
	Callers CallerAuth `json:"-"`
}

// IsZero reports whether no setting is made.
func (a Auth) IsZero() bool {
	return a.Kind == AuthAuto && a.Scopes == nil && a.ClientID == "" && a.ClientSecret == "" && a.RedirectURL == "" &&
		a.CallbackPort == 0 && a.Issuer == "" && a.MetadataURL == "" && a.AuthorizationURL == "" &&
		a.TokenURL == "" && a.Audiences == nil
}
