// Package intake opens tickets for what comes in.
package intake

import (
	"context"
	"strings"

	"github.com/mcpgen/mcpgen/examples/drift/internal/mcp/tickets"
	"github.com/mcpgen/mcpgen/runtime"
)

// creator opens tickets: a client, or in a test anything else.
type creator interface {
	CreateTicket(ctx context.Context, args tickets.CreateTicketArgs, opts ...runtime.CallOption) (*tickets.CreateTicketResult, error)
}

// draft is a ticket before it is opened.
type draft = tickets.CreateTicketArgs

// Mail opens a ticket for a mail.
func Mail(ctx context.Context, c creator, subject, sender string) (int, error) {
	t, err := c.CreateTicket(ctx, tickets.CreateTicketArgs{Title: subject, Labels: []string{"mail", sender}})
	if err != nil {
		return 0, err
	}
	return t.ID, nil
}

// Crash opens a ticket for the first line of a stack trace.
func Crash(ctx context.Context, trace string) error {
	first, _, _ := strings.Cut(trace, "\n")
	d := draft{Title: first}
	d.Labels = append(d.Labels, "crash")
	_, err := tickets.CreateTicket(ctx, d)
	return err
}

// Batch opens several tickets.
func Batch(ctx context.Context, c creator, titles []string) error {
	for _, title := range titles {
		var d draft
		d.Title = title
		if _, err := c.CreateTicket(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// Open opens a ticket that somebody else has written.
func Open(ctx context.Context, c creator, d draft) error {
	_, err := c.CreateTicket(ctx, d)
	return err
}

// Known reports whether an open ticket of the project has that title.
func Known(ctx context.Context, project, title string) (bool, error) {
	list, err := tickets.ListTickets(ctx, tickets.ListTicketsArgs{Project: project, Status: "open", Limit: 50})
	if err != nil {
		return false, err
	}
	for _, t := range list.Tickets {
		if strings.EqualFold(t.Title, title) {
			return true, nil
		}
	}
	return false, nil
}

// Duplicate closes a ticket that is there already.
func Duplicate(ctx context.Context, id int) error {
	_, err := tickets.CloseTicket(ctx, tickets.CloseTicketArgs{ID: id, Reason: tickets.ReasonDuplicate})
	return err
}
