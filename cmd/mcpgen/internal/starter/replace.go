package starter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// ReplaceWord returns a server file in which one word in a text of a server is replaced: a word by
// itself, or after an =. The format is YAML, TOML or JSON, by the ending. Every other byte is kept. It is
// an error if the place is ambiguous.
func ReplaceWord(ending string, text []byte, server, old, new string) ([]byte, error) {
	before, err := decodeFile(ending, text)
	if err != nil {
		return nil, err
	}
	var found, others [][]byte
	for at := 0; ; at++ {
		i := bytes.Index(text[at:], []byte(old))
		if i < 0 {
			break
		}
		at += i
		candidate := slices.Concat(text[:at], []byte(new), text[at+len(old):])
		after, err := decodeFile(ending, candidate)
		if err != nil {
			continue
		}
		places := differences(before, after, nil)
		if len(places) != 1 || !strings.HasSuffix(places[0].before, old) || places[0].after != strings.TrimSuffix(places[0].before, old)+new {
			continue // a comment, a key, or part of another word
		}
		if rest := strings.TrimSuffix(places[0].before, old); rest != "" && !strings.HasSuffix(rest, "=") && !strings.HasSuffix(rest, " ") {
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
		return nil, fmt.Errorf("%s occurs %d times, and it is not clear which one to change", old, len(found))
	}
	return found[0], nil
}

// decodeFile decodes a file by its ending.
func decodeFile(ending string, text []byte) (value any, err error) {
	switch ending {
	case ".yaml", ".yml":
		err = yaml.Unmarshal(text, &value)
	case ".toml":
		err = toml.Unmarshal(text, &value)
	default:
		var plain []byte
		if plain, err = hujson.Standardize(bytes.Clone(bytes.TrimPrefix(text, []byte("\ufeff")))); err == nil {
			err = json.Unmarshal(plain, &value)
		}
	}
	return value, err
}

// difference is a changed text; before is "" if anything else differs.
type difference struct {
	path          []string
	before, after string
}

// differences returns the places where two values differ.
func differences(a, b any, path []string) []difference {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	var out []difference
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return []difference{{path, x, y}}
		}
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || !maps.EqualFunc(x, y, func(any, any) bool { return true }) {
			break
		}
		for name := range x {
			out = append(out, differences(x[name], y[name], append(slices.Clone(path), name))...)
		}
		return out
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			break
		}
		for i := range x {
			out = append(out, differences(x[i], y[i], path)...)
		}
		return out
	}
	return []difference{{path: path}}
}
