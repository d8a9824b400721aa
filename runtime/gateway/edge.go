// The edge of the gateway: a message that different readers could interpret
// differently is refused here, before a server or another caller sees it.

package gateway

import (
	"bytes"
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

// refusal is the reason why bytes are refused.
type refusal struct {
	code   int64
	reason string
	id     json.RawMessage // the message's; nil: none that can be returned
}

// answer returns the response to the sender.
func (r *refusal) answer() []byte {
	id := r.id
	if id == nil {
		id = json.RawMessage("null")
	}
	b := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"error":{"code":`...)
	b = strconv.AppendInt(b, r.code, 10)
	return append(jsontext.AppendString(append(b, `,"message":`...), r.reason), "}}"...)
}

// write answers a request over HTTP.
func (r *refusal) write(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(r.answer()) // a client that has ended needs no answer
}

// refuse returns why bytes are not one JSON-RPC message that the gateway takes, or a
// batch of messages; nil if they are.
func refuse(data []byte) *refusal {
	if !utf8.Valid(data) {
		return &refusal{code: jsonrpc.CodeParseError, reason: "the message is not UTF-8"}
	}
	whole, err := jsontext.Whole(data)
	if err != nil {
		return &refusal{code: jsonrpc.CodeParseError, reason: "the message is not one JSON value: " + err.Error()}
	}
	if whole[0] != '[' {
		if why := refuseOne(whole); why != nil {
			return why
		}
		return refuseRequest(whole)
	}
	var why *refusal
	n, ids := 0, map[jsonrpc.ID]bool{}
	jsontext.Each(whole, func(item []byte) {
		n++
		bad := refuseOne(item)
		if m, err := jsonrpc.DecodeMessage(item); bad == nil && err == nil {
			if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
				if ids[r.ID] { // two calls with one ID would get one answer
					bad = invalidMessage(nil, "two requests of the batch have the same id")
				}
				ids[r.ID] = true
			}
		}
		if why == nil && bad != nil {
			why = bad
			why.id = nil // the whole batch is refused
		}
	})
	if n == 0 {
		return invalidMessage(nil, "the batch is empty")
	}
	return why
}

// refuseOne returns why a JSON value is not one message; nil if it is.
func refuseOne(raw []byte) *refusal {
	if raw[0] != '{' {
		return invalidMessage(nil, "a message is an object, not "+jsontext.KindOf(raw))
	}
	var id, params json.RawMessage
	version, method, others := false, false, false
	twice, repeats := repeatedMember(raw, func(name, value []byte) {
		switch string(name) {
		case "jsonrpc":
			version = string(value) == `"2.0"`
		case "id":
			id = value
		case "method":
			method = value[0] == '"'
		case "params":
			params = value
		default:
			others = true
		}
	})
	of := json.RawMessage(nil) // the id may be the duplicate
	if !repeats {
		of = id
		twice, repeats = repeatedWithin(params)
	}
	if repeats {
		return invalidMessage(of, fmt.Sprintf("the member %s is duplicated", strconv.Quote(printable(twice))))
	}
	if !isID(id) {
		return invalidMessage(id, fmt.Sprintf("the id has to be a text, or an integer from -%d to %d", largestID, largestID))
	}
	if version && method && !others { // the SDK takes every such message, and needs 64 KiB to decode one
		return nil
	}
	if _, err := jsonrpc.DecodeMessage(raw); err != nil {
		return invalidMessage(id, "the message is not one of JSON-RPC 2.0")
	}
	return nil
}

// invalidMessage refuses JSON that is not a message. The refusal returns the ID if it
// is a string or a number.
func invalidMessage(id json.RawMessage, reason string) *refusal {
	if len(id) == 0 || len(id) > longestID || id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		id = nil
	}
	return &refusal{code: jsonrpc.CodeInvalidRequest, reason: reason, id: id}
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
