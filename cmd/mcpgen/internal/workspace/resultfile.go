package workspace

// Whether a schema that the user wrote can be used.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/conflict"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// checkResultSchema wants JSON that is a schema whose references stay in the
// file. What else is odd with it makes the type looser, with a warning. All
// references that lead nowhere are named.
func checkResultSchema(data []byte) error {
	if line := conflict.Line(data); line > 0 {
		return fmt.Errorf("line %d: git conflict markers: decide what stays of both sides, and remove the markers", line)
	}
	doc, err := jsonschema.Parse(data)
	if err != nil {
		return err
	}
	if b := doc.Root.Bool; b != nil || len(doc.Root.Keywords) == 0 {
		return errors.New("it says nothing about the result: write a schema such as {\"type\": \"object\", \"properties\": {…}}")
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return err
	}
	var errs []error
	references(tree, "", func(pointer string) {
		s := doc.Lookup(pointer)
		if s == nil || s.Ref == "" {
			return
		}
		if _, err := doc.Follow(s); err != nil {
			errs = append(errs, err)
		}
	})
	return errors.Join(errs...)
}

// references calls f with the pointer of each object that has a $ref.
func references(v any, pointer string, f func(pointer string)) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["$ref"]; ok {
			f(pointer)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			references(v[name], pointer+"/"+jsontext.EscapePointer(name), f)
		}
	case []any:
		for i, item := range v {
			references(item, pointer+"/"+strconv.Itoa(i), f)
		}
	}
}
