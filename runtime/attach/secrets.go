// The secrets of servers: resolved when a session is opened, masked from then on.

package attach

import (
	"context"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// resolve expands the texts of the server. Secrets come from Options.Secrets if
// it is set; inputs are always the server's own to find.
func (o *opener) resolve(ctx context.Context) error {
	server := o.server
	if o.Secrets != nil {
		own := server.Secret
		server.Secret = func(name, secret string) (string, error) {
			if own != nil && strings.HasPrefix(secret, endpoint.InputPrefix) {
				return own(name, secret)
			}
			return o.Secrets(ctx, o.server, secret)
		}
	}
	var err error
	o.resolved, err = server.Resolve(o.LookupEnv)
	o.Mask.AddResolved(o.resolved)
	return err
}
