package skills

// This file compares the frontmatter of a file with that of its entry: a model must
// get what a person accepted.

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/tree"
)

// sameFrontmatter returns how the YAML at the beginning of a SKILL.md differs from
// the JSON of its entry; nil if it does not. Dates are compared as they are written,
// and numbers by value.
func sameFrontmatter(file []byte, entry json.RawMessage) error {
	text, ok := tree.FrontMatter(file)
	if !ok {
		return errors.New("SKILL.md does not begin with a frontmatter between two lines of ---")
	}
	plain, err := tree.YAMLAsJSON("SKILL.md", 1, text)
	if err != nil {
		return fmt.Errorf("its frontmatter: %w", err)
	}
	if !jsontext.Equal(plain, entry) {
		return errors.New("the frontmatter of SKILL.md differs from the server's listing")
	}
	return nil
}
