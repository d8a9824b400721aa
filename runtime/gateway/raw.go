// Results as JSON that the SDK sends without parsing it.

package gateway

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// rawResult is a result object as it is sent, without the members that depend on the
// revision and what the SDK adds to _meta.
type rawResult struct {
	mcp.ResultBase
	raw     json.RawMessage // without resultType, ttlMs and cacheScope
	modern  bool            // the caller speaks 2026-07-28 or later
	listing bool            // the result says how long it may be cached
	kind    string          // the type of the result; "" is complete
}

// MarshalJSON implements [json.Marshaler].
func (r *rawResult) MarshalJSON() ([]byte, error) { return r.appendTo(nil) }

// appendTo appends the result to out.
func (r *rawResult) appendTo(out []byte) ([]byte, error) {
	raw := bytes.TrimSpace(r.raw)
	meta, from, to := json.RawMessage(nil), -1, -1
	if len(r.Meta) > 0 {
		meta = []byte("{}")
		if from, to = jsontext.MemberAt(raw, `"_meta"`); from >= 0 && raw[from] == '{' {
			meta = raw[from:to:to]
		}
		for _, name := range slices.Sorted(maps.Keys(r.Meta)) {
			value, done := r.Meta[name].(json.RawMessage)
			if !done {
				var err error
				if value, err = jsontext.Marshal(r.Meta[name]); err != nil {
					return nil, err
				}
			}
			meta = jsontext.AppendMember(nil, meta, string(jsontext.AppendString(nil, name)), func(b []byte) []byte { return append(b, value...) })
		}
	}
	out = append(slices.Grow(out, len(raw)+len(meta)+100), '{')
	if meta != nil && from < 0 {
		out = appendMember(out, "_meta", meta)
	}
	if r.modern {
		out = appendMember(out, "resultType", []byte(`"`+cmp.Or(r.kind, "complete")+`"`))
		if r.listing {
			out = appendMember(out, "ttlMs", []byte("0")) // callers are notified of changes, and the age of the listing is unknown
			out = appendMember(out, "cacheScope", []byte(`"`+private+`"`))
		}
	}
	if jsontext.First(raw[1:]) != '}' && out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	if from >= 0 {
		return append(append(append(out, raw[1:from]...), meta...), raw[to:]...), nil
	}
	return append(out, bytes.TrimLeft(raw[1:], " \t\r\n")...), nil
}

// rawParams are the parameters of a request to a caller, as a server sent them.
type rawParams struct {
	mcp.ParamsBase
	raw json.RawMessage
}

// MarshalJSON implements [json.Marshaler].
func (p *rawParams) MarshalJSON() ([]byte, error) { return p.raw, nil }

type rawKey struct{}

// withRaw returns a context with the parameters of the one request that is sent with
// it.
func withRaw(ctx context.Context, raw json.RawMessage) context.Context {
	return context.WithValue(ctx, rawKey{}, raw)
}

// sendRaw is sending middleware: it replaces the parameters of a request by the raw
// parameters in its context. The SDK's types keep neither all members nor their
// order.
func sendRaw(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if raw, ok := ctx.Value(rawKey{}).(json.RawMessage); ok {
			if session, ok := req.GetSession().(*mcp.ServerSession); ok {
				req = &mcp.ServerRequest[*rawParams]{Session: session, Params: &rawParams{raw: raw}}
			}
		}
		return next(ctx, method, req)
	}
}

// responsesKey is the pseudo header that holds the raw answers of a caller to the
// gateway's questions: the SDK's types do not keep their digits. No header in HTTP
// can have this name.
const responsesKey = "mcpgen input responses"

// ownKey is the pseudo header of requests from the program's own caller: a client in
// this process, or the client that started it.
const ownKey = "mcpgen own caller"

// profileKey is the pseudo header with the profile of a request over HTTP.
const profileKey = "mcpgen profile"

// isOfProgram reports whether the caller of a request is the program's own.
func isOfProgram(ctx context.Context) bool { return extraOf(ctx).Header[ownKey] != nil }

// taskKey is the pseudo header that holds the task that a caller of 2025-11-25 asks for:
// the SDK's types do not keep it.
const taskKey = "mcpgen task"

// keepDropped stores the parameters of a request that the SDK's types do not keep.
func keepDropped(h http.Header, params json.RawMessage) {
	if !bytes.Contains(params, []byte(`"inputResponses"`)) && !bytes.Contains(params, []byte(`"task"`)) {
		return
	}
	if whole, err := jsontext.Whole(params); err == nil {
		if responses := jsontext.Member(whole, "inputResponses"); responses != nil {
			h[responsesKey] = []string{string(responses)}
		}
		if task := jsontext.Member(whole, "task"); len(task) > 0 && task[0] == '{' {
			h[taskKey] = []string{string(task)}
		}
	}
}

// responsesOf returns the stored answers; nil if there are none.
func responsesOf(h http.Header) json.RawMessage {
	if kept := h[responsesKey]; len(kept) == 1 {
		return json.RawMessage(kept[0])
	}
	return nil
}
