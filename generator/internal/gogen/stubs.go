package gogen

// Stand-ins for the packages that generated code imports, so that it can be
// type-checked without a toolchain and without loading anything. They declare
// what generated code uses; a test compares them with the packages themselves.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"strings"
	"sync"
)

const contextStub = `package context

type Context interface {
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}

func Background() Context
`

const fmtStub = `package fmt

func Println(a ...any) (n int, err error)
`

const embedStub = `package embed
`

const jsonStub = `package json

type RawMessage []byte

func (m RawMessage) MarshalJSON() ([]byte, error)
func (m *RawMessage) UnmarshalJSON(data []byte) error

type Number string

func (n Number) Float64() (float64, error)
func (n Number) Int64() (int64, error)
func (n Number) String() string
`

const iterStub = `package iter

type Seq2[K, V any] func(yield func(K, V) bool)
`

const slicesStub = `package slices

func Concat[S ~[]E, E any](slices ...S) S {}
`

const strconvStub = `package strconv

func Itoa(i int) string
`

// Generic functions have to have a body; it is not looked at.
const runtimeStub = `package runtime

import "context"

type (
	Request  struct{}
	Result   struct{}
	Options  struct{}
)

type Invoker interface {
	Invoke(ctx context.Context, req Request) (*Result, error)
}

type CallOption func(*Options)

type Tool interface{}

type Registrar interface{}

type Opt[T any] struct{ value T }

func Some[T any](v T) Opt[T] {}
func Null[T any]() Opt[T] {}
func RegisterAll(reg Registrar, tools ...Tool) error
`

const formatStub = `package format

type (
	DateTime string
	Date     string
	URI      string
	UUID     string
	Base64   string
	IP       string
)
`

const codecStub = `package codec

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/mcpgen/mcpgen/runtime"
)

type GeneratedV1 struct{}

type ItemRef struct{ Server, Kind, Name, Qualified, Pin string; Place int; Limits argsChecker }
type argsChecker interface{ checkArgs(args []byte) error }
type Limits string

func (Limits) checkArgs(args []byte) error

func NewManifest(server, snapshot string, items ...ItemRef) *Manifest
func (m *Manifest) LaunchedAs(hash string) *Manifest
func (m *Manifest) Tools(inv runtime.Invoker) []runtime.Tool

type (
	Manifest     struct{}
	CompleteArgs struct{}
	Completion   struct{}

	ExactNumbers map[string]json.RawMessage
)

type Task[R any] struct{ ID string }

type Part struct{}

type Variant struct {
	As         any
	Kind       string
	Tag, Value string
	Key        string
}

type URIVar struct {
	Name    string
	Text    *string
	List    []string
	Explode bool
	Prefix  int
}

func CallTool(ctx context.Context, inv runtime.Invoker, tool ItemRef, args, out any, opts []runtime.CallOption, parts ...Part) error
func CallToolResult(ctx context.Context, inv runtime.Invoker, tool ItemRef, args any, opts []runtime.CallOption) (*runtime.Result, error)
func StartTool[R any](ctx context.Context, inv runtime.Invoker, tool ItemRef, args any, opts []runtime.CallOption, parts ...Part) (*Task[R], error) {}
func ResumeTool[R any](inv runtime.Invoker, tool ItemRef, id string, parts ...Part) *Task[R] {}
func DecodeObject(data []byte, x, extra any, parts ...Part) error
func EncodeObject(x, extra any, parts ...Part) ([]byte, error)
func DecodeTuple(data []byte, x, rest any, parts ...Part) error
func EncodeTuple(x, rest any) ([]byte, error)
func DecodeValue(data []byte, v any, parts ...Part) error
func EncodeValue(v any) ([]byte, error)
func DecodeUnion(data []byte, other any, variants ...Variant) (any, error)
func Tag(name, value string) Part
func OrNull() Part
func UnionOf(union any, decode func(data []byte) (any, error)) Part
func GetPrompt(ctx context.Context, inv runtime.Invoker, prompt ItemRef, args any, opts []runtime.CallOption) (*runtime.Result, error)
func ReadResource(ctx context.Context, inv runtime.Invoker, resource ItemRef, opts []runtime.CallOption) (*runtime.Result, error)
func ReadTemplate(ctx context.Context, inv runtime.Invoker, template ItemRef, uri string, opts []runtime.CallOption) (*runtime.Result, error)
func WatchResource(ctx context.Context, inv runtime.Invoker, resource ItemRef, opts []runtime.CallOption) iter.Seq2[*runtime.Result, error]
func WatchTemplate(ctx context.Context, inv runtime.Invoker, template ItemRef, uri string, opts []runtime.CallOption) iter.Seq2[*runtime.Result, error]
func ExpandURI(op string, vars ...URIVar) string
func Complete(ctx context.Context, inv runtime.Invoker, server string, args CompleteArgs, opts []runtime.CallOption) (*Completion, error)
`

const mcptestStub = `package mcptest

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

type Fake struct{}

type TB interface{}

func New(t TB, manifest *codec.Manifest) *Fake
func OnTool[A, R any](f *Fake, tool string, h func(context.Context, A) (R, error), parts ...codec.Part) {}
func OnPrompt[A any](f *Fake, prompt string, h func(context.Context, A) (*runtime.Result, error)) {}
func OnResource(f *Fake, uri string, h func(context.Context) (*runtime.Result, error))
func OnTemplate(f *Fake, template string, h func(ctx context.Context, uri string) (*runtime.Result, error))
`

// serverStub is a generated package as the shim sees it.
const serverStub = `package %s

import (
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

func Manifest() *codec.Manifest
func Tools(inv runtime.Invoker) []runtime.Tool
`

// clientStub declares what other units use of the first one.
const clientStub = `package %s

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/format"
)
%s
var _ codec.ItemRef
var _ json.Number
var _ format.Date

type Client struct{ inv runtime.Invoker }

func New(inv runtime.Invoker) *Client
`

// unitStub is what a unit names of other files: its references, and of the first unit
// what a package has once.
func unitStub(u unit) string {
	var b strings.Builder
	if u.first {
		fmt.Fprintf(&b, "package %s\n\nimport \"github.com/mcpgen/mcpgen/runtime/codec\"\n\nvar _ codec.ItemRef\n", u.Name)
	} else {
		fmt.Fprintf(&b, clientStub, u.Name, foreignStub(u.Foreign)+sharedStub(u.shared))
	}
	for _, r := range refsOf(u.Package) {
		fmt.Fprintf(&b, "var %s codec.ItemRef\n", r.name)
	}
	return b.String()
}

// stubFile parses a stand-in for other files of the same package.
func stubFile(fset *token.FileSet, source, pkg string) (*tree, error) {
	const name = "stub.go"
	f, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &tree{file: File{name, []byte(source)}, fset: fset, ast: f, plan: &plan{pkg: pkg}}, nil
}

// stubImporter imports stand-ins, by their paths.
type stubImporter map[string]*types.Package

// stubs has the stand-ins of what every generated package may import, and of nothing else.
func stubs() stubImporter { return maps.Clone(standIns()) }

// standIns are checked once for all: a package does not change when another that imports
// it is checked. Checking them for each unit took a fiftieth of the time of generate.
var standIns = sync.OnceValue(func() stubImporter {
	s := stubImporter{}
	for _, stub := range []struct{ path, source string }{ // before them what they import
		{contextPath, contextStub}, {embedPath, embedStub}, {"fmt", fmtStub}, {iterPath, iterStub},
		{jsonPath, jsonStub}, {slicesPath, slicesStub}, {strconvPath, strconvStub},
		{runtimePath, runtimeStub}, {codecPath, codecStub}, {formatPath, formatStub}, {mcptestPath, mcptestStub},
	} {
		_ = s.add(stub.path, stub.source) // a test compares them with the packages, so there is no error
	}
	return s
})

// add has s import the package of a source.
func (s stubImporter) add(path, source string) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	config := types.Config{Importer: s, IgnoreFuncBodies: true}
	s[path], err = config.Check(path, fset, []*ast.File{f}, nil)
	return err
}

// Import implements [types.Importer].
func (s stubImporter) Import(path string) (*types.Package, error) {
	if p := s[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("generated code does not import %q", path)
}
