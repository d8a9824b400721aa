// Routing of incoming messages: to a call, to the SDK or to the handlers of Options.

package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
)

// methodProgress is the notification of a call's progress.
const methodProgress = "notifications/progress"

// Receive takes what a link received: one message, or an array of messages. It keeps
// the bytes. It returns false, and does nothing, if the bytes are neither. Notifications
// belong to the call with the ID in call; 0 is none.
func (c *Conn) Receive(message []byte, call uint64) bool {
	return c.receive(trim(message), call, true)
}

func (c *Conn) receive(message []byte, call uint64, own bool) bool {
	if e, ok := scanEnvelope(message); ok && c.route(&e, call, own) {
		return true
	}
	return len(message) > 0 && message[0] == '[' && c.batch(message, call, own)
}

// Awaits reports whether a caller still waits for the answer to a request.
func (c *Conn) Awaits(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[id] != nil
}

// line takes one line of a stream. Unless own is set, the line changes after the
// return.
func (c *Conn) line(line []byte, own bool) {
	line = trim(line)
	if len(line) == 0 {
		return
	}
	if !c.receive(line, 0, own) {
		c.Skip(line)
		c.refuseBehind(line)
	}
}

// maxStarts is how many positions of a line are tried as the beginning of an answer.
const maxStarts = 64

// refuseBehind fails the request whose answer ends the line, after other text that
// was printed without a newline. The answer is not used, since any log output could
// precede it. Requests in such lines are ignored: the server may have logged what it
// received.
func (c *Conn) refuseBehind(line []byte) {
	if !bytes.Contains(line, []byte(c.ids.prefix)) {
		return
	}
	rest := line
	for range maxStarts {
		start := bytes.Index(rest[1:], []byte(`{"`))
		if start < 0 {
			return
		}
		rest = rest[1+start:]
		e, ok := scanEnvelope(rest)
		if !ok {
			continue
		}
		if id, own := c.ids.of(e.id); own && e.method == nil && (e.result != nil || e.fault != nil) {
			c.Refuse(id, errMixed(line))
		}
		return
	}
}

// Refuse fails a request that was sent and has no usable answer: the peer may have acted
// on it. Refuse does nothing if no caller waits for the answer.
func (c *Conn) Refuse(id uint64, err error) {
	if p := c.take(id); p != nil {
		p.answer <- answer{err: &Error{Sent: true, Err: err}}
	}
}

// trim removes what may surround a message: space, and a byte order mark.
func trim(line []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
}

// batch takes an array of messages, which one revision of the protocol allows. It is
// false if no element is a message.
func (c *Conn) batch(line []byte, call uint64, own bool) bool {
	any := false
	all, ok := jsontext.Elements(line)
	if !ok {
		return false
	}
	for _, value := range all {
		if e, ok := scanEnvelope(value); ok && c.route(&e, call, own) {
			any = true
		}
	}
	return any
}

// route delivers a message. It is false if e is not a JSON-RPC message.
func (c *Conn) route(e *envelope, call uint64, own bool) bool {
	if e.method != nil {
		return c.routeRequest(e, call)
	}
	n, ok := c.ids.of(e.id)
	if !ok { // an unknown answer is dropped, anything else is noise
		return e.id != nil && (e.result != nil || e.fault != nil) && string(e.version) == `"2.0"` && !e.twice
	}
	if p := c.take(n); p != nil {
		p.answer <- answerOf(e, own)
	} else if c.isLateProbe(n) {
		c.sdk.note(MethodDiscover, bytes.Clone(e.result))
	} // else a second or late answer to another request, which is dropped
	return true
}

// routeRequest delivers a request or a notification of the server. It copies the
// params, so that they do not keep the whole message in memory.
func (c *Conn) routeRequest(e *envelope, call uint64) bool {
	if string(e.version) != `"2.0"` || e.twice {
		return false // a log line may have a method, but no version
	}
	var method string
	if json.Unmarshal(e.method, &method) != nil {
		return false
	}
	if method == methodProgress {
		if id, ok := c.ids.of(jsontext.Member(e.params, "progressToken")); ok {
			c.progress(id, bytes.Clone(e.params))
			return true
		}
	}
	id := idOf(e.id)
	if e.id != nil && id == "" || e.params != nil && !json.Valid(e.params) {
		return false
	}
	c.in.accept(unasked{method: method, params: bytes.Clone(e.params), call: call}, id)
	return true
}

// envelope holds the members of a message that matter here, as raw JSON; absent
// members are nil.
type envelope struct {
	version, id, method, params, result, fault []byte
	twice                                      bool // a member is duplicated
}

// scanEnvelope parses a line. It is false if line is not one JSON object.
func scanEnvelope(line []byte) (envelope, bool) {
	var e envelope
	ok := jsontext.Walk(line, func(name []byte, from, to int) {
		name = jsontext.Plain(name)
		for _, member := range [...]struct {
			name string
			at   *[]byte
		}{
			{`"jsonrpc"`, &e.version}, {`"id"`, &e.id}, {`"method"`, &e.method},
			{`"params"`, &e.params}, {`"result"`, &e.result}, {`"error"`, &e.fault},
		} {
			if string(name) == member.name {
				e.twice = e.twice || *member.at != nil
				*member.at = line[from:to]
			}
		}
	})
	if jsontext.IsNull(e.id) {
		e.id = nil
	}
	if jsontext.IsNull(e.fault) && e.result != nil {
		e.fault = nil // older servers write both members, one of them null
	}
	if jsontext.IsNull(e.result) && e.fault != nil {
		e.result = nil
	}
	return e, ok
}

// answerOf returns the content of an answer. If own is set, it shares the message's
// bytes.
func answerOf(e *envelope, own bool) answer {
	fault, result := e.fault, e.result
	if !own {
		fault, result = bytes.Clone(fault), bytes.Clone(result)
	}
	fail := func(err error) answer { return answer{err: &Error{Sent: true, Err: err}} }
	switch {
	case e.twice:
		return fail(errTwice)
	case e.fault != nil && e.result != nil:
		return fail(fmt.Errorf("%w: %w", errBoth, FaultOf(fault)))
	case e.fault != nil:
		return answer{err: FaultOf(fault)}
	case e.result == nil:
		return fail(errEmpty)
	}
	return answer{result: result}
}

// ErrorIn returns the error object of a message with any ID; nil if there is none.
func ErrorIn(message []byte) *runtime.RPCError {
	e, ok := scanEnvelope(trim(message))
	if !ok || e.twice || e.fault == nil {
		return nil
	}
	rpc, _ := errorObject(e.fault)
	return rpc
}

// errorObject parses an error object. A code that is not an integer of 64 bits becomes 0,
// and a part of the message. It is false if raw is not an object, or has neither a message
// nor a code.
func errorObject(raw json.RawMessage) (*runtime.RPCError, bool) {
	members, twice, ok := jsontext.Members(raw)
	e := &runtime.RPCError{Data: members["data"]}
	if m := members["message"]; !ok || twice || m != nil && json.Unmarshal(m, &e.Message) != nil {
		return nil, false
	}
	if raw := jsontext.Present(members["code"]); raw != nil {
		var number json.Number // also in a string
		err := json.Unmarshal(raw, &number)
		if err == nil {
			digits, _ := jsontext.Integer([]byte(number)) // "" is no integer
			e.Code, err = strconv.ParseInt(digits, 10, 64)
		}
		if err != nil { // ParseInt returns the nearest integer
			e.Code = 0
			if e.Message != "" {
				e.Message += "; "
			}
			e.Message += "its code is " + string(raw[:min(len(raw), maxQuote)])
		}
	}
	if e.Message == "" && e.Code == 0 {
		return nil, false
	}
	return e, true
}

// FaultOf parses an error object. A malformed one is quoted verbatim.
func FaultOf(raw json.RawMessage) *runtime.RPCError {
	if e, ok := errorObject(raw); ok {
		return e
	}
	return &runtime.RPCError{Message: "malformed error object: " + string(raw[:min(len(raw), maxQuote)]), Data: raw}
}
