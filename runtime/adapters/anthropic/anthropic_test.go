package anthropic_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/anthropic"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// wire is the part of a request that the tests look at.
type wire struct {
	Name        string
	InputSchema json.RawMessage `json:"input_schema"`
	ID          string          `json:"tool_use_id"`
	IsError     bool            `json:"is_error"`
	Content     []struct {
		Type, Text string
		Source     struct{ Data string }
	}
}

func encode(v any) (wire, error) {
	var w wire
	data, err := json.Marshal(v)
	return w, errors.Join(err, json.Unmarshal(data, &w))
}

// message is what a model answers.
func message(t *testing.T, name, args string) *sdk.Message {
	var m sdk.Message
	if err := json.Unmarshal([]byte(`{"role":"assistant","stop_reason":"tool_use","content":[{"type":"text","text":"now"},`+
		`{"type":"tool_use","id":"toolu_1","name":"`+name+`","input":`+args+`}]}`), &m); err != nil {
		t.Fatal(err)
	}
	return &m
}

func TestSet(t *testing.T) {
	adaptertest.Run(t, adaptertest.Options{}, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		set, err := anthropic.New(tools...)
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) {
				for _, p := range set.Params() {
					if w, err := encode(p); err != nil || w.Name == name {
						return w.InputSchema, err
					}
				}
				return nil, errors.New("no such tool")
			},
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				results, err := set.Results(ctx, message(t, name, args))
				if err != nil {
					return adaptertest.Reply{}, err
				}
				w, err := encode(results[0])
				if len(results) != 1 || w.ID != "toolu_1" {
					t.Errorf("got %d results, %+v", len(results), w)
				}
				reply := adaptertest.Reply{IsError: w.IsError}
				for _, b := range w.Content {
					reply.Text += b.Text
					data, err := base64.StdEncoding.DecodeString(b.Source.Data)
					if err != nil {
						t.Error(err)
					}
					switch b.Type {
					case "image":
						reply.Images = append(reply.Images, data)
					case "document":
						reply.Documents = append(reply.Documents, data)
					}
				}
				return reply, err
			},
		}, err
	})
}

func TestUnknownTool(t *testing.T) {
	set, err := anthropic.New()
	if err != nil {
		t.Fatal(err)
	}
	results, err := set.Results(t.Context(), message(t, "gone", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	if w, err := encode(results[0]); err != nil || !w.IsError || w.Content[0].Text != `there is no tool "gone"` {
		t.Errorf("got %+v, %v", w, err)
	}
}

// runner records what it is told, as a runner does.
type runner struct{ names []string }

func (r *runner) AddTools(tools ...sdk.BetaTool) {
	for _, t := range tools {
		r.names = append(r.names, "+"+t.Name())
	}
}

func (r *runner) RemoveToolsByNames(names ...string) {
	for _, name := range names {
		r.names = append(r.names, "-"+name)
	}
}

func TestRegistrar(t *testing.T) {
	var reg anthropic.Registrar
	var run runner
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := reg.Register(adaptertest.Tool("a", `{}`)); err != nil {
			t.Error(err)
		}
	}()
	reg.Apply(&run) // at the same time
	<-done
	if err := errors.Join(reg.Register(adaptertest.Tool("b", `{}`)), reg.Unregister("a")); err != nil {
		t.Fatal(err)
	}
	reg.Apply(&run)
	reg.Apply(&run)
	if len(run.names) != 3 || run.names[2] != "-a" {
		t.Errorf("got %q", run.names)
	}
	if err := reg.Register(adaptertest.Tool("a.b", `{}`)); err == nil {
		t.Error("Register of a name that models refuse has no error, want one")
	}
}

func TestBetaTool(t *testing.T) {
	tool := anthropic.BetaTool(adaptertest.Tool("a", `{"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="},{"type":"text","text":"x"}]}`))
	schema, err := json.Marshal(tool.InputSchema())
	if err != nil || !adaptertest.IsSchema(schema) {
		t.Errorf("got %s, %v", schema, err)
	}
	blocks, err := tool.Execute(t.Context(), json.RawMessage(`{}`))
	if err != nil || len(blocks) != 2 || blocks[0].OfImage == nil || blocks[1].OfText.Text != "x" {
		t.Errorf("got %+v, %v", blocks, err)
	}
	failing := anthropic.BetaTool(adaptertest.Tool("a", `{"isError":true,"content":[{"type":"text","text":"no"}]}`))
	if _, err := failing.Execute(t.Context(), nil); err == nil || err.Error() != "no" {
		t.Errorf("got %v", err)
	}
}

// A runner is not safe to be changed while it runs, so changes wait for the time
// between two messages, wherever they come from. Its schemas are the same bytes each
// time, as those of a set are.
func TestRunner(t *testing.T) {
	model := adaptertest.NewScript(
		adaptertest.Turn{Calls: []adaptertest.Call{{ID: "toolu_1", Name: "a", Args: `{}`}}},
		adaptertest.Turn{Calls: []adaptertest.Call{{ID: "toolu_2", Name: "b", Args: `{}`}}},
		adaptertest.Turn{Text: "done"})
	url, done := model.Serve(adaptertest.Message)
	defer done()
	client := sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"))
	said := func(name string) runtime.Tool {
		return adaptertest.Tool(name, `{"content":[{"type":"text","text":"said by `+name+`"}]}`)
	}
	params := sdk.BetaToolRunnerParams{MaxIterations: 10}
	params.Model, params.MaxTokens = "m", 100
	params.Messages = []sdk.BetaMessageParam{sdk.NewBetaUserMessage(sdk.NewBetaTextBlock("go"))}
	runner := client.Beta.Messages.NewToolRunner([]sdk.BetaTool{anthropic.BetaTool(said("a"))}, params)
	var reg anthropic.Registrar
	var registering sync.WaitGroup
	for i := range 8 { // at the same time as the first messages
		registering.Go(func() {
			if err := errors.Join(reg.Register(said(fmt.Sprintf("later_%d", i))), reg.Unregister(fmt.Sprintf("later_%d", i)), reg.Register(said("b"))); err != nil {
				t.Error(err)
			}
		})
	}
	var last *sdk.BetaMessage
	for {
		message, err := runner.NextMessage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if message == nil {
			break
		}
		last = message
		registering.Wait() // so that the second turn has b; Apply itself may come at any time
		reg.Apply(runner)
	}
	if last == nil || last.Content[0].Text != "done" {
		t.Errorf("got %+v", last)
	}
	asked := model.Requests()
	if len(asked) != 3 || !strings.Contains(asked[1], "said by a") || !strings.Contains(asked[2], "said by b") {
		t.Errorf("the model was asked %q", asked)
	}
	for _, request := range asked {
		if !strings.Contains(unescaped(request), adaptertest.Schema) {
			t.Errorf("the schema is not the server's in %s", request)
		}
	}
}

func unescaped(text string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(text)
}

// A tool that fails has all its blocks in the result of a set.
func TestErrorBlocks(t *testing.T) {
	set, err := anthropic.New(adaptertest.Tool("a", `{"isError":true,"content":[{"type":"text","text":"no"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := set.Results(t.Context(), message(t, "a", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	if w, err := encode(results[0]); err != nil || !w.IsError || len(w.Content) != 2 || w.Content[0].Text != "no" || w.Content[1].Type != "image" {
		t.Errorf("got %+v, %v", w, err)
	}
}

func TestSetIsRegistrar(t *testing.T) {
	set := &anthropic.Set{}
	adaptertest.RunRegistrar(t, set, func() (names []string) {
		for _, p := range set.Params() {
			names = append(names, p.OfTool.Name)
		}
		return names
	})
}
