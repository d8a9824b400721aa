// Package calling calls tools, and learns from what they return: the commands call and observe. It
// knows which tool a name means, and completes command lines.
package calling

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Call calls one tool by its qualified name or by server/tool. If the name or the lock determines the
// server, only this server is attached; otherwise see [owner].
func Call(ctx context.Context, cl *capturing.Client, name string, args json.RawMessage) (*runtime.Result, error) {
	if slices.Contains(cl.Project.Native, name) {
		return callAlone(ctx, cl, naming.Pair{Tool: name}, args)
	}
	if err := refuseServer(cl.Servers, name); err != nil {
		return nil, err
	}
	candidates := candidates(cl.Servers, name)
	if len(candidates) == 0 {
		if err := toolNotHere(cl.Servers, name); err != nil {
			logFailed(ctx, cl, name, args, err)
			return nil, err
		}
		configured := cmp.Or(strings.Join(cl.Names(), ", "), "none")
		err := fmt.Errorf("no server has a tool %q; configured servers: %s", name, configured)
		err = hint.With(err, MeantTool(cl.Servers, name), "list the names: mcpgen list")
		if cl.Only != nil {
			err = fmt.Errorf("no server of %s has a tool %q", cl.Scope(), name)
		}
		logFailed(ctx, cl, name, args, err)
		return nil, err
	}
	denied := denied(cl.Servers, name, args)
	if err := checkArguments(cl, name, args); err != nil && denied == nil {
		return nil, err
	}
	host, pair, err := owner(ctx, cl, name, candidates)
	switch {
	case err == nil:
	case denied != nil && ctx.Err() == nil: // the state of its server does not matter
		return callAlone(ctx, cl, *denied, args)
	default:
		logFailed(ctx, cl, name, args, err)
		return nil, err
	}
	defer host.Close()
	return callTool(ctx, host, pair, "", args)
}

// denied returns the locked tool that name identifies if the policy denies the call, so that its arguments and its
// server do not matter; else nil. If a person can be asked, the call may still be allowed.
func denied(in *inputs.Servers, name string, args json.RawMessage) *naming.Pair {
	pair, definition := lockedDefinition(in, name)
	if definition == nil || in.Project.Policy == nil {
		return nil
	}
	gate, err := live.Policy(in.Project, nil)
	if err != nil {
		return nil // the call fails for the same reason
	}
	said := gate.Explain(toolCall(pair, args))
	if said.Allowed || said.Asked && console.IsTerminal(os.Stdin) {
		return nil
	}
	return &pair
}

// refuseServer returns an error for the name of a server, unless a locked tool has this name too.
func refuseServer(in *inputs.Servers, name string) error {
	if _, definition := lockedDefinition(in, name); definition != nil || !slices.Contains(in.Names(), name) {
		return nil
	}
	step := "name a tool of the server, such as " + name + "/TOOL: mcpgen list " + hint.Word(name)
	return hint.With(fmt.Errorf("%q is a server, not a tool", name), step)
}

// callAlone makes one call without starting a server: a native tool answers, and all other calls fail.
func callAlone(ctx context.Context, cl *capturing.Client, p naming.Pair, args json.RawMessage) (
	*runtime.Result, error,
) {
	host, err := cl.Attach(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer host.Close()
	return callTool(ctx, host, p, "", args)
}

// logFailed logs a call for which no server was found in the audit log, if there is one, with the reason.
// The record has no decision: an unknown tool, or one whose server is unavailable, is not denied.
func logFailed(ctx context.Context, cl *capturing.Client, name string, args json.RawMessage, why error) {
	a := cl.Project.Audit
	if a == nil {
		return
	}
	log, err := audit.Open(a.File, &audit.Options{Arguments: a.Arguments})
	if err != nil {
		cl.Console.Warn("%s: the call is not in the audit log: %v", a.File, err)
		return
	}
	defer log.Close()
	p := cmp.Or(naming.FindServer(cl.Names(), name), naming.Pair{Tool: name})
	failed := &runtime.CallError{Server: p.Server, Name: p.Tool, Stage: stage.Route, Err: why}
	if _, down := errors.AsType[*attach.ServerError](why); down || exit.Code(why) == exit.Server {
		failed.Err = fmt.Errorf("%w: %w", runtime.ErrUnavailable, why)
	}
	fails := func(context.Context, runtime.Request) (*runtime.Result, error) { return nil, failed }
	_, _ = log.Middleware()(runtime.InvokerFunc(fails)).Invoke(ctx, toolCall(p, args))
}

// toolCall returns the request that calls a tool.
func toolCall(p naming.Pair, args json.RawMessage) runtime.Request {
	return runtime.Request{Server: p.Server, Method: protocol.MethodCallTool, Name: p.Tool, Args: args}
}

// callTool makes one call. A pin other than the tool's own is drift.
func callTool(ctx context.Context, host *live.Host, p naming.Pair, pin string, args json.RawMessage) (
	*runtime.Result, error,
) {
	req := toolCall(p, args)
	req.Pin = pin
	result, err := host.Invoke(ctx, req)
	if err != nil {
		return nil, exit.Fail(callCode(ctx, err), err)
	}
	return result, nil
}

// callCode returns the exit code for a failed call.
func callCode(ctx context.Context, err error) int {
	switch {
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), context.Canceled):
		return exit.Interrupted
	case errors.Is(err, runtime.ErrDenied), errors.Is(err, runtime.ErrDrift):
		return exit.Finding
	case errors.Is(err, runtime.ErrInvalidArgs):
		return exit.Usage
	}
	return exit.Server
}

// candidates returns the servers that may own the name: the server before the slash, the locked servers
// with this tool, or all servers that can be a prefix of the name.
func candidates(in *inputs.Servers, name string) []endpoint.Server {
	found := Matching(in, name, lockedTools(in.Lock, locks.ServerNames(in.Selected())...))
	for _, mayOwn := range []func(server string) bool{
		func(server string) bool { return strings.HasPrefix(name, server+"/") },
		func(server string) bool {
			return slices.ContainsFunc(found, func(p naming.Pair) bool { return p.Server == server })
		},
		func(server string) bool {
			prefix := strings.TrimSuffix(in.Project.Naming.Qualify(server, "x"), "x")
			return strings.HasPrefix(name, prefix) || strings.HasPrefix(name, naming.Portable(prefix)) ||
				strings.HasPrefix(name, server+"__")
		},
	} {
		out := slices.DeleteFunc(in.Selected(), func(s endpoint.Server) bool { return !mayOwn(s.Name) })
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// lockedTools returns the locked tools of servers.
func lockedTools(lock *lockfile.Lock, servers ...string) []naming.Pair {
	var out []naming.Pair
	for _, server := range servers {
		for tool := range lock.Servers[server].Items(schema.KindTool) {
			out = append(out, naming.Pair{Server: server, Tool: tool})
		}
	}
	return out
}

// allLocked returns the locked tools of all servers.
func allLocked(in *inputs.Servers) []naming.Pair {
	return lockedTools(in.Lock, slices.Collect(maps.Keys(in.Lock.Servers))...)
}

// NamesWith returns the names of the locked tools and of others.
func NamesWith(in *inputs.Servers, others []naming.Pair) map[naming.Pair]string {
	names, _, err := in.Assign(slices.Concat(others, allLocked(in)))
	if err != nil {
		return nil // a tool can still be called as server/tool
	}
	return names
}

// Matching returns those offered tools that the name calls.
func Matching(in *inputs.Servers, name string, offered []naming.Pair) []naming.Pair {
	return naming.Find(in.Project.Naming, offered, NamesWith(in, offered), name)
}

// MeantTool returns a question whether a similar locked tool was meant by an unknown name; "" if there is
// none, or if the name is that of a locked tool, whose server is not enabled then.
func MeantTool(in *inputs.Servers, name string) string {
	var known []string
	if at := strings.IndexAny(name, "/."); at > 0 && in.Lock.Servers[name[:at]] != nil {
		// The server's name is correct, so only the tool's name is compared.
		for _, pair := range lockedTools(in.Lock, name[:at]) {
			known = append(known, pair.Tool)
		}
		slices.Sort(known)
		if near := nearest.Of(name[at+1:], known); near != "" && near != name[at+1:] {
			return fmt.Sprintf("did you mean %q?", name[:at]+"/"+near)
		}
		return ""
	}
	for pair, qualified := range NamesWith(in, nil) {
		known = append(known, qualified, pair.Server+"/"+pair.Tool, pair.Tool)
	}
	slices.Sort(known)
	if slices.Contains(known, name) {
		return ""
	}
	return nearest.Question(name, known)
}

// OnlyOne returns the tool if exactly one was found, else an error.
func OnlyOne(in *inputs.Servers, name string, found []naming.Pair) (naming.Pair, error) {
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if pair, locked := lockedDefinition(in, name); locked != nil {
			if needs := capturing.Needs(in.Project, in.Lock, pair.Server); needs != nil {
				err := fmt.Errorf("%s: the server no longer offers this tool; "+
					"the lock was made with client: %s, but mcpgen.yaml no longer declares that", name, strings.Join(needs, ", "))
				return naming.Pair{}, hint.With(err, "declare the capability under the key client in mcpgen.yaml",
					"lock the tools that the server offers now: mcpgen update "+hint.Word(pair.Server))
			}
			err := errors.New(name + ": the server no longer offers this tool, or mcpgen cannot use its new definition")
			return naming.Pair{}, exit.Fail(exit.Finding, hint.With(err, "see the changes: mcpgen check"))
		}
		return naming.Pair{}, hint.With(fmt.Errorf("%s: the server has no such tool", name),
			MeantTool(in, name), "list the tools that the server offers now: mcpgen list --live")
	}
	err := fmt.Errorf("%s: both %s/%s and %s/%s have this name",
		name, found[0].Server, found[0].Tool, found[1].Server, found[1].Tool)
	return naming.Pair{}, hint.With(err, "call it as server/tool")
}
