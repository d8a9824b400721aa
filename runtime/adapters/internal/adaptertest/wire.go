package adaptertest

// This file tests agents with the tools of real servers. The model's server refuses a whole
// request for one tool, as the provider does.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/internal/refusal"
	"github.com/mcpgen/mcpgen/runtime"
)

// declared is a tool in a request, in the form of any provider.
type declared struct {
	Name                 string
	InputSchema          json.RawMessage `json:"input_schema"` // Anthropic's
	Parameters           json.RawMessage // OpenAI's
	ParametersJSONSchema json.RawMessage // Gemini's
	Strict               bool
	Function             *declared  // of chat completions
	FunctionDeclarations []declared // of Gemini
}

// refused returns how many tools a request has, and what the provider answers if it
// refuses them.
func refused(provider string, request []byte) (tools int, why string) {
	var body struct{ Tools []declared }
	if err := json.Unmarshal(request, &body); err != nil {
		return 0, err.Error()
	}
	var all []declared
	for _, d := range body.Tools {
		switch {
		case d.Function != nil:
			all = append(all, *d.Function)
		case d.FunctionDeclarations != nil:
			all = append(all, d.FunctionDeclarations...)
		default:
			all = append(all, d)
		}
	}
	if most := refusal.Tools(provider); len(all) > most {
		return len(all), fmt.Sprintf("array too long: at most %d tools, got %d", most, len(all))
	}
	names := map[string]bool{}
	for i, d := range all {
		schema := slices.Concat(d.InputSchema, d.Parameters, d.ParametersJSONSchema)
		why := refusal.Of(provider, d.Name, schema)
		if d.Strict {
			why = refusal.Strict(provider, d.Name, schema)
		}
		if names[d.Name] {
			why = "the name is not unique"
		}
		if names[d.Name] = true; why != "" {
			return len(all), fmt.Sprintf("tools.%d: %s: %s in %s", i, d.Name, why, schema)
		}
	}
	return len(all), ""
}

// wire runs an agent against o.Provider until each tool of real servers was offered, with as
// many tools at once as the provider takes. Each request also has [Hard] and the tool every.
func wire(t *testing.T, o Options,
	agent func(ctx context.Context, model *Script, tools []runtime.Tool) (string, error)) {
	var mu sync.Mutex
	sent := map[string]string{} // by the server's name of the tool
	record := func(s runtime.Spec) runtime.Tool {
		return &tool{s, func(_ context.Context, args json.RawMessage) (*runtime.Result, error) {
			mu.Lock()
			defer mu.Unlock()
			sent[s.Server+"/"+s.Tool] = string(args)
			return parsed(`{"content":[{"type":"text","text":"called"}]}`)
		}}
	}
	real := corpus(t, "../../../golden/corpus/servers", record)
	extra := []runtime.Tool{Tool("s__every", every)}
	for i, schema := range Hard {
		s := spec(fmt.Sprintf("s__hard_%d", i))
		s.InputSchema = json.RawMessage(schema)
		extra = append(extra, record(s))
	}
	calls := []Call{
		{"c1", "filesystem__read_text_file", `{"path":"/a","head":2}`}, {"c2", "memory__search_nodes", `{"query":"x"}`},
		{"c3", "s__hard_1", `{"filter":"f","x_y":1,"a_b":"b"}`}, {"c4", "s__every", `{"z":"x"}`},
	}
	offered := 0
	for some := range slices.Chunk(real, refusal.Tools(o.Provider)-len(extra)) {
		tools := slices.Concat(some, extra)
		var turn Turn
		for _, c := range calls {
			if slices.ContainsFunc(tools, func(t runtime.Tool) bool { return t.Spec().Name == c.Name }) {
				turn.Calls = append(turn.Calls, c)
			}
		}
		model := NewScript(turn, Turn{Text: "It is done."})
		model.provider = o.Provider
		if got, err := agent(t.Context(), model, tools); err != nil || got != "It is done." {
			t.Fatalf("got %q, %v", got, err)
		}
		n, _ := refused(o.Provider, []byte(model.Requests()[0]))
		if offered += n - len(extra); n != len(tools) {
			t.Errorf("the model is offered %d tools of %d", n, len(tools))
		}
		kinds(t, o, model.last())
	}
	if offered != len(real) {
		t.Errorf("%d tools of %d are offered", offered, len(real))
	}
	odd := `{"$filter":"f","x[y]":1,"a b":"b"}`
	if o.AnyName {
		odd = calls[2].Args
	}
	for name, want := range map[string]string{
		"filesystem/read_text_file": calls[0].Args, "memory/search_nodes": calls[1].Args, "s/s__hard_1": odd,
	} {
		if !reflect.DeepEqual(exact([]byte(sent[name])), exact([]byte(want))) {
			t.Errorf("%s is sent %s, want %s", name, sent[name], want)
		}
	}
}

// kinds wants each kind of content of every in what a model reads: as it is, or named.
func kinds(t *testing.T, o Options, read string) {
	t.Helper()
	image, file := base64.StdEncoding.EncodeToString(Image), base64.StdEncoding.EncodeToString(Document)
	if o.NoImages {
		image = "[image: image/png, 8 bytes]"
	}
	if o.NoFiles || o.NoImages {
		file = "[Resource: file:///report] (application/pdf)"
	}
	for _, part := range []string{
		`n":` + large, "first", image, "[Audio] (audio/wav)", "[Resource: note://1]", "a note", file,
		"[Resource link: https://example.com/page]", "[future]",
	} {
		if !strings.Contains(read, part) {
			t.Errorf("the model does not read %q in\n%s", part, read)
		}
	}
}

// corpus returns the tools of real servers, from a folder of their listings.
func corpus(t *testing.T, folder string, offer func(runtime.Spec) runtime.Tool) (tools []runtime.Tool) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		var listing struct {
			Tools []struct {
				Name, Description string
				InputSchema       json.RawMessage
			}
		}
		if err != nil || json.Unmarshal(data, &listing) != nil {
			t.Fatal(path, err)
		}
		server := strings.TrimSuffix(filepath.Base(path), ".json")
		for _, l := range listing.Tools {
			tools = append(tools, offer(runtime.Spec{
				Name: server + "__" + l.Name, Description: l.Description, InputSchema: l.InputSchema,
				Server: server, Tool: l.Name}))
		}
	}
	if len(tools) < 200 {
		t.Fatalf("the corpus has %d tools", len(tools))
	}
	return tools
}
