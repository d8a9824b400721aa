//go:build mcpgen_lean

package live

import (
	"context"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// googleAuth refuses servers that need it, unless the program's own Auth answers for
// them.
func googleAuth(_ context.Context, target attach.AuthTarget) (attach.Credentials, error) {
	if target.Auth.Kind != endpoint.AuthGoogle {
		return nil, nil
	}
	return nil, hint.LeftOut("auth.google_oauth", "add google.Auth to Attach.Auth")
}

func keyringSource() policy.SecretSource {
	return func(context.Context, string) (string, error) {
		return "", hint.With(policy.ErrNoSecret, "if the secret is in the keyring, build without -tags mcpgen_lean")
	}
}

func attended() bool { return false }
