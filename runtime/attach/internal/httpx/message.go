// JSON-RPC messages as bytes.

package httpx

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// message is a JSON-RPC message with its parts as they were sent.
type message struct {
	wire.Envelope
	name *string // the method; nil if there is none
}

func (m *message) method() string {
	if m.name == nil {
		return ""
	}
	return *m.name
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
	return m.name == nil && (len(m.Result) > 0 || len(m.Error) > 0)
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
	if len(body) == 0 || body[0] != '[' {
		m, err := open(body)
		return []message{m}, err
	}
	if !json.Valid(body) {
		return nil, errSyntax
	}
	var all []message
	elements, _ := wire.Elements(body) // it is an array
	for _, one := range elements {
		m, err := open(one)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

var errSyntax = errors.New("not a JSON-RPC message")

// open reads one message. Its result may be nested too deeply for a decoder: what
// in it costs only itself is found out later.
func open(data []byte) (message, error) {
	deep := !json.Valid(data)
	if deep && !wire.IsDeep(data) {
		return message{}, errSyntax
	}
	e, ok := wire.Open(data)
	m := message{Envelope: e}
	if !ok { // it is JSON, and answers nothing
		return message{}, nil
	}
	if e.Method != nil && json.Unmarshal(e.Method, &m.name) != nil {
		return m, errSyntax
	}
	if deep && (e.Method != nil || !json.Valid(e.ID)) {
		return m, errSyntax
	}
	return m, nil
}

// bytes returns the message with nothing but the members that JSON-RPC knows.
func (m *message) bytes() []byte {
	b := []byte("{")
	for _, member := range []struct {
		name  string
		value json.RawMessage
	}{{"jsonrpc", m.Version}, {"id", m.ID}, {"method", m.Method}, {"params", m.Params}, {"result", m.Result}, {"error", m.Error}} {
		if member.value == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), member.name...), '"', ':')
		b = append(b, member.value...)
	}
	return append(b, '}')
}

// errTwice is an answer that two readers would take for two.
func errTwice() *Error {
	return &Error{Reason: "the server's answer names a member twice: it was not used"}
}

// decodable reports whether the SDK can read data as a message: what it cannot
// read ends its session.
func decodable(data []byte) bool {
	_, err := jsonrpc.DecodeMessage(data)
	return err == nil
}
