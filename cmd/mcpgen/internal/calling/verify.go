package calling

// This file decodes results with the generated code of a tool to find parts that no field reads. It
// builds a program in the module that calls the generated code; the program's source is only visible to
// the go command.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema/sample"
)

// VerifyReport says which parts of given results the generated code reads.
type VerifyReport struct {
	Server, Tool string
	Go           generator.GoTool
	Results      []Verified // one for each given result
}

// Verified holds the unread parts of one result.
type Verified struct {
	Unread []runtime.Unread
	Error  string // why the result does not match its type; "" if it does
}

// Whole reports whether everything was read.
func (r *VerifyReport) Whole() bool {
	for _, v := range r.Results {
		if v.Error != "" || len(v.Unread) > 0 {
			return false
		}
	}
	return true
}

// Verify decodes results of a locked tool with its generated code on disk, and reports parts that no
// field reads. A result is a whole result of the protocol, or only the structured content. No server is
// started; the go command builds a program in the module, and changes nothing there.
func Verify(ctx context.Context, cl *capturing.Client, name string, results []json.RawMessage) (*VerifyReport, error) {
	if err := cl.RequireLock(); err != nil {
		return nil, err
	}
	spec, err := generated(ctx, cl, name)
	if err != nil {
		return nil, err
	}
	report := &VerifyReport{Server: spec.ServerName, Tool: spec.ToolName, Go: *spec.Go}
	args, ok := sample.Example(spec.InputSchema)
	if !ok {
		args = json.RawMessage("{}")
	}
	in := verifyInput{Args: args}
	for _, r := range results {
		in.Results = append(in.Results, asResult(r))
	}
	if report.Results, err = runVerifier(ctx, cl.Project, cl.Root, *spec.Go, in); err != nil {
		return nil, fmt.Errorf("%s/%s: %w", spec.ServerName, spec.ToolName, err)
	}
	return report, nil
}

// generated finds a tool with generated code and a result type.
func generated(ctx context.Context, cl *capturing.Client, name string) (*workspace.ToolSpec, error) {
	listing, err := workspace.List(ctx, cl, false)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range listing.Specs {
		s := &listing.Specs[i]
		id := s.ServerName + "/" + s.ToolName
		names = append(names, s.Name, id)
		if name != s.Name && name != s.ID && name != id {
			continue
		}
		switch {
		case s.Go == nil:
			return nil, fmt.Errorf("%s: mcpgen generates no code for this tool, "+
				"because tools: in the configuration leaves the tool out", id)
		case !s.Go.Typed():
			err := fmt.Errorf("%s: the result has no generated type, so programs get it unchanged", id)
			return nil, hint.With(err, "give the result a type: mcpgen observe "+id)
		}
		return s, nil
	}
	return nil, hint.With(fmt.Errorf("no locked server has a tool %q", name),
		nearest.Question(name, names), "list the names: mcpgen list")
}

// asResult returns the protocol's result of a tool: raw itself if it is one, else a result with raw as
// structured content.
func asResult(raw json.RawMessage) json.RawMessage {
	members := map[string]byte{}
	jsontext.Walk(raw, func(name []byte, from, _ int) { members[string(jsontext.Plain(name))] = raw[from] })
	_, structured := members[`"structuredContent"`]
	if structured || members[`"content"`] == '[' {
		return raw
	}
	return fmt.Appendf(nil, `{"content":[],"structuredContent":%s}`, raw)
}

type verifyInput struct {
	Args    json.RawMessage
	Results []json.RawMessage
}

// runVerifier builds and runs the program.
func runVerifier(ctx context.Context, project *config.Project, root string, tool generator.GoTool, in verifyInput) (
	[]Verified, error,
) {
	dir, err := os.MkdirTemp("", "mcpgen-verify-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program, err := buildVerifier(ctx, project, root, dir, tool)
	if err != nil {
		return nil, err
	}
	input, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	out, err := command(ctx, project, root, bytes.NewReader(input), program)
	if err != nil {
		return nil, err
	}
	var verified []Verified
	if err := json.Unmarshal(out, &verified); err != nil || len(verified) != len(in.Results) {
		return nil, hint.With(fmt.Errorf("the temporary program that checks the results printed %.200q", out),
			"report this as a bug")
	}
	return verified, nil
}

// buildVerifier builds the program in dir. For the go command its source is next to the generated
// packages, so that it may import internal ones; on disk it is only in dir.
func buildVerifier(ctx context.Context, project *config.Project, root string, dir string, tool generator.GoTool) (
	string, error,
) {
	folder := filepath.Join(root, filepath.FromSlash(project.Output), "mcpgen_verify")
	source, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	program := filepath.Join(dir, "verify.exe")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(folder, "main.go"): source}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(source, verifier(tool), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return "", err
	}
	build := []string{"build", "-overlay", overlay, "-o", program, path.Dir(tool.Import) + "/mcpgen_verify"}
	if _, err := command(ctx, project, root, nil, "go", build...); err != nil {
		return "", hint.With(fmt.Errorf("the generated code does not build: %w", err),
			"run mcpgen generate, then go build ./... for the remaining errors")
	}
	return program, nil
}

// command runs a program in the output folder, and returns its output.
func command(ctx context.Context, project *config.Project, root string, in *bytes.Reader, name string, args ...string) (
	[]byte, error,
) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = filepath.Join(root, filepath.FromSlash(project.Output))
	if in != nil {
		cmd.Stdin = in
	}
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(problems.String()))
	}
	return out.Bytes(), nil
}

// verifier returns the program. Names come from the generator, and are identifiers.
func verifier(tool generator.GoTool) []byte {
	names := strings.NewReplacer("IMPORT", fmt.Sprintf("%q", tool.Import),
		"ARGS", "target."+tool.Args, "CALL", "target.New(inv)."+tool.Func)
	return []byte(names.Replace(verifierText))
}

const verifierText = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"

	target IMPORT
)

type verified struct {
	Unread []runtime.Unread
	Error  string
}

func main() {
	var in struct {
		Args    json.RawMessage
		Results []json.RawMessage
	}
	err := json.NewDecoder(os.Stdin).Decode(&in)
	var args ARGS
	if err == nil {
		err = codec.DecodeValue(in.Args, &args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out := make([]verified, len(in.Results))
	for i, raw := range in.Results {
		answer := runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
			return runtime.Request{Method: "tools/call"}.ParseResult(raw)
		})
		inv := runtime.Chain(answer, codec.OnUnread(func(_ runtime.Request, parts []runtime.Unread) {
			out[i].Unread = parts
		}))
		if _, err := CALL(context.Background(), args); err != nil {
			out[i].Error = err.Error()
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`
