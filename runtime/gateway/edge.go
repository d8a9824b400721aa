// The edge of the gateway: a message that different readers could interpret
// differently is refused here, before a server or another caller sees it.

package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// largestID is the largest number that an ID may be. A reader that uses
// floating-point numbers confuses larger ids, and could send an answer to the wrong
// request.
const largestID = 1 << 53

// longestID is the length of the longest ID that a refusal returns, in bytes.
const longestID = 256

// message has the parts of a JSON-RPC message, or the messages of a batch.
type message struct {
	id, method, params json.RawMessage // nil: it is missing
	batch              []message
}

// name returns the method.
func (m *message) name() string { return jsontext.Text(m.method) }

// isCall reports whether the message is a request that gets an answer.
func (m *message) isCall() bool { return m.method != nil && jsontext.Present(m.id) != nil }

// each calls f with the message, or with each message of the batch.
func (m *message) each(f func(*message)) {
	if m.batch == nil {
		f(m)
	}
	for i := range m.batch {
		f(&m.batch[i])
	}
}

// refusal is the reason why bytes are refused.
type refusal struct {
	fault jsonrpc.Error
	id    json.RawMessage // the message's; nil: none that can be returned
}

// answer returns the response to the sender.
func (r *refusal) answer() []byte {
	text, err := jsontext.Marshal(&r.fault)
	if err != nil { // its data is not JSON
		text = []byte(`{"code":-32603,"message":"the error cannot be written"}`)
	}
	b := append([]byte(`{"jsonrpc":"2.0","id":`), cmp.Or(string(r.id), "null")...)
	return append(append(append(b, `,"error":`...), text...), '}')
}

// write answers a request over HTTP.
func (r *refusal) write(w http.ResponseWriter, status int) { writeJSON(w, status, r.answer()) }

// writeJSON writes an answer.
func writeJSON(w http.ResponseWriter, status int, answer []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(answer) // a caller that has left needs no answer
}

// refuse returns the parts of bytes that are one JSON-RPC message which the gateway takes, or
// a batch of messages; else why they are not.
func refuse(data []byte) (m message, why *refusal) {
	if !utf8.Valid(data) {
		return m, refused(jsonrpc.CodeParseError, nil, "the message is not UTF-8")
	}
	whole, err := jsontext.Whole(data)
	if err != nil {
		return m, refused(jsonrpc.CodeParseError, nil, "the message is not one JSON value: "+err.Error())
	}
	if whole[0] != '[' {
		if m, why = refuseOne(whole); why == nil {
			why = refuseRequest(&m)
		}
		return m, why
	}
	ids := map[string]bool{}
	jsontext.Each(whole, func(item []byte) {
		one, bad := refuseOne(item)
		if bad == nil && one.isCall() {
			id := textOf(one.id)
			if ids[id] { // two calls with one ID would get one answer
				bad = invalidMessage(nil, "two requests of the batch have the same id")
			}
			ids[id] = true
		}
		if why == nil && bad != nil {
			why = bad
			why.id = nil // the whole batch is refused
		}
		m.batch = append(m.batch, one)
	})
	if m.batch == nil {
		return m, invalidMessage(nil, "the batch is empty")
	}
	return m, why
}

// refuseOne returns the parts of a JSON value that is one message; else why it is not.
func refuseOne(raw []byte) (m message, why *refusal) {
	if raw[0] != '{' {
		return m, invalidMessage(nil, "a message is an object, not "+jsontext.KindOf(raw))
	}
	version, others := false, false
	twice, repeats := repeatedMember(raw, func(name, value []byte) {
		switch string(name) {
		case "jsonrpc":
			version = string(value) == `"2.0"`
		case "id":
			m.id = value
		case "method":
			m.method = value
		case "params":
			m.params = value
		default:
			others = true
		}
	})
	of := json.RawMessage(nil) // the id may be the duplicate
	if !repeats {
		of = m.id
		twice, repeats = repeatedWithin(m.params)
	}
	if repeats {
		return m, invalidMessage(of, fmt.Sprintf("the member %s is duplicated", strconv.Quote(printable(twice))))
	}
	if !isID(m.id) {
		return m, invalidMessage(m.id, fmt.Sprintf("the id has to be a text, or an integer from -%d to %d", largestID, largestID))
	}
	if version && len(m.method) > 0 && m.method[0] == '"' && !others { // the SDK takes every such message, and needs 64 KiB to decode one
		return m, nil
	}
	if _, err := jsonrpc.DecodeMessage(raw); err != nil {
		return m, invalidMessage(m.id, "the message is not one of JSON-RPC 2.0")
	}
	return m, nil
}

// invalidMessage refuses JSON that is not a message.
func invalidMessage(id json.RawMessage, reason string) *refusal {
	return refused(jsonrpc.CodeInvalidRequest, id, reason)
}

// refused returns a refusal, with the ID if it is a string or a number.
func refused(code int64, id json.RawMessage, reason string) *refusal {
	if len(id) == 0 || len(id) > longestID || id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		id = nil
	}
	return &refusal{jsonrpc.Error{Code: code, Message: reason}, id}
}

// repeatedWithin returns the name of a member that an object in a value has more than once,
// at any depth, and whether there is one: of the two, a validator, an audit log and a server
// could each read another.
func repeatedWithin(value []byte) (twice string, repeats bool) {
	inside := func(_, value []byte) {
		if !repeats {
			twice, repeats = repeatedWithin(value)
		}
	}
	switch {
	case len(value) > 0 && value[0] == '{':
		if name, here := repeatedMember(value, inside); here {
			return name, true
		}
	case len(value) > 0 && value[0] == '[':
		jsontext.Each(value, func(item []byte) { inside(nil, item) })
	}
	return twice, repeats
}

// repeatedMember returns the name of a member that an object has more than once, and
// whether there is one. It calls f for each member.
func repeatedMember(object []byte, f func(name, value []byte)) (twice string, repeats bool) {
	var few [8][]byte
	names, seen := few[:0], map[string]bool(nil)
	for m := jsontext.NewItems(object); m.Next(); {
		name := m.Key()
		if seen[string(name)] || seen == nil && slices.ContainsFunc(names, func(known []byte) bool { return bytes.Equal(known, name) }) {
			twice, repeats = string(name), true
		}
		f(name, m.Value)
		switch {
		case seen != nil:
			seen[string(name)] = true
		case len(names) < len(few):
			names = append(names, name)
		default:
			seen = map[string]bool{string(name): true}
			for _, name := range names {
				seen[string(name)] = true
			}
		}
	}
	return twice, repeats
}

// isID reports whether a value may be an ID: a string or an integer. A message
// without an ID, or with the ID null, is a notification.
func isID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' || jsontext.IsNull(id) {
		return true
	}
	if jsontext.TypeOf(id) != "number" {
		return false
	}
	digits, err := jsontext.Integer(id)
	if err != nil {
		return false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return err == nil && n != math.MinInt64 && max(n, -n) <= largestID
}
