package starter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
)

// ReplaceWord returns a server file in which one word in a text of a server is replaced: a word by
// itself, or after an =. The format is YAML, TOML or JSON, by the ending. Every other byte is kept. It is
// an error if the place is ambiguous.
func ReplaceWord(ending string, text []byte, server, old, new string) ([]byte, error) {
	var r tree.Report
	before := tree.Parse(&r, ending, text)
	if before == nil {
		return nil, r.Errors[0]
	}
	var found, others [][]byte
	for at := 0; ; at++ {
		i := bytes.Index(text[at:], []byte(old))
		if i < 0 {
			break
		}
		at += i
		candidate := slices.Concat(text[:at], []byte(new), text[at+len(old):])
		after := tree.Parse(&tree.Report{}, ending, candidate)
		if after == nil {
			continue
		}
		places := differences(before, after, nil)
		if len(places) != 1 {
			continue // a comment
		}
		rest, ends := strings.CutSuffix(places[0].before, old)
		if !ends || places[0].after != rest+new {
			continue // a key, or part of another word
		}
		if rest != "" && !strings.HasSuffix(rest, "=") && !strings.HasSuffix(rest, " ") {
			continue
		}
		if slices.Contains(places[0].path, server) {
			found = append(found, candidate)
		} else {
			others = append(others, candidate)
		}
	}
	if len(found) == 0 {
		found = others // servers may be a list
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s occurs %d times, so mcpgen cannot tell which line to change", old, len(found))
	}
	return found[0], nil
}

// difference is a changed text; before is "" if anything else differs.
type difference struct {
	path          []string
	before, after string
}

// differences returns the places where two values differ.
func differences(a, b *tree.Node, path []string) []difference {
	switch {
	case a.Kind != b.Kind || len(a.Members) != len(b.Members) || len(a.List) != len(b.List):
		return []difference{{path: path}}
	case a.Text != b.Text && a.Kind == tree.String:
		return []difference{{path, a.Text, b.Text}}
	case a.Text != b.Text:
		return []difference{{path: path}}
	}
	var out []difference
	for i, m := range a.Members {
		if m.Name != b.Members[i].Name {
			return []difference{{path: path}}
		}
		out = append(out, differences(m.Value, b.Members[i].Value, append(slices.Clone(path), m.Name))...)
	}
	for i := range a.List {
		out = append(out, differences(a.List[i], b.List[i], path)...)
	}
	return out
}
