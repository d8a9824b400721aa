package workspace

// Whether a schema that the user wrote can be used.

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/conflict"
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
	return errors.Join(strayReferences(doc, doc.Root)...)
}

// strayReferences says what is wrong with the references of a schema and of all in it.
func strayReferences(doc *jsonschema.Document, s *jsonschema.Schema) []error {
	var errs []error
	if s.Ref != "" {
		_, err := doc.Follow(s)
		errs = append(errs, err)
	}
	for _, child := range s.Children(true) {
		errs = append(errs, strayReferences(doc, child)...)
	}
	return errs
}
