package httpx

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

// Members of an envelope have one spelling, and stand there once: other readers
// would take another answer.
func TestExactEnvelopes(t *testing.T) {
	const twice = "names a member twice"
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"result":{"a":1},"Result":{"evil":1},"RESULT":{"evil":2}}`:              `{"a":1}`,
		`{"jsonrpc":"2.0","id":7,"ID":8,"result":{"a":1},"reſult":{"evil":1}}`:                           `{"a":1}`,
		`{"jsonrpc":"2.0","id":7,"result":{"a":1},"Error":{"code":1,"message":"evil"}}`:                  `{"a":1}`,
		`{"jsonrpc":"2.0","id":7,"result":{"a":1},"Method":"evil"}`:                                      `{"a":1}`,
		`{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no","Code":1,"MESSAGE":"evil"}}`:          "no (code -1)",
		`{"jsonrpc":"2.0","id":7,"\u0072esult":{"a":1}}`:                                                 `{"a":1}`,
		`{"jsonrpc":"2.0","id":7,"result":{"a":1},"result":{"evil":1}}`:                                  twice,
		`{"jsonrpc":"2.0","id":7,"result":{"a":1},"\u0072esult":{"evil":1}}`:                             twice,
		`{"jsonrpc":"2.0","id":8,"id":7,"result":{"evil":1}}`:                                            twice,
		`{"jsonrpc":"2.0","id":7,"result":{"evil":1},"error":null,"error":{"code":-1,"message":"evil"}}`: twice,
		`{"jsonrpc":"2.0","ID":7,"result":{"evil":1}}`:                                                   "", // no answer to this request
		`{"jsonrpc":"2.0","id":7,"Result":{"evil":1}}`:                                                   "",
	} {
		for _, media := range []string{"application/json", "text/event-stream"} {
			answer := body
			if media == "text/event-stream" {
				answer = "data: " + body + "\n\n"
			}
			x := &Exchange{}
			_, err := exchange(t, client(t, Options{URL: web(t, answerWith(media, answer))}), x)
			raw, sent, failed := x.Outcome()
			got := string(raw)
			if failed != nil {
				got = failed.Error()
			}
			if want == "" && raw == nil && sent && strings.Count(got, "evil") <= 1 {
				continue // it may be quoted
			}
			if want == "" || !strings.Contains(got, want) || !sent {
				t.Errorf("%s %s: outcome %q (sent %v), want %q; the SDK sees %v", media, body, got, sent, want, err)
			}
		}
	}
}

// Messages of the older transport have the members that JSON-RPC knows and no others.
func TestExactEnvelopesOverSSE(t *testing.T) {
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"result":{"a":1},"Result":{"evil":1},"ID":8}`:              `{"jsonrpc":"2.0","id":7,"result":{"a":1}}`,
		`{"\u006asonrpc":"2.0","i\u0064":7,"result":{"a":1}}`:                               `{"jsonrpc":"2.0","id":7,"result":{"a":1}}`,
		`{"jsonrpc":"2.0","method":"x","params":{"a":1},"PARAMS":{"evil":1}}`:               `{"jsonrpc":"2.0","method":"x","params":{"a":1}}`,
		`{"jsonrpc":"2.0","method":"x","params":{"evil":1},"params":{"evil":2}}`:            ``,
		`{"jsonrpc":"2.0","id":"a","method":"ping","\u006dethod":"sampling/createMessage"}`: ``,
		`{"jsonrpc":"2.0","id":7,"result":{"evil":1},"result":{"evil":2}}`:                  `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"the server's answer names a member twice: it was not used"}}`,
	} {
		c := client(t, Options{URL: web(t, answerWith("text/event-stream", "event: endpoint\ndata: /message\n\ndata: "+message+"\n\n")), SSE: true})
		e := events(t, c)
		got := ""
		if msg, err := e.Read(t.Context()); err == nil {
			data, err := jsonrpc.EncodeMessage(msg)
			if err != nil {
				t.Fatal(err)
			}
			got = string(data)
		} else if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if got != want || want == "" && c.Skipped() != 1 {
			t.Errorf("%s is read as %q, want %q", message, got, want)
		}
	}
}

// events opens the stream of the older transport.
func events(t *testing.T, c *Client) *Events {
	t.Helper()
	e, err := c.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// A large message of the older transport keeps its room until the next one is asked
// for: nothing is read ahead.
func TestEventsAreNotReadAhead(t *testing.T) {
	const message = 1 << 20
	memory := budget.New(100*message, nil)
	large := fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"method\":%q}\n\n", strings.Repeat("x", message/2))
	for range 3 {
		c := client(t, Options{
			URL: web(t, answerWith("text/event-stream", "event: endpoint\ndata: /message\n\n"+large+"data: "+note(1)+"\n\n"+large)),
			SSE: true, MaxMessage: message, Memory: memory,
		})
		if _, err := events(t, c).Read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if peak := memory.Peak(); peak != 3*2*message {
		t.Errorf("%d bytes at the same time, want those of three messages", peak)
	}
}
