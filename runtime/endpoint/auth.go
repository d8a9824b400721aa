// How requests to a remote server are authorised.

package endpoint

// AuthKind is a way to get a token.
type AuthKind string

// The kinds of authorisation.
const (
	// AuthAuto uses the headers as they stand, and OAuth where the server asks
	// for it and the program allows it.
	AuthAuto AuthKind = ""
	// AuthNone never starts OAuth, whatever the server asks for.
	AuthNone AuthKind = "none"
	// AuthOAuth is OAuth with what [Auth] says about the client.
	AuthOAuth AuthKind = "oauth"
	// AuthClientCredentials is OAuth without a user.
	AuthClientCredentials AuthKind = "client-credentials"
	// AuthGoogle is Google's application default credentials with the scopes.
	AuthGoogle AuthKind = "google-adc"
)

// Auth says how requests to a remote server are authorised beside its headers.
// A token that is got this way wins over an Authorization header. The zero
// value is [AuthAuto]. Texts are as written: [Server.Resolve] expands them. The tags are
// the keys of OAuth in an mcpgen.yaml, and the schema of them.
type Auth struct {
	Kind AuthKind `json:"-"`
	// Scopes are in the order of the file; nil is what the server names.
	Scopes []string `json:"scopes,omitempty" jsonschema_description:"By default those that the server names."`

	// ClientID is the client, or the https address of the document that describes it; ""
	// registers one where the server allows it.
	ClientID string `json:"client_id,omitempty" jsonschema_description:"The client, or the https address of the document that describes it. Without it, and where the document is not looked up, one is registered if the server allows that."`
	// ClientSecret is as written, so it may be a secret.
	ClientSecret string `json:"client_secret,omitempty" jsonschema_description:"Its secret: write ${env:NAME}."`

	// RedirectURL is a loopback address where it is "".
	RedirectURL string `json:"redirect_url,omitempty" jsonschema_description:"By default a loopback address."`
	// CallbackPort is of that address; 0 is any free one.
	CallbackPort int `json:"callback_port,omitempty" jsonschema:"minimum=1,maximum=65535" jsonschema_description:"The port of the loopback address. By default any free one."`

	// Issuer is the authorization server that the client is registered with. A
	// client secret goes there and nowhere else; where it is "", to the addresses
	// below that are given, and without them nowhere.
	Issuer string `json:"issuer,omitempty" jsonschema_description:"The authorisation server that the client is registered with. The client secret is sent to no other one."`

	// What is found by asking the server where it is "".
	MetadataURL      string   `json:"metadata_url,omitempty" jsonschema_description:"The metadata of the authorisation server."`
	AuthorizationURL string   `json:"authorization_url,omitempty" jsonschema_description:"Where a user signs in."`
	TokenURL         string   `json:"token_url,omitempty" jsonschema_description:"Where tokens come from."`
	Audiences        []string `json:"audiences,omitempty" jsonschema_description:"What the tokens are for. By default the server."`
}

// IsZero reports whether a asks for nothing in particular.
func (a Auth) IsZero() bool {
	return a.Kind == AuthAuto && a.Scopes == nil && a.ClientID == "" && a.ClientSecret == "" && a.RedirectURL == "" &&
		a.CallbackPort == 0 && a.Issuer == "" && a.MetadataURL == "" && a.AuthorizationURL == "" && a.TokenURL == "" && a.Audiences == nil
}
