package surface_test

// Prompts and resources of a fake, asked for as those of a server are.

import (
	"context"
	"testing"

	"github.com/mcpgen/mcpgen/golden/surface/offers"
	"github.com/mcpgen/mcpgen/golden/surface/offers/offerstest"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func TestFakeSurface(t *testing.T) {
	fake := offerstest.New(t)
	ctx := runtime.NewContext(t.Context(), fake)
	fake.OnReviewPrompt2(func(_ context.Context, args offers.ReviewPrompt2Args) (*runtime.Result, error) {
		return mcptest.Text("review " + args.PRURL + " in " + *args.MaxWords2), nil
	})
	res, err := offers.ReviewPrompt2(ctx, offers.ReviewPrompt2Args{PRURL: "u", MaxWords2: new("7")})
	checkSame(t, err, textOf(res), "review u in 7")
	if res.Content[0].Role != "user" {
		t.Errorf("got %+v", res.Content)
	}

	fake.OnReadReadme(func(context.Context) (*runtime.Result, error) { return mcptest.Text("lies mich"), nil })
	res, err = offers.ReadReadme(ctx)
	checkSame(t, err, textOf(res), "lies mich")
	if uri := res.Content[0].URI; uri != "repo://de/readme" {
		t.Errorf("the content is that of %s", uri)
	}

	fake.OnReadRaw(func(_ context.Context, uri string) (*runtime.Result, error) { return mcptest.Text("raw " + uri), nil })
	res, err = offers.ReadRaw(ctx, offers.RawURIVars{Path: "a/b"})
	checkSame(t, err, textOf(res), "raw repo://raw/a/b")

	// Other URIs and completions have no typed handlers.
	fake.Handle(protocol.MethodReadResource, "", func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		return mcptest.Text("any " + req.Name), nil
	})
	res, err = offers.ReadURI(ctx, "repo://x")
	checkSame(t, err, textOf(res), "any repo://x")
	fake.Handle(protocol.MethodComplete, "review", func(context.Context, runtime.Request) (*runtime.Result, error) {
		return mcptest.Text("one"), nil
	})
	completion, err := codec.Complete(ctx, nil, "offers", codec.CompleteArgs{Prompt: "review", Argument: "max_words", Value: "o"}, nil)
	if err != nil || len(completion.Values) != 1 || completion.Values[0] != "one" {
		t.Errorf("got %+v, %v", completion, err)
	}
}
