// Answering what servers ask, the same for every transport and revision: as
// requests of theirs, and since 2026-07-28 inside the answers to ours.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// What servers may ask for.
const (
	elicitation = "elicitation/create"
	sampling    = "sampling/createMessage"
	listRoots   = "roots/list"
)

// Input answers what servers ask of the program: input of a person, a model's answer,
// the folders that it works in. That of package input below this one calls functions of
// the program.
type Input interface {
	// Offers says what is answered: servers are told that, unless [endpoint.Server.Client]
	// says what they are told, and nothing else is asked.
	Offers() endpoint.Offers
	// Answer returns the result of one request of a server. Method is elicitation/create,
	// sampling/createMessage or roots/list, params are the server's, and hostile until
	// shown otherwise. A nil answer to a request for input declines that, and declined
	// says why, which is logged. The context ends when the server takes the request
	// back, when the call that it belongs to ends, where that is known, and when the
	// session does. The error is sent to the server. It is called from several goroutines,
	// of one session at most 8 times at once; at most 100 requests wait for that.
	Answer(ctx context.Context, server, method string, params json.RawMessage) (answer json.RawMessage, declined string, err error)
}

// errNobody is a request that this program has no answer for.
var errNobody = errors.New("this client does not answer that")

// clientHandlers answers the requests of one server.
type clientHandlers struct {
	*opener
	declares endpoint.Offers
	does     endpoint.Offers // of that
	input    *answers        // nil: nobody answers

	// A server that keeps saying that its prompts or resources have changed is reported
	// once in settleTime: who acts upon it waits for as long.
	prompts, resources rate.Sometimes
}

func (o *opener) newClientHandlers() *clientHandlers {
	a := &clientHandlers{opener: o, prompts: rate.Sometimes{Interval: settleTime}, resources: rate.Sometimes{Interval: settleTime}}
	a.declares, a.does = o.offers(o.server)
	if a.Input != nil {
		a.input = &answers{Input: a.Input, server: o.server.Name, turns: make(chan struct{}, maxAsking)}
	}
	return a
}

// offers are what is declared to a server, and what of that the program answers.
func (s *settings) offers(server endpoint.Server) (declares, does endpoint.Offers) {
	if s.Input != nil {
		does = s.Input.Offers()
	}
	if server.Client == nil {
		return does, does
	}
	return *server.Client, does.And(*server.Client)
}

// unanswered says of a server to which more is declared than the program answers that it
// is declined; nil of all others. It is of type *ServerError.
func (s *settings) unanswered(server endpoint.Server) error {
	declares, does := s.offers(server)
	beyond := declares.Beyond(does)
	if beyond == nil {
		return nil
	}
	return &ServerError{Server: server.Name, Source: server.Source, Stage: StageConfigure, Err: hint.With(
		fmt.Errorf("%sserver %q: client declares %s, which this program has no handler for: such requests are declined", server.Source.Prefix(), server.Name, strings.Join(beyond, ", ")),
		"answer them with attach.Options.Input", "declare what is answered: client: "+does.String())}
}

// capabilities are those of this client: what the server may request.
func (a *clientHandlers) capabilities() *mcp.ClientCapabilities {
	c := &mcp.ClientCapabilities{}
	_ = json.Unmarshal(a.declares.Capabilities(), c) // the SDK's struct holds all of them
	if a.declares.Roots {
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
		c.RootsV2 = &mcp.RootCapabilities{}
	}
	return c
}

// requestOffers are the capabilities as every request carries them since 2026-07-28.
func (a *clientHandlers) requestOffers() json.RawMessage {
	return jsontext.AppendMember(nil, a.declares.Capabilities(), `"extensions"`, func(b []byte) []byte { return append(b, `{"`+tasksExtension+`":{}}`...) })
}

// request answers a request of the server.
func (a *clientHandlers) request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	raw, err := a.answer(ctx, method, params)
	switch {
	case !errors.Is(err, errNobody):
		return raw, err
	case method == listRoots:
		return json.RawMessage(noRoots), nil // some servers ask all clients
	case method == sampling && a.declares.Sampling:
		return nil, &jsonrpc.Error{Code: codeRejected, Message: errNobody.Error()}
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: errNobody.Error()}
}

// hear takes in a notification of the server. Prompts and resources are not listed before
// somebody asks for them: see [Host.Items].
func (a *clientHandlers) hear(method string, params json.RawMessage) {
	switch method {
	case "notifications/tools/list_changed":
		wire.Wake(a.changed)
	case "notifications/prompts/list_changed":
		a.prompts.Do(func() { a.listChanged("prompts") })
	case "notifications/resources/list_changed":
		a.resources.Do(func() { a.listChanged("resources") })
	case "notifications/resources/updated":
		if uri := jsontext.Text(jsontext.Member(params, "uri")); uri != "" {
			a.updates.tell(uri)
		}
	case noteAcknowledged: // perhaps once more: what was to come on the stream before may be lost
		a.updates.tell("")
	case "notifications/elicitation/complete":
		if a.input != nil {
			a.input.visited(jsontext.Text(jsontext.Member(params, "elicitationId")))
		}
	case "notifications/message":
		a.onLog(params)
	}
}

func (a *clientHandlers) listChanged(what string) {
	a.notifier.event(event.Event{Kind: event.ListChanged, Server: a.server.Name, State: string(Ready), Detail: what})
}

// answer answers one request. It is errNobody if the program does not answer
// such requests, and there is no polite way to say no.
func (a *clientHandlers) answer(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	ctx = withCaller(ctx, a.caller)
	switch {
	case method == elicitation:
		return a.elicit(ctx, params)
	case method == sampling && a.does.Sampling, method == listRoots && a.does.Roots:
		raw, _, err := a.input.answer(ctx, method, params)
		return raw, err
	case method == listRoots && a.declares.Roots:
		return json.RawMessage(noRoots), nil
	}
	return nil, errNobody
}

// elicit asks for input. What nobody gives is declined, with one line to the log; a
// server that keeps asking gets a bounded number of them.
func (a *clientHandlers) elicit(ctx context.Context, params json.RawMessage) (raw json.RawMessage, err error) {
	if !a.does.Forms {
		ok, before := a.drops.mayLog()
		if !ok {
			return json.RawMessage(declined), nil
		}
		a.noteLeftOut(before)
	}
	defer func() { a.logAnswer(raw, err) }()
	why := "no interactive UI"
	switch isPage := jsontext.Text(jsontext.Member(params, "mode")) == "url" || jsontext.Text(jsontext.Member(params, "url")) != ""; {
	case isPage && a.does.Forms && !a.does.Pages:
		why = "this program does not open pages"
	case a.does.Forms:
		if raw, why, err = a.input.answer(ctx, elicitation, params); err != nil || raw != nil {
			return raw, err
		}
	}
	raw = json.RawMessage(declined)
	a.log.Warn(fmt.Sprintf("MCP server %q requested elicitation (message: %s); declined (%s)", a.server.Name, a.mask(safetext.Words(jsontext.Text(jsontext.Member(params, "message")), 200)), safetext.Words(why, 200)))
	return raw, nil
}

// Answers to what nobody takes, and the code by which a client says no to a request for a
// model's answer.
const (
	declined     = `{"action":"decline"}`
	noRoots      = `{"roots":[]}`
	codeRejected = -1
)

// logAnswer records the elicitation response.
func (a *clientHandlers) logAnswer(answer json.RawMessage, err error) {
	action := jsontext.Text(jsontext.Member(answer, "action")) // there is none where there is an error
	a.notifier.event(event.Event{Kind: event.Elicitation, Server: a.server.Name, Detail: action, Err: err})
}

// noteLeftOut says how many lines of the server were not logged.
func (a *clientHandlers) noteLeftOut(lines int) {
	if lines > 0 {
		a.log.Warn(fmt.Sprintf("MCP server %q: %d lines were left out: %s", a.server.Name, lines, errLines))
	}
}

// onLog passes the server's own log on.
func (a *clientHandlers) onLog(params json.RawMessage) {
	if a.quiet || params == nil {
		return
	}
	ok, before := a.drops.mayLog()
	if !ok {
		return
	}
	a.noteLeftOut(before)
	data := jsontext.Member(params, "data")
	text, isText := jsontext.Unquote(data)
	if !isText {
		text = string(data)
	}
	ctx := context.WithValue(context.Background(), logKey{}, json.RawMessage(a.mask(string(params))))
	a.log.LogAttrs(ctx, level(params), a.mask(safetext.Words(text, 2000)),
		slog.String("server", a.server.Name), slog.String("logger", a.mask(safetext.Words(jsontext.Text(jsontext.Member(params, "logger")), 100))))
}

type logKey struct{}

// LogOf returns the parameters of a server's log notification, as the server sent them but
// for secrets, in a handler of [Options.Logger] that is given the record of it. Nil: the
// record is of something else.
func LogOf(ctx context.Context) json.RawMessage {
	params, _ := ctx.Value(logKey{}).(json.RawMessage)
	return params
}

func level(params json.RawMessage) slog.Level {
	switch jsontext.Text(jsontext.Member(params, "level")) {
	case "debug":
		return slog.LevelDebug
	case "warning":
		return slog.LevelWarn
	case "error", "critical", "alert", "emergency":
		return slog.LevelError
	}
	return slog.LevelInfo
}
