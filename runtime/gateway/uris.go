// The URIs of resources and templates, and of the pages of tools (the Apps extension, SEP-1865).

package gateway

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/schema/extension"
)

// scheme begins the URIs of the gateway: mcpgen://server/ and the server's own.
const scheme = "mcpgen://"

// uris are the URIs that callers know.
type uris struct {
	host *attach.Host
	bare string // with bare names, the only server that the gateway began with; else ""
}

// wrap returns the gateway's URI of a server's resource or template. URIs of the bare
// server do not change: they stay its own when others come.
func (u *uris) wrap(server, uri string) string {
	if u.bare == server && server != "" {
		if _, _, wrapped := ownerOf(uri); !wrapped || u.hasOne() {
			return uri
		}
	}
	if app, ok := wrapApp(server, uri); ok {
		return app
	}
	return scheme + url.PathEscape(server) + "/" + uri
}

// unwrap reverses wrap; it is false for a URI without a server.
func (u *uris) unwrap(uri string) (server, own string, ok bool) {
	if server, own, ok = ownerOf(uri); ok && !u.hasOne() {
		return server, own, true
	}
	if u.bare != "" {
		return u.bare, uri, true // perhaps a URI that another gateway has wrapped
	}
	return server, own, ok
}

// hasOne reports whether the gateway has no server but the bare one.
func (u *uris) hasOne() bool {
	if u.bare == "" {
		return false
	}
	status := u.host.Status()
	return len(status) == 1 && status[0].Server == u.bare
}

// ownerOf returns the parts of a URI that wrap has wrapped.
func ownerOf(uri string) (server, own string, ok bool) {
	rest, wrapped := strings.CutPrefix(uri, scheme)
	if escaped, own, found := strings.Cut(rest, "/"); wrapped && found {
		if server, err := url.PathUnescape(escaped); err == nil {
			return server, own, true
		}
	}
	return unwrapApp(uri)
}

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
func (u *uris) appMeta(server string, meta json.RawMessage) json.RawMessage {
	wrap := func(uri string) string { return u.wrap(server, uri) }
	if ui := jsontext.Member(meta, "ui"); len(ui) > 0 && ui[0] == '{' {
		meta = withMember(meta, "ui", wrapMember(ui, "resourceUri", wrap))
	}
	return wrapMember(meta, "ui/resourceUri", wrap)
}
