package main

// The board: tickets in memory, and what each tool does with them.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

type ticket struct {
	id                            int
	project, title, status, owner string
	hours                         int
}

type board struct {
	mu      sync.Mutex
	tickets []*ticket
	second  bool // answer as the second surface does
}

func newBoard(second bool) *board {
	return &board{second: second, tickets: []*ticket{
		{1, "core", "Crash on start", "open", "ada", 4},
		{2, "core", "Typo in help", "closed", "grace", 1},
		{3, "docs", "Describe the lock", "open", "ada", 8},
	}}
}

// handlers are what carries out the tools of both surfaces.
func (b *board) handlers() map[string]func(json.RawMessage) (any, error) {
	return map[string]func(json.RawMessage) (any, error){
		"list_tickets":  with(b.list),
		"get_ticket":    with(b.get),
		"create_ticket": with(b.create),
		"close_ticket":  with(b.close),
		"assign_ticket": with(b.assign),
		"count_ticket":  with(b.count),
		"count_tickets": with(b.count),
		"summary":       with(b.summary),
	}
}

// with reads the arguments of a tool. Members that it does not know are refused.
func with[In any](f func(In) (any, error)) func(json.RawMessage) (any, error) {
	return func(raw json.RawMessage) (any, error) {
		var in In
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if len(raw) > 0 {
			if err := d.Decode(&in); err != nil {
				return nil, err
			}
		}
		return f(in)
	}
}

type listArgs struct {
	Project, Status, Assignee, Order string
	Limit                            int
}

type line struct {
	ID     int    `json:"id"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

func (b *board) list(in listArgs) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.second && (in.Assignee != "" || in.Status == "all" || in.Limit > 50) {
		return nil, fmt.Errorf("these arguments are not taken any more")
	}
	lines := []line{}
	total := 0
	for _, t := range b.tickets {
		if t.project != in.Project || in.Status != "" && in.Status != "all" && t.status != in.Status || in.Assignee != "" && t.owner != in.Assignee {
			continue
		}
		if total++; in.Limit == 0 || total <= in.Limit {
			lines = append(lines, line{t.id, t.title, t.status})
		}
	}
	return map[string]any{"tickets": lines, "total": total}, nil
}

type byID struct{ ID int }

func (b *board) find(id int) (*ticket, error) {
	for _, t := range b.tickets {
		if t.id == id {
			return t, nil
		}
	}
	return nil, fmt.Errorf("there is no ticket %d", id)
}

func (b *board) get(in byID) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, err := b.find(in.ID)
	if err != nil {
		return nil, err
	}
	if b.second {
		return map[string]any{
			"id": t.id, "title": t.title, "estimate": fmt.Sprintf("%dh", t.hours),
			"owner": map[string]string{"login": t.owner}, "url": fmt.Sprintf("https://tickets.example.com/%d", t.id),
		}, nil
	}
	return map[string]any{
		"id": t.id, "title": t.title, "status": t.status, "estimate": t.hours,
		"owner": map[string]string{"login": t.owner, "mail": t.owner + "@example.com"},
	}, nil
}

type createArgs struct {
	Project, Title string
	Labels         []string
}

func (b *board) create(in createArgs) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.second && in.Project == "" {
		return nil, fmt.Errorf("a ticket belongs to a project: name it")
	}
	t := &ticket{id: len(b.tickets) + 1, project: in.Project, title: in.Title, status: "open"}
	b.tickets = append(b.tickets, t)
	return map[string]int{"id": t.id}, nil
}

type closeArgs struct {
	ID     int
	Reason string
}

func (b *board) close(in closeArgs) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, err := b.find(in.ID)
	if err != nil {
		return nil, err
	}
	t.status = "closed"
	return map[string]string{"status": t.status}, nil
}

type assignArgs struct {
	ID       int
	Assignee string
}

func (b *board) assign(in assignArgs) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, err := b.find(in.ID)
	if err != nil {
		return nil, err
	}
	t.owner = in.Assignee
	return fmt.Sprintf("ticket %d is %s's", t.id, t.owner), nil
}

type countArgs struct{ Project string }

func (b *board) count(in countArgs) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, t := range b.tickets {
		if t.project == in.Project {
			n++
		}
	}
	return map[string]int{"count": n}, nil
}

func (b *board) summary(struct{}) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var text strings.Builder
	for _, t := range b.tickets {
		fmt.Fprintf(&text, "%d %s (%s)\n", t.id, t.title, t.status)
	}
	return text.String(), nil
}
