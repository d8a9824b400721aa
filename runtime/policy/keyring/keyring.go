// Package keyring keeps secrets in the keyring of the operating system: the
// keychain of macOS, the credential manager of Windows, the secret service of a
// Linux desktop. It is a separate package because it links the libraries for
// that.
package keyring

import (
	"context"
	"errors"
	"fmt"

	"github.com/zalando/go-keyring"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// service is the name under which the keyring shows the secrets.
const service = "mcpgen"

// Source finds secrets in the keyring. Where there is no keyring, as on most
// servers, there are no secrets in it: that is not an error. A keyring that waits for
// a person to unlock it is waited for as long as the context lasts.
func Source() policy.SecretSource {
	return func(ctx context.Context, name string) (string, error) {
		type answer struct {
			value string
			err   error
		}
		answers := make(chan answer, 1) // the keyring's call knows no context
		go func() {
			value, err := keyring.Get(service, name)
			answers <- answer{value, err}
		}()
		select {
		case a := <-answers:
			if a.err != nil {
				// An absent service cannot be distinguished from one without the secret
				// on all systems.
				return "", fmt.Errorf("%w in the keyring", policy.ErrNoSecret)
			}
			return a.value, nil
		case <-ctx.Done():
			return "", hint.With(fmt.Errorf("the keyring did not answer in time: %w", context.Cause(ctx)), "unlock it")
		}
	}
}

// Set writes a secret into the keyring.
func Set(name, value string) error {
	if err := keyring.Set(service, name, value); err != nil {
		return hint.With(fmt.Errorf("the keyring: %w", err), "use a file instead", "unlock it")
	}
	return nil
}

// Remove removes a secret. One that is not there is [policy.ErrNoSecret].
func Remove(name string) error {
	err := keyring.Delete(service, name)
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return fmt.Errorf("the keyring: %q: %w", name, policy.ErrNoSecret)
	case err != nil:
		return fmt.Errorf("the keyring: %w", err)
	}
	return nil
}

// Has reports whether the keyring has a secret.
func Has(name string) bool {
	_, err := keyring.Get(service, name)
	return err == nil
}
