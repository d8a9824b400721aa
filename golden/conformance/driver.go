package main

// The driver is a program that links all generated packages. It sends values
// through their methods, as callers do, and says what came out.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// task is one value for the driver. Args are arguments to call a tool with whose
// result is looked at.
type task struct {
	Target string          `json:"target"`
	Args   json.RawMessage `json:"args,omitempty"`
	Value  json.RawMessage `json:"value"`
}

// answer is what the driver made of a task.
type answer struct {
	Out string `json:"out"`
	Err string `json:"err"`
}

func (s *toolSchema) target() string {
	return s.subject.packagePath() + " " + s.side + " " + s.tool
}

// driverHead is all of the driver but its imports and its table.
const driverHead = `
// recorder answers calls with a fixed result and notes their arguments.
type recorder struct {
	result *runtime.Result
	args   json.RawMessage
}

func (r *recorder) Invoke(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	r.args = req.Args
	return r.result, nil
}

var rec recorder

type target func(args, value json.RawMessage) ([]byte, error)

// arguments decodes a value into the arguments of a tool, as fakes and replays do,
// and calls it; out comes what would be sent.
func arguments[A, R any](call func(context.Context, A, ...runtime.CallOption) (R, error)) target {
	return func(_, value json.RawMessage) ([]byte, error) {
		var a A
		if err := codec.DecodeValue(value, &a); err != nil {
			return nil, fmt.Errorf("decode: %w", err)
		}
		rec = recorder{result: &runtime.Result{IsError: true}}
		_, err := call(context.Background(), a)
		if rec.args == nil {
			return nil, fmt.Errorf("encode: %w", err)
		}
		return rec.args, nil
	}
}

// result calls a tool that returns the value; out comes the Go result, encoded.
func result[A, R any](call func(context.Context, A, ...runtime.CallOption) (R, error)) target {
	return func(args, value json.RawMessage) ([]byte, error) {
		var a A
		if args != nil {
			_ = codec.DecodeValue(args, &a) // those that it refuses are counted as arguments
		}
		raw := append(append([]byte("{\"content\":[],\"structuredContent\":"), value...), '}')
		parsed, err := runtime.Request{Method: "tools/call"}.ParseResult(raw)
		if err != nil {
			return nil, err
		}
		rec = recorder{result: parsed}
		v, err := call(context.Background(), a)
		if err != nil {
			return nil, err
		}
		if untyped, ok := any(v).(*runtime.Result); ok {
			return untyped.Structured, nil
		}
		return json.Marshal(v)
	}
}

// try turns a panic into an error.
func try(t target, args, value json.RawMessage) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return t(args, value)
}

func main() {
	d, e := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var task struct {
			Target      string
			Args, Value json.RawMessage
		}
		if err := d.Decode(&task); err == io.EOF {
			return
		} else if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		out, err := try(targets[task.Target], task.Args, task.Value)
		answer := map[string]string{"out": string(out)}
		if err != nil {
			answer["err"] = err.Error()
		}
		if err := e.Encode(answer); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
`

// driverSource writes the driver for the subjects that compile.
func driverSource(subjects []*subject) []byte {
	// Functions of a few lines: what the compiler takes for one of many grows faster than its
	// length.
	const most = 50
	var imports, table, calls bytes.Buffer
	for i, s := range compiled(subjects) {
		if len(s.schemas) == 0 {
			continue // none of its schemas can be placed
		}
		fmt.Fprintf(&imports, "\tp%d %q\n", i, s.packagePath())
		for k, t := range s.schemas {
			if k%most == 0 {
				if calls.Len() > 0 {
					table.WriteString("}\n\n")
				}
				fmt.Fprintf(&table, "func add%d_%d() {\n", i, k)
				fmt.Fprintf(&calls, "\tadd%d_%d()\n", i, k)
			}
			through := "arguments"
			if t.side == output {
				through = "result"
			}
			fmt.Fprintf(&table, "\ttargets[%s] = %s(p%d.New(&rec).%s)\n", strconv.Quote(t.target()), through, i, s.tools[t.tool].Func)
		}
	}
	var b bytes.Buffer
	b.WriteString("package main\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"io\"\n\t\"os\"\n\n\t\"github.com/mcpgen/mcpgen/runtime\"\n\t\"github.com/mcpgen/mcpgen/runtime/codec\"\n")
	b.Write(imports.Bytes())
	b.WriteString(")\n")
	b.WriteString(driverHead)
	b.WriteString("\nvar targets = map[string]target{}\n\n")
	if calls.Len() > 0 {
		table.WriteString("}\n")
	}
	b.Write(table.Bytes())
	b.WriteString("\nfunc init() {\n")
	b.Write(calls.Bytes())
	b.WriteString("}\n")
	return b.Bytes()
}

// drive builds the driver and runs the tasks.
func (m *module) drive(ctx context.Context, env []string, subjects []*subject, tasks []task) ([]answer, error) {
	folder := filepath.Join(m.dir, "driver")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "main.go"), driverSource(subjects), 0o666); err != nil {
		return nil, err
	}
	program := filepath.Join(m.dir, "driver.exe")
	if _, err := m.run(ctx, env, "go", "build", "-o", program, "./driver"); err != nil {
		return nil, fmt.Errorf("building the driver: %w", err)
	}
	return runDriver(ctx, program, tasks)
}
