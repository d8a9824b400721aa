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
// value is [AuthAuto]. Texts are as written: [Server.Resolve] expands them.
type Auth struct {
	Kind   AuthKind
	Scopes []string // in the order of the file; nil is what the server names

	ClientID     string // "" registers a client where the server allows it
	ClientSecret string // as written, so it may be a secret

	RedirectURL  string // "" is a loopback address
	CallbackPort int    // of that address; 0 is any free one

	// Issuer is the authorization server that the client is registered with. A
	// client secret goes there and nowhere else; where it is "", to the addresses
	// below that are given, and without them nowhere.
	Issuer string

	// What is found by asking the server where it is "".
	MetadataURL      string // of the authorisation server's metadata
	AuthorizationURL string
	TokenURL         string
	Audiences        []string
}

// IsZero reports whether a asks for nothing in particular.
func (a Auth) IsZero() bool {
	return a.Kind == AuthAuto && a.Scopes == nil && a.ClientID == "" && a.ClientSecret == "" && a.RedirectURL == "" &&
		a.CallbackPort == 0 && a.Issuer == "" && a.MetadataURL == "" && a.AuthorizationURL == "" && a.TokenURL == "" && a.Audiences == nil
}
