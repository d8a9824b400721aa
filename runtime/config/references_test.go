package config_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// What the texts of a server refer to is found without looking anything up.
func TestReferences(t *testing.T) {
	s := endpoint.Server{
		Name: "a", Launch: &endpoint.Process{Command: "c", EnvFile: "<ENVFILE>", Env: []endpoint.Var{{Name: "A", Value: "<secret:gh>"}, {Name: "B", Value: "<file:/token>"}, {Name: "C", Value: "<input:id>"}, {Name: "D", Value: "<secret:gh>"}}},
		Expand: func(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
			name, ok := strings.CutPrefix(text, "<")
			if !ok {
				return text, nil
			}
			r := endpoint.Reference{Name: strings.TrimSuffix(name, ">")}
			if kind, name, ok := strings.Cut(r.Name, ":"); ok {
				r = endpoint.Reference{Kind: endpoint.ReferenceKind(kind), Name: name}
			}
			value, _ := lookup(r)
			return value, nil
		},
	}
	if got := fmt.Sprint(config.References(s)); got != fmt.Sprint([]string{"ENVFILE", "file:/token", "input:id", "secret:gh"}) {
		t.Errorf("references %q", got)
	}
	if got := config.Handles(s); !slices.Equal(got, []string{"gh"}) {
		t.Errorf("handles %q", got)
	}
}
