// The protocol's headers.

package httpx

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Header names, in the spelling of net/http.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
	methodHeader  = "Mcp-Method"
	nameHeader    = "Mcp-Name"
	paramHeader   = "Mcp-Param-" // followed by the name that a schema gives
	eventHeader   = "Last-Event-Id"
)

// Methods that are sent in special ways.
const (
	methodInitialized = "notifications/initialized"
	methodListen      = "subscriptions/listen"
)

// standardSince is the first revision whose requests have method and name in headers,
// and whose servers treat the end of a stream as a cancellation.
const standardSince = "2026-07-28"

// headers returns the headers of the session. Method is the method of an outgoing
// message; "" means none.
func (l *Streamable) headers(method string) http.Header {
	m := l.joined.Load()
	h := make(http.Header, 8)
	if m.protocol != "" {
		h[versionHeader] = []string{m.protocol}
	}
	if m.session != "" {
		h[sessionHeader] = []string{m.session}
	}
	if method != "" && m.protocol >= standardSince {
		h[methodHeader] = []string{method}
	}
	return h
}

// postHeaders returns the headers of a POST.
func (l *Streamable) postHeaders(method string) http.Header {
	h := l.headers(method)
	h["Content-Type"] = []string{mediaJSON}
	h["Accept"] = []string{mediaJSON + ", " + mediaStream}
	return h
}

// callHeaders returns the headers of a request. Before a revision is negotiated, the
// request itself names its revision.
func (l *Streamable) callHeaders(r *wire.Request) http.Header {
	h := l.postHeaders(r.Method)
	if h[versionHeader] == nil { // a request of the SDK
		if version := jsontext.Text(jsontext.Member(jsontext.Member(r.Params, "_meta"), mcp.MetaKeyProtocolVersion)); version != "" {
			h[versionHeader] = []string{version}
			h[methodHeader] = []string{r.Method}
		}
	}
	if h[methodHeader] == nil {
		return h
	}
	if r.Name != "" {
		h[nameHeader] = []string{encoded(r.Name)}
	}
	for name, value := range r.Headers {
		h.Set(paramHeader+name, value)
	}
	return h
}

// Params are the arguments of a tool that are sent in headers as well, by the
// x-mcp-header of its schema.
type Params []param

type param struct {
	path   []string // of the argument
	header string
}

// ParamsOf parses the definition of a tool. It is false if a header cannot be sent:
// its name is empty, invalid or duplicated, or its value is not a string, integer or
// boolean. Such a tool cannot be called.
func ParamsOf(definition json.RawMessage) (Params, bool) {
	var tool struct {
		Schema properties `json:"inputSchema"`
	}
	if json.Unmarshal(definition, &tool) != nil {
		return nil, true // it has no such arguments
	}
	var params Params
	seen := map[string]bool{}
	ok := tool.Schema.walk(nil, func(path []string, p properties) bool {
		var name string
		if json.Unmarshal(p.Header, &name) != nil || !endpoint.IsToken(name) || seen[strings.ToLower(name)] {
			return false
		}
		switch string(p.Type) {
		case `"string"`, `"integer"`, `"boolean"`:
		default:
			return false
		}
		seen[strings.ToLower(name)] = true
		params = append(params, param{path, name})
		return true
	})
	return params, ok
}

// properties is the part of a schema that sends arguments in headers.
type properties struct {
	Type       json.RawMessage            `json:"type"`
	Header     json.RawMessage            `json:"x-mcp-header"`
	Properties map[string]json.RawMessage `json:"properties"`
}

// walk calls f for all properties that name a header, until f returns false.
func (p properties) walk(path []string, f func(path []string, p properties) bool) bool {
	for name, raw := range p.Properties {
		var q properties
		if json.Unmarshal(raw, &q) != nil {
			continue
		}
		at := append(path[:len(path):len(path)], name)
		if q.Header != nil && !f(at, q) || !q.walk(at, f) {
			return false
		}
	}
	return true
}

// Headers returns the headers of a call, by the names of the schema. An argument that
// is absent or of another type has no header.
func (p Params) Headers(args json.RawMessage) map[string]string {
	var headers map[string]string
	for _, param := range p {
		if value, ok := headerValue(argument(args, param.path)); ok {
			if headers == nil {
				headers = map[string]string{}
			}
			headers[param.header] = value
		}
	}
	return headers
}

func argument(args json.RawMessage, path []string) json.RawMessage {
	for _, name := range path {
		args = jsontext.Member(args, name)
	}
	return args
}

// maxSafe is the largest integer that all JSON parsers keep exactly.
const maxSafe = 1<<53 - 1

// headerValue returns an argument as the value of a header.
func headerValue(arg json.RawMessage) (string, bool) {
	var v any
	if arg == nil || json.Unmarshal(arg, &v) != nil {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return encoded(v), true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatInt(int64(v), 10), v == math.Trunc(v) && math.Abs(v) <= maxSafe
	}
	return "", false
}

// The beginning and the end of an encoded value.
const encodedBegin, encodedEnd = "=?base64?", "?="

// encoded returns s in a form that a header can hold.
func encoded(s string) string {
	odd := strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
	if odd || strings.Trim(s, " ") != s || strings.HasPrefix(s, encodedBegin) && strings.HasSuffix(s, encodedEnd) {
		return encodedBegin + base64.StdEncoding.EncodeToString([]byte(s)) + encodedEnd
	}
	return s
}
