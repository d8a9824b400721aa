package surface_test

// Resources that change, watched by generated code: with the fake, and behind a gate.

import (
	"context"
	"errors"
	"testing"

	"github.com/mcpgen/mcpgen/golden/surface/everything"
	"github.com/mcpgen/mcpgen/golden/surface/everything/everythingtest"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

const features = "demo://resource/static/document/features.md"

func TestWatch(t *testing.T) {
	fake := everythingtest.New(t)
	text := "one"
	fake.OnReadFeaturesMd(func(context.Context) (*runtime.Result, error) { return mcptest.Text(text), nil })
	ctx := runtime.NewContext(t.Context(), fake)
	var read []string
	for res, err := range everything.WatchFeaturesMd(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if read = append(read, res.Text()); res.Text() == "two" {
			break
		}
		text = "two"
		fake.Update(features)
	}
	if len(read) < 2 || read[0] != "one" {
		t.Errorf("read %q", read)
	}
	ended, cancel := context.WithCancel(ctx)
	defer cancel()
	for range everything.New(fake).WatchFeaturesMd(ended) {
		cancel()
	}
}

// Who may not read a resource may not follow it either.
func TestWatchIsGated(t *testing.T) {
	gate, err := policy.New(policy.Config{Mode: policy.Enforce}, nil)
	if err != nil {
		t.Fatal(err)
	}
	inv := runtime.Chain(everythingtest.New(t), gate.Middleware())
	n := 0
	for res, err := range everything.New(inv).WatchFeaturesMd(t.Context()) {
		if n++; res != nil || !errors.Is(err, runtime.ErrDenied) {
			t.Errorf("%v, %v", res, err)
		}
	}
	if n != 1 {
		t.Errorf("%d pairs", n)
	}
}
