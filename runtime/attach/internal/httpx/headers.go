// The protocol's headers.

package httpx

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
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

// ParamsOf parses the definition of a tool. It is false if a header cannot be sent, so that
// the tool cannot be called: the header's name is empty, invalid or duplicated, its value is
// not a string, integer or boolean, or it does not belong to a property of the arguments or
// to a property nested in one.
func ParamsOf(definition json.RawMessage) (Params, bool) {
	s, _ := jsontext.Decode(jsontext.Member(definition, "inputSchema")) // without one, it has no such arguments
	var params Params
	ok := params.add(s, []string{}, map[string]bool{})
	return params, ok
}

// add adds the arguments that a schema sends in headers. Path is the path of the argument
// that the schema describes; nil if the schema may not have a header. Seen has the names of
// headers in lower case. The result is false if a header cannot be sent.
func (p *Params) add(value any, path []string, seen map[string]bool) bool {
	s, isObject := value.(map[string]any)
	if !isObject {
		return true
	}
	if header, has := s["x-mcp-header"]; has {
		name, _ := header.(string)
		lower := strings.ToLower(name)
		if len(path) == 0 || seen[lower] || !endpoint.IsToken(name) || !slices.Contains([]any{"string", "integer", "boolean"}, s["type"]) {
			return false
		}
		seen[lower] = true
		*p = append(*p, param{path, name})
	}
	return schema.Subschemas(s, func(keyword, name string, inner any) bool {
		var at []string
		if keyword == "properties" && path != nil {
			at = append(path[:len(path):len(path)], name)
		}
		return p.add(inner, at, seen)
	})
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
