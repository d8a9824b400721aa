package calling

// This file calls read-only tools to check whether their results match their schemas.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
	"github.com/mcpgen/mcpgen/schema/sample"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// Fit is the outcome of one call of a tool.
type Fit struct {
	Server, Tool string
	Args         json.RawMessage
	Wrong        []string // violations of the schema, with their places; nil if there are none
	Err          error    // why the result is unknown: the call or the tool failed
}

// FitsCode returns the worst exit code of the outcomes.
func FitsCode(found []Fit) int {
	code := exit.OK
	for _, f := range found {
		if f.Wrong != nil {
			code = exit.Worst(code, exit.Finding)
		}
		code = exit.Worst(code, exit.Code(f.Err))
	}
	return code
}

// Fits calls the named tools, or the tools of the named servers, and compares their results with the
// locked schemas. A schema is the server's, else that of the configuration, else the observed one.
// Without names it calls the tools of all selected servers. With nil args, each call uses an example of
// the input schema.
//
// Only tools that are marked read-only, have such a schema, and are allowed by the policy without asking
// are called. Any other named tool is an error, and so is a name without tools. The second error is for
// calls that could not begin.
func Fits(ctx context.Context, cl *capturing.Client, names []string, args json.RawMessage) ([]Fit, error) {
	if err := cl.RequireLock(); err != nil {
		return nil, err
	}
	calls, servers, err := fitting(cl.Servers, names)
	if err != nil {
		return nil, err
	}
	if len(calls) == 0 {
		return nil, nil
	}
	host, err := cl.Attach(ctx, servers)
	if err != nil {
		return nil, err
	}
	defer host.Close()
	var fits []Fit
	for _, c := range calls {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		f := Fit{Server: c.Server, Tool: c.Tool, Args: args}
		if f.Args == nil {
			f.Args = c.example
		}
		f.Wrong, f.Err = tryFit(ctx, cl.Lock, host, c, f.Args)
		fits = append(fits, f)
	}
	return fits, nil
}

// fitCall is a tool that may be called.
type fitCall struct {
	naming.Pair
	example, output json.RawMessage
}

// fitting finds the tools for names, and the servers to attach to.
func fitting(in *inputs.Servers, names []string) (calls []fitCall, servers []endpoint.Server, err error) {
	gate, err := live.Policy(in.Project, nil)
	if err != nil {
		return nil, nil, err
	}
	matched := make([]bool, len(names))
	var errs []error
	for _, s := range in.Selected() {
		if in.Lock.Servers[s.Name] == nil {
			continue
		}
		snapshot, err := in.Accepted(s.Name)
		given, wrong := in.Results(s.Name, snapshot)
		if err := errors.Join(err, wrong); err != nil {
			return nil, nil, err
		}
		found := len(calls)
		for _, it := range snapshot.Tools {
			pair := naming.Pair{Server: s.Name, Tool: it.Name}
			byServer := slices.Index(names, s.Name)
			byTool := slices.IndexFunc(names, func(n string) bool { return len(Matching(in, n, []naming.Pair{pair})) > 0 })
			for _, i := range []int{byServer, byTool} {
				if i >= 0 {
					matched[i] = true
				}
			}
			if names != nil && byServer < 0 && byTool < 0 {
				continue
			}
			call, why := fitCallOf(gate, s, it, given[it.Name].Schema)
			switch {
			case why == "":
				calls = append(calls, call)
			case byTool >= 0:
				errs = append(errs, fmt.Errorf("%s/%s: %s", pair.Server, pair.Tool, why))
			}
		}
		if len(calls) > found {
			servers = append(servers, s)
		}
	}
	for i, ok := range matched {
		if !ok {
			err := fmt.Errorf("no locked server is called %q or has such a tool", names[i])
			errs = append(errs, hint.With(err, "list the names: mcpgen list"))
		}
	}
	return calls, servers, errors.Join(errs...)
}

// fitCallOf returns the call of a tool, or why the tool is not called.
func fitCallOf(gate *policy.Policy, server endpoint.Server, it schema.Item, given json.RawMessage) (fitCall, string) {
	tool, _, err := schema.ParseTool(it.Raw)
	c := fitCall{Pair: naming.Pair{Server: server.Name, Tool: it.Name}, output: tool.OutputSchema}
	if c.output == nil {
		c.output = given
	}
	example, ok := sample.Example(tool.InputSchema)
	if tool.InputSchema == nil || !ok {
		example = json.RawMessage("{}")
	}
	c.example = example
	switch {
	case err != nil:
		return c, err.Error()
	case c.output == nil:
		return c, "the tool has no result schema, so there is nothing to check"
	case !onlyReads(server, tool):
		return c, errNotReadOnly.Error()
	case !gate.Allows(toolCall(c.Pair, example)):
		return c, fmt.Sprintf("the policy allows this call only if a person agrees (see mcpgen policy explain %s/%s)",
			c.Server, c.Tool)
	}
	return c, ""
}

// tryFit makes one call, and returns the violations of the schema.
func tryFit(ctx context.Context, lock *lockfile.Lock, host *live.Host, c fitCall, args json.RawMessage) (
	[]string, error,
) {
	result, err := callTool(ctx, host, c.Pair, lock.Servers[c.Server].Tools[c.Tool].Contract, args)
	switch {
	case err != nil:
		return nil, err
	case result.IsError:
		return nil, exit.Fail(exit.Server, fmt.Errorf("the tool itself failed: %s", result.Text()))
	}
	value, err := result.JSON()
	if err != nil {
		return []string{err.Error()}, nil
	}
	accept, err := validate.New(c.output)
	if err != nil {
		return nil, fmt.Errorf("its schema: %w", err)
	}
	var wrong validate.Errors
	switch err := accept.Validate(value); {
	case errors.As(err, &wrong):
		var texts []string
		for _, e := range wrong {
			texts = append(texts, fmt.Sprintf("at %q: %s", e.Pointer, e.Reason))
		}
		return texts, nil
	case err != nil:
		return []string{err.Error()}, nil
	}
	return nil, nil
}
