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
	start := Message(turn).(object)
	reason := start["stop_reason"]
	start["content"], start["stop_reason"] = []any{}, nil
	events := Events{{"type": "message_start", "message": start}}
	block := func(index int, empty object, kind, member, text string) {
		events = append(events, object{"type": "content_block_start", "index": index, "content_block": empty})
		for _, half := range halves(text) {
			delta := object{"type": kind, member: half}
			events = append(events, object{"type": "content_block_delta", "index": index, "delta": delta})
		}
		events = append(events, object{"type": "content_block_stop", "index": index})
	}
	for i, c := range turn.Calls {
		empty := object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}}
		block(i, empty, "input_json_delta", "partial_json", c.Args)
	}
	if turn.Calls == nil {
		block(0, object{"type": "text", "text": ""}, "text_delta", "text", turn.Text)
	}
	return append(events,
		object{"type": "message_delta", "delta": object{"stop_reason": reason}, "usage": object{"output_tokens": 1}},
		object{"type": "message_stop"})
}

// ChatCompletionEvents is a turn as chat completions stream it.
func ChatCompletionEvents(turn Turn) any {
	var events Events
	add := func(delta object, reason any) {
		choice := object{"index": 0, "delta": delta, "finish_reason": reason}
		events = append(events, object{"id": "c", "object": chunk, "choices": []any{choice}})
	}
	add(object{"role": "assistant", "content": ""}, nil)
	for i, c := range turn.Calls {
		function := object{"name": c.Name, "arguments": ""}
		call := object{"index": i, "id": c.ID, "type": "function", "function": function}
		add(object{"tool_calls": []any{call}}, nil)
		for _, half := range halves(c.Args) {
			call := object{"index": i, "function": object{"arguments": half}}
			add(object{"tool_calls": []any{call}}, nil)
		}
	}
	if turn.Calls != nil {
		add(object{}, "tool_calls")
		return events
	}
	for _, half := range halves(turn.Text) {
		add(object{"content": half}, nil)
	}
	add(object{}, "stop")
	return events
}
