// The model's tags are the schema that editors are given. Here they are held
// against what the reader really takes.

package config

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/gopkg"
)

// key is one key of the model: where it stands, and its field.
type key struct {
	path  string // servers.*.tools.include
	field reflect.StructField
}

// keysOf walks the model. Maps add *, lists add [].
func keysOf(t reflect.Type, at string) []key {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Implements(reflect.TypeFor[interface{ JSONSchemaAlias() any }]()):
		return nil
	case t.Kind() == reflect.Map:
		return keysOf(t.Elem(), at+"*.")
	case t.Kind() == reflect.Slice:
		return keysOf(t.Elem(), strings.TrimSuffix(at, ".")+"[].")
	case t.Kind() != reflect.Struct:
		return nil
	}
	var keys []key
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" || field.Tag.Get("jsonschema") == "-" {
			continue
		}
		keys = append(keys, key{at + name, field})
		keys = append(keys, keysOf(field.Type, at+name+".")...)
	}
	return keys
}

// documentOf is JSON with one value at a path.
func documentOf(path, value string) string {
	text := value
	parts := strings.Split(path, ".")
	for i := len(parts) - 1; i >= 0; i-- {
		name, list := strings.CutSuffix(parts[i], "[]")
		if list {
			text = "[" + text + "]"
		}
		if name == "*" {
			name = "any"
		}
		text = fmt.Sprintf("{%q: %s}", name, text)
	}
	return strings.Replace(text, "{", `{"version": 1, `, 1)
}

func errorContains(text, what string) bool {
	_, err := Parse([]byte(text))
	return err != nil && strings.Contains(err.Error(), what)
}

func TestSchemaKeys(t *testing.T) {
	keys := keysOf(reflect.TypeFor[File](), "")
	if len(keys) < 35 {
		t.Fatalf("the model has %d keys only", len(keys))
	}
	for _, k := range keys {
		if k.path != "version" && errorContains(documentOf(k.path, "null"), "unknown key") {
			t.Errorf("%s is in the schema and the reader does not know it", k.path)
		}
		if !errorContains(documentOf(k.path+"_x", "null"), "unknown key") {
			t.Errorf("%s_x is not in the schema and the reader takes it", k.path)
		}
		if k.field.Tag.Get("jsonschema_description") == "" {
			t.Errorf("%s has no description", k.path)
		}
	}
}

// TestSchemaRequired wants a key to be required in both or in none.
func TestSchemaRequired(t *testing.T) {
	for _, k := range keysOf(reflect.TypeFor[File](), "") {
		required := !strings.Contains(k.field.Tag.Get("json"), "omitempty")
		parent, name := "", k.path
		if i := strings.LastIndex(k.path, "."); i >= 0 {
			parent, name = k.path[:i], k.path[i+1:]
		}
		text := `{"$schema": ""}`
		if parent != "" {
			text = documentOf(parent, "{}")
		}
		if got := errorContains(text, name+": the key is missing"); got != required {
			t.Errorf("%s: required is %v in the schema and %v for the reader", k.path, required, got)
		}
	}
}

var tagPattern = regexp.MustCompile(`pattern=(\S+?\$)(,|$)`)

// TestSchemaValues wants the words, patterns and defaults of the schema to be
// the reader's own.
func TestSchemaValues(t *testing.T) {
	for _, k := range keysOf(reflect.TypeFor[File](), "") {
		tag := k.field.Tag.Get("jsonschema")
		words := 0
		for option := range strings.SplitSeq(tag, ",") {
			name, value, _ := strings.Cut(option, "=")
			if name != "enum" && name != "default" && name != "example" {
				continue
			}
			quoted := fmt.Sprintf("%q", value)
			if kind := pointedTo(k.field.Type).Kind(); kind == reflect.Bool || kind == reflect.Int {
				quoted = value
			} else if name == "enum" {
				words++
			}
			if k.path == "version" {
				continue
			}
			at := strings.NewReplacer("*", "any", "[]", "[0]").Replace(k.path)
			if errorContains(documentOf(k.path, quoted), at+": ") && !errorContains(documentOf(k.path, quoted), at+": belongs to") {
				t.Errorf("%s: the reader refuses %s %s", k.path, name, value)
			}
		}
		if words > 0 && !errorContains(documentOf(k.path, `"no such word"`), "unknown value") && k.path != "servers.*.transport" && k.path != "servers.*.auth.callers.token" { // they need a url
			t.Errorf("%s: the reader takes any word", k.path)
		}
		if m := tagPattern.FindStringSubmatch(tag); m != nil {
			re := regexp.MustCompile(m[1])
			for _, text := range []string{"", "x", "X", "1", "16MiB", "16 MiB", "1 kB", "a_b", "a-b", "sha256:00"} {
				refused := errorContains(documentOf(k.path, fmt.Sprintf("%q", text)), "want a") || gopkg.Reason(text) != "" && k.field.Name == "Package"
				if re.MatchString(text) == refused {
					t.Errorf("%s: %q matches %s: %v; refused: %v", k.path, text, m[1], re.MatchString(text), refused)
				}
			}
		}
	}
}

func pointedTo(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}
