// Calls over HTTP that do not need the SDK. A call without progress and logs is one request
// and one answer. The SDK would decode it a dozen times, and make a session for it since
// 2026-07-28, which costs more than the call.

package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/loopback"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// wholeBody is the body of a request that has been read.
type wholeBody struct {
	bytes.Reader
	message
}

// Close implements [io.Closer].
func (*wholeBody) Close() error { return nil }

var _ io.ReadCloser = (*wholeBody)(nil)

// requestOf returns a call as the SDK would read it.
func requestOf(r *http.Request, session *mcp.ServerSession, params *mcp.CallToolParamsRaw) *mcp.CallToolRequest {
	return &mcp.CallToolRequest{Session: session, Params: params, Extra: &mcp.RequestExtra{TokenInfo: auth.TokenInfoFromContext(r.Context()), Header: r.Header}}
}

// writeAnswer writes the result of a call, or its error.
func writeAnswer(w http.ResponseWriter, status int, id []byte, res mcp.Result, err error) {
	answer := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"result":`...)
	if begin := len(answer); err == nil {
		if answer, err = res.(*rawResult).appendTo(answer); err == nil {
			_, err = jsontext.Whole(answer[begin:])
		}
	}
	answer = append(answer, '}')
	if err != nil {
		fault, ok := errors.AsType[*jsonrpc.Error](err)
		if !ok {
			fault = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: printable(err.Error())}
		}
		answer = (&refusal{*fault, id}).answer()
	}
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	writeJSON(w, status, answer)
}

// plainCalls reads calls that need no SDK.
type plainCalls struct {
	tools  *toolbox
	client atomic.Pointer[[2]string] // capabilities and name of the last call's
}

// read returns the id and the parameters of a call that may be answered without the
// SDK: one of the current revision, or one of a session.
func (c *plainCalls) read(r *http.Request, isModern bool) (id []byte, p *mcp.CallToolParamsRaw, ok bool) {
	body, isWhole := r.Body.(*wholeBody)
	is := func(header, value string) bool {
		all := r.Header.Values(header)
		return len(all) == 1 && all[0] == value
	}
	accepts := r.Header.Get("Accept")
	if !isWhole || auth.TokenInfoFromContext(r.Context()) == nil && !loopback.Is(r.Host) || // the SDK refuses other names of this machine
		body.batch != nil || isModern && !(is("Mcp-Protocol-Version", modern) && is("Mcp-Method", protocol.MethodCallTool)) || !is("Content-Type", "application/json") ||
		!strings.Contains(accepts, "application/json") || !strings.Contains(accepts, "text/event-stream") || r.Header["Last-Event-Id"] != nil {
		return nil, nil, false
	}
	id, params := body.id, body.params
	if len(id) == 0 || id[0] != '"' && bytes.ContainsAny(id, "null.eE") || string(body.method) != `"`+protocol.MethodCallTool+`"` || len(params) == 0 || params[0] != '{' {
		return nil, nil, false
	}
	p = &mcp.CallToolParamsRaw{}
	for members := jsontext.NewItems(params); members.Next(); {
		switch value := members.Value; string(members.Key()) {
		case "name":
			p.Name, ok = jsontext.Unquote(value)
		case "arguments":
			if value[0] != '{' {
				return nil, nil, false
			}
			p.Arguments = json.RawMessage(value)
		case "_meta":
			if p.Meta = c.meta(value, isModern); p.Meta == nil {
				return nil, nil, false
			}
		default:
			return nil, nil, false
		}
	}
	if isModern {
		ok = ok && p.Meta != nil && is("Mcp-Name", p.Name) && !c.tools.list.Load().headers[p.Name]
	}
	return id, p, ok
}

// meta returns the _meta of a request that asks for no stream; nil if it does, or if it
// has not what the protocol requires, in the types of the SDK. Values that are not strings
// stay JSON.
func (c *plainCalls) meta(raw []byte, isModern bool) mcp.Meta {
	if raw[0] != '{' {
		return nil
	}
	meta, plain := mcp.Meta{}, true
	var capabilities, info []byte
	for m := jsontext.NewItems(raw); m.Next(); {
		name, value := string(m.Key()), m.Value
		switch name {
		case mcp.MetaKeyClientCapabilities:
			capabilities = value
		case mcp.MetaKeyClientInfo:
			info = value
		case "progressToken", logLevelKey:
			plain = false
		}
		plain = plain && (isModern || !strings.HasPrefix(name, "io.modelcontextprotocol/"))
		if text, ok := jsontext.Unquote(value); ok {
			meta[name] = text
		} else {
			meta[name] = json.RawMessage(value)
		}
	}
	if !plain || isModern && (meta[mcp.MetaKeyProtocolVersion] != modern || !c.knowsClient(capabilities, info)) {
		return nil
	}
	return meta
}

// knowsClient reports whether what a request says of its client has the types of the SDK. The
// client says it again in each request, so the last that passed is kept.
func (c *plainCalls) knowsClient(capabilities, info []byte) bool {
	if last := c.client.Load(); last != nil && last[0] == string(capabilities) && last[1] == string(info) {
		return true
	}
	if len(capabilities) == 0 || capabilities[0] != '{' || json.Unmarshal(capabilities, new(mcp.ClientCapabilities)) != nil ||
		info != nil && (info[0] != '{' || json.Unmarshal(info, new(mcp.Implementation)) != nil) {
		return false
	}
	c.client.Store(&[2]string{string(capabilities), string(info)})
	return true
}
