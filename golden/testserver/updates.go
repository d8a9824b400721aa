// Servers whose resources change, and that say so to those who want to know.

package testserver

import (
	"encoding/json"
	"slices"
	"strconv"
	"sync"
)

// counters are resources that hold a number each, which the tool bump raises.
type counters struct {
	mu    sync.Mutex
	value map[string]int
	heard map[string]map[string]*client // by URI, by what the subscription is known by
	s     *server
}

func newCounters(s *server) *counters {
	s.surface.Capabilities = json.RawMessage(`{"tools":{},"resources":{"subscribe":true}}`)
	s.surface.Tools = append(s.surface.Tools, json.RawMessage(`{"name":"bump","inputSchema":{"type":"object","properties":{"uri":{"type":"string"},"lose":{"type":"boolean"}},"required":["uri"]}}`))
	s.surface.Resources = []json.RawMessage{
		json.RawMessage(`{"uri":"mem://a","name":"a"}`), json.RawMessage(`{"uri":"mem://b","name":"b"}`),
	}
	s.surface.ResourceTemplates = []json.RawMessage{json.RawMessage(`{"uriTemplate":"mem://item/{id}","name":"item"}`)}
	return &counters{value: map[string]int{}, heard: map[string]map[string]*client{}, s: s}
}

// bump raises a counter and says so.
func (n *counters) bump(c *client, m message) {
	if toolName(m) != "bump" {
		n.s.standard(c, m)
		return
	}
	var p struct{ Arguments struct{ URI string } }
	_ = json.Unmarshal(m.Params, &p) // no URI means no resource
	n.mu.Lock()
	defer n.mu.Unlock()
	n.value[p.Arguments.URI]++
	for id, to := range n.heard[p.Arguments.URI] {
		params := map[string]any{"uri": p.Arguments.URI}
		if n.s.surface.ProtocolVersion >= modernVersion {
			params["_meta"] = map[string]any{metaPrefix + "subscriptionId": json.RawMessage(id)}
			to.notify("notifications/resources/updated", params)
		} else {
			n.s.tell(c, "notifications/resources/updated", params)
		}
	}
	c.reply(m, map[string]any{"content": []any{}})
}

func (n *counters) read(c *client, m message) {
	uri := uriOf(m)
	n.mu.Lock()
	text := strconv.Itoa(n.value[uri])
	n.mu.Unlock()
	c.reply(m, map[string]any{"contents": []any{map[string]any{"uri": uri, "text": text}}})
}

func uriOf(m message) string {
	var p struct{ URI string }
	_ = json.Unmarshal(m.Params, &p) // none is ""
	return p.URI
}

// begin notes who wants to hear of a resource, end that nobody does.
func (n *counters) begin(uri, id string, c *client) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.beginLocked(uri, id, c)
}

func (n *counters) beginLocked(uri, id string, c *client) {
	if n.heard[uri] == nil {
		n.heard[uri] = map[string]*client{}
	}
	n.heard[uri][id] = c
	n.s.trace.event("subscribed", map[string]any{"uri": uri})
}

func (n *counters) end(uri, id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.heard[uri][id]; ok {
		delete(n.heard[uri], id)
		n.s.trace.event("unsubscribed", map[string]any{"uri": uri})
	}
}

// updates takes subscriptions, as before 2026-07-28.
func updates(s *server) {
	n := newCounters(s)
	s.on["tools/call"], s.on["resources/read"] = n.bump, n.read
	s.on["resources/subscribe"] = func(c *client, m message) {
		n.begin(uriOf(m), "", c)
		c.reply(m, struct{}{})
	}
	s.on["resources/unsubscribe"] = func(c *client, m message) {
		n.end(uriOf(m), "")
		c.reply(m, struct{}{})
	}
}

// updatesModern has requests that last as long as somebody listens.
func updatesModern(s *server) {
	modern(s)
	n := newCounters(s)
	s.on["tools/call"], s.on["resources/read"] = s.checked(n.bump), s.checked(n.read)
	s.on["subscriptions/listen"] = s.checked(func(c *client, m message) {
		var p struct {
			Notifications struct {
				URIs []string `json:"resourceSubscriptions"`
			}
		}
		_ = json.Unmarshal(m.Params, &p) // nobody wants to hear of none
		n.mu.Lock()                      // between the acknowledgement and the first update no resource changes
		c.notify("notifications/subscriptions/acknowledged", map[string]any{
			"_meta": map[string]any{metaPrefix + "subscriptionId": m.ID}, "notifications": p.Notifications})
		for _, uri := range p.Notifications.URIs {
			n.beginLocked(uri, string(m.ID), c)
		}
		n.mu.Unlock()
		if c.sync {
			<-c.gone
			n.forget(string(m.ID))
		}
	})
	s.on["notifications/cancelled"] = func(_ *client, m message) {
		var p struct {
			ID json.RawMessage `json:"requestId"`
		}
		_ = json.Unmarshal(m.Params, &p) // no id ends nothing
		n.forget(string(p.ID))
	}
}

// forget ends all that one request listened to.
func (n *counters) forget(id string) {
	n.mu.Lock()
	uris := make([]string, 0, len(n.heard))
	for uri := range n.heard {
		uris = append(uris, uri)
	}
	n.mu.Unlock()
	slices.Sort(uris)
	for _, uri := range uris {
		n.end(uri, id)
	}
}
