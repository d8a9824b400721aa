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
	before, begins := scheme, ""
	if strings.HasPrefix(uri, appScheme) {
		before, begins = appsBefore, appScheme
	}
	return before + url.PathEscape(server) + "/" + strings.TrimPrefix(uri, begins)
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

// Pages keep their scheme, by which clients recognise pages: ui://show/a of the
// server fs is ui://mcpgen/fs/show/a.
const (
	appScheme  = extension.AppScheme + "://"
	appsBefore = appScheme + "mcpgen/"
)

// ownerOf returns the parts of a URI that wrap has wrapped.
func ownerOf(uri string) (server, own string, ok bool) {
	before, begins := scheme, ""
	if strings.HasPrefix(uri, appsBefore) {
		before, begins = appsBefore, appScheme
	}
	rest, wrapped := strings.CutPrefix(uri, before)
	escaped, rest, found := strings.Cut(rest, "/")
	server, err := url.PathUnescape(escaped)
	return server, begins + rest, wrapped && found && err == nil
}

// appMeta returns the _meta of a tool with the gateway's URI of its page.
func (u *uris) appMeta(server string, meta json.RawMessage) json.RawMessage {
	wrap := func(uri string) string { return u.wrap(server, uri) }
	if ui := jsontext.Member(meta, "ui"); len(ui) > 0 && ui[0] == '{' {
		meta = withMember(meta, "ui", wrapMember(ui, "resourceUri", wrap))
	}
	return wrapMember(meta, "ui/resourceUri", wrap)
}
