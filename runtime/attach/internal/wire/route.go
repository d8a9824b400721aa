// Who gets an incoming message: a call of ours, the SDK, or nobody.

package wire

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime"
)

// methodProgress is the notification that own calls want to see.
const methodProgress = "notifications/progress"

// line takes in one line of a stream, which changes after the return. With large,
// the result of a call is not copied: kept says that the line is in use then.
func (c *Conn) line(line []byte, large bool) (kept bool) {
	line = trim(line)
	if len(line) == 0 {
		return false
	}
	own := func(raw []byte) json.RawMessage {
		if large && raw != nil {
			kept = true
			return raw
		}
		return bytes.Clone(raw)
	}
	if e, ok := scanEnvelope(line); ok && c.route(&e, own) {
		return kept
	}
	if line[0] == '[' && c.batch(line, own) {
		return kept
	}
	c.skip(line)
	c.refuseBehind(line)
	return false
}

// maxStarts is how many places of a line may be the beginning of an answer.
const maxStarts = 64

// refuseBehind fails the request whose answer ends the line, behind something
// that was printed without a newline. It is not taken: whatever a server logs
// could stand before it. Requests are ignored there, such as a log of what the
// server received.
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
			c.refuse(id, &MixedError{Line: string(line[:min(len(line), maxQuote)])})
		}
		return
	}
}

// refuse ends a request, of ours or of the SDK, whose answer cannot be used.
func (c *Conn) refuse(id uint64, err error) {
	if c.deliver(id, answer{err: &Error{Sent: true, Err: err}}) {
		return
	}
	if sdk, ok := c.sdk.answered(id); ok {
		c.sdk.answer(&jsonrpc.Response{ID: sdk, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}})
	}
}

// trim takes off what may surround a message: space, and a byte order mark.
func trim(line []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
}

// batch takes in an array of messages, which one revision of the protocol
// allows. It is false if nothing in it is a message.
func (c *Conn) batch(line []byte, own func([]byte) json.RawMessage) bool {
	any := false
	ok := elements(line, func([]byte) {})
	ok = ok && elements(line, func(value []byte) {
		if e, ok := scanEnvelope(value); ok && c.route(&e, own) {
			any = true
		}
	})
	return ok && any
}

// route hands a message on. It is false if it is no JSON-RPC message.
func (c *Conn) route(e *envelope, own func([]byte) json.RawMessage) bool {
	switch {
	case e.method != nil:
		return c.routeRequest(e)
	case e.id == nil || e.result == nil && e.fault == nil:
		return false
	}
	n, ok := c.ids.of(e.id)
	if !ok {
		return string(e.version) == `"2.0"` && !e.twice // an answer to no request is dropped, anything else is noise
	}
	if p := c.take(n); p != nil {
		p.answer <- answerOf(e, own)
		return true
	}
	if string(e.version) != `"2.0"` || e.twice {
		return false
	}
	id, ok := c.sdk.answered(n)
	if !ok {
		return true // a second time, or too late: dropped
	}
	msg := &jsonrpc.Response{ID: id, Result: own(e.result)}
	if e.fault != nil {
		f := faultOf(own(e.fault))
		msg.Error = &jsonrpc.Error{Code: f.Code, Message: f.Message, Data: f.Data}
	}
	c.sdk.answer(msg)
	return true
}

// routeRequest hands on a request or a notification of the server.
func (c *Conn) routeRequest(e *envelope) bool {
	if string(e.version) != `"2.0"` || e.twice {
		return false // a log line may have a method, but not this
	}
	var method string
	if json.Unmarshal(e.method, &method) != nil {
		return false
	}
	if method == methodProgress {
		if id, ok := c.ids.of(tokenOf(e.params)); ok {
			c.progress(id, bytes.Clone(e.params))
			return true
		}
	}
	msg := &jsonrpc.Request{Method: method, Params: bytes.Clone(e.params)}
	if e.id != nil {
		id, err := requestID(e.id)
		if err != nil || id == c.sdk.marker {
			return false
		}
		msg.ID = id
	}
	c.sdk.accept(msg)
	return true
}

// tokenOf returns the progress token of a notification.
func tokenOf(params []byte) []byte {
	if from, to := memberAt(params, `"progressToken"`); from >= 0 {
		return params[from:to]
	}
	return nil
}

// answerOf is the answer to an own call.
func answerOf(e *envelope, own func([]byte) json.RawMessage) answer {
	switch {
	case e.twice:
		return answer{err: &Error{Sent: true, Err: errTwice}}
	case e.fault != nil && e.result != nil:
		return answer{err: &Error{Sent: true, Err: errBoth}}
	case e.fault != nil:
		return answer{err: faultOf(own(e.fault))}
	}
	return answer{result: own(e.result)}
}

// faultOf reads an error object. One that is none is quoted as it is.
func faultOf(raw json.RawMessage) *runtime.RPCError {
	var number json.Number
	var message string
	members, ok := Exact(raw)
	read := func(name string, v any) bool { return members[name] == nil || json.Unmarshal(members[name], v) == nil }
	if !ok || !read("code", &number) || !read("message", &message) {
		return &runtime.RPCError{Message: "malformed error object: " + string(raw[:min(len(raw), maxQuote)]), Data: raw}
	}
	code, err := number.Int64()
	if err != nil {
		if float, err := number.Float64(); err == nil {
			code = int64(float)
		}
	}
	return &runtime.RPCError{Code: code, Message: message, Data: members["data"]}
}
