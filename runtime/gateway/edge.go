// The edge of the gateway: a message that different readers could interpret
// differently is refused here, before a server or another caller sees it.

package gateway

import (
	"encoding/json"
	"fmt"
	"math"
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

// refuse returns why bytes are not one JSON-RPC message, or a batch of messages; nil
// if they are.
func refuse(data []byte) *refusal {
	if !utf8.Valid(data) {
		return &refusal{code: jsonrpc.CodeParseError, reason: "the message is not UTF-8"}
	}
	whole, err := jsontext.Whole(data)
	if err != nil {
		return &refusal{code: jsonrpc.CodeParseError, reason: "the message is not one JSON value: " + err.Error()}
	}
	if whole[0] != '[' {
		_, why := decodeMessage(whole)
		return why
	}
	var why *refusal
	n, ids := 0, map[jsonrpc.ID]bool{}
	jsontext.Each(whole, func(item []byte) {
		n++
		m, bad := decodeMessage(item)
		if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
			if ids[r.ID] { // two calls with one ID would get one answer
				bad = invalidMessage(nil, "two requests of the batch have the same id")
			}
			ids[r.ID] = true
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

// decodeMessage decodes one message.
func decodeMessage(raw []byte) (jsonrpc.Message, *refusal) {
	if raw[0] != '{' {
		return nil, invalidMessage(nil, "a message is an object, not "+jsontext.KindOf(raw))
	}
	id, params := json.RawMessage(nil), []byte(nil)
	twice, repeats := repeatedMember(raw, func(name string, value []byte) {
		switch name {
		case "id":
			id = value
		case "params":
			params = value
		}
	})
	if !repeats && len(params) > 0 && params[0] == '{' {
		twice, repeats = repeatedMember(params, func(string, []byte) {})
	}
	if repeats {
		return nil, invalidMessage(nil, fmt.Sprintf("the member %s is duplicated", strconv.Quote(printable(twice))))
	}
	if !isID(id) {
		return nil, invalidMessage(id, fmt.Sprintf("the id has to be a text, or an integer from -%d to %d", largestID, largestID))
	}
	m, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return nil, invalidMessage(id, "the message is not one of JSON-RPC 2.0")
	}
	return m, nil
}

// invalidMessage refuses JSON that is not a message. The refusal returns the ID if it
// is a string or a number.
func invalidMessage(id json.RawMessage, reason string) *refusal {
	if len(id) == 0 || len(id) > longestID || id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		id = nil
	}
	return &refusal{code: jsonrpc.CodeInvalidRequest, reason: reason, id: id}
}

// repeatedMember returns the name of a member that an object has more than once, and
// whether there is one. It calls f for each member.
func repeatedMember(object []byte, f func(name string, value []byte)) (twice string, repeats bool) {
	seen := map[string]bool{}
	for m := jsontext.NewItems(object); m.Next(); {
		name := string(m.Key())
		if seen[name] {
			twice, repeats = name, true
		}
		seen[name] = true
		f(name, m.Value)
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
