package adaptertest

// This file encodes answers of models that are streamed.

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Events is a streamed answer: each event is a JSON object.
type Events []map[string]any

// chunk is the kind of a chat completion's events, which have an end mark.
const chunk = "chat.completion.chunk"

// write sends the events as server-sent events.
func (e Events) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	end := ""
	for _, event := range e {
		if name, ok := event["type"]; ok {
			fmt.Fprintf(w, "event: %s\n", name)
		}
		if event["object"] == chunk {
			end = "data: [DONE]\n\n"
		}
		data, _ := json.Marshal(event) // events always marshal
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	fmt.Fprint(w, end)
}

// halves are the parts in which a text is streamed.
func halves(text string) []string { return []string{text[:len(text)/2], text[len(text)/2:]} }

// MessageEvents is a turn as the Messages API streams it.
func MessageEvents(turn Turn) any {
	start := Message(turn).(map[string]any)
	reason := start["stop_reason"]
	start["content"], start["stop_reason"] = []any{}, nil
	events := Events{{"type": "message_start", "message": start}}
	block := func(index int, empty map[string]any, kind, member, text string) {
		events = append(events, map[string]any{"type": "content_block_start", "index": index, "content_block": empty})
		for _, half := range halves(text) {
			events = append(events, map[string]any{"type": "content_block_delta", "index": index, "delta": map[string]any{"type": kind, member: half}})
		}
		events = append(events, map[string]any{"type": "content_block_stop", "index": index})
	}
	for i, c := range turn.Calls {
		block(i, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": map[string]any{}}, "input_json_delta", "partial_json", c.Args)
	}
	if turn.Calls == nil {
		block(0, map[string]any{"type": "text", "text": ""}, "text_delta", "text", turn.Text)
	}
	return append(events,
		map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": reason}, "usage": map[string]int{"output_tokens": 1}},
		map[string]any{"type": "message_stop"})
}

// ChatCompletionEvents is a turn as chat completions stream it.
func ChatCompletionEvents(turn Turn) any {
	var events Events
	add := func(delta map[string]any, reason any) {
		events = append(events, map[string]any{"id": "c", "object": chunk, "choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}})
	}
	add(map[string]any{"role": "assistant", "content": ""}, nil)
	for i, c := range turn.Calls {
		add(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": c.ID, "type": "function", "function": map[string]string{"name": c.Name, "arguments": ""}}}}, nil)
		for _, half := range halves(c.Args) {
			add(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]string{"arguments": half}}}}, nil)
		}
	}
	if turn.Calls != nil {
		add(map[string]any{}, "tool_calls")
		return events
	}
	for _, half := range halves(turn.Text) {
		add(map[string]any{"content": half}, nil)
	}
	add(map[string]any{}, "stop")
	return events
}
