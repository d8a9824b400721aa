// The gateway's edge: what comes in is one message that all readers take for the same,
// or it is refused here, and no server and no other caller sees anything of it.

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

// largestID is the largest number that an id may be: beyond it two ids are one for
// readers that take numbers for floating-point ones, and the answer has the id of
// another request.
const largestID = 1 << 53

// longestID is how many bytes an id may have that is sent back with a refusal.
const longestID = 256

// refusal is why bytes are not taken in.
type refusal struct {
	code   int64
	reason string
	id     json.RawMessage // that the message has; nil: none that can be sent back
}

// answer is the response to the sender.
func (r *refusal) answer() []byte {
	id := r.id
	if id == nil {
		id = json.RawMessage("null")
	}
	b := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"error":{"code":`...)
	b = strconv.AppendInt(b, r.code, 10)
	return append(jsontext.AppendString(append(b, `,"message":`...), r.reason), "}}"...)
}

// refuse says why bytes are not one message of JSON-RPC, or a batch of them; nil: they
// are one.
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
			if ids[r.ID] { // two calls of one id have one answer
				bad = invalidMessage(nil, "two requests of the batch have the same id")
			}
			ids[r.ID] = true
		}
		if why == nil && bad != nil {
			why = bad
			why.id = nil // it is the whole batch that is refused
		}
	})
	if n == 0 {
		return invalidMessage(nil, "the batch is empty")
	}
	return why
}

// decodeMessage reads one message.
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
		return nil, invalidMessage(nil, fmt.Sprintf("the member %s stands twice", strconv.Quote(printable(twice))))
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

// invalidMessage refuses what is JSON, and no message. The id is sent back if it is a
// text or a number.
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

// isID reports whether a value may be an id: a text or an integer; a message without one
// is a notification, and so is one whose id is null.
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
