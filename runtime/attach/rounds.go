// Requests that take several rounds: since 2026-07-28 a server may answer with
// further requests, and the client sends its request again with the answers.

package attach

import (
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
	Type     string                     `json:"resultType"`
	Requests map[string]json.RawMessage `json:"inputRequests"`
	State    json.RawMessage            `json:"requestState"`
}

// roundTrips sends a request until its result is complete.
func (s *session) roundTrips(ctx context.Context, r *request) (json.RawMessage, bool, error) {
	r.meta = append(r.meta, s.metaFor(r)...)
	var asked []string
	for round, busy := 1, 0; ; round++ {
		raw, sent, err := r.outcome(s.Call(ctx, r.method, r.params(), r.options()))
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
		if kind := jsontext.Member(raw, "resultType"); r.relay != nil || kind == nil || string(kind) == `"complete"` {
			return raw, true, nil
		}
		var o outcome
		if err := json.Unmarshal(raw, &o); err != nil {
			return nil, true, fmt.Errorf("the type of the result cannot be read: %w", err)
		}
		switch o.Type {
		case "", "complete":
			return raw, true, nil
		case "task":
			if r.method != protocol.MethodCallTool {
				return nil, true, fmt.Errorf("the server answered %s with a task, which is allowed only for tool calls", r.method)
			}
			return raw, true, nil
		case "input_required":
		default:
			return nil, true, fmt.Errorf("the server answered with a result of the unknown type %q", safetext.Words(o.Type, 60))
		}
		answers, all, err := s.answerAll(ctx, &o, &asked)
		if err != nil {
			return nil, true, err
		}
		if len(o.Requests) == 0 {
			busy++
			if err := pause(ctx, busyPause<<(busy-1)); err != nil {
				return nil, true, err
			}
		}
		if !all || round == maxRounds || busy == maxBusy {
			return nil, true, &InputError{Asked: asked, Rounds: round}
		}
		r.responses, r.state = answers, o.State
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
// server.
func (s *session) metaFor(r *request) []member {
	if r.relay == nil {
		return s.meta
	}
	meta := slices.Clone(s.meta)
	for i := range meta {
		if meta[i].name == mcp.MetaKeyClientCapabilities {
			meta[i].value = declaredOf(r.relay, s.server.Client)
		}
	}
	return meta
}

// declaredOf removes capabilities of a caller that are not declared to a server; a
// nil client removes none.
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
func (s *session) answerAll(ctx context.Context, o *outcome, asked *[]string) (answers json.RawMessage, all bool, err error) {
	if len(o.Requests) > maxAsked {
		return nil, false, fmt.Errorf("the server sent %d requests at once; at most %d are allowed", len(o.Requests), maxAsked)
	}
	all = true
	given := map[string]json.RawMessage{}
	for _, id := range slices.Sorted(maps.Keys(o.Requests)) {
		method, params := jsontext.Text(jsontext.Member(o.Requests[id], "method")), jsontext.Member(o.Requests[id], "params")
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
	if len(o.Requests) == 0 && !slices.Contains(*asked, "more time") {
		*asked = append(*asked, "more time")
	}
	if len(given) == 0 {
		return nil, all, nil
	}
	answers, err = json.Marshal(given)
	return answers, all, err
}

// describe returns a text for a request of the server.
func (s *session) describe(method string, params json.RawMessage) string {
	what := s.mask(safetext.Words(method, 60))
	if method != elicitation {
		return what
	}
	return what + fmt.Sprintf(" (%q)", s.mask(safetext.Words(jsontext.Text(jsontext.Member(params, "message")), 200)))
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
