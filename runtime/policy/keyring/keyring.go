// Package keyring keeps secrets in the keyring of the operating system: the keychain
// of macOS, the credential manager of Windows, or the secret service of a Linux
// desktop. It is a separate package because of the libraries that it links.
package keyring

import (
	"context"
	"errors"
	"fmt"

	"github.com/zalando/go-keyring"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// service is the name of this service in the keyring.
const service = "mcpgen"

// Source returns a source of secrets from the keyring. A missing keyring, as on most
// servers, has no secrets; that is not an error. A keyring that a person has to
// unlock is waited for as long as the context lasts.
func Source() policy.SecretSource {
	return func(ctx context.Context, name string) (string, error) {
		type answer struct {
			value string
			err   error
		}
		answers := make(chan answer, 1) // the keyring's call has no context
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
			return "", hint.With(fmt.Errorf("the keyring did not answer in time: %w", context.Cause(ctx)), "unlock the keyring")
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

// Remove removes a secret. A missing secret is [policy.ErrNoSecret].
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
