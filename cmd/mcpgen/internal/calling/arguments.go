package calling

// This file builds the arguments of a call from the command line, and checks them against the locked
// definition before any server is started.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// Arguments builds the arguments of a tool from texts key=value. A value is a string if the locked
// definition accepts one, else it is parsed as JSON. A repeated key becomes a list. Without a locked
// definition, and where it accepts values of all kinds, a value that is valid JSON is parsed as JSON.
func Arguments(in *inputs.Servers, name string, pairs []string) (json.RawMessage, error) {
	if err := refuseServer(in, name); err != nil {
		return nil, err
	}
	var keys []string
	texts := map[string][]string{}
	for _, p := range pairs {
		key, value, ok := strings.Cut(p, "=")
		if !ok || key == "" {
			err := fmt.Errorf("%q: want key=value, or @FILE with a JSON object", p)
			if _, definition := lockedDefinition(in, name); definition != nil {
				err = hint.With(err, synopsis(definition))
			}
			return nil, err
		}
		if texts[key] == nil {
			keys = append(keys, key)
		}
		texts[key] = append(texts[key], value)
	}
	_, input := lockedInput(in, name)
	members := map[string]json.RawMessage{}
	for _, key := range keys {
		members[key] = typed(input, key, texts[key])
	}
	return json.Marshal(members)
}

// typed returns the value of one argument: the first interpretation that the schema accepts, or else the
// last one, for the error message.
func typed(input *validate.Schema, key string, texts []string) json.RawMessage {
	strs, values := make([]json.RawMessage, len(texts)), make([]json.RawMessage, len(texts))
	for i, text := range texts {
		strs[i], _ = json.Marshal(text) // encoding a string never fails
		values[i] = strs[i]
		if json.Valid([]byte(text)) {
			values[i] = json.RawMessage(text)
		}
	}
	readings := []json.RawMessage{list(strs), list(values)}
	if len(texts) == 1 {
		readings = []json.RawMessage{strs[0], values[0], readings[0], readings[1]}
	}
	ofEachType := []string{"null", "true", "0", `""`, "[]", "{}"}
	untyped := input == nil || !slices.ContainsFunc(ofEachType, func(value string) bool {
		return !takes(input, key, json.RawMessage(value))
	})
	for _, r := range readings {
		if !untyped && takes(input, key, r) {
			return r
		}
	}
	if len(texts) == 1 {
		return values[0]
	}
	return list(values)
}

func list(items []json.RawMessage) json.RawMessage {
	out, _ := json.Marshal(items) // all items are JSON
	return out
}

// takes reports whether a schema accepts the value of one argument.
func takes(input *validate.Schema, key string, value json.RawMessage) bool {
	object, err := json.Marshal(map[string]json.RawMessage{key: value})
	if err != nil {
		return false
	}
	wrong, _ := errors.AsType[validate.Errors](input.Validate(object))
	at := "/" + jsontext.EscapePointer(key)
	for _, e := range wrong {
		if e.Pointer == at || strings.HasPrefix(e.Pointer, at+"/") {
			return false
		}
	}
	return true
}

// checkArguments returns an error if the locked definition of a tool rejects the arguments, or does not
// declare one of them: a server may ignore it, and do more than intended. Without a definition that can
// be checked it returns nil. It starts no server.
func checkArguments(cl *capturing.Client, name string, args json.RawMessage) error {
	pair, input := lockedInput(cl.Servers, name)
	if input == nil {
		return nil
	}
	_, definition := lockedDefinition(cl.Servers, name)
	wrong, _ := errors.AsType[validate.Errors](input.Validate(args))
	unknown, meant := undeclared(definition, args)
	if len(wrong) == 0 && len(unknown) > 0 {
		wrong = validate.Errors{{Reason: "not declared: " + strings.Join(unknown, ", ")}}
	}
	if len(wrong) == 0 {
		for _, m := range meant {
			cl.Console.Warn("%s/%s: not declared: %s", pair.Server, pair.Tool, m)
		}
	}
	var errs []error
	for i, e := range wrong {
		err := fmt.Errorf("%s/%s: %w", pair.Server, pair.Tool,
			&runtime.InvalidArgsError{Pointer: e.Pointer, Reason: e.Reason})
		if i+1 == len(wrong) {
			err = hint.With(err, append(meant, synopsis(definition))...)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// declaresMore are the schema keywords that may allow members beyond properties.
var declaresMore = []string{
	"additionalProperties", "patternProperties", "unevaluatedProperties", "$ref", "$dynamicRef",
	"allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies",
}

// undeclared returns the arguments that a definition does not declare. Unknown are all of them, unless
// the definition allows more. Meant are arguments that resemble a declared one, each as a question. A
// definition without declared arguments accepts all.
func undeclared(definition *schema.Tool, args json.RawMessage) (unknown, meant []string) {
	var declared, properties, given map[string]json.RawMessage
	if json.Unmarshal(definition.InputSchema, &declared) != nil ||
		json.Unmarshal(declared["properties"], &properties) != nil || json.Unmarshal(args, &given) != nil {
		return nil, nil
	}
	open := slices.ContainsFunc(declaresMore, func(keyword string) bool { return declared[keyword] != nil })
	left := slices.DeleteFunc(slices.Sorted(maps.Keys(properties)), func(name string) bool { return given[name] != nil })
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if properties[key] != nil {
			continue
		}
		text := strconv.Quote(key)
		if question := nearest.Question(key, left); question != "" {
			meant = append(meant, text+": "+question)
		}
		if !open && len(properties) > 0 {
			unknown = append(unknown, text)
		}
	}
	return unknown, meant
}

// lockedInput returns the input schema of the locked tool that name identifies; nil if there is not exactly
// one, or if the schema cannot be checked.
func lockedInput(in *inputs.Servers, name string) (naming.Pair, *validate.Schema) {
	pair, definition := lockedDefinition(in, name)
	if definition == nil || definition.InputSchema == nil {
		return naming.Pair{}, nil
	}
	input, err := validate.New(definition.InputSchema)
	if err != nil {
		return naming.Pair{}, nil
	}
	return pair, input
}

// lockedDefinition returns the definition of the locked tool that name identifies; nil if there is not
// exactly one.
func lockedDefinition(in *inputs.Servers, name string) (naming.Pair, *schema.Tool) {
	found := Matching(in, name, allLocked(in))
	if len(found) != 1 {
		return naming.Pair{}, nil
	}
	s, err := in.Snapshot(found[0].Server)
	if err != nil {
		return naming.Pair{}, nil // reported where it is needed
	}
	for _, t := range s.Tools {
		if t.Name != found[0].Tool {
			continue
		}
		definition, _, err := schema.ParseTool(t.Raw)
		if err != nil {
			break
		}
		return found[0], &definition
	}
	return naming.Pair{}, nil
}

// toolNotHere is notHere for the server of a locked tool, if that is absent; else nil.
func toolNotHere(in *inputs.Servers, tool string) error {
	pair, definition := lockedDefinition(in, tool)
	if definition == nil || in.Absent(pair.Server) == "" {
		return nil
	}
	return in.NotHere(pair.Server)
}
