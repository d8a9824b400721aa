// Metrics and spans of the requests that callers send.

package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/internal/semconv"
)

// isMeasured reports whether requests of a method are measured: those that are answered at
// once, and that the gateway knows.
func isMeasured(method string) bool {
	form, _ := formOf(method)
	return form != nil && method != listening
}

// received begins to measure a request of a caller. The requests to servers that it leads
// to are below its span. Answered is called with its answer.
func (m *Metrics) received(b *toolbox, method string, from mcp.Request) (answered func(mcp.Result, error)) {
	req, params := runtime.Request{Method: method}, from.GetParams()
	known, carries := true, true
	switch p := params.(type) {
	case *mcp.CallToolParamsRaw:
		req.Name, known = p.Name, b.list.Load().byName[p.Name] != nil
	case *mcp.GetPromptParams:
		req.Name, known = p.Name, false // there may be any number
	case *mcp.ReadResourceParams:
		req.Name = p.URI
	case *mcp.CompleteParams:
	default:
		carries = false
	}
	meta := map[string]any(nil)
	if carries {
		meta = params.GetMeta()
		req.Options.Meta = map[string]json.RawMessage{}
		for _, key := range []string{"traceparent", "tracestate"} {
			if text, ok := meta[key].(string); ok {
				req.Options.Meta[key] = jsontext.AppendString(nil, text)
			}
		}
	}
	name, attributes, apart := semconv.Request(req)
	s := m.otlp.begin(kindServer, &req)
	if s != nil {
		s.Attributes = sessionOf(from)
	}
	if s != nil && carries {
		own := maps.Clone(meta)
		if own == nil {
			own = map[string]any{}
		}
		delete(own, "tracestate")
		for key, value := range req.Options.Meta {
			own[key] = jsontext.Text(value)
		}
		params.SetMeta(own)
	}
	began := time.Now()
	return func(res mcp.Result, err error) {
		ended := time.Now()
		failure := failureOf(res, err)
		if failure != "" {
			attributes = append(attributes, semconv.Attribute{Key: semconv.ErrorType, Value: failure})
		}
		m.add(semconv.ServerDuration, labelled(attributes, known), ended.Sub(began).Seconds())
		m.otlp.end(s, name, began, ended, attributes, apart, failure != "")
	}
}

// sessionOf returns the attribute of a span for the session of a request over HTTP, if it has
// one. With a token, the session serves its own caller alone. Without one, the ID would serve
// everyone who reaches the gateway, so the attribute has the first bytes of its hash.
func sessionOf(req mcp.Request) attributes {
	session, _ := req.GetSession().(*mcp.ServerSession)
	extra := req.GetExtra()
	if session == nil || session.ID() == "" || extra == nil || extra.Header.Get("Mcp-Protocol-Version") >= modern {
		return nil
	}
	id := session.ID()
	if userOf(extra.TokenInfo) == "" {
		hash := sha256.Sum256([]byte(id))
		id = "sha256:" + hex.EncodeToString(hash[:8])
	}
	return attributes{{Key: semconv.SessionID, Value: id}}
}

// failureOf returns the kind of failure that a caller's answer is; "" if it is none.
func failureOf(res mcp.Result, err error) string {
	fault, coded := errors.AsType[*jsonrpc.Error](err)
	raw, isRaw := res.(*rawResult)
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case coded:
		return strconv.FormatInt(fault.Code, 10)
	case err != nil:
		return other
	case isRaw && strings.Contains(string(raw.raw), `"isError"`) && string(jsontext.Member(raw.raw, "isError")) == "true":
		return "tool_error"
	}
	return ""
}
