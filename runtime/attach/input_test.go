package attach

// What servers may ask of the program, over every transport and in both eras.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// askingServers are the ways that a server can ask.
func askingServers(t *testing.T) map[string]endpoint.Server {
	t.Helper()
	sse := httpServer(t, "asks")
	addressOf(sse).URL, addressOf(sse).Transport = strings.TrimSuffix(addressOf(sse).URL, "/mcp")+"/sse", endpoint.SSE
	web, rounds := httpServer(t, "asks"), httpServer(t, "asks-modern")
	addressOf(web).Transport, addressOf(rounds).Transport = endpoint.HTTP, endpoint.HTTP
	return map[string]endpoint.Server{
		"stdio": processServer(t, "asks"), "stdio modern": processServer(t, "asks-modern"),
		"sse": sse, "http": web, "http modern": rounds,
	}
}

// haveServerAsk has the server ask something, and returns the answer that it got.
func haveServerAsk(ctx context.Context, h *Host, method, params string) (string, error) {
	res, err := callTool(ctx, h, "echo", fmt.Sprintf(`{"method":%q,"params":%s}`, method, params))
	if err != nil {
		return "", err
	}
	var answer struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(res.Structured, &answer); err != nil {
		return "", err
	}
	if answer.Error != nil && string(answer.Error) != "null" {
		return "error " + string(answer.Error), nil
	}
	return string(answer.Result), nil
}

const form = `{"message":"Who?","requestedSchema":{"type":"object","properties":{
	"name":{"type":"string","default":"Ada"},"age":{"type":"integer"},"loud":{"type":"boolean","default":true},"odd":true},"required":["name"]}}`

// reaction is what a handler does with a request.
type reaction struct {
	f func(ElicitRequest) (ElicitResult, error)
}

func TestFaultF13Elicit(t *testing.T) {
	for name, s := range askingServers(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var handler atomic.Pointer[reaction]
			h := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler), Input: answering(Handlers{ElicitURLs: true, Elicit: func(_ context.Context, server string, req ElicitRequest) (ElicitResult, error) {
				if server != "s" {
					t.Errorf("server %q", server)
				}
				return handler.Load().f(req)
			}})}, s)
			for _, c := range []struct {
				params string
				result ElicitResult
				err    error
				want   string // members of the answer; "" in front of what it lacks
			}{
				{form, ElicitResult{Action: ElicitAccept, Content: map[string]any{"age": 7}}, nil, `{"action":"accept","content":{"age":7,"loud":true,"name":"Ada"}}`},
				{form, ElicitResult{Action: ElicitAccept, Content: json.RawMessage(`{"name":"Bob","loud":false}`)}, nil, `{"action":"accept","content":{"loud":false,"name":"Bob"}}`},
				{form, ElicitResult{Action: ElicitAccept}, nil, `{"action":"accept","content":{"loud":true,"name":"Ada"}}`},
				{form, ElicitResult{Action: ElicitAccept, Content: 5}, nil, `{"action":"decline"}`},
				{form, ElicitResult{Action: ElicitCancel}, nil, `{"action":"cancel"}`},
				{form, ElicitResult{}, nil, `{"action":"decline"}`},
				{form, ElicitResult{Action: ElicitAccept}, errors.New("broken"), `{"action":"decline"}`},
				{form, ElicitResult{Action: ElicitAccept}, context.Canceled, `{"action":"cancel"}`},
				{`{"mode":"url","message":"Go","url":"https://example.com/x","elicitationId":"1"}`, ElicitResult{Action: ElicitAccept, Content: map[string]any{"no": 1}}, nil, `{"action":"accept"}`},
				{`{"mode":"url","message":"Go","url":"javascript:alert(1)","elicitationId":"1"}`, ElicitResult{Action: ElicitAccept}, nil, `{"action":"decline"}`},
				{`{"mode":"url","message":"Go","url":"file:///etc/passwd","elicitationId":"1"}`, ElicitResult{Action: ElicitAccept}, nil, `{"action":"decline"}`},
				{`{"mode":"mind","message":"Think"}`, ElicitResult{Action: ElicitAccept}, nil, `{"action":"decline"}`},
			} {
				var seen ElicitRequest
				handler.Store(&reaction{func(req ElicitRequest) (ElicitResult, error) {
					seen = req
					return c.result, c.err
				}})
				got, err := haveServerAsk(t.Context(), h, elicitation, c.params)
				if err != nil || got != c.want {
					t.Errorf("%s: %s, %v, want %s", c.params, got, err, c.want)
				}
				if c.params == form && (seen.Message != "Who?" || !strings.Contains(string(seen.Schema), `"required"`) || seen.URL != "") {
					t.Errorf("the handler saw %+v", seen)
				}
				if strings.Contains(c.params, "https:") && (seen.URL != "https://example.com/x" || seen.ID != "1" || seen.Schema != nil) {
					t.Errorf("the handler saw %+v", seen)
				}
				if strings.Contains(c.params, "javascript") && seen.URL != "" {
					t.Errorf("the handler got the URL %q, want none: it is a script", seen.URL)
				}
			}
		})
	}
}

// What nobody answers is not advertised, and is declined or refused.
func TestAskedWithoutHandlers(t *testing.T) {
	for name, s := range askingServers(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log syncLog
			h := connectAll(t, &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, s)
			if got, err := haveServerAsk(t.Context(), h, elicitation, form); err != nil || got != `{"action":"decline"}` {
				t.Errorf("elicitation: %s, %v", got, err)
			}
			if got := log.String(); strings.Count(got, "requested elicitation") != 1 || strings.Count(got, "\n") != 1 {
				t.Errorf("the log %q", got)
			}
			got, err := haveServerAsk(t.Context(), h, sampling, `{"messages":[],"maxTokens":1}`)
			var input *InputError
			if !errors.As(err, &input) && !strings.HasPrefix(got, "error ") {
				t.Errorf("sampling: %s, %v", got, err)
			}
		})
	}
}

func TestSampleAndRoots(t *testing.T) {
	for name, s := range askingServers(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen SampleRequest
			h := connectAll(t, &Options{Input: answering(Handlers{
				Sample: func(_ context.Context, _ string, req SampleRequest) (SampleResult, error) {
					if req.MaxTokens == 13 {
						return SampleResult{}, errors.New("no more")
					}
					seen = req
					return SampleResult{Model: "m", Text: "hi"}, nil
				},
				Roots: func(_ context.Context, server string) ([]Root, error) {
					return []Root{{URI: "file:///" + server, Name: "n"}}, nil
				},
			})}, s)
			const question = `{"messages":[{"role":"user","content":{"type":"text","text":"Say"}}],"maxTokens":%d,"systemPrompt":"Be brief","temperature":0.5}`
			got, err := haveServerAsk(t.Context(), h, sampling, fmt.Sprintf(question, 9))
			if err != nil || !strings.Contains(got, `"model":"m"`) || !strings.Contains(got, `"text":"hi"`) || !strings.Contains(got, `"role":"assistant"`) || !strings.Contains(got, `"endTurn"`) {
				t.Errorf("sampling: %s, %v", got, err)
			}
			for _, more := range []string{`,"tools":[]}`, `,"toolChoice":{"mode":"none"}}`} { // sampling.tools is not declared
				got, err := haveServerAsk(t.Context(), h, sampling, strings.TrimSuffix(fmt.Sprintf(question, 7), "}")+more)
				if said := got + fmt.Sprint(err); !strings.Contains(said, "-32602") || !strings.Contains(said, "sampling.tools") {
					t.Errorf("sampling with tools: %s, %v", got, err)
				}
			}
			if seen.System != "Be brief" || seen.MaxTokens != 9 || len(seen.Messages) != 1 || seen.Messages[0].Text != "Say" || seen.Messages[0].Role != "user" || !strings.Contains(string(seen.Raw), "temperature") {
				t.Errorf("the handler saw %+v", seen)
			}
			if got, err := haveServerAsk(t.Context(), h, sampling, fmt.Sprintf(question, 13)); err == nil && !strings.Contains(got, "no more") || err != nil && !strings.Contains(err.Error(), "no more") {
				t.Errorf("a refusal: %s, %v", got, err)
			}
			if got, err := haveServerAsk(t.Context(), h, listRoots, `{}`); err != nil || got != `{"roots":[{"uri":"file:///s","name":"n"}]}` && got != `{"roots":[{"name":"n","uri":"file:///s"}]}` {
				t.Errorf("roots: %s, %v", got, err)
			}
		})
	}
}

// The capabilities say what the program answers, and nothing else.
func TestAdvertised(t *testing.T) {
	for want, handlers := range map[string]Handlers{
		`{}`:                          {},
		`{"elicitation":{"form":{}}}`: {Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) { return ElicitResult{}, nil }},
		`{"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{}}`: {
			Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) { return ElicitResult{}, nil }, ElicitURLs: true,
			Sample: func(context.Context, string, SampleRequest) (SampleResult, error) { return SampleResult{}, nil },
			Roots:  func(context.Context, string) ([]Root, error) { return nil, nil },
		},
	} {
		for _, mode := range []string{"echo", "modern"} {
			s, events := tracedServer(t, mode)
			h := connectAll(t, &Options{Input: answering(handlers)}, s)
			if err := echo(t.Context(), h); err != nil {
				t.Fatal(err)
			}
			_ = h.Close()
			said := 0
			for _, m := range events("message") {
				text := strings.ReplaceAll(string(m["message"]), " ", "")
				if strings.Contains(text, `"initialize"`) || mode == "modern" && strings.Contains(text, `"tools/call"`) {
					said++
					if got := capabilitiesIn(text); got != want {
						t.Errorf("%s: %s, want %s", mode, got, want)
					}
				}
			}
			if said == 0 {
				t.Errorf("%s: nothing was said: %v", mode, events("message"))
			}
		}
	}
}

// capabilitiesIn finds what a request says of its client, members in order.
func capabilitiesIn(text string) string {
	var m struct {
		Params struct {
			Capabilities any
			Meta         map[string]any `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(text), &m)
	if c := m.Params.Meta["io.modelcontextprotocol/clientCapabilities"]; c != nil {
		m.Params.Capabilities = c
		delete(c.(map[string]any), "extensions") // tasks, which are always followed
	}
	data, _ := json.Marshal(m.Params.Capabilities)
	return string(data)
}

// However often a server asks, a few handlers run at the same time, and the
// session lives.
func TestAskedTooMuch(t *testing.T) {
	var running, most atomic.Int64
	s := processServer(t, "request-flood", "-n", "300")
	h := connectAll(t, &Options{Input: answering(Handlers{Roots: func(ctx context.Context, _ string) ([]Root, error) {
		n := running.Add(1)
		defer running.Add(-1)
		for {
			m := most.Load()
			if n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		return nil, nil
	}, Elicit: func(ctx context.Context, _ string, _ ElicitRequest) (ElicitResult, error) {
		n := running.Add(1)
		defer running.Add(-1)
		if n > 8 {
			t.Errorf("%d handlers at once", n)
		}
		return ElicitResult{}, nil
	}})}, s)
	if _, err := callTool(t.Context(), h, firstTool(h), `{"text":"x"}`); err != nil {
		t.Error(err)
	}
	if h.Status()[0].State != Ready {
		t.Errorf("state %s, want a session that survives", h.Status()[0].State)
	}
}

// A call that ends takes what it asked for with it: the handler's context ends.
func TestElicitEndsWithItsCall(t *testing.T) {
	s := httpServer(t, "asks-modern")
	addressOf(s).Transport, s.Timeout.Call = endpoint.HTTP, 100*time.Millisecond
	ended := make(chan error, 1)
	h := connectAll(t, &Options{Input: answering(Handlers{Elicit: func(ctx context.Context, _ string, _ ElicitRequest) (ElicitResult, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return ElicitResult{}, ctx.Err()
	}})}, s)
	if _, err := haveServerAsk(t.Context(), h, elicitation, form); !errors.Is(err, runtime.ErrTimeout) {
		t.Errorf("error %v", err)
	}
	if err := <-ended; err == nil {
		t.Error("the handler's context has no error after the call, want it ended")
	}
}

// A call that is refused until a person has been to a page is sent again after
// that, and only after that.
func TestPageFirst(t *testing.T) {
	for name, c := range map[string]struct {
		answers Handlers
		want    string
	}{
		"visited": {Handlers{ElicitURLs: true, Elicit: func(_ context.Context, _ string, req ElicitRequest) (ElicitResult, error) {
			if req.URL != "https://example.com/sign-in" || req.ID != "p1" {
				t.Errorf("asked for %+v", req)
			}
			return ElicitResult{Action: ElicitAccept}, nil
		}}, ""},
		"declined": {Handlers{ElicitURLs: true, Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) { return ElicitResult{}, nil }}, "sign in at the page"},
		"forms": {Handlers{Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) {
			return ElicitResult{Action: ElicitAccept}, nil
		}}, "sign in at the page"},
		"nobody": {Handlers{}, "sign in at the page"},
	} {
		t.Run(name, func(t *testing.T) {
			s, events := tracedServer(t, "page-first")
			h := connectAll(t, &Options{Input: answering(c.answers)}, s)
			err := echo(t.Context(), h)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			calls := 0
			for _, m := range methodsOf(events("message")) {
				if m == "tools/call" {
					calls++
				}
			}
			if want := map[bool]int{true: 2, false: 1}[c.want == ""]; calls != want {
				t.Errorf("%d calls, want %d", calls, want)
			}
		})
	}
}

// FuzzAsked: whatever a server asks, the answer is one JSON object.
func FuzzAsked(f *testing.F) {
	f.Add(elicitation, form)
	f.Add(elicitation, `{"mode":"url","url":"http://h/"}`)
	f.Add(elicitation, `{"requestedSchema":{"properties":{"a":{"default":1e400},"b":null,"a":{}}}}`)
	f.Add(sampling, `{"messages":[{"role":"user","content":[{"type":"text"},5]}],"maxTokens":1e9}`)
	f.Add(listRoots, `[]`)
	a := newClientHandlers(&opener{settings: newSettings(&Options{Logger: slog.New(slog.DiscardHandler), Input: answering(Handlers{
		ElicitURLs: true,
		Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) {
			return ElicitResult{Action: ElicitAccept}, nil
		},
		Sample: func(context.Context, string, SampleRequest) (SampleResult, error) {
			return SampleResult{Text: "x"}, nil
		},
		Roots: func(context.Context, string) ([]Root, error) { return []Root{{URI: "file:///"}}, nil },
	})})})
	f.Fuzz(func(t *testing.T, method, params string) {
		raw, err := a.answer(t.Context(), method, json.RawMessage(params))
		var m map[string]json.RawMessage
		if err == nil && json.Unmarshal(raw, &m) != nil {
			t.Errorf("%s %s: %s", method, params, raw)
		}
	})
}
