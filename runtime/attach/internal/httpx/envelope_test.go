package httpx

import (
	"strings"
	"testing"
)

// Members of an envelope have one spelling, and stand there once: other readers
// would take another answer.
func TestExactEnvelopes(t *testing.T) {
	const twice = "has a duplicate member"
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":$,"result":{"a":1},"Result":{"evil":1},"RESULT":{"evil":2}}`:              `{"a":1}`,
		`{"jsonrpc":"2.0","id":$,"ID":8,"result":{"a":1},"reſult":{"evil":1}}`:                           `{"a":1}`,
		`{"jsonrpc":"2.0","id":$,"result":{"a":1},"Error":{"code":1,"message":"evil"}}`:                  `{"a":1}`,
		`{"jsonrpc":"2.0","id":$,"result":{"a":1},"Method":"evil"}`:                                      `{"a":1}`,
		`{"jsonrpc":"2.0","id":$,"error":{"code":-1,"message":"no","Code":1,"MESSAGE":"evil"}}`:          "no (code -1)",
		`{"jsonrpc":"2.0","id":$,"\u0072esult":{"a":1}}`:                                                 `{"a":1}`,
		`{"\u006asonrpc":"2.0","i\u0064":$,"result":{"a":1}}`:                                            `{"a":1}`,
		`{"jsonrpc":"2.0","id":$,"result":{"a":1},"result":{"evil":1}}`:                                  twice,
		`{"jsonrpc":"2.0","id":$,"result":{"a":1},"\u0072esult":{"evil":1}}`:                             twice,
		`{"jsonrpc":"2.0","id":8,"id":$,"result":{"evil":1}}`:                                            twice,
		`{"jsonrpc":"2.0","id":$,"result":{"evil":1},"error":null,"error":{"code":-1,"message":"evil"}}`: twice,
		`{"jsonrpc":"2.0","ID":$,"result":{"evil":1}}`:                                                   "", // no answer to this request
		`{"jsonrpc":"2.0","id":$,"Result":{"evil":1}}`:                                                   "",
	} {
		check := func(media string, o outcome) {
			t.Helper()
			got := o.text()
			if want == "" && o.err != nil && o.sent && strings.Count(got, "evil") <= 1 {
				return // it may be quoted
			}
			if want == "" || !strings.Contains(got, want) || !o.sent {
				t.Errorf("%s %s: outcome %q (sent %v), want %q", media, body, got, o.sent, want)
			}
		}
		for _, media := range []string{"application/json", "text/event-stream"} {
			answer := body
			if media == "text/event-stream" {
				answer = "data: " + body + "\n\n"
			}
			check(media, newLink(t, Options{URL: serveHTTP(t, answerWith(media, answer))}).call(t.Context()))
		}
		if strings.Contains(body, `"ID":$`) {
			continue // over SSE it answers nobody, and there may be another message yet
		}
		check("SSE", callOver(t.Context(), newEventsLink(t, Options{}, body).conn, noOptions))
	}
}

// Messages of the older transport that nobody asked for have the members that
// JSON-RPC knows and no others.
func TestExactEnvelopesOverSSE(t *testing.T) {
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","method":"x","params":{"a":1},"PARAMS":{"evil":1}}`:               `{"jsonrpc":"2.0","method":"x","params":{"a":1}}`,
		`{"jsonrpc":"2.0","method":"x","params":{"evil":1},"params":{"evil":2}}`:            ``,
		`{"jsonrpc":"2.0","id":"a","method":"ping","\u006dethod":"sampling/createMessage"}`: ``,
	} {
		l := newEventsLink(t, Options{}, message, `{"jsonrpc":"2.0","id":$,"result":{}}`)
		if o := callOver(t.Context(), l.conn, noOptions); o.err != nil {
			t.Fatal(o.err)
		}
		got := ""
		if want != "" {
			got = <-l.heard
		}
		if skipped, _ := l.conn.Skipped(); got != want || (skipped == 1) != (want == "") {
			t.Errorf("%s is read as %q, want %q; %d skipped", message, got, want, skipped)
		}
	}
}
