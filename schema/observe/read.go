package observe

// This file reads the shape of one value.

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// read returns the shape of one JSON value.
func read(value json.RawMessage) (*shape, error) {
	var one json.RawMessage
	if err := json.Unmarshal(value, &one); err != nil {
		return nil, fmt.Errorf("not one JSON value: %w", err)
	}
	return shapeOf(one, 0), nil
}

// shapeOf returns the shape of a valid value.
func shapeOf(value []byte, depth int) *shape {
	switch jsontext.TypeOf(value) {
	case "null":
		return &shape{null: true}
	case "boolean":
		return &shape{boolean: true}
	case "string":
		return &shape{text: true}
	case "number":
		return numberShape(string(value))
	}
	if depth >= maxDepth {
		return &shape{any: true}
	}
	if elements, ok := jsontext.Elements(value); ok {
		a := new(array)
		for _, e := range elements {
			a.items = join(a.items, shapeOf(e, depth+1))
		}
		return &shape{array: a}
	}
	o := newObject()
	jsontext.Walk(value, func(name []byte, from, to int) { o.add(jsontext.Text(name), shapeOf(value[from:to], depth+1)) })
	o.detectMap()
	return &shape{object: o}
}

// numberShape classifies a number by spelling: a writer of 1.0 may write 1.5 next time. A number that no Go
// type holds exactly, or at all, may be any value.
func numberShape(text string) *shape {
	if strings.ContainsAny(text, ".eE") {
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return &shape{any: true}
		}
		return &shape{number: number}
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		if -1<<53 <= n && n <= 1<<53 {
			return &shape{number: integer}
		}
		return &shape{number: long}
	}
	if _, err := strconv.ParseUint(text, 10, 64); err == nil {
		return &shape{number: unsigned}
	}
	return &shape{any: true}
}
