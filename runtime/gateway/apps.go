// Pages of tools (the Apps extension, SEP-1865).

package gateway

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/extension"
)

// Pages keep their scheme, by which clients recognise pages: ui://show/a of the
// server fs is ui://mcpgen/fs/show/a.
const (
	appScheme  = extension.AppScheme + "://"
	appsBefore = appScheme + "mcpgen/"
)

// wrapApp returns the gateway's URI of a server's page; false if the URI is not a
// page's.
func wrapApp(server, uri string) (string, bool) {
	rest, ok := strings.CutPrefix(uri, appScheme)
	return appsBefore + url.PathEscape(server) + "/" + rest, ok
}

// unwrapApp reverses wrapApp; it is false for other URIs.
func unwrapApp(uri string) (server, own string, ok bool) {
	rest, wrapped := strings.CutPrefix(uri, appsBefore)
	escaped, own, found := strings.Cut(rest, "/")
	server, err := url.PathUnescape(escaped)
	return server, appScheme + own, wrapped && found && err == nil
}

// appMeta returns the _meta of a tool with the gateway's URI of its page.
func (g *Gateway) appMeta(server string, meta json.RawMessage) json.RawMessage {
	wrapped := func(object json.RawMessage, member string) json.RawMessage {
		uri, ok := jsontext.Unquote(jsontext.Member(object, member))
		if !ok {
			return object
		}
		return jsontext.AppendMember(nil, object, `"`+member+`"`, func(b []byte) []byte { return jsontext.AppendString(b, g.wrapURI(server, uri)) })
	}
	if ui := jsontext.Member(meta, "ui"); len(ui) > 0 && ui[0] == '{' {
		meta = jsontext.AppendMember(nil, meta, `"ui"`, func(b []byte) []byte { return append(b, wrapped(ui, "resourceUri")...) })
	}
	return wrapped(meta, "ui/resourceUri")
}
