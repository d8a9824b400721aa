package decide

// Prompts: what their arguments are in Go.

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// prompt is one prompt on its way into a package.
type prompt struct{ item }

// readPrompt reads a prompt. Invalid arguments are left out.
func readPrompt(it item, raw json.RawMessage, w *warner) *prompt {
	p := &prompt{item: it}
	p.label(raw)
	p.asks("", "", part(p.wire), "Prompt")
	p.takes(w, "Args", "/arguments", p.arguments(raw, w))
	return p
}

// arguments reads a prompt's arguments.
func (p *prompt) arguments(raw json.RawMessage, w *warner) []argument {
	var out []argument
	known := map[string]bool{}
	for i, raw := range p.argumentList(raw, w) {
		var arg struct {
			Name        any `json:"name"`
			Title       any `json:"title"`
			Description any `json:"description"`
			Required    any `json:"required"`
		}
		at := "/arguments/" + strconv.Itoa(i)
		if json.Unmarshal(raw, &arg) != nil {
			w.add(p.wire, at, "left out: it is not an object")
			continue
		}
		name, ok := arg.Name.(string)
		if !ok || known[name] {
			reason := "left out: it has no name"
			if known[name] {
				reason = "left out: there is another argument of its name"
			}
			w.add(p.wire, at, reason)
			continue
		}
		words, _ := arg.Description.(string)
		title, _ := arg.Title.(string)
		out = append(out, argument{name: name, description: cmp.Or(words, title), required: arg.Required == true})
		known[name] = true
	}
	return out
}

// argumentList returns the definitions of a prompt's arguments.
func (p *prompt) argumentList(raw json.RawMessage, w *warner) []json.RawMessage {
	var def struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &def) != nil || def.Arguments == nil {
		return nil
	}
	if json.Unmarshal(def.Arguments, &list) != nil {
		w.add(p.wire, "/arguments", "must be an array: the prompt gets no arguments")
		return nil
	}
	return list
}

// suffixed appends a word to a name that does not end in it already.
func suffixed(name, word string) string {
	if rest, ok := strings.CutSuffix(name, word); ok && rest != "" {
		return name
	}
	return join(name, word)
}

func (p *prompt) decided() *ir.Prompt {
	return &ir.Prompt{
		Wire: p.wire, Go: p.goName(), Pin: p.pin, Place: p.place,
		Doc:  p.docOf(p.functions[0], "gets"),
		Args: p.document("holds the arguments of"),
	}
}
