package main

// Calls of one caller of the gateway while another caller attacks. What the attacks must
// not read, end or change is in TestHostileTenant of the gateway.

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/gateway"
)

// attackPause is the pause of an attacker between two requests: with less, the attacker's own
// work fills the processors.
const attackPause = 20 * time.Millisecond

const annToken, bobToken = "ann-0123456789abcdef", "bob-0123456789abcdef"

// withToken sends the token of the attacker.
type withToken struct{}

// RoundTrip implements [http.RoundTripper].
func (withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+bobToken)
	return http.DefaultTransport.RoundTrip(r)
}

// attacks are requests that the attacker repeats.
var attacks = []struct{ name, body string }{
	{"calls", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory__create_entities","arguments":{"entities":[]}}}`},
	{"lists", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	{"unknown tools", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nobody__x"}}`},
	{"requests of 100 kB", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory__create_entities","arguments":{"x":"` + strings.Repeat("y", 100_000) + `"}}}`},
	{"cancellations", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`},
	{"new sessions", ""},
}

// tenants measures a caller's calls with each attack, against the same calls without one.
func tenants(ctx context.Context, b *bench) ([]row, error) {
	auth, err := gateway.Tokens(map[string]string{"ann": annToken, "bob": bobToken})
	if err != nil {
		return nil, err
	}
	direct, end, err := b.replay(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	url, stop, err := serveGateway(ctx, direct, &gateway.HandlerOptions{Auth: auth})
	if err != nil {
		return nil, err
	}
	defer stop()
	ann, err := hostOf(ctx, url, "2025-11-25", endpoint.Var{Name: "Authorization", Value: "Bearer " + annToken})
	if err != nil {
		return nil, err
	}
	defer ann.Close()
	call := callOf(ann, "memory__create_entities")
	var rows []row
	for _, a := range attacks {
		var alone, attacked costs
		for range b.rounds(7) {
			if err := b.load(ctx, 1, 500, call, &alone); err != nil {
				return rows, err
			}
			end, err := attack(ctx, url, a.body)
			if err != nil {
				return rows, err
			}
			err = b.load(ctx, 1, 500, call, &attacked)
			end()
			if err != nil {
				return rows, err
			}
		}
		rows = append(rows, compared(a.name+", four at a time", attacked.micros, alone.micros, 1, "µs", maxGatewayTime).
			because("the server reads it on the same two processors: the same attack on the server itself, without a gateway, measured 1.8 to 2.7 ×"))
	}
	return rows, nil
}

// attack sends a request again and again, four times at once; "" begins sessions. The attack
// ends with the returned function.
func attack(ctx context.Context, url, body string) (end func(), err error) {
	client := &http.Client{Transport: withToken{}}
	post, err := beginSession(ctx, client, url)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for ctx.Err() == nil { // a refusal is an answer
				if body == "" {
					_, _ = beginSession(ctx, client, url)
				} else {
					_ = post(ctx, body)
				}
				time.Sleep(attackPause)
			}
		})
	}
	return func() { cancel(); group.Wait() }, nil
}
