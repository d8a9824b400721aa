package triage

import (
	"context"

	"github.com/mcpgen/mcpgen/examples/drift/internal/mcp/tickets"
)

// Query is a stored question about a project.
type Query struct {
	tickets.ListTicketsArgs
	Name string
}

// Queries are the questions that everybody asks.
func Queries(project string) []Query {
	return []Query{
		{Name: "open", ListTicketsArgs: tickets.ListTicketsArgs{Project: project, Status: "open"}},
		{Name: "all", ListTicketsArgs: tickets.ListTicketsArgs{Project: project, Status: "all"}},
		{Name: "mine", ListTicketsArgs: tickets.ListTicketsArgs{Project: project}},
	}
}

// Run asks a question on behalf of somebody.
func (d *Desk) Run(ctx context.Context, q Query, who string) (int, error) {
	if q.Name == "mine" {
		q.Assignee = &who
	}
	list, err := d.ListTickets(ctx, q.ListTicketsArgs)
	if err != nil {
		return 0, err
	}
	return list.Total, nil
}

// Stale returns the ids of closed tickets.
func (d *Desk) Stale(ctx context.Context) ([]int, error) {
	list, err := d.ListTickets(ctx, tickets.ListTicketsArgs{Project: d.Project, Status: tickets.StatusClosed, Limit: 50})
	if err != nil {
		return nil, err
	}
	var ids []int
	for _, t := range list.Tickets {
		if t.Status == "closed" {
			ids = append(ids, t.ID)
		}
	}
	return ids, nil
}

// Text is the board in words, with what stands above it.
func (d *Desk) Text(ctx context.Context, heading string) (string, error) {
	board, err := d.Summary(ctx, tickets.SummaryArgs{})
	if err != nil {
		return "", err
	}
	return heading + "\n" + board.Text(), nil
}

// Split reopens a ticket as two.
func (d *Desk) Split(ctx context.Context, id int, titles [2]string) error {
	for _, title := range titles {
		if _, err := d.CreateTicket(ctx, tickets.CreateTicketArgs{Title: title}); err != nil {
			return err
		}
	}
	_, err := d.CloseTicket(ctx, tickets.CloseTicketArgs{ID: id, Reason: "duplicate"})
	return err
}
