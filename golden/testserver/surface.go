// Servers whose listings are odd.

package testserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

func surfaceModes() map[string]func(*server) {
	return map[string]func(*server){
		"big-numbers": tools(
			`{"name":"big","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":-9223372036854775808,"maximum":9007199254740993,"default":9007199254740993},"f":{"type":"number","maximum":1e400,"minimum":1.0}}}}`,
			goodTool),
		"dup-keys": tools(`{"name":"good_name","inputSchema":{"type":"object"},"name":"evil_name"}`,
			`{"name":"dup_schema","inputSchema":{"type":"object","properties":{"a":{"type":"string"}},"properties":{"b":{"type":"integer"}}}}`, goodTool),
		"twins":        tools(`{"name":"twin","description":"first","inputSchema":{"type":"object"}}`, `{"name":"twin","description":"second","inputSchema":{"type":"object"}}`),
		"dup-tools":    tools(`{"name":"twin","description":"first","inputSchema":{"type":"object"}}`, `{"name":"twin","description":"second","inputSchema":{"type":"object"}}`, goodTool),
		"no-tools":     tools(),
		"null-tool":    tools(`null`, goodTool),
		"null-list":    rawList(`{"tools":null}`),
		"no-list":      rawList(`{}`),
		"odd-list":     rawList(`{"tools":{"good":{}}}`),
		"nameless":     tools(`{"inputSchema":{"type":"object"}}`, `{"name":"","inputSchema":{"type":"object"}}`, `{"name":5,"inputSchema":{"type":"object"}}`, `{"name":null,"inputSchema":{"type":"object"}}`, goodTool),
		"odd-types":    tools(`{"name":"odd_annotations","annotations":[],"inputSchema":{"type":"object"}}`, `{"name":"odd_hint","annotations":{"readOnlyHint":"yes"},"inputSchema":{"type":"object"}}`, `{"name":"odd_schema","inputSchema":"x"}`, `{"name":"no_schema"}`, `{"name":"true_schema","inputSchema":true}`, goodTool),
		"x-mcp-header": tools(`{"name":"header","inputSchema":{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"X Bad"}}}}`, goodTool),
		"big-desc":     bigDescription,
		"deep-nest":    deepNest,
		"huge-list":    huge(0),
		"huge-pages":   huge(100),
		"giant-list":   giantList,
		"exact":        exact,
		"changed-after-restart": func(s *server) {
			s.surface.Tools = append(s.surface.Tools, json.RawMessage(`{"name":"removed","inputSchema":{"type":"object"}}`))
			if s.starts > 1 {
				s.surface.Tools = s.surface.Tools[:1]
			}
			crashAfter(s)
		},
	}
}

const goodTool = `{"name":"good","description":"A tool beside a bad one.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}`

// tools offers exactly these, as they are spelled.
func tools(raw ...string) func(*server) {
	return func(s *server) {
		s.surface.Tools = []json.RawMessage{}
		for _, t := range raw {
			s.surface.Tools = append(s.surface.Tools, json.RawMessage(t))
		}
	}
}

// rawList answers tools/list with this result.
func rawList(result string) func(*server) {
	return func(s *server) {
		s.on["tools/list"] = func(c *client, m message) { c.reply(m, json.RawMessage(result)) }
	}
}

func bigDescription(s *server) {
	text := strings.Repeat("evil words ", int(cmp.Or(s.cfg.size, 8<<20))/11)
	tools(fmt.Sprintf(`{"name":"big","description":%q,"inputSchema":{"type":"object"}}`, text), goodTool)(s)
}

func deepNest(s *server) {
	n := cmp.Or(s.cfg.n, 10000)
	schema := strings.Repeat(`{"type":"object","properties":{"a":`, n) + `{"type":"string"}` + strings.Repeat(`}}`, n)
	// encoding/json would refuse the depth, so the message is put together here.
	s.on["tools/list"] = func(c *client, m message) {
		c.write(slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), m.ID,
			[]byte(`,"result":{"tools":[{"name":"deep","inputSchema":`+schema+`},`+goodTool+`]}}`)))
	}
}

// huge offers -n tools (default 5000), in pages of this size.
func huge(page int) func(*server) {
	return func(s *server) {
		s.cfg.page = cmp.Or(s.cfg.page, page)
		s.surface.Tools = manyTools(0, cmp.Or(s.cfg.n, 5000))
	}
}

func manyTools(from, n int) []json.RawMessage {
	var list []json.RawMessage
	for i := range n {
		list = append(list, fmt.Appendf(nil, `{"name":"tool_%04d","description":"Tool number %d.","inputSchema":{"type":"object",`+
			`"properties":{"query":{"type":"string","description":"What to look for."},"limit":{"type":"integer","default":10},"tags":{"type":"array","items":{"type":"string"}}},"required":["query"]}}`, from+i, from+i))
	}
	return list
}

// giantList is one line of -size bytes (default 1 GiB) that never makes sense.
func giantList(s *server) {
	s.on["tools/list"] = func(c *client, m message) {
		c.later(func() {
			c.raw(slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), m.ID, []byte(`,"result":{"tools":[`)))
			chunk := []byte(strings.Repeat(" ", 1<<20))
			for n := int64(0); n < cmp.Or(s.cfg.size, 1<<30); n += int64(len(chunk)) {
				select {
				case <-c.gone:
					return
				default:
					c.raw(chunk)
				}
			}
			c.raw([]byte("]}}\n"))
		})
	}
}

// exact has a tool with integers that a float64 cannot hold.
func exact(s *server) {
	tools(`{"name":"exact","description":"Returns its number and the one after 2^53.","inputSchema":{"type":"object","properties":{"n":{"type":"integer","default":9007199254740993}},"required":["n"]},` +
		`"outputSchema":{"type":"object","properties":{"n":{"type":"integer"},"exact":{"type":"integer"}},"required":["n","exact"]}}`)(withCall(s, func(c *client, m message) {
		var args struct{ N json.RawMessage }
		if json.Unmarshal(arguments(m), &args) != nil || args.N == nil {
			args.N = json.RawMessage("null")
		}
		result := json.RawMessage(`{"n":` + string(args.N) + `,"exact":9007199254740993}`)
		c.reply(m, echoResult(result))
	}))
}

func withCall(s *server, h handler) *server {
	s.on["tools/call"] = h
	return s
}
