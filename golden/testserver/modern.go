// Servers of the revision 2026-07-28: no handshake, and three members in the
// _meta of every request.

package testserver

import (
	"encoding/json"
	"slices"
	"strings"
)

const (
	modernVersion = "2026-07-28"
	metaPrefix    = "io.modelcontextprotocol/"
)

// modern refuses every request that does not carry what it must.
func modern(s *server) {
	s.surface.ProtocolVersion = modernVersion
	for _, method := range []string{"tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
		"resources/templates/list", "resources/read", "completion/complete"} {
		s.on[method] = s.checked(s.standard)
	}
	s.on["server/discover"] = s.checked(s.discover)
	s.on["subscriptions/listen"] = s.checked(func(c *client, m message) {
		c.notify("notifications/subscriptions/acknowledged", map[string]any{
			"_meta": map[string]any{metaPrefix + "subscriptionId": m.ID}, "notifications": map[string]any{"toolsListChanged": true}})
		if c.sync {
			s.attend(c)
		}
	})
	s.on["initialize"] = func(c *client, m message) {
		c.fail(m, -32022, "unsupported protocol version", map[string]any{"supported": []string{modernVersion}})
	}
	s.on["ping"] = func(c *client, m message) { c.fail(m, -32601, "method not found: ping", nil) }
	s.rewrite = completed
}

func (s *server) discover(c *client, m message) {
	c.reply(m, map[string]any{
		"supportedVersions": []string{modernVersion},
		"capabilities":      s.capabilities(),
		"instructions":      s.surface.Instructions,
		"ttlMs":             0,
		"cacheScope":        "private",
		"_meta":             map[string]any{metaPrefix + "serverInfo": s.surface.ServerInfo},
	})
}

// checked answers only requests with all three members.
func (s *server) checked(next handler) handler {
	return func(c *client, m message) {
		var p struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		}
		_ = json.Unmarshal(m.Params, &p) // no params lack all three
		for _, name := range []string{"protocolVersion", "clientInfo", "clientCapabilities"} {
			if p.Meta[metaPrefix+name] == nil {
				c.fail(m, -32602, "missing _meta member "+metaPrefix+name, nil)
				return
			}
		}
		if version := string(p.Meta[metaPrefix+"protocolVersion"]); version != `"`+modernVersion+`"` {
			c.fail(m, -32022, "unsupported protocol version", map[string]any{"supported": []string{modernVersion}, "requested": p.Meta[metaPrefix+"protocolVersion"]})
			return
		}
		next(c, m)
	}
}

// completed marks a result as the last one, unless it says otherwise.
func completed(_ *client, m message, answer []byte) []byte {
	var v map[string]json.RawMessage
	var result map[string]json.RawMessage
	if json.Unmarshal(answer, &v) != nil || json.Unmarshal(v["result"], &result) != nil || result == nil || result["resultType"] != nil {
		return answer
	}
	result["resultType"] = json.RawMessage(`"complete"`)
	if strings.HasSuffix(m.Method, "/list") {
		// Whoever keeps a listing for an hour misses what changes in it.
		result["ttlMs"], result["cacheScope"] = json.RawMessage("3600000"), json.RawMessage(`"private"`)
	}
	v["result"] = encode(result)
	return encode(v)
}

// modernRounds wants input again and again, and never has enough.
func modernRounds(s *server) {
	modern(s)
	s.on["tools/call"] = s.checked(func(c *client, m message) {
		c.reply(m, map[string]any{
			"resultType":   "input_required",
			"requestState": "round-" + string(encode(s.calls.Add(1))),
			"inputRequests": map[string]any{"password": map[string]any{"method": "elicitation/create", "params": map[string]any{
				"message": "Your password?", "requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"password": map[string]any{"type": "string"}}},
			}}},
		})
	})
}

// replaceID puts another id into an answer.
func replaceID(answer, old, id []byte) []byte {
	var v map[string]json.RawMessage
	if json.Unmarshal(answer, &v) != nil || !slices.Equal(v["id"], old) {
		return answer
	}
	v["id"] = id
	return encode(v)
}
