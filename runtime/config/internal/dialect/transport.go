// How the formats name a server's transport.

package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// transportOf parses the spellings of a transport that are in use.
func transportOf(said string) (endpoint.Transport, bool) {
	switch strings.ToLower(said) {
	case "":
		return endpoint.Auto, true
	case "stdio":
		return endpoint.Stdio, true
	case "http", "streamable-http", "streamablehttp":
		return endpoint.HTTP, true
	case "sse":
		return endpoint.SSE, true
	}
	return "", false
}

// word returns the row's transport as written; "" if there is none.
func (e *entry) word() string {
	if e.said.Value == nil || e.said.Value.Kind != tree.String {
		return ""
	}
	return e.said.Value.Text
}

func (e *entry) failWord(reason, hint string) {
	e.fail(e.said.Value, e.at.Key(e.said.Name), reason, hint)
}

// decide chooses the launch by the row's type if it has one, else by which of command and url is present.
func decide(e *entry) {
	said := e.word()
	transport, known := transportOf(said)
	switch {
	case !known:
		e.failWord("unknown transport "+tree.Quote(said), "one of stdio, http, streamable-http, sse")
	case said == "" && e.command && e.url:
		e.fail(e.n, e.at, "the server has both command and url", "remove one of them, or choose one with the key type")
	case said == "" && !e.command && !e.url:
		e.neither()
	case transport == endpoint.Stdio && !e.command:
		e.fail(e.n, e.at, said+" needs a command", "")
	case (transport == endpoint.HTTP || transport == endpoint.SSE) && !e.url:
		e.fail(e.n, e.at, said+" needs a url", "")
	case transport == endpoint.Stdio || transport == endpoint.Auto && e.command:
		e.local()
	default:
		e.remote(transport)
	}
}

func (e *entry) neither() { e.fail(e.n, e.at, "neither command nor url", "give it one of them") }

// urlWins chooses the URL if both are present.
func urlWins(e *entry) {
	switch {
	case e.url:
		e.remote(endpoint.Auto)
	case e.command:
		e.local()
	case e.Disabled: // it is dropped anyway
	default:
		e.neither()
	}
}

// oneOf requires the transport to be one of the words, in lower case, and returns "" if it is not.
func (e *entry) oneOf(words ...string) string {
	want := strings.Join(words, ", ")
	if e.said.Value == nil {
		e.fail(e.n, e.at, "no transport", "say which: one of "+want)
		return ""
	}
	said := strings.ToLower(e.word())
	if slices.Contains(words, said) {
		return said
	}
	if e.said.Value.Kind == tree.String {
		e.failWord(fmt.Sprintf("unknown %s %s", e.said.Name, tree.Quote(e.word())), "one of "+want)
	}
	return ""
}

// spoken is for systems that always name the transport, with one word for programs and one for URLs.
func spoken(program, remote string) func(*entry) {
	return func(e *entry) {
		switch e.oneOf(program, remote) {
		case program:
			programOnly(e)
		case remote:
			e.urlOnly(endpoint.Auto, "url")
		}
	}
}

// urlOnly requires a URL, under the given key.
func (e *entry) urlOnly(t endpoint.Transport, key string) {
	if !e.url {
		e.fail(e.n, e.at, e.word()+" needs a "+key, "")
		return
	}
	e.remote(t)
}

// programOnly requires a program.
func programOnly(e *entry) {
	if !e.command {
		e.fail(e.n, e.at, "no command", "name the program to start")
		return
	}
	e.local()
}
