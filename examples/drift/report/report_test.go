package report

import (
	"context"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/examples/drift/internal/mcp/tickets"
	"github.com/mcpgen/mcpgen/examples/drift/internal/mcp/tickets/ticketstest"
)

// findTicket is the ticket that the fake knows.
func findTicket(_ context.Context, args tickets.GetTicketArgs) (*tickets.GetTicketResult, error) {
	return &tickets.GetTicketResult{
		ID:       args.ID,
		Title:    "Crash on start",
		Estimate: 4,
		Owner:    tickets.Owner{Login: "ada", Mail: "ada@example.com"},
	}, nil
}

func TestTicket(t *testing.T) {
	fake := ticketstest.New(t)
	fake.OnGetTicket(findTicket)
	var page strings.Builder
	if err := ticket(t.Context(), &page, tickets.New(fake), 7); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), "7 Crash on start") {
		t.Errorf("got\n%s\nwant a page with \"7 Crash on start\"", page.String())
	}
}

func TestFake(t *testing.T) {
	fake := ticketstest.New(t)
	fake.OnGetTicket(findTicket)
	c := tickets.New(fake)
	got, err := c.GetTicket(t.Context(), tickets.GetTicketArgs{ID: 1})
	if err != nil || got.ID != 1 || got.Owner.Login != "ada" {
		t.Errorf("%+v, %v", got, err)
	}
	again, err := c.GetTicket(t.Context(), tickets.GetTicketArgs{ID: 1})
	if err != nil || again.Estimate != got.Estimate {
		t.Errorf("%+v, %v", again, err)
	}
}
