package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
)

// native is a tool of the program itself.
type native struct{ spec runtime.Spec }

func (n native) Spec() runtime.Spec { return n.spec }

func (n native) Call(context.Context, json.RawMessage, ...runtime.CallOption) (*runtime.Result, error) {
	return &runtime.Result{}, nil
}

func toolOf(server, wire, name string) runtime.Tool {
	return native{runtime.Spec{Name: name, Server: server, Tool: wire}}
}

// registry notes what happens to it.
type registry struct {
	log    []string
	refuse map[string]bool // names that Register refuses
	keep   map[string]bool // names that Unregister refuses
}

func (r *registry) Register(t runtime.Tool) error {
	name := t.Spec().Name
	if r.refuse[name] {
		return fmt.Errorf("no room for %s", name)
	}
	r.log = append(r.log, "+"+name)
	return nil
}

func (r *registry) Unregister(name string) error {
	if r.keep[name] {
		return fmt.Errorf("%s is in use", name)
	}
	r.log = append(r.log, "-"+name)
	return nil
}

func TestRegisterAll(t *testing.T) {
	abc := []runtime.Tool{toolOf("s", "a", "s__a"), toolOf("s", "b", "s__b"), toolOf("", "echo", "echo")}
	for _, tt := range []struct {
		name  string
		reg   *registry
		tools []runtime.Tool
		log   string
		fails []string
	}{
		{"all", &registry{}, abc, "+s__a +s__b +echo", nil},
		{"none", &registry{}, nil, "", nil},
		{"rolled back in reverse", &registry{refuse: map[string]bool{"echo": true}}, abc, "+s__a +s__b -s__b -s__a",
			[]string{`register "echo": no room for echo`}},
		{"rollback fails", &registry{refuse: map[string]bool{"echo": true}, keep: map[string]bool{"s__b": true}}, abc, "+s__a +s__b -s__a",
			[]string{`register "echo": no room for echo`, `unregister "s__b" (server "s", tool "b"): s__b is in use`}},
		{"first refused", &registry{refuse: map[string]bool{"s__a": true}}, abc, "", []string{`register "s__a" (server "s", tool "a")`}},
		{"duplicates", &registry{}, append(abc, toolOf("s__a", "", "s__a"), nil, toolOf("x", "y", ""), toolOf("", "", "echo")), "", []string{
			`register "s__a" (server "s__a", tool ""): the name is taken by "s__a" (server "s", tool "a")`,
			"tool 4 is nil", `register "" (server "x", tool "y"): it has no name`, `register "echo": the name is taken by "echo"`}},
		{"dotted names are the registry's affair", &registry{}, []runtime.Tool{toolOf("s", "a", "mcp.s.a")}, "+mcp.s.a", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := runtime.RegisterAll(tt.reg, tt.tools...)
			if (err == nil) != (tt.fails == nil) {
				t.Fatalf("got %v", err)
			}
			for _, want := range tt.fails {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v\nwant %s", err, want)
				}
			}
			if log := strings.Join(tt.reg.log, " "); log != tt.log {
				t.Errorf("got %s, want %s", log, tt.log)
			}
		})
	}
	if err := runtime.RegisterAll(nil, abc...); err == nil {
		t.Error("RegisterAll with a nil registrar has no error, want one")
	}
}

func TestRegisterAllKeepsTheCause(t *testing.T) {
	full := errors.New("full")
	err := runtime.RegisterAll(refusing{full}, toolOf("s", "a", "a"))
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	if !slices.Equal([]string{err.Error()}, []string{`register "a" (server "s", tool "a"): full`}) {
		t.Errorf("got %v", err)
	}
}

type refusing struct{ err error }

func (r refusing) Register(runtime.Tool) error { return r.err }

func (r refusing) Unregister(string) error { return nil }
