package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
	"github.com/mcpgen/mcpgen/schema/observe"
)

// ObserveReport is the outcome of one observed call.
type ObserveReport struct {
	Server, Tool string
	Result       *runtime.Result   // what the tool returned
	Grown        bool              // the result had a part that no earlier result had
	Go           *generator.GoTool // nil if no code is generated for the tool
	Files        *generator.Report // nil if nothing was written
}

// Observe calls a read-only tool and merges the shape of its result into observed.json. Lock and code are
// updated together with it or not at all. Neither args nor values of the result are stored.
//
// If the tool itself failed, the report has no files and there is no error.
func (w *Workspace) Observe(ctx context.Context, name string, args json.RawMessage) (*ObserveReport, error) {
	if err := w.requireLock(); err != nil {
		return nil, err
	}
	pair, server, err := w.observable(ctx, name)
	if err != nil {
		return nil, err
	}
	host, err := w.Attach(ctx, []endpoint.Server{server})
	if err != nil {
		return nil, err
	}
	defer host.Close()
	if err := host.Status()[0].Err; err != nil {
		return nil, serverFailure(err)
	}
	result, err := callTool(ctx, host, pair, w.Lock.Servers[pair.Server].Tools[pair.Tool].Contract, args)
	if err != nil {
		return nil, err
	}
	report := &ObserveReport{Server: pair.Server, Tool: pair.Tool, Result: result}
	if result.IsError {
		return report, nil
	}
	for {
		err := w.observed(ctx, report)
		if !errors.Is(err, generator.ErrChanged) {
			return report, err
		}
		if err := w.read(ctx); err != nil {
			return nil, err
		}
	}
}

// observed merges a result into the observed shapes of its server, and writes them.
func (w *Workspace) observed(ctx context.Context, r *ObserveReport) error {
	pair := naming.Pair{Server: r.Server, Tool: r.Tool}
	d, err := w.observing(ctx, pair)
	if err != nil {
		return err
	}
	if r.Grown, err = w.fold(pair, r.Result); err != nil {
		return err
	}
	d.updateResults(ctx, func(s, t string) bool { return pair == naming.Pair{Server: s, Tool: t} }, false)
	var out *rendered
	r.Files, out, err = d.write(ctx, false)
	if err := errors.Join(append(d.errs, err)...); err != nil {
		return err
	}
	for _, t := range out.tools {
		if pair == (naming.Pair{Server: t.Server, Tool: t.Tool}) {
			r.Go = &t.Go
		}
	}
	return nil
}

// observing returns a draft of the observed server, from its lock and earlier observations.
func (w *Workspace) observing(ctx context.Context, p naming.Pair) (*draft, error) {
	d := w.newDraft(func(name string) bool { return name == p.Server }, false)
	d.updateResults(ctx, func(s, t string) bool { return p == naming.Pair{Server: s, Tool: t} }, false)
	if err := errors.Join(d.errs...); err != nil {
		return nil, err
	}
	if d.snapshots[p.Server] == nil {
		return nil, hint.With(fmt.Errorf("%s: the server is no longer locked", p.Server), "run mcpgen generate")
	}
	return d, nil
}

// observable finds a locked tool that may be observed, before any server is started.
func (w *Workspace) observable(ctx context.Context, name string) (naming.Pair, endpoint.Server, error) {
	if err := w.refuseServer(name); err != nil {
		return naming.Pair{}, endpoint.Server{}, err
	}
	var locked []endpoint.Server
	var tools []naming.Pair
	for _, s := range w.candidates(name) {
		if w.Lock.Servers[s.Name] != nil {
			locked, tools = append(locked, s), append(tools, w.lockedTools(s.Name)...)
		}
	}
	if len(locked) == 0 {
		if err := w.toolNotHere(name); err != nil {
			return naming.Pair{}, endpoint.Server{}, err
		}
		return naming.Pair{}, endpoint.Server{}, hint.With(fmt.Errorf("no locked server has a tool %q", name), "list the names: mcpgen list", "lock a new server: mcpgen generate")
	}
	pair, err := w.onlyOne(name, w.matching(name, tools))
	if err != nil {
		return pair, endpoint.Server{}, err
	}
	snapshot, err := w.accepted(pair.Server)
	if err != nil {
		return pair, endpoint.Server{}, err
	}
	server := locked[slices.IndexFunc(locked, func(s endpoint.Server) bool { return s.Name == pair.Server })]
	if err = w.mayObserve(pair, server, snapshot); err == nil {
		_, err = w.observing(ctx, pair)
	}
	return pair, server, err
}

// mayObserve returns why a tool cannot be observed.
func (w *Workspace) mayObserve(p naming.Pair, server endpoint.Server, s *schema.Snapshot) error {
	key := fmt.Sprintf("servers.%s.results", p.Server)
	if file := w.Project.Build[p.Server].Results[p.Tool]; file != "" {
		return hint.With(fmt.Errorf("%s: %s.%s already sets the result's schema to %s, so mcpgen does not observe the result", w.Project.Path, key, p.Tool, file), "change that file", "remove the line")
	}
	i := slices.IndexFunc(s.Tools, func(it schema.Item) bool { return it.Name == p.Tool })
	tool, _, err := schema.ParseTool(s.Tools[i].Raw)
	switch {
	case err != nil:
		return fmt.Errorf("%s/%s: %w", p.Server, p.Tool, err)
	case tool.OutputSchema != nil:
		return fmt.Errorf("%s/%s: the server declares a schema for the result, so the result already has a type", p.Server, p.Tool)
	case !onlyReads(server, tool):
		return hint.With(fmt.Errorf("%s/%s: the server does not mark this tool as read-only (readOnlyHint), so mcpgen does not call it to learn its result", p.Server, p.Tool),
			fmt.Sprintf("write the result's schema into a file, such as schemas/%s.json, and add to %s: %s: {%s: schemas/%s.json}", p.Tool, w.Project.Path, key, p.Tool, p.Tool))
	}
	return nil
}

// onlyReads reports whether a tool changes nothing, as stated by its server or the operator.
func onlyReads(server endpoint.Server, t schema.Tool) bool {
	var hints struct {
		ReadOnly *bool `json:"readOnlyHint"`
	}
	if t.Annotations != nil && json.Unmarshal(t.Annotations, &hints) != nil {
		return false
	}
	return server.OnlyReads(hints.ReadOnly)
}

// fold merges a result into the earlier observations of a tool, and reports whether that changed them.
func (w *Workspace) fold(p naming.Pair, result *runtime.Result) (bool, error) {
	var value json.RawMessage
	if err := result.Decode(&value); err != nil {
		return false, exit.Fail(exit.Finding, fmt.Errorf("%s/%s: %w: mcpgen can learn a type only from JSON, so it wrote nothing", p.Server, p.Tool, notJSON(err)))
	}
	g := w.given[p.Server]
	observed := &lockfile.Observed{Server: p.Server, Tools: map[string]json.RawMessage{}}
	if g.observed != nil {
		maps.Copy(observed.Tools, g.observed.Tools)
	}
	before := observed.Tools[p.Tool]
	shape, err := observe.Merge(before, value)
	if e, ok := errors.AsType[*schema.Error](err); ok {
		return false, hint.With(fmt.Errorf("%s: tool %q: %w", w.observedPath(p.Server), p.Tool, e),
			"restore the file with git checkout", fmt.Sprintf("write a schema of your own below servers.%s.results", p.Server))
	}
	if err != nil {
		return false, exit.Fail(exit.Finding, hint.With(fmt.Errorf("%s/%s: %w; nothing was written", p.Server, p.Tool, err), fmt.Sprintf("write a schema of your own below servers.%s.results", p.Server)))
	}
	observed.Tools[p.Tool] = shape
	g.before = map[string]generator.Result{}
	if before != nil {
		g.before[p.Tool] = generator.Result{Schema: before}
	}
	g.observed, g.file = observed, observed.Encode()
	return !jsontext.Equal(before, shape), nil
}

// notJSON returns why a result has no shape, on one line.
func notJSON(err error) error {
	if e, ok := errors.AsType[*runtime.DecodeError](err); ok && e.Err != nil {
		err = e.Err
	}
	return errors.New(strings.ReplaceAll(err.Error(), "\n", " "))
}
