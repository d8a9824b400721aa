// Since 2026-07-28 callers are asked in rounds: the answer to a call lists the input
// that is still needed. The caller repeats the call with that input, and with a state
// that identifies the call.

package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// answerTime is how long a caller may take to answer a question.
const answerTime = 10 * time.Minute

// question is a server's request to one caller.
type question struct {
	method string
	params json.RawMessage
	answer chan json.RawMessage
}

// questionID is the id of the one question of a round.
const questionID = "1"

// parkedCall is a call that waits for its caller.
type parkedCall struct {
	*flight
	asked *question
	stop  context.CancelFunc
	late  *time.Timer
}

// mayPark reports whether a call may wait in this process for its caller.
func (f *flight) mayPark() bool {
	return f.isModern() && f.g.opts.Input != nil && f.canAnswer()
}

// askInRound asks the caller by the answer to its request.
func (f *flight) askInRound(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	q := &question{method: method, params: params, answer: make(chan json.RawMessage, 1)}
	select {
	case f.asks <- q:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case answer, ok := <-q.answer:
		if !ok {
			return nil, errAsked
		}
		return answer, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wait waits for the end of a call, or for a question to its caller. Stop ends the
// call; wait calls it if the caller leaves.
func (f *flight) wait(ctx context.Context, stop context.CancelFunc) (mcp.Result, error) {
	select {
	case o := <-f.done:
		stop()
		return f.answer(o)
	case q := <-f.asks:
		return f.park(q, stop)
	case <-ctx.Done():
		stop()
		return f.answer(<-f.done)
	}
}

// maxParked is how many calls of one caller may wait for it at the same time.
const maxParked = 256

// parking holds the calls that wait for their callers.
type parking struct {
	mu    sync.Mutex
	calls map[string]*parkedCall // by id
	of    map[string]int         // number of calls, by caller
}

// put keeps a call, unless its caller has reached maxParked.
func (p *parking) put(id string, c *parkedCall) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of[c.caller.name] >= maxParked {
		return false
	}
	if p.calls == nil {
		p.calls, p.of = map[string]*parkedCall{}, map[string]int{}
	}
	p.calls[id] = c
	p.of[c.caller.name]++
	return true
}

// take removes and returns a call; nil if it does not wait.
func (p *parking) take(id string) *parkedCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.calls[id]
	if c == nil {
		return nil
	}
	delete(p.calls, id)
	if p.of[c.caller.name]--; p.of[c.caller.name] == 0 {
		delete(p.of, c.caller.name)
	}
	return c
}

// park keeps a call for its next round, and answers with the question.
func (f *flight) park(q *question, stop context.CancelFunc) (mcp.Result, error) {
	id := newID()
	b := append(jsontext.AppendString([]byte(`{"`+questionID+`":{"method":`), q.method), `,"params":`...)
	answer, err := f.needsInput(append(append(b, q.params...), "}}"...), sealed{Call: id})
	if err != nil {
		stop()
		return nil, err
	}
	c := &parkedCall{flight: f, asked: q, stop: stop}
	c.late = time.AfterFunc(answerTime, func() {
		if f.g.parked.take(id) != nil {
			stop()
		}
	})
	f.waits.Store(true)
	if !f.g.parked.put(id, c) {
		c.late.Stop()
		stop()
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("this caller is at the limit of %d calls that wait for input: answer some of them, or wait until they end after %v", maxParked, answerTime)}
	}
	return answer, nil
}

// inputRequired is the type of a result that asks for input.
const inputRequired = "input_required"

// askOn passes on the questions of a server that itself keeps no state of the call:
// its state becomes a part of the gateway's state.
func (f *flight) askOn(raw json.RawMessage) (mcp.Result, error) {
	requests := jsontext.Present(jsontext.Member(raw, "inputRequests"))
	if requests != nil {
		for m := jsontext.NewItems(requests); m.Next(); {
			method, params := jsontext.Text(jsontext.Member(m.Value, "method")), jsontext.Member(m.Value, "params")
			if why, needs := f.lacks(method, params); why != "" {
				return nil, &jsonrpc.Error{
					Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the server needs input: " + why,
					Data: json.RawMessage(`{"requiredCapabilities":` + needs + `}`),
				}
			}
		}
	}
	return f.needsInput(requests, sealed{Server: jsontext.Present(jsontext.Member(raw, "requestState"))})
}

// needsInput answers with questions, which may be nil, and a state.
func (f *flight) needsInput(requests []byte, s sealed) (mcp.Result, error) {
	state, err := f.g.keys.seal(s, f.binding(), time.Now().Add(answerTime))
	if err != nil {
		return nil, err
	}
	b := []byte{'{'}
	if requests != nil {
		b = appendMember(b, "inputRequests", requests)
	}
	b = appendMember(b, "requestState", jsontext.AppendString(nil, state))
	return &rawResult{raw: append(b, '}'), modern: true, kind: inputRequired}, nil
}

// goOn continues a call that has asked its caller.
func (f *flight) goOn(ctx context.Context, id string) (mcp.Result, error) {
	c := f.g.parked.take(id)
	if c == nil {
		return nil, invalid("the call of this requestState no longer waits: make the call again, without inputResponses")
	}
	c.late.Stop()
	answer := jsontext.Member(f.responses, questionID)
	if answer == nil {
		c.stop()
		return nil, invalid("inputResponses: the requested input is missing")
	}
	c.waits.Store(false)
	c.asked.answer <- answer
	return c.wait(ctx, c.stop)
}

func invalid(text string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: text}
}

// binding returns what a state is valid for: one caller, and one tool, prompt or
// resource.
func (f *flight) binding() []string { return []string{f.caller.name, f.method, f.name} }

var errState = errors.New("requestState belongs to another gateway or another call: make the call again, without inputResponses")
