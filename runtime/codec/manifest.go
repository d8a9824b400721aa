package codec

// This file describes the tools of a generated package from its snapshot.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// An ItemRef names one item of a server that code was generated for: a tool, a
// prompt, a resource or a resource template. A generated package has one for each
// of its items, which its functions and its [Manifest] share.
type ItemRef struct {
	Server    string // configured server name
	Kind      string // prompt, resource or template; "" is a tool
	Name      string // tool or prompt name, resource URI or URI template, as the server spells it
	Qualified string // the name of a tool or a prompt in a registry; "" is Server, two underscores and Name
	Pin       string // contract hash that the code was generated against; "" is not checked
	Place     int    // orders items of a kind as the server listed them; equal ones keep their given order
	// Limits refuses arguments with a member or a constant that their Go types have for other
	// tools: a call with such arguments is not sent. Nil refuses nothing.
	Limits argsChecker
}

// Manifest is what a generated package knows about its server: the embedded snapshot and the tools that
// were generated from it. It is safe for concurrent use.
type Manifest struct {
	server   string
	snapshot string
	launch   string
	tools    []ItemRef
	others   []ItemRef

	// The snapshot may be large, and most programs that import a generated package only make calls: so the
	// snapshot is parsed on first use.
	read        sync.Once
	definitions map[string]json.RawMessage // by wire name; slices of the snapshot
	specs       []runtime.Spec             // one for each of tools
	err         error
}

// NewManifest returns the manifest of one server. Snapshot is the text of its snapshot.json, which is
// parsed on first use. Items are the generated items, in any order.
func NewManifest(server, snapshot string, items ...ItemRef) *Manifest {
	m := &Manifest{server: server, snapshot: snapshot}
	for _, ref := range slices.SortedStableFunc(slices.Values(items), func(a, b ItemRef) int { return cmp.Compare(a.Place, b.Place) }) {
		if ref.Kind != "" {
			m.others = append(m.others, ref)
			continue
		}
		ref.Qualified = cmp.Or(ref.Qualified, server+"__"+ref.Name)
		m.tools = append(m.tools, ref)
	}
	return m
}

// LaunchedAs sets the lock's hash of how the server is started or reached, and returns m. Generated code
// calls it before m is shared.
func (m *Manifest) LaunchedAs(hash string) *Manifest {
	m.launch = hash
	return m
}

// Launch returns the lock's hash of how the server is started or reached; "" if it is not known.
func (m *Manifest) Launch() string { return m.launch }

// Server returns the configured name of the server.
func (m *Manifest) Server() string { return m.server }

// Snapshot returns the text of the embedded snapshot.
func (m *Manifest) Snapshot() string { return m.snapshot }

// Refs returns the generated tools with their qualified names, by place.
func (m *Manifest) Refs() []ItemRef { return slices.Clone(m.tools) }

// Others returns the generated prompts, resources and templates, by place.
func (m *Manifest) Others() []ItemRef { return slices.Clone(m.others) }

// Specs describes the generated tools, in the order of [Manifest.Refs]. Schemas and annotations are the
// server's bytes without white space, and must not be modified. A tool that is missing in the snapshot
// has the schema of an empty object; [Manifest.Err] reports it.
func (m *Manifest) Specs() []runtime.Spec {
	m.read.Do(m.parse)
	return slices.Clone(m.specs)
}

// Definition returns the definition of a tool in the snapshot, without white space, by the server's name
// for the tool; nil if there is none. The caller may keep and modify it.
func (m *Manifest) Definition(tool string) json.RawMessage {
	m.read.Do(m.parse)
	return jsontext.Compact(m.definitions[tool])
}

// Err returns an error if the snapshot cannot be read or lacks generated tools. This only happens in
// generated packages that were edited.
func (m *Manifest) Err() error {
	m.read.Do(m.parse)
	return m.err
}

// Tools returns the generated tools, in the order of [Manifest.Refs]. They call through inv, with their
// pins. A nil inv takes the invoker from the context of each call, or else the invoker set by
// [runtime.SetDefault].
func (m *Manifest) Tools(inv runtime.Invoker) []runtime.Tool {
	tools := make([]runtime.Tool, len(m.tools))
	for i := range m.tools {
		tools[i] = &pinnedTool{manifest: m, index: i, inv: inv}
	}
	return tools
}

// pinnedTool is a generated tool as a [runtime.Tool].
type pinnedTool struct {
	manifest *Manifest
	index    int
	inv      runtime.Invoker
}

func (t *pinnedTool) Spec() runtime.Spec {
	t.manifest.read.Do(t.manifest.parse)
	return t.manifest.specs[t.index]
}

func (t *pinnedTool) Call(ctx context.Context, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
	ref := t.manifest.tools[t.index]
	req := runtime.Request{Server: t.manifest.server, Method: protocol.MethodCallTool, Name: ref.Name, Pin: ref.Pin}
	var err error
	if req.Args, err = checkArgs(args); err != nil {
		return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Encode, Err: err}
	}
	return req.With(opts...).Do(ctx, t.inv)
}

// checkArgs returns arguments written by a model without surrounding white space if they are a JSON
// object, and nil if they are null or empty.
func checkArgs(args json.RawMessage) (json.RawMessage, error) {
	raw, err := jsontext.Whole(args)
	switch {
	case err == jsontext.ErrEmpty:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w: %w", runtime.ErrInvalidArgs, err)
	case jsontext.IsNull(raw):
		return nil, nil
	case raw[0] != '{':
		return nil, &runtime.InvalidArgsError{Reason: "want an object, got " + jsontext.KindOf(raw)}
	}
	return raw, nil
}

// emptyObject is the schema of a tool that the snapshot lacks.
const emptyObject = `{"type":"object"}`

func (m *Manifest) parse() {
	m.definitions, m.err = readDefinitions(m.snapshot)
	var missing []string
	m.specs = make([]runtime.Spec, len(m.tools))
	for i, ref := range m.tools {
		raw := m.definitions[ref.Name]
		if raw == nil {
			missing = append(missing, strconv.Quote(ref.Name))
		}
		m.specs[i] = newSpec(m.server, ref, raw)
	}
	switch {
	case m.err != nil:
		m.err = snapshotError{fmt.Errorf("%s: the embedded snapshot: %w", m.server, m.err)}
	case missing != nil:
		m.err = snapshotError{fmt.Errorf("%s: the embedded snapshot lacks %s", m.server, strings.Join(missing, ", "))}
	}
}

// snapshotError reports an edited snapshot, with the next step.
type snapshotError struct{ error }

func (e snapshotError) Error() string { return e.error.Error() + ": " + e.NextSteps()[0] }

func (e snapshotError) Unwrap() error { return e.error }

// NextSteps returns the end of the error's text.
func (snapshotError) NextSteps() []string { return []string{"run mcpgen generate"} }

// newSpec reads a tool's definition, of which raw is nil if the snapshot lacks it. Members that do not fit are left out.
func newSpec(server string, ref ItemRef, raw []byte) runtime.Spec {
	var spec runtime.Spec
	if raw != nil {
		spec.Definition = jsontext.Compact(raw)
		_ = decoder{notes: &notes{lenient: true}}.decodeValue(spec.Definition, reflect.ValueOf(&spec).Elem(), nil)
	}
	if jsontext.First(spec.InputSchema) != '{' {
		spec.InputSchema = json.RawMessage(emptyObject)
	}
	spec.Name, spec.Server, spec.Tool = ref.Qualified, server, ref.Name
	return spec
}

// readDefinitions indexes the tools of a snapshot by name.
func readDefinitions(snapshot string) (map[string]json.RawMessage, error) {
	object, err := jsontext.Whole([]byte(snapshot))
	if err != nil {
		return nil, err
	}
	tools := jsontext.Member(object, "tools")
	if object[0] != '{' || (tools != nil && tools[0] != '[') {
		return nil, errors.New("not a snapshot")
	}
	definitions := map[string]json.RawMessage{}
	jsontext.Each(tools, func(raw []byte) {
		if name, ok := jsontext.Unquote(jsontext.Member(raw, "name")); ok {
			definitions[name] = raw
		}
	})
	return definitions, nil
}
