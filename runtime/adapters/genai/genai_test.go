package genai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"

	sdk "google.golang.org/genai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/genai"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

// sent is [adaptertest.Schema] in the keywords of Gemini's Schema.
const sent = `{"type":"object","properties":{"z":{"anyOf":[{"enum":["x"],"type":"string"},{"type":"number","description":"exclusiveMinimum: 0"}]},` +
	`"a":{"description":"first <a> & b","anyOf":[{"type":"string"},{"type":"null"}]},"n":{"type":"integer","maximum":9007199254740993}},"required":["z"]}`

func TestSet(t *testing.T) {
	adaptertest.Run(t, adaptertest.Options{Rounds: true, Sent: sent}, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		set, err := genai.New(tools...)
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) {
				for _, f := range set.Tool().FunctionDeclarations {
					var sent struct{ ParametersJsonSchema json.RawMessage }
					data, err := json.Marshal(f)
					if err := errors.Join(err, json.Unmarshal(data, &sent)); err != nil || f.Name == name {
						return sent.ParametersJsonSchema, err
					}
				}
				return nil, errors.New("no such tool")
			},
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				response := &sdk.GenerateContentResponse{}
				text := `{"candidates":[{"content":{"parts":[{"text":"now"},{"functionCall":{"id":"1","name":"` + name + `","args":` + args + `}}]}}]}`
				if err := json.Unmarshal([]byte(text), response); err != nil {
					t.Fatal(err)
				}
				parts, err := set.Results(ctx, response.FunctionCalls())
				if err != nil {
					return adaptertest.Reply{}, err
				}
				f := parts[0].FunctionResponse
				if len(parts) != 1 || f.ID != "1" || f.Name != name {
					t.Errorf("got %d parts, %+v", len(parts), f)
				}
				output, _ := f.Response["output"].(string)
				failure, isError := f.Response["error"].(string)
				reply := adaptertest.Reply{Text: output + failure, IsError: isError}
				for _, p := range f.Parts {
					if p.InlineData.MIMEType == "application/pdf" {
						reply.Documents = append(reply.Documents, p.InlineData.Data)
					} else {
						reply.Images = append(reply.Images, p.InlineData.Data)
					}
				}
				return reply, nil
			},
		}, err
	})
}

// What the model is sent decodes as the API's own type of schemas, which has a member for
// each keyword that the API knows.
func TestSchemaIsKnown(t *testing.T) {
	for _, schema := range adaptertest.Hard {
		set, err := genai.New(described(schema))
		if err != nil {
			t.Fatal(err)
		}
		text := set.Tool().FunctionDeclarations[0].ParametersJsonSchema.(json.RawMessage)
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&sdk.Schema{}); err != nil {
			t.Errorf("%s is sent as %s: %v", schema, text, err)
		}
	}
}

// described is a tool with a schema.
type described string

func (d described) Spec() runtime.Spec {
	return runtime.Spec{Name: "f", InputSchema: json.RawMessage(d)}
}

func (described) Call(context.Context, json.RawMessage, ...runtime.CallOption) (*runtime.Result, error) {
	return &runtime.Result{}, nil
}

func TestRegistrar(t *testing.T) {
	set := &genai.Set{}
	adaptertest.RunRegistrar(t, set, func() (names []string) {
		for _, f := range set.Tool().FunctionDeclarations {
			names = append(names, f.Name)
		}
		return names
	})
}
