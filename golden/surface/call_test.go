package surface_test

// The generated packages, called over a live session with a server that offers
// what they were generated from.

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/mcpgen/mcpgen/golden/surface/everything"
	"github.com/mcpgen/mcpgen/golden/surface/offers"
	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// asServer makes this test binary the test server.
const asServer = "MCPGEN_SURFACE_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		os.Exit(testserver.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// attachReplays attaches to servers that replay files, by server name.
func attachReplays(t *testing.T, files map[string]string) *attach.Host {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var servers []endpoint.Server
	for name, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, endpoint.Server{Name: name, Launch: &endpoint.Process{Command: exe, Args: []string{"replay", path}, Env: []endpoint.Var{{Name: asServer, Value: "1"}}}})
	}
	h, err := attach.Connect(t.Context(), servers, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	return h
}

func checkSame(t *testing.T, err error, got, want string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// textOf is the text of a result that may not be there.
func textOf(res *runtime.Result) string {
	if res == nil {
		return ""
	}
	return res.Text()
}

func TestPrompts(t *testing.T) {
	ctx := runtime.NewContext(t.Context(), attachReplays(t, map[string]string{
		"everything": "../testdata/surface-everything.json", "offers": "../testdata/surface-offers.json"}))
	res, err := everything.ArgsPrompt(ctx, everything.ArgsPromptArgs{City: "Ulm"})
	checkSame(t, err, textOf(res), `{"city":"Ulm"}`)
	if res.Content[0].Role != "user" {
		t.Errorf("got %+v", res.Content)
	}
	res, err = everything.ArgsPrompt(ctx, everything.ArgsPromptArgs{City: "<&>", State: new("")})
	checkSame(t, err, textOf(res), `{"city":"<&>","state":""}`)
	res, err = everything.SimplePrompt(ctx, everything.SimplePromptArgs{})
	checkSame(t, err, textOf(res), `{}`)
	res, err = offers.ReviewPrompt2(ctx, offers.ReviewPrompt2Args{PRURL: "u", MaxWords2: new("7")})
	checkSame(t, err, textOf(res), `{"pr_url":"u","max_words":"7"}`)
}

func TestResources(t *testing.T) {
	h := attachReplays(t, map[string]string{"everything": "../testdata/surface-everything.json", "offers": "../testdata/surface-offers.json"})
	c, o := everything.New(h), offers.New(h)
	res, err := c.ReadArchitectureMd(t.Context())
	checkSame(t, err, textOf(res), "content of demo://resource/static/document/architecture.md")
	res, err = o.ReadRepoLogoPNG(t.Context())
	checkSame(t, err, textOf(res), "content of repo://logo.png")
	res, err = c.ReadDynamicTextResource(t.Context(), everything.DynamicTextResourceURIVars{ResourceID: "7/8"})
	checkSame(t, err, textOf(res), "content of demo://resource/dynamic/text/7%2F8")
	res, err = o.ReadURI(t.Context(), "repo://unlisted")
	checkSame(t, err, textOf(res), "content of repo://unlisted")

	vars := offers.FileURIVars{Owner: "me", RepoName: "a b", Path: []string{"docs", "a/b.md"}, Ref: new("")}
	const uri = "repo://me/a%20b/contents/docs/a%2Fb.md?ref="
	checkSame(t, nil, offers.FileURI(vars), uri)
	res, err = o.ReadFile(t.Context(), vars)
	checkSame(t, err, textOf(res), "content of "+uri)
	checkSame(t, nil, offers.FileURI(offers.FileURIVars{}), "repo:////contents")
	checkSame(t, nil, offers.SearchURI(offers.SearchURIVars{Labels: []string{"x", "y"}}), "repo://search?labels=x&labels=y")
	checkSame(t, nil, offers.RawURI(offers.RawURIVars{Path: "a/b c"}), "repo://raw/a/b%20c")
}

func TestCompletions(t *testing.T) {
	ctx := runtime.NewContext(t.Context(), attachReplays(t, map[string]string{"everything": "../testdata/surface-everything.json"}))
	for _, args := range []codec.CompleteArgs{
		{Prompt: "completable-prompt", Argument: "name", Value: "A", Context: map[string]string{"department": "Sales"}},
		{Resource: "demo://resource/dynamic/text/{resourceId}", Argument: "resourceId"},
	} {
		got, err := everything.Complete(ctx, args)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Values, []string{"one", "two"}) {
			t.Errorf("got %+v", got)
		}
	}
}

// The other file under the same name is a server that has changed since.
func TestDrift(t *testing.T) {
	h := attachReplays(t, map[string]string{"offers": "../testdata/surface-everything.json"})
	o := offers.New(h)
	_, prompt := o.ReviewPrompt2(t.Context(), offers.ReviewPrompt2Args{})
	_, resource := o.ReadReadme(t.Context())
	_, template := o.ReadFile(t.Context(), offers.FileURIVars{})
	for _, err := range []error{prompt, resource, template} {
		if ce, ok := errors.AsType[*runtime.CallError](err); !ok || !errors.Is(err, runtime.ErrDrift) || ce.Sent {
			t.Errorf("got %v", err)
		}
	}
	if _, err := o.ReadURI(t.Context(), "repo://readme"); err != nil {
		t.Errorf("without a pin: %v", err)
	}
}

// Every pin is one that the manifest's snapshot has.
func TestManifests(t *testing.T) {
	for _, m := range []*codec.Manifest{everything.Manifest(), offers.Manifest()} {
		if err := m.Err(); err != nil {
			t.Error(err)
		}
	}
}
