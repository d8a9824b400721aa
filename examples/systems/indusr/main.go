// Command indusr is the MCP part of indusr's deck, with mcpgen in place of its module
// deck::mcp: the tools of all servers are enrolled in a ledger, and the deck has the live
// ones. No server starts before its first call, once its tools are known from a run.
//
// Lines on standard input take the place of the model and of its user, so that a script
// can play both: the name of a card and its input as JSON, /deck, /ledger, /mcp,
// /mcp connect or /mcp disconnect SERVER.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/ledger"
	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	host, err := live.Open(ctx, live.Options{System: "indusr", Lazy: true})
	if err != nil {
		return err
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		log.Print(err) // the deck goes on without these servers
	}
	d := &deck{host, ledger.NewRecorder(ledger.Ledger{}, host.Tools)}
	lines := bufio.NewScanner(os.Stdin)
	for fmt.Print("indusr> "); lines.Scan(); fmt.Print("indusr> ") {
		if err := d.turn(ctx, lines.Text()); err != nil {
			fmt.Println(err) // the session goes on
		}
	}
	return lines.Err()
}

// A deck has the tools that the ledger says are live.
type deck struct {
	host   *live.Host
	ledger *ledger.Recorder
}

// turn carries out one line. The ledger is brought up to date before it.
func (d *deck) turn(ctx context.Context, line string) error {
	if err := d.ledger.Record(time.Now()); err != nil {
		return err
	}
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case word == "/deck":
		for _, card := range d.cards() {
			spec := card.Spec()
			fmt.Printf("%s: %q\n", spec.Name, spec.Description) // the server's words, for a terminal
		}
	case word == "/ledger":
		for _, e := range d.ledger.Ledger().Log() {
			fmt.Println(e.Seq, e.Op, e.Server, e.Key)
		}
	case line == "/mcp":
		fmt.Print(d.host.Listing())
	case line == "/mcp connect":
		return d.host.Reload(ctx) // the servers of the files that are not attached
	case strings.HasPrefix(line, "/mcp disconnect "):
		return d.host.Detach(strings.TrimPrefix(rest, "disconnect "))
	default:
		return d.call(ctx, word, rest)
	}
	return nil
}

// cards returns the deck, in the order of enrolment.
func (d *deck) cards() []runtime.Tool {
	var cards []runtime.Tool
	for _, e := range d.ledger.Ledger().Live() {
		cards = append(cards, e.Capability.Bridge(d.run))
	}
	return cards
}

// run is the runner that all cards share. It calls a tool as it was listed: a server that
// starts with another definition of it refuses the call.
func (d *deck) run(ctx context.Context, call ledger.Call) (*runtime.Result, error) {
	return d.host.Call(ctx, call.Server+"/"+call.Tool, call.Args, call.Options...)
}

// call runs a card, and prints the outcome.
func (d *deck) call(ctx context.Context, name, input string) error {
	for _, card := range d.cards() {
		if card.Spec().Name != name {
			continue
		}
		result, err := card.Call(ctx, json.RawMessage(cmp.Or(input, "{}")))
		if err == nil {
			fmt.Println(result.Text())
		}
		return err
	}
	return fmt.Errorf("no card of the deck is called %q", name)
}
