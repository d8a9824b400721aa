package decide

// Prompts: what their arguments are in Go.

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
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
		member := func(name string) []byte { return jsontext.Member(raw, name) }
		reason := ""
		switch name, ok := jsontext.Unquote(member("name")); {
		case jsontext.TypeOf(raw) != "object" && !jsontext.IsNull(raw):
			reason = "left out: it is not an object"
		case !ok:
			reason = "left out: it has no name"
		case known[name]:
			reason = "left out: there is another argument of its name"
		default:
			known[name] = true
			words := cmp.Or(jsontext.Text(member("description")), jsontext.Text(member("title")))
			out = append(out, argument{name: name, description: words, required: string(member("required")) == "true"})
			continue
		}
		w.add(p.wire, "/arguments/"+strconv.Itoa(i), reason)
	}
	return out
}

// argumentList returns the definitions of a prompt's arguments.
func (p *prompt) argumentList(raw json.RawMessage, w *warner) []json.RawMessage {
	var list []json.RawMessage
	if all := jsontext.Member(raw, "arguments"); all != nil && json.Unmarshal(all, &list) != nil {
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
