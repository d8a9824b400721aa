package keyring

import (
	"context"
	"errors"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/mcpgen/mcpgen/runtime/policy"
)

func TestKeyring(t *testing.T) {
	keyring.MockInit()
	source := Source()
	if _, err := source(t.Context(), "a"); !errors.Is(err, policy.ErrNoSecret) || Has("a") {
		t.Errorf("got %v", err)
	}
	if err := Set("a", "the value"); err != nil {
		t.Fatal(err)
	}
	if v, err := source(t.Context(), "a"); v != "the value" || err != nil || !Has("a") {
		t.Errorf("got %q, %v", v, err)
	}
	if err := Remove("a"); err != nil {
		t.Error(err)
	}
	if err := Remove("a"); !errors.Is(err, policy.ErrNoSecret) {
		t.Errorf("got %v", err)
	}
}

// Where there is no keyring there is no secret in it; writing says why not.
func TestNoKeyring(t *testing.T) {
	broken := errors.New("no bus")
	keyring.MockInitWithError(broken)
	if _, err := Source()(t.Context(), "a"); !errors.Is(err, policy.ErrNoSecret) {
		t.Errorf("got %v", err)
	}
	for _, err := range []error{Set("a", "value"), Remove("a")} {
		if !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Source()(ctx, "a"); err == nil {
		t.Error("the source has no error after its context ended, want one")
	}
}
