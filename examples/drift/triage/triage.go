// Package triage looks through tickets and says which come first.
package triage

import (
	"context"
	"fmt"

	"github.com/mcpgen/mcpgen/examples/drift/internal/mcp/tickets"
)

// Desk is where a person triages. It is a client with a project.
type Desk struct {
	*tickets.Client
	Project string
}

// everything is the filter that shows closed tickets, too.
const everything = tickets.StatusAll

// Open returns how many tickets are open, and how many there are.
func (d *Desk) Open(ctx context.Context) (open, all int, err error) {
	list, err := d.ListTickets(ctx, tickets.ListTicketsArgs{Project: d.Project, Status: tickets.StatusOpen})
	if err != nil {
		return 0, 0, err
	}
	every, err := d.ListTickets(ctx, tickets.ListTicketsArgs{Project: d.Project, Status: everything, Limit: 100})
	if err != nil {
		return 0, 0, err
	}
	return list.Total, every.Total, nil
}

// Mine returns the titles of somebody's tickets.
func (d *Desk) Mine(ctx context.Context, who string) ([]string, error) {
	list, err := d.ListTickets(ctx, tickets.ListTicketsArgs{
		Project:  d.Project,
		Assignee: &who,
		Limit:    20,
	})
	if err != nil {
		return nil, err
	}
	var titles []string
	for _, t := range list.Tickets {
		titles = append(titles, t.Title)
	}
	return titles, nil
}

// First returns the first open ticket with its details.
func (d *Desk) First(ctx context.Context) (*tickets.GetTicketResult, error) {
	args := tickets.ListTicketsArgs{Project: d.Project, Limit: 1}
	args.Status = tickets.StatusOpen
	list, err := d.ListTickets(ctx, args)
	if err != nil || len(list.Tickets) == 0 {
		return nil, err
	}
	return d.GetTicket(ctx, tickets.GetTicketArgs{ID: list.Tickets[0].ID})
}

// Heavy reports whether a ticket takes more than a day.
func (d *Desk) Heavy(ctx context.Context, id int) (bool, error) {
	t, err := d.GetTicket(ctx, tickets.GetTicketArgs{ID: id})
	if err != nil {
		return false, err
	}
	return t.Estimate > 8, nil
}

// Close closes tickets, each for the same reason.
func (d *Desk) Close(ctx context.Context, ids ...int) error {
	finish := d.CloseTicket
	for _, id := range ids {
		if _, err := finish(ctx, tickets.CloseTicketArgs{ID: id, Reason: tickets.ReasonDone}); err != nil {
			return fmt.Errorf("ticket %d: %w", id, err)
		}
	}
	return nil
}

// Size returns how many tickets the project has.
func (d *Desk) Size(ctx context.Context) (int, error) {
	n, err := d.CountTicket(ctx, tickets.CountTicketArgs{Project: d.Project})
	if err != nil {
		return 0, err
	}
	return n.Count, nil
}
