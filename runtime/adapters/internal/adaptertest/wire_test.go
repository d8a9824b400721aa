package adaptertest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/refusal"
	"github.com/mcpgen/mcpgen/runtime"
)

// Without the rules of package view, one tool has the whole request refused.
func TestServerRefuses(t *testing.T) {
	own := func(name, member, schema string) string {
		return `{"name":"` + name + `","` + member + `":` + schema + `}`
	}
	const fine = `{"type":"object"}`
	for _, c := range []struct{ provider, tools, want string }{
		{"anthropic", own("a", "input_schema", fine) + `,` + own("b", "input_schema", Odd), "tools.1: b: the argument $filter"},
		{"openai", own("a", "parameters", Hard[2]), "tools.0: a: /properties/a: array schema missing items"},
		{"openai", `{"function":` + own("a", "parameters", Hard[5]) + `}`, "tools.0: a: "},
		{"gemini", `{"functionDeclarations":[` + own("a", "parametersJsonSchema", fine) + `,` + own("b", "parametersJsonSchema", Odd) + `]}`, "tools.1: b: the argument $filter"},
		{"openai", strings.Repeat(own("a", "parameters", fine)+`,`, 128) + own("b", "parameters", fine), "at most 128 tools, got 129"},
		{"anthropic", own("a", "input_schema", fine) + `,` + own("a", "input_schema", fine), "tools.1: a: the name is not unique"},
		{"anthropic", own("a", "input_schema", fine), ""},
	} {
		model := NewScript(Turn{Text: "taken"})
		model.provider = c.provider
		url, done := model.Serve(func(turn Turn) any { return turn })
		response, err := http.Post(url, "application/json", strings.NewReader(`{"tools":[`+c.tools+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if refused := response.StatusCode == http.StatusBadRequest; err != nil || refused != (c.want != "") || !strings.Contains(string(body), c.want) {
			t.Errorf("%s: got %s, %s, %v, want %q", c.provider, response.Status, body, err, c.want)
		}
		response.Body.Close()
		done()
	}
}

// Real servers have tools that some providers refuse as they are.
func TestCorpusIsRefused(t *testing.T) {
	raw := map[string]json.RawMessage{}
	corpus(t, "../../../../golden/corpus/servers", func(s runtime.Spec) runtime.Tool {
		raw[s.Name] = s.InputSchema
		return &tool{spec: s}
	})
	for _, provider := range []string{"gemini", "bedrock", "mistral"} {
		refused := 0
		for name, schema := range raw {
			if refusal.Of(provider, name, schema) != "" {
				refused++
			}
		}
		if refused < 40 {
			t.Errorf("%s refuses %d of %d tools, want many", provider, refused, len(raw))
		}
	}
}
