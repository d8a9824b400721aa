// Servers that page, rightly and wrongly.

package testserver

import (
	"cmp"
	"encoding/json"
	"sync/atomic"
	"time"
)

func pagingModes() map[string]func(*server) {
	return map[string]func(*server){
		"pagination":      pagination,
		"slow-pages":      slowPages,
		"endless-cursor":  endlessCursor,
		"stuck-cursor":    stuckCursor,
		"constant-cursor": constantCursor,
		"empty-cursor":    emptyCursor,
		"empty-pages":     emptyPages,
		"cursor-error":    cursorError,
	}
}

// pagination is twelve tools, four a page.
func pagination(s *server) {
	s.surface.Tools = manyTools(0, 12)
	s.cfg.page = cmp.Or(s.cfg.page, 4)
}

// slowPages is pagination that takes -delay (default 500 ms) for each page.
func slowPages(s *server) {
	pagination(s)
	slow("tools/list", 500*time.Millisecond)(s)
}

// endlessCursor always has more: other tools, another cursor.
func endlessCursor(s *server) {
	var page atomic.Int64
	s.on["tools/list"] = func(c *client, m message) {
		n := int(page.Add(1))
		c.reply(m, pageOf("tools", manyTools(n*4, 4), "cursor-"+string(encode(n))))
	}
}

// stuckCursor gives the same page and the same cursor for ever.
func stuckCursor(s *server) {
	s.on["tools/list"] = func(c *client, m message) { c.reply(m, pageOf("tools", manyTools(0, 4), "stuck")) }
}

// constantCursor keeps the place itself: three pages, one and the same cursor.
// A cursor is opaque, so that is allowed.
func constantCursor(s *server) {
	var place atomic.Int64
	s.on["tools/list"] = func(c *client, m message) {
		if cursor(m) == "" {
			place.Store(0)
		}
		page := int(place.Add(1)) - 1
		next := "next"
		if page >= 2 {
			next = ""
		}
		c.reply(m, pageOf("tools", manyTools(page*4, 4), next))
	}
}

// emptyCursor ends with an empty cursor, which older revisions mean as the end.
func emptyCursor(s *server) {
	s.on["tools/list"] = func(c *client, m message) {
		c.reply(m, map[string]any{"tools": manyTools(0, 4), "nextCursor": ""})
	}
}

// emptyPages has nothing more and says that there is more.
func emptyPages(s *server) {
	s.on["tools/list"] = func(c *client, m message) {
		list := manyTools(0, 4)
		if cursor(m) != "" {
			list = []json.RawMessage{}
		}
		c.reply(m, pageOf("tools", list, "more"))
	}
}

// cursorError fails on the second page.
func cursorError(s *server) {
	s.on["tools/list"] = func(c *client, m message) {
		if cursor(m) != "" {
			c.fail(m, -32602, "cursor expired", nil)
			return
		}
		c.reply(m, pageOf("tools", manyTools(0, 4), "page-2"))
	}
}
