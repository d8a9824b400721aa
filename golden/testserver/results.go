// Servers whose results are odd.

package testserver

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"strings"
)

func resultModes() map[string]func(*server) {
	return map[string]func(*server){
		"is-error": answerCalls(func(c *client, m message) {
			c.reply(m, map[string]any{"isError": true, "content": []any{textBlock("the tool said no \x1b[31mevil\x1b[0m")}})
		}),
		"rpc-error": answerCalls(func(c *client, m message) {
			c.fail(m, -32042, "the server said no", map[string]any{"n": json.RawMessage("9007199254740993")})
		}),
		"unknown-content": answerCalls(rawResult(`{"content":[{"type":"text","text":"before"},{"type":"hologram","depth":3},{"type":"image","data":"%%%","mimeType":"image/png"},{"type":"text","text":5},null,{"type":"text","text":"after"}],"structuredContent":{"text":"ok"}}`)),
		"all-content":     answerCalls(rawResult(allContent)),
		"json-content":    answerCalls(rawResult(`{"content":[{"type":"text","text":"two blocks"},{"type":"json","value":{"n":9007199254740993}}],"isError":false}`)),
		"giant-result":    giantResult,
		"bad-output":      badOutput,
		"echo-env":        echoEnv,
	}
}

func rawResult(result string) handler {
	return func(c *client, m message) { c.reply(m, json.RawMessage(result)) }
}

const allContent = `{"content":[{"type":"text","text":"hello","annotations":{"priority":0.5}},` +
	`{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},` +
	`{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"},` +
	`{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","text":"embedded"}},` +
	`{"type":"resource_link","uri":"file:///b.txt","name":"b","mimeType":"text/plain"}],"_meta":{"n":9007199254740993}}`

// giantResult answers with a text of -size bytes (default 64 MiB).
func giantResult(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		text := strings.Repeat("x", int(cmp.Or(s.cfg.size, 64<<20)))
		c.write(slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), m.ID, []byte(`,"result":{"content":[{"type":"text","text":"`), []byte(text), []byte(`"}]}}`)))
	}
}

// outputs are the results of bad-output, by tool. All tools declare
// {"n": integer, "s": string}, both required.
func outputs() map[string]string {
	return map[string]string{
		"good":           `{"structuredContent":{"n":1,"s":"x"},"content":[{"type":"text","text":"{\"n\":1,\"s\":\"x\"}"}]}`,
		"extra_member":   `{"structuredContent":{"n":1,"s":"x","more":true},"content":[]}`,
		"float_integer":  `{"structuredContent":{"n":1.0,"s":"x"},"content":[]}`,
		"no_content":     `{"structuredContent":{"n":1,"s":"x"}}`,
		"big_integer":    `{"structuredContent":{"n":9007199254740993,"s":"x"},"content":[]}`,
		"missing":        `{"content":[]}`,
		"null":           `{"structuredContent":null,"content":[]}`,
		"empty_result":   `{}`,
		"array":          `{"structuredContent":[1],"content":[]}`,
		"wrong_type":     `{"structuredContent":{"n":"1","s":"x"},"content":[]}`,
		"missing_member": `{"structuredContent":{"n":1},"content":[]}`,
		"huge_integer":   `{"structuredContent":{"n":1e400,"s":"x"},"content":[]}`,
		"cased_keys":     `{"structuredContent":{"N":1,"S":"x"},"content":[]}`,
		"text_only":      `{"content":[{"type":"text","text":"{\"n\":1,\"s\":\"x\"}"}]}`,
		"error_too":      `{"structuredContent":{"n":1,"s":"x"},"content":[{"type":"text","text":"it failed"}],"isError":true}`,
		"odd_is_error":   `{"structuredContent":{"n":1,"s":"x"},"content":[],"isError":"yes"}`,
	}
}

// badOutput has one tool for each way to miss an output schema.
func badOutput(s *server) {
	all := outputs()
	s.surface.Tools = nil
	for name := range all {
		s.surface.Tools = append(s.surface.Tools, json.RawMessage(`{"name":"`+name+`","inputSchema":{"type":"object"},`+
			`"outputSchema":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}},"required":["n","s"]}}`))
	}
	slices.SortFunc(s.surface.Tools, func(a, b json.RawMessage) int { return cmp.Compare(string(a), string(b)) })
	s.on["tools/call"] = func(c *client, m message) {
		result, ok := all[toolName(m)]
		if !ok {
			c.fail(m, -32602, "unknown tool "+toolName(m), nil)
			return
		}
		c.reply(m, json.RawMessage(result))
	}
}

// echoEnv has a tool that returns the process's environment and directory.
func echoEnv(s *server) {
	s.surface.Tools = []json.RawMessage{json.RawMessage(`{"name":"env","description":"Returns the environment.","inputSchema":{"type":"object"},` +
		`"outputSchema":{"type":"object","properties":{"env":{"type":"object","additionalProperties":{"type":"string"}},"args":{"type":"array","items":{"type":"string"}},"dir":{"type":"string"}},"required":["env","args","dir"]}}`)}
	s.on["tools/call"] = func(c *client, m message) {
		env := map[string]string{}
		for _, entry := range os.Environ() {
			key, value, _ := strings.Cut(entry, "=")
			env[key] = value
		}
		dir, err := os.Getwd()
		if err != nil {
			dir = err.Error()
		}
		c.reply(m, echoResult(encode(map[string]any{"env": env, "args": s.cfg.args, "dir": dir})))
	}
}
