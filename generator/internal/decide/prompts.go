package decide

// Prompts: what their arguments are in Go.

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// readPrompt reads a prompt. Arguments that make no sense are left out.
func readPrompt(t *tool, it schema.Item, w *warner) bool {
	t.label(it.Raw)
	t.base = suffixed(exported(t.wire), "Prompt")
	s := textSchema{Properties: map[string]textProperty{}}
	for i, raw := range promptArguments(it, w) {
		var arg struct {
			Name        any `json:"name"`
			Title       any `json:"title"`
			Description any `json:"description"`
			Required    any `json:"required"`
		}
		at := "/arguments/" + strconv.Itoa(i)
		if json.Unmarshal(raw, &arg) != nil {
			w.add(t.wire, at, "left out: it is not an object")
			continue
		}
		name, ok := arg.Name.(string)
		if _, twice := s.Properties[name]; !ok || twice {
			reason := "left out: it has no name"
			if twice {
				reason = "left out: there is another argument of its name"
			}
			w.add(t.wire, at, reason)
			continue
		}
		p := textProperty{Type: "string"}
		if p.Description, _ = arg.Description.(string); p.Description == "" {
			p.Description, _ = arg.Title.(string)
		}
		s.Properties[name] = p
		if arg.Required == true {
			s.Required = append(s.Required, name)
		}
	}
	t.takes(w, "Args", "/arguments", s)
	return true
}

// promptArguments returns the definitions of a prompt's arguments.
func promptArguments(it schema.Item, w *warner) []json.RawMessage {
	var def struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	var list []json.RawMessage
	if json.Unmarshal(it.Raw, &def) != nil || def.Arguments == nil {
		return nil
	}
	if json.Unmarshal(def.Arguments, &list) != nil {
		w.add(it.Name, "/arguments", "must be an array: taken as none")
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

// prompt puts a finished prompt into the package.
func (t *tool) prompt() *ir.Prompt {
	return &ir.Prompt{
		Wire: t.wire, Go: t.goName, Pin: t.pin,
		Doc:  t.doc(fmt.Sprintf("%s gets %s.", t.goName, t.who())),
		Args: t.document("holds the arguments of"),
	}
}
