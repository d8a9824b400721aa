// JSON-RPC messages as bytes.

package httpx

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// message is a JSON-RPC message with its parts as they were sent.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (m *message) method() string {
	if m.Method == nil {
		return ""
	}
	return *m.Method
}

// codeUnsupportedVersion is a server that does not speak the revision of the
// request, and names those that it does.
const codeUnsupportedVersion = -32022

// otherVersion returns the answer to a probe that the SDK has to see although it
// is an error: the one that says which revisions to ask for instead. Nil for all
// others.
func (m *message) otherVersion(e *runtime.RPCError) []byte {
	if m.method() != "server/discover" || e == nil || e.Code != codeUnsupportedVersion || !json.Valid(e.Data) {
		return nil
	}
	data, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": m.ID,
		"error": map[string]any{"code": e.Code, "message": e.Message, "data": json.RawMessage(e.Data)},
	})
	if err != nil || !decodable(data) {
		return nil
	}
	return data
}

// isAnswer reports whether m is an answer, to whatever.
func (m *message) isAnswer() bool {
	return m.Method == nil && (len(m.Result) > 0 || len(m.Error) > 0)
}

// answers reports whether m is the answer to id. A server that turns our number
// into a string is understood; an error without an id is an answer only where
// there can be no other request.
func (m *message) answers(id json.RawMessage, only bool) bool {
	if !m.isAnswer() {
		return false
	}
	got := bytes.TrimSpace(m.ID)
	if bytes.Equal(got, id) {
		return true
	}
	if len(got) == 0 || string(got) == "null" {
		return only && len(m.Error) > 0
	}
	var s string
	return json.Unmarshal(got, &s) == nil && s == string(id)
}

// parse reads the messages of an answer's body: one, or an array of them, as
// revision 2025-03-26 allowed.
func parse(body []byte) ([]message, error) {
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' {
		var all []message
		err := json.Unmarshal(body, &all)
		return all, err
	}
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		if m, ok := parseDeep(body); ok {
			return []message{m}, nil
		}
		return nil, err
	}
	return []message{m}, nil
}

// parseDeep reads a message whose result is nested too deeply for its decoder:
// what in it costs only itself is found out later.
func parseDeep(body []byte) (message, bool) {
	if !wire.IsDeep(body) {
		return message{}, false
	}
	members, ok := wire.Members(body)
	if !ok || !json.Valid(members["id"]) || members["method"] != nil {
		return message{}, false
	}
	return message{ID: members["id"], Result: members["result"]}, true
}

// decodable reports whether the SDK can read data as a message: what it cannot
// read ends its session.
func decodable(data []byte) bool {
	_, err := jsonrpc.DecodeMessage(data)
	return err == nil
}
