// Calls over HTTP that do not need the SDK. Since 2026-07-28 a call without progress
// and logs is one request and one answer. The SDK would make a session for it and decode
// it a dozen times, which costs more than the call.

package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// wholeBody is the body of a request that has been read.
type wholeBody struct {
	*bytes.Reader
	all []byte
}

// Close implements [io.Closer].
func (wholeBody) Close() error { return nil }

var _ io.ReadCloser = wholeBody{}

// direct answers a request if it is such a call in the usual form, and reports whether it
// was. Everything else, and everything that might be refused, is left to the SDK.
func (g *Gateway) direct(w http.ResponseWriter, r *http.Request) bool {
	id, params, ok := g.plainCall(r)
	if !ok {
		return false
	}
	req := &mcp.CallToolRequest{Params: params, Extra: &mcp.RequestExtra{TokenInfo: auth.TokenInfoFromContext(r.Context()), Header: r.Header}}
	res, err := g.receive(nil)(r.Context(), protocol.MethodCallTool, req)
	if err == error(g.unsent) {
		return true
	}
	status, answer := http.StatusOK, append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), ',')
	if err == nil {
		res.SetMeta(mcp.Meta{mcp.MetaKeyServerInfo: g.identity()})
		var result []byte
		if result, err = res.(*rawResult).MarshalJSON(); err == nil && !json.Valid(result) {
			err = errors.New("the result is not JSON")
		}
		if err == nil {
			answer = append(append(answer, `"result":`...), result...)
		}
	}
	if err != nil {
		fault, ok := errors.AsType[*jsonrpc.Error](err)
		if !ok {
			fault = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: printable(err.Error())}
		}
		if slices.Contains([]int64{jsonrpc.CodeInvalidParams, mcp.CodeMissingRequiredClientCapabilities}, fault.Code) {
			status = http.StatusBadRequest
		}
		text, err := jsontext.Marshal(fault)
		if err != nil { // its data is not JSON
			text = []byte(`{"code":-32603,"message":"the error cannot be written"}`)
		}
		answer = append(append(answer, `"error":`...), text...)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.WriteHeader(status)
	_, _ = w.Write(append(answer, '}')) // a caller that has left needs no answer
	return true
}

// plainCall returns the id and the parameters of a call that [Gateway.direct] may answer.
func (g *Gateway) plainCall(r *http.Request) (id []byte, p *mcp.CallToolParamsRaw, ok bool) {
	body, isWhole := r.Body.(wholeBody)
	is := func(header, value string) bool {
		all := r.Header.Values(header)
		return len(all) == 1 && all[0] == value
	}
	accepts := r.Header.Get("Accept")
	if !isWhole || !is("Mcp-Protocol-Version", modern) || !is("Mcp-Method", protocol.MethodCallTool) || !is("Content-Type", "application/json") ||
		!strings.Contains(accepts, "application/json") || !strings.Contains(accepts, "text/event-stream") || r.Header["Last-Event-Id"] != nil {
		return nil, nil, false
	}
	members := jsontext.NewItems(body.all) // [refuse] has checked them
	var params, method []byte
	for members.Next() {
		switch string(members.Key()) {
		case "id":
			id = members.Value
		case "method":
			method = members.Value
		case "params":
			params = members.Value
		}
	}
	if len(id) == 0 || id[0] != '"' && bytes.ContainsAny(id, "null.eE") || string(method) != `"`+protocol.MethodCallTool+`"` || len(params) == 0 || params[0] != '{' {
		return nil, nil, false
	}
	p = &mcp.CallToolParamsRaw{}
	for members = jsontext.NewItems(params); members.Next(); {
		switch value := members.Value; string(members.Key()) {
		case "name":
			p.Name, ok = jsontext.Unquote(value)
		case "arguments":
			if value[0] != '{' {
				return nil, nil, false
			}
			p.Arguments = json.RawMessage(value)
		case "_meta":
			if !isPlainMeta(value) || json.Unmarshal(value, &p.Meta) != nil {
				return nil, nil, false
			}
		default:
			return nil, nil, false
		}
	}
	return id, p, ok && p.Meta != nil && is("Mcp-Name", p.Name) && !g.tools.Load().headers[p.Name]
}

// isPlainMeta reports whether the _meta of a request has what the protocol requires, in
// the types of the SDK, and nothing that needs a stream.
func isPlainMeta(raw []byte) bool {
	var revision, capabilities, info []byte
	stream := false
	_, repeats := repeatedMember(raw, func(name string, value []byte) {
		switch name {
		case mcp.MetaKeyProtocolVersion:
			revision = value
		case mcp.MetaKeyClientCapabilities:
			capabilities = value
		case mcp.MetaKeyClientInfo:
			info = value
		case "progressToken", logLevelKey:
			stream = true
		}
	})
	return !repeats && !stream && string(revision) == `"`+modern+`"` && len(capabilities) > 0 && capabilities[0] == '{' &&
		json.Unmarshal(capabilities, new(mcp.ClientCapabilities)) == nil && (info == nil || info[0] == '{' && json.Unmarshal(info, new(mcp.Implementation)) == nil)
}
