// Package report writes about a project for people.
package report

import (
	"context"
	"fmt"
	"io"

	"github.com/mcpgen/mcpgen/examples/drift/internal/mcp/tickets"
)

// Write writes a page about a project.
func Write(ctx context.Context, w io.Writer, c *tickets.Client, project string) error {
	list, err := c.ListTickets(ctx, tickets.ListTicketsArgs{Project: project})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %d tickets\n", project, list.Total)
	for _, t := range list.Tickets {
		if err := ticket(ctx, w, c, t.ID); err != nil {
			return err
		}
	}
	return nil
}

// ticket writes a line about a ticket.
func ticket(ctx context.Context, w io.Writer, c *tickets.Client, id int) error {
	t, err := c.GetTicket(ctx, tickets.GetTicketArgs{ID: id})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%d %s [%s] %s <%s>\n",
		t.ID, t.Title,
		t.Status,
		t.Owner.Login,
		t.Owner.Mail,
	)
	return err
}

// Board writes the whole board as the server words it.
func Board(ctx context.Context, w io.Writer) error {
	text, err := tickets.Summary(ctx, tickets.SummaryArgs{})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text.Text())
	return err
}

// Closed returns how many tickets of a project are closed, of at most n.
func Closed(ctx context.Context, project string, n int) (int, error) {
	list, err := tickets.ListTickets(ctx, tickets.ListTicketsArgs{
		Project: project,
		Status:  tickets.StatusClosed,
		Limit:   n,
	})
	if err != nil {
		return 0, err
	}
	return list.Total, nil
}

// Load returns the hours that all tickets take together.
func Load(ctx context.Context, c *tickets.Client, ids []int) (hours int, err error) {
	for _, id := range ids {
		t, err := c.GetTicket(ctx, tickets.GetTicketArgs{ID: id})
		if err != nil {
			return 0, err
		}
		hours += t.Estimate
	}
	return hours, nil
}

// Sizes returns how many tickets each project has.
func Sizes(ctx context.Context, projects ...string) (map[string]int, error) {
	sizes := map[string]int{}
	for _, p := range projects {
		n, err := tickets.CountTicket(ctx, tickets.CountTicketArgs{Project: p})
		if err != nil {
			return nil, err
		}
		sizes[p] = n.Count
	}
	return sizes, nil
}

// Owners returns who has which ticket.
func Owners(ctx context.Context, c *tickets.Client, ids ...int) (map[int]string, error) {
	owners := map[int]string{}
	for _, id := range ids {
		t, err := c.GetTicket(ctx, tickets.GetTicketArgs{ID: id})
		if err != nil {
			return nil, err
		}
		owners[t.ID] = t.Owner.Login
	}
	return owners, nil
}
