// Answers to the requests of servers, the same for every transport and revision.
// Since 2026-07-28 such requests arrive inside the results of calls; before, as
// requests.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// Methods of the requests that servers may send.
const (
	elicitation = "elicitation/create"
	sampling    = "sampling/createMessage"
	listRoots   = "roots/list"
)

// Input answers requests of servers: for input of a person, for a model's answer, and
// for the folders that the program works in. Handlers of package attach/input
// implements it by functions of the program.
type Input interface {
	// Offers returns which requests Answer supports. These capabilities are declared
	// to servers, unless [endpoint.Server.Client] declares others. Other requests
	// never reach Answer.
	Offers() endpoint.Offers
	// Answer returns the result of one request of a server. Method is
	// elicitation/create, sampling/createMessage or roots/list; params are the
	// server's, and may be hostile. A nil answer to a request for input declines it,
	// and declined is the reason, which is logged. The context ends when the server
	// cancels the request, when the call that the request belongs to ends (if known),
	// and when the session ends. The error is sent to the server. Answer is called
	// from several goroutines, at most 8 at once for one session; at most 100 further
	// requests of the session wait.
	Answer(ctx context.Context, server, method string, params json.RawMessage) (answer json.RawMessage, declined string, err error)
}

// VisitedInput is an [Input] that passes on the report of a server that a person is
// done with a page: a caller with its own session ([runtime.Options.Session]) visits the pages
// that a refusal names, and makes the call again. Visited must not block.
type VisitedInput interface {
	Input
	Visited(ctx context.Context, server, elicitationID string)
}

// errNobody is the error for a request that this program does not answer.
var errNobody = errors.New("this client does not answer requests of this kind")

// clientHandlers answers the requests of one server.
type clientHandlers struct {
	*opener
	declares endpoint.Offers
	does     endpoint.Offers // the part of declares that the program answers
	input    *answers        // nil: the program has no Input

	// A changed list of prompts or resources is reported once in settleTime:
	// consumers wait that long before they act on it.
	prompts, resources rate.Sometimes
	changes            atomic.Int64 // how often the server has reported one
}

func newClientHandlers(o *opener) *clientHandlers {
	a := &clientHandlers{opener: o, prompts: rate.Sometimes{Interval: settleTime}, resources: rate.Sometimes{Interval: settleTime}}
	a.declares, a.does = o.offers(o.server)
	if a.Input != nil {
		a.input = &answers{Input: a.Input, server: o.server.Name, turns: make(chan struct{}, maxAsking)}
	}
	return a
}

// offers returns what is declared to a server, and the part that the program answers.
func (s *settings) offers(server endpoint.Server) (declares, does endpoint.Offers) {
	if s.Input != nil {
		does = s.Input.Offers()
	}
	if server.Client == nil {
		return does, does
	}
	if s.Callers.perSession(server) {
		does.Roots = s.Input != nil
	}
	return *server.Client, does.And(*server.Client)
}

// unanswered returns a *ServerError if more is declared to a server than the program
// answers: such requests are declined. Otherwise it returns nil.
func (s *settings) unanswered(server endpoint.Server) error {
	declares, does := s.offers(server)
	beyond := declares.Beyond(does)
	if beyond == nil {
		return nil
	}
	return &ServerError{Server: server.Name, Source: server.Source, Stage: stage.Configure, Err: hint.With(
		fmt.Errorf("%sserver %q: the key client declares %s, but this program has no handler for such requests and declines them", server.Source.Prefix(), server.Name, strings.Join(beyond, ", ")),
		"answer them with attach.Options.Input", "declare only the requests that the program answers: write client: "+does.String())}
}

// capabilities returns the declared client capabilities in the SDK's form.
func (a *clientHandlers) capabilities() *mcp.ClientCapabilities {
	c := &mcp.ClientCapabilities{}
	_ = json.Unmarshal(a.declares.Capabilities(), c) // the SDK's struct holds all of them
	if a.declares.Roots {
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
		c.RootsV2 = &mcp.RootCapabilities{}
	}
	return c
}

// requestOffers returns the capabilities as every request carries them since
// 2026-07-28.
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
		return json.RawMessage(noRoots), nil // some servers request roots from every client
	case method == sampling && a.declares.Sampling:
		return nil, &jsonrpc.Error{Code: codeRejected, Message: errNobody.Error()}
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: errNobody.Error()}
}

// hear handles a notification of the server. Changed prompts and resources are not
// listed before a call or a caller needs them: see [session.listed] and [Host.Items].
func (a *clientHandlers) hear(ctx context.Context, method string, params json.RawMessage) {
	switch method {
	case "notifications/tools/list_changed":
		wire.Wake(a.changed)
	case "notifications/prompts/list_changed":
		a.changes.Add(1)
		a.prompts.Do(func() { a.listChanged("prompts") })
	case "notifications/resources/list_changed":
		a.changes.Add(1)
		a.resources.Do(func() { a.listChanged("resources") })
	case "notifications/resources/updated":
		if uri := jsontext.Text(jsontext.Member(params, "uri")); uri != "" {
			a.updates.tell(uri)
		}
	case noteAcknowledged: // perhaps once more: what was to come on the stream before may be lost
		a.updates.tell("")
	case "notifications/elicitation/complete":
		if a.input != nil {
			id := jsontext.Text(jsontext.Member(params, "elicitationId"))
			a.input.visited(id)
			if v, ok := a.Input.(VisitedInput); ok {
				v.Visited(withAsker(context.Background(), a.asker), a.server.Name, id)
			}
		}
	case "notifications/message":
		a.onLog(ctx, params)
	}
}

func (a *clientHandlers) listChanged(what string) {
	a.notifier.event(event.Event{Kind: event.ListChanged, Server: a.server.Name, State: string(Ready), Detail: what})
}

// answer answers one request. The error is errNobody if the program does not answer
// such requests and the protocol has no result that declines.
func (a *clientHandlers) answer(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	ctx = withAsker(a.turn.during(ctx), a.asker)
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

// Limits of the wait for the roots of a new session of a caller: for the caller's
// answer, and then for the server, which does not report that it has applied them.
const (
	rootsTime  = 2 * time.Second
	rootsPause = 50 * time.Millisecond
)

// settleRoots waits until a server that has asked a caller for its roots has them:
// before that, many servers refuse the calls that need them.
func (a *clientHandlers) settleRoots(ctx context.Context) {
	if a.asker.session == "" || !a.does.Roots {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTime)
	defer cancel()
	for wire.Pause(ctx, nil, rootsPause) == nil && len(a.input.turns) > 0 {
	}
}

// elicit answers a request for input. A request without an answer is declined, with
// one line to the log. In a program without forms the server's log limit bounds these
// lines.
func (a *clientHandlers) elicit(ctx context.Context, params json.RawMessage) (raw json.RawMessage, err error) {
	if !a.does.Forms {
		ok, before := a.drops.mayLog()
		if !ok {
			return json.RawMessage(declined), nil
		}
		a.noteLeftOut(before)
	}
	defer func() {
		action := jsontext.Text(jsontext.Member(raw, "action")) // "" if err is set
		a.notifier.event(event.Event{Kind: event.Elicitation, Server: a.server.Name, Detail: action, Err: err})
	}()
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

// Results of requests that the program does not handle, and the error code of a
// rejected sampling request.
const (
	declined     = `{"action":"decline"}`
	noRoots      = `{"roots":[]}`
	codeRejected = -1
)

// noteLeftOut logs how many lines of the server were left out.
func (a *clientHandlers) noteLeftOut(lines int) {
	if lines > 0 {
		a.log.Warn(fmt.Sprintf("MCP server %q: mcpgen did not log %d lines: %s", a.server.Name, lines, errLines))
	}
}

// onLog logs a log notification of the server, in the context of its call if that is known.
func (a *clientHandlers) onLog(ctx context.Context, params json.RawMessage) {
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
	ctx = context.WithValue(withAsker(a.turn.during(ctx), a.asker), logKey{}, json.RawMessage(a.mask(string(params))))
	a.log.LogAttrs(ctx, level(params), a.mask(safetext.Words(text, 2000)),
		slog.String("server", a.server.Name), slog.String("logger", a.mask(safetext.Words(jsontext.Text(jsontext.Member(params, "logger")), 100))))
}

type logKey struct{}

// LogOf returns the parameters of a server's log notification, as the server sent
// them but with secrets masked. Handlers of [Options.Logger] call it with the context
// of a record. It returns nil if the record is not a server's log notification.
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
