package textgen

// The history of the lock, as the pages show it.

import (
	"path"
	"slices"

	"github.com/mcpgen/mcpgen/internal/pagefacts"
)

const (
	maxNames = 12 // items of one change that are named
	maxOpen  = 12 // events that are shown at once
)

type historyView struct {
	Note            string
	Events, Earlier []eventView
	EarlierCount    int
}

type eventView struct {
	Class, Date, Commit, Subject string
	Servers                      []serverEventView
}

type serverEventView struct {
	Server, Href, Verdict, Class, Text string
	Lists                              []nameList
}

// nameList is a number of items, the first of them by name.
type nameList struct {
	Label string
	Names []string
	More  int
}

// history returns the events of a server, or of all for "". Nil is no history.
func (c *catalogue) history(server string) *historyView {
	h := c.facts.History
	if h == nil {
		return nil
	}
	out := &historyView{Note: line(h.Note)}
	for _, e := range h.Events {
		v := eventView{Date: line(e.Date), Commit: line(e.Commit), Subject: line(e.Subject), Class: "other"}
		for _, s := range e.Servers {
			if server != "" && s.Server != server {
				continue
			}
			one := c.serverEvent(s, server == "")
			if verdictRank(one.Class) > verdictRank(v.Class) {
				v.Class = one.Class
			}
			v.Servers = append(v.Servers, one)
		}
		if len(v.Servers) > 0 {
			out.Events = append(out.Events, v)
		}
	}
	if out.Note == "" && out.Events == nil {
		return nil
	}
	if len(out.Events) > maxOpen+1 {
		out.Events, out.Earlier = out.Events[:maxOpen], out.Events[maxOpen:]
		out.EarlierCount = len(out.Earlier)
	}
	return out
}

func (c *catalogue) serverEvent(s pagefacts.ServerEvent, linked bool) serverEventView {
	v := serverEventView{Server: line(s.Server), Verdict: line(s.Verdict), Class: driftClass(s.Verdict)}
	if linked {
		for _, p := range c.packages {
			if p.Server == s.Server {
				v.Href = path.Join(p.Name, HTMLName(p))
			}
		}
	}
	if s.Reworded > 0 {
		v.Text = count(s.Reworded, "definition") + " reworded"
	}
	if s.Verdict == "new" || s.Verdict == "gone" {
		v.Text = count(len(s.Added)+len(s.Removed), "item")
		return v
	}
	for _, l := range []struct {
		label string
		names []string
	}{{"added", s.Added}, {"changed", s.Changed}, {"removed", s.Removed}} {
		if len(l.names) > 0 {
			shown := l.names[:min(len(l.names), maxNames)]
			v.Lists = append(v.Lists, nameList{number(len(l.names)) + " " + l.label + ":", plains(shown), len(l.names) - len(shown)})
		}
	}
	return v
}

// verdictRank orders classes, so that an event is coloured by its worst server.
func verdictRank(class string) int {
	return slices.Index([]string{"new", "warning", "unknown", "breaking"}, class)
}
