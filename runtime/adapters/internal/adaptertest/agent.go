package adaptertest

// This file tests agents with every adapter: the same tools, the same calls by a
// scripted model, and the same answers.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
)

type object = map[string]any

// Turn is one answer of a model: calls of tools, or a text.
type Turn struct {
	Calls []Call
	Text  string
}

// Call is a call that a model requests. Args is a JSON object.
type Call struct{ ID, Name, Args string }

// Script is a model that answers in turns, and records its requests.
type Script struct {
	mu       sync.Mutex
	turns    []Turn
	requests []string
	provider string // whose refusals Serve has; "" for none
}

// NewScript returns a model that answers with turns, and after them with "no more".
func NewScript(turns ...Turn) *Script { return &Script{turns: turns} }

// Answer takes a request, in any form, and returns the next turn.
func (s *Script) Answer(request []byte) Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, string(request))
	if len(s.turns) == 0 {
		return Turn{Text: "no more"}
	}
	turn := s.turns[0]
	s.turns = s.turns[1:]
	return turn
}

// Serve returns the address of the model over HTTP, until done is called. Encode
// encodes a turn in the provider's form.
func (s *Script) Serve(encode func(Turn) any) (url string, done func()) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 8<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if s.provider != "" {
			if _, why := refused(s.provider, body); why != "" {
				w.WriteHeader(http.StatusBadRequest)
				reason := map[string]string{"type": "invalid_request_error", "message": why}
				_ = json.NewEncoder(w).Encode(object{"type": "error", "error": reason})
				return
			}
		}
		switch answer := encode(s.Answer(body)).(type) {
		case Events:
			answer.write(w)
		default:
			_ = json.NewEncoder(w).Encode(answer) // a client that is gone has its own error
		}
	}))
	return server.URL, server.Close
}

// ChatCompletion is a turn as chat completions encode it.
func ChatCompletion(turn Turn) any {
	message, reason := object{"role": "assistant", "content": turn.Text}, "stop"
	if turn.Calls != nil {
		calls := []any{}
		for _, c := range turn.Calls {
			function := map[string]string{"name": c.Name, "arguments": c.Args}
			calls = append(calls, object{"id": c.ID, "type": "function", "function": function})
		}
		message["tool_calls"], reason = calls, "tool_calls"
	}
	return object{"choices": []any{object{"message": message, "finish_reason": reason}}}
}

// Message is a turn as the Messages API encodes it.
func Message(turn Turn) any {
	content, reason := []any{}, "tool_use"
	for _, c := range turn.Calls {
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Name,
			"input": json.RawMessage(c.Args)})
	}
	if turn.Calls == nil {
		content, reason = append(content, object{"type": "text", "text": turn.Text}), "end_turn"
	}
	return object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": reason,
		"usage": map[string]int{"input_tokens": 1, "output_tokens": 1},
	}
}

// Requests returns the requests to the model, in the order of the turns.
func (s *Script) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// last returns the last request without its tools, with the escapes of JSON in JSON undone,
// and without spaces behind names.
func (s *Script) last() string {
	requests := s.Requests()
	if len(requests) == 0 {
		return ""
	}
	text := requests[len(requests)-1]
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) == nil {
		delete(members, "tools")
		if rest, err := json.Marshal(members); err == nil {
			text = string(rest)
		}
	}
	return strings.NewReplacer(`\`, "", `": `, `":`).Replace(unescape.Replace(text))
}

// RunAgent has an agent answer a question with tools: its model calls four of them at
// once and one with wrong arguments, reads the answers, and says that it is done. In a second conversation the
// context ends while a tool runs. In a third one o.Provider judges the tools of real servers.
func RunAgent(t *testing.T, o Options,
	agent func(ctx context.Context, model *Script, tools []runtime.Tool) (string, error)) {
	var sent json.RawMessage
	waits, stopped := waiting()
	tools := []runtime.Tool{
		&tool{spec("s__number"), func(_ context.Context, args json.RawMessage) (*runtime.Result, error) {
			sent = args
			return parsed(`{"content":[{"type":"text","text":"{}"}],"structuredContent":{"n":` + large + `}}`)
		}},
		Tool("s__failed", `{"isError":true,"content":[{"type":"text","text":"no such file"}]}`),
		denied(),
		Tool("s__image", `{"content":[`+picture("image/png", Image)+`]}`),
		waits,
	}
	t.Run("k answers", func(t *testing.T) {
		model := NewScript(Turn{Calls: []Call{
			{"c0", "s__number", `{"z":"x","n":` + large + `}`}, {"c1", "s__failed", `{"z":"x"}`},
			{"c2", "s__denied", `{"z":"x"}`}, {"c3", "s__image", `{"z":"x"}`},
			{"c4", "s__failed", `{"z":-1}`},
		}}, Turn{Text: "It is done."})
		got, err := agent(t.Context(), model, tools)
		if err != nil || got != "It is done." {
			t.Fatalf("got %q, %v", got, err)
		}
		want := `{"z":"x","n":` + large + `}`
		if o.Rounds {
			want = strings.Replace(want, large, "9007199254740992", 1)
		}
		if !same(Options{Reorders: true}, sent, want) {
			t.Errorf("the tool was sent %s, want %s", sent, want)
		}
		image := base64.StdEncoding.EncodeToString(Image)
		if o.NoImages {
			image = "[image: image/png, 8 bytes]"
		}
		read := model.last()
		for _, part := range []string{`n":` + large, "no such file", "denied: no rule allows it", image} {
			if !strings.Contains(read, part) {
				t.Errorf("the model does not read %q in\n%s", part, read)
			}
		}
	})
	t.Run("k cancelled", func(t *testing.T) {
		cancel(t, stopped, func(ctx context.Context) error {
			_, err := agent(ctx, NewScript(Turn{Calls: []Call{{"c0", "s__wait", `{"z":"x"}`}}}), tools)
			return err
		})
	})
	if o.Provider != "" {
		t.Run("l wire", func(t *testing.T) { wire(t, o, agent) })
	}
}
