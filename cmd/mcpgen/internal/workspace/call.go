package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
)

// Call calls one tool by its qualified name or by server/tool. Only its server
// is attached, if the name or the lock tells which one that is.
func (w *Workspace) Call(ctx context.Context, name string, args json.RawMessage) (*runtime.Result, error) {
	candidates := w.candidates(name)
	if len(candidates) == 0 {
		return nil, fail(ExitUsage, fmt.Errorf("no server has a tool %q: configured servers: %s: run mcpgen list for the names", name, strings.Join(w.Names(), ", ")))
	}
	host, err := w.reach(ctx, candidates)
	if err != nil {
		return nil, err
	}
	defer host.Close()
	pair, err := w.resolve(ctx, name, candidates, host.Snapshot)
	if err != nil {
		return nil, err
	}
	return callTool(ctx, host, pair, "", args)
}

// reach attaches to the servers, all of them or none. Close the host.
func (w *Workspace) reach(ctx context.Context, servers []endpoint.Server) (*attach.Host, error) {
	host, err := w.Attach(ctx, servers)
	if err != nil {
		return nil, err
	}
	if err := serverFailure(host.Err()); err != nil {
		host.Close()
		return nil, err
	}
	return host, nil
}

// callTool makes one call. A pin that is not the tool's own is drift.
func callTool(ctx context.Context, host *attach.Host, p naming.Pair, pin string, args json.RawMessage) (*runtime.Result, error) {
	result, err := host.Invoke(ctx, runtime.Request{Server: p.Server, Method: runtime.MethodCallTool, Name: p.Tool, Args: args, Pin: pin})
	if err != nil {
		return nil, fail(callCode(ctx, err), err)
	}
	return result, nil
}

// callCode is the exit code of a failed call.
func callCode(ctx context.Context, err error) int {
	switch {
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), context.Canceled):
		return ExitInterrupted
	case errors.Is(err, runtime.ErrDenied), errors.Is(err, runtime.ErrDrift):
		return ExitFinding
	case errors.Is(err, runtime.ErrInvalidArgs):
		return ExitUsage
	}
	return ExitServer
}

// candidates returns the servers that may own the name: the one before the
// slash, the locked one that has it, or all.
func (w *Workspace) candidates(name string) []endpoint.Server {
	servers := w.Selected()
	only := func(match func(endpoint.Server) bool) []endpoint.Server {
		var out []endpoint.Server
		for _, s := range servers {
			if match(s) {
				out = append(out, s)
			}
		}
		return out
	}
	if out := only(func(s endpoint.Server) bool { return strings.HasPrefix(name, s.Name+"/") }); len(out) > 0 {
		return out
	}
	if p, ok := called(w.namesWith(nil), name); ok {
		if out := only(func(s endpoint.Server) bool { return s.Name == p.Server }); len(out) > 0 {
			return out
		}
	}
	if out := only(func(s endpoint.Server) bool { return w.lockHas(s.Name, name) }); len(out) > 0 {
		return out
	}
	return only(func(s endpoint.Server) bool {
		prefix := strings.TrimSuffix(w.Project.Naming.Qualify(s.Name, "x"), "x")
		return strings.HasPrefix(name, prefix) || strings.HasPrefix(name, naming.Portable(prefix)) || strings.HasPrefix(name, s.Name+"__")
	})
}

func (w *Workspace) lockHas(server, qualified string) bool {
	l := w.Lock.Servers[server]
	if l == nil {
		return false
	}
	for tool := range l.Tools {
		if w.owns(naming.Pair{Server: server, Tool: tool}, qualified) {
			return true
		}
	}
	return false
}

// namesWith are the names of the locked tools and of others beside them.
func (w *Workspace) namesWith(others []naming.Pair) map[naming.Pair]string {
	pairs := slices.Clone(others)
	for server, l := range w.Lock.Servers {
		for tool := range l.Tools {
			pairs = append(pairs, naming.Pair{Server: server, Tool: tool})
		}
	}
	names, _, err := w.assign(pairs)
	if err != nil {
		return nil // a tool can still be called as server/tool
	}
	return names
}

// called returns the tool of that name.
func called(names map[naming.Pair]string, name string) (naming.Pair, bool) {
	for p, n := range names {
		if n == name {
			return p, true
		}
	}
	return naming.Pair{}, false
}

// owns reports whether name calls the tool: as the project names it, in the
// default form, which is what keys are made of, or as server/tool.
func (w *Workspace) owns(p naming.Pair, name string) bool {
	q := w.Project.Naming.Qualify(p.Server, p.Tool)
	return name == q || name == naming.Portable(q) || name == p.Server+"/"+p.Tool || name == naming.DoubleUnderscore.Qualify(p.Server, p.Tool)
}

// resolve finds the tool among what the servers offer now.
func (w *Workspace) resolve(ctx context.Context, name string, servers []endpoint.Server,
	list func(context.Context, string) (*schema.Snapshot, []schema.Problem, error)) (naming.Pair, error) {
	var live, found []naming.Pair
	for _, s := range servers {
		snapshot, _, err := list(ctx, s.Name)
		if err != nil {
			return naming.Pair{}, fail(ExitServer, err)
		}
		for _, t := range snapshot.Tools {
			live = append(live, naming.Pair{Server: s.Name, Tool: t.Name})
		}
	}
	if p, ok := called(w.namesWith(live), name); ok && slices.Contains(live, p) {
		return p, nil
	}
	for _, p := range live {
		if w.owns(p, name) {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return naming.Pair{}, fail(ExitUsage, fmt.Errorf("%s: the server has no such tool: run mcpgen list --live for the names", name))
	}
	return naming.Pair{}, fail(ExitUsage, fmt.Errorf("%s: both %s/%s and %s/%s have this name: call it as server/tool", name, found[0].Server, found[0].Tool, found[1].Server, found[1].Tool))
}
