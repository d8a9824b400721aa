// Requests that take several rounds: since 2026-07-28 a server may answer with
// further requests, and the client sends its request again with the answers.

package attach

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

const (
	maxRounds = 10                     // of one call
	maxAsked  = 100                    // requests of the server in one round
	maxBusy   = 3                      // rounds of a call that only ask for more time
	busyPause = 200 * time.Millisecond // after the first of these rounds, doubling
)

// outcome holds the members of a result that determine its kind.
type outcome struct {
	kind     string
	requests map[string]json.RawMessage
	state    json.RawMessage
}

// outcomeOf judges the result of a request, whoever answers the server's requests in it.
func outcomeOf(method string, raw json.RawMessage) (o outcome, err error) {
	kind := jsontext.Member(raw, "resultType")
	if kind != nil && kind[0] != '"' {
		return o, fmt.Errorf("resultType is %s: want a string", jsontext.KindOf(kind))
	}
	switch o.kind = cmp.Or(jsontext.Text(kind), "complete"); {
	case o.kind == "complete" && method == protocol.MethodGetTask: // it may describe a task that asks
	case o.kind == "complete":
		return o, nil
	case o.kind == "task" && method != protocol.MethodCallTool:
		return o, fmt.Errorf("the server answered %s with a task, which is allowed only for tool calls", method)
	case o.kind == "task":
		return o, nil
	case o.kind != "input_required":
		return o, fmt.Errorf("the server answered with a result of the unknown type %q", safetext.Words(o.kind, 60))
	}
	o.state = jsontext.Member(raw, "requestState")
	requests := jsontext.Present(jsontext.Member(raw, "inputRequests"))
	if requests == nil {
		return o, nil
	}
	all, twice, ok := jsontext.Members(requests)
	switch {
	case !ok:
		return o, fmt.Errorf("inputRequests is %s: want an object with a request for each ID", jsontext.KindOf(requests))
	case twice:
		return o, errors.New("inputRequests has two requests with the same ID")
	case len(all) > maxAsked:
		return o, fmt.Errorf("the server sent %d requests at once; at most %d are allowed", len(all), maxAsked)
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		at := "inputRequests/" + safetext.Words(jsontext.EscapePointer(id), 60)
		if all[id][0] != '{' {
			return o, fmt.Errorf("%s is %s: want an object with method and params", at, jsontext.KindOf(all[id]))
		}
		if params := jsontext.Member(all[id], "params"); params != nil && params[0] != '{' {
			return o, fmt.Errorf("%s/params is %s: want an object", at, jsontext.KindOf(params))
		}
		if asks := jsontext.Text(jsontext.Member(all[id], "method")); !slices.Contains([]string{elicitation, sampling, listRoots}, asks) {
			return o, fmt.Errorf("%s: the server asks for %q: want %s, %s or %s", at, safetext.Words(asks, 60), elicitation, sampling, listRoots)
		}
	}
	o.requests = all
	return o, nil
}

// roundTrips sends a request until its result is complete.
func (s *session) roundTrips(ctx context.Context, r *request) (json.RawMessage, bool, error) {
	r.meta = append(r.meta, s.metaFor(r)...)
	var asked []string
	for round, busy := 1, 0; ; round++ {
		raw, sent, err := received(s.Call(ctx, r.method, r.params(), r.options()))
		if err != nil && round < maxRounds && !r.passes {
			if again, failed := s.mayVisit(ctx, err); again {
				continue
			} else if failed != nil {
				return nil, sent, failed
			}
		}
		if err != nil {
			return nil, sent, err
		}
		o, err := outcomeOf(r.method, raw)
		if err != nil {
			return nil, true, err
		}
		if r.relay != nil || o.kind != "input_required" {
			return raw, true, nil
		}
		answers, all, err := s.answerAll(ctx, o.requests, &asked)
		if err != nil {
			return nil, true, err
		}
		if len(o.requests) == 0 {
			busy++
			if err := wire.Pause(ctx, nil, busyPause<<(busy-1)); err != nil {
				return nil, true, err
			}
		}
		if !all || round == maxRounds || busy == maxBusy {
			return nil, true, &InputError{Asked: asked, Rounds: round, answered: all && isGiven(answers)}
		}
		r.responses, r.state = answers, o.state
	}
}

// mayVisit reports whether a refused call may be sent again, because the pages that
// the refusal named have been visited.
func (s *session) mayVisit(ctx context.Context, refusal error) (bool, error) {
	var rpc *runtime.RPCError
	a := s.handlers
	if a == nil || !a.does.Pages || !errors.As(refusal, &rpc) || rpc.Code != mcp.CodeURLElicitationRequired {
		return false, nil
	}
	again, err := a.input.visitAll(ctx, rpc.Data, s.done(), a.elicit)
	if !again && err == nil {
		err = lostOr(s, nil)
	}
	return again, err
}

// metaFor returns the description of this client in a request. In a relayed request
// it is the description of the caller's client, limited to what is declared to the
// server. If the session asks the caller, it is limited to what the caller answers.
func (s *session) metaFor(r *request) []member {
	if r.relay == nil && r.client == nil {
		return s.meta
	}
	meta := slices.Clone(s.meta)
	for i := range meta {
		switch {
		case meta[i].name != mcp.MetaKeyClientCapabilities:
		case r.relay != nil:
			meta[i].value = declaredOf(r.relay, s.server.Client)
		default:
			caller := endpoint.OffersOf(r.client)
			meta[i].value = declaredOf(meta[i].value, &caller)
		}
	}
	return meta
}

// declaredOf removes capabilities that are not those of a client; a nil client removes
// none.
func declaredOf(capabilities json.RawMessage, client *endpoint.Offers) json.RawMessage {
	var all map[string]json.RawMessage
	if client == nil || json.Unmarshal(capabilities, &all) != nil {
		return capabilities
	}
	declared := endpoint.OffersOf(capabilities).And(*client)
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool {
		return name == "elicitation" && !declared.Forms || name == "sampling" && !declared.Sampling || name == "roots" && !declared.Roots
	})
	if declared.Forms && !declared.Pages {
		all["elicitation"] = json.RawMessage(`{"form":{}}`)
	}
	limited, _ := json.Marshal(all) // always valid: it was parsed from JSON
	return limited
}

// answerAll answers the requests of a server, in the order of their ids. All is false
// if a request has no answer: the protocol cannot decline sampling.
func (s *session) answerAll(ctx context.Context, requests map[string]json.RawMessage, asked *[]string) (answers json.RawMessage, all bool, err error) {
	all = true
	given := map[string]json.RawMessage{}
	for _, id := range slices.Sorted(maps.Keys(requests)) {
		method, params := jsontext.Text(jsontext.Member(requests[id], "method")), jsontext.Member(requests[id], "params")
		what := s.describe(method, params)
		if !slices.Contains(*asked, what) {
			*asked = append(*asked, what)
		}
		answer, err := s.handlers.answer(ctx, method, params)
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case errors.Is(err, errNobody):
			all = false
		case err != nil:
			return nil, false, fmt.Errorf("the server asked for %s, and got no answer: %w", what, err)
		default:
			given[id] = answer
		}
	}
	if len(requests) == 0 && !slices.Contains(*asked, "more time") {
		*asked = append(*asked, "more time")
	}
	if len(given) == 0 {
		return nil, all, nil
	}
	answers, err = json.Marshal(given)
	return answers, all, err
}

// isGiven reports whether answers to a server's requests give what it asked for.
func isGiven(answers json.RawMessage) bool {
	given, _, _ := jsontext.Members(answers)
	for _, answer := range given {
		if slices.Contains([]string{"decline", "cancel"}, jsontext.Text(jsontext.Member(answer, "action"))) {
			return false
		}
	}
	return len(given) > 0
}

// describe returns a text for a request of the server.
func (s *session) describe(method string, params json.RawMessage) string {
	what := s.mask(safetext.Words(method, 60))
	if method != elicitation {
		return what
	}
	return what + fmt.Sprintf(" (%q)", s.mask(safetext.Words(jsontext.Text(jsontext.Member(params, "message")), 200)))
}

// received splits the outcome of a call: sent reports whether the server may have
// acted on it.
func received(raw json.RawMessage, err error) (result json.RawMessage, sent bool, _ error) {
	if failed, ok := errors.AsType[*wire.Error](err); ok {
		return nil, failed.Sent, failed.Err
	}
	return raw, true, err
}

// ask makes a request with one parameter, and waits for its end.
func (s *session) ask(ctx context.Context, method, param string, value json.RawMessage) error {
	_, _, err := s.roundTrips(ctx, &request{method: method, members: []member{{param, value}}})
	return err
}
