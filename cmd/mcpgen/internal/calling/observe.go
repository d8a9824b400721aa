package calling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
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
func Observe(ctx context.Context, cl *capturing.Client, name string, args json.RawMessage) (*ObserveReport, error) {
	if err := cl.RequireLock(); err != nil {
		return nil, err
	}
	pair, server, err := observable(ctx, cl, name)
	if err != nil {
		return nil, err
	}
	host, err := cl.Attach(ctx, []endpoint.Server{server})
	if err != nil {
		return nil, err
	}
	defer host.Close()
	if err := host.Status()[0].Err; err != nil {
		return nil, capturing.ServerFailure(err)
	}
	result, err := callTool(ctx, host, pair, cl.Lock.Servers[pair.Server].Tools[pair.Tool].Contract, args)
	if err != nil {
		return nil, err
	}
	report := &ObserveReport{Server: pair.Server, Tool: pair.Tool, Result: result}
	if result.IsError {
		return report, nil
	}
	for {
		err := observed(ctx, cl, report)
		if !errors.Is(err, generator.ErrChanged) {
			return report, err
		}
		if err := cl.Read(ctx, cl.Console); err != nil {
			return nil, err
		}
	}
}

// observed merges a result into the observed shapes of its server, and writes them.
func observed(ctx context.Context, cl *capturing.Client, r *ObserveReport) error {
	pair := naming.Pair{Server: r.Server, Tool: r.Tool}
	d, err := observing(ctx, cl, pair)
	if err != nil {
		return err
	}
	if r.Grown, err = cl.Fold(pair, r.Result); err != nil {
		return err
	}
	d.UpdateResults(ctx, func(s, t string) bool { return pair == naming.Pair{Server: s, Tool: t} }, false)
	var out *workspace.Rendered
	r.Files, out, err = d.Write(ctx, false)
	if err := errors.Join(append(d.Errs, err)...); err != nil {
		return err
	}
	for _, t := range out.Tools {
		if pair == (naming.Pair{Server: t.Server, Tool: t.Tool}) {
			r.Go = &t.Go
		}
	}
	return nil
}

// observing returns a draft of the observed server, from its lock and earlier observations.
func observing(ctx context.Context, cl *capturing.Client, p naming.Pair) (*workspace.Draft, error) {
	d := workspace.NewDraft(cl.Servers, cl.Console, func(name string) bool { return name == p.Server }, false)
	d.UpdateResults(ctx, func(s, t string) bool { return p == naming.Pair{Server: s, Tool: t} }, false)
	if err := errors.Join(d.Errs...); err != nil {
		return nil, err
	}
	if d.Snapshots[p.Server] == nil {
		return nil, hint.With(fmt.Errorf("%s: the server is no longer locked", p.Server), "run mcpgen generate")
	}
	return d, nil
}

// observable finds a locked tool that may be observed, before any server is started.
func observable(ctx context.Context, cl *capturing.Client, name string) (naming.Pair, endpoint.Server, error) {
	if err := refuseServer(cl.Servers, name); err != nil {
		return naming.Pair{}, endpoint.Server{}, err
	}
	locked := slices.DeleteFunc(candidates(cl.Servers, name), func(s endpoint.Server) bool {
		return cl.Lock.Servers[s.Name] == nil
	})
	if len(locked) == 0 {
		if err := toolNotHere(cl.Servers, name); err != nil {
			return naming.Pair{}, endpoint.Server{}, err
		}
		return naming.Pair{}, endpoint.Server{}, hint.With(fmt.Errorf("no locked server has a tool %q", name),
			"list the names: mcpgen list", "lock a new server: mcpgen generate")
	}
	pair, err := OnlyOne(cl.Servers, name, Matching(cl.Servers, name, lockedTools(cl.Lock, locks.ServerNames(locked)...)))
	if err != nil {
		return pair, endpoint.Server{}, err
	}
	snapshot, err := cl.Accepted(pair.Server)
	if err != nil {
		return pair, endpoint.Server{}, err
	}
	server := locked[slices.IndexFunc(locked, func(s endpoint.Server) bool { return s.Name == pair.Server })]
	if err = mayObserve(cl.Project, pair, server, snapshot); err == nil {
		_, err = observing(ctx, cl, pair)
	}
	return pair, server, err
}

// mayObserve returns why a tool cannot be observed.
func mayObserve(project *config.Project, p naming.Pair, server endpoint.Server, s *schema.Snapshot) error {
	key := fmt.Sprintf("servers.%s.results", p.Server)
	if file := project.Build[p.Server].Results[p.Tool]; file != "" {
		err := fmt.Errorf("%s: %s.%s already sets the result's schema to %s, so mcpgen does not observe the result",
			project.Path, key, p.Tool, file)
		return hint.With(err, "change that file", "remove the line")
	}
	i := slices.IndexFunc(s.Tools, func(it schema.Item) bool { return it.Name == p.Tool })
	tool, _, err := schema.ParseTool(s.Tools[i].Raw)
	switch {
	case err != nil:
		return fmt.Errorf("%s/%s: %w", p.Server, p.Tool, err)
	case tool.OutputSchema != nil:
		return fmt.Errorf("%s/%s: the server declares a schema for the result, so the result already has a type",
			p.Server, p.Tool)
	case !onlyReads(server, tool):
		file := "schemas/" + p.Tool + ".json"
		return hint.With(fmt.Errorf("%s/%s: %w", p.Server, p.Tool, errNotReadOnly), fmt.Sprintf(
			"write the result's schema into a file, such as %s, and add to %s: %s: {%s: %s}",
			file, project.Path, key, p.Tool, file))
	}
	return nil
}

// errNotReadOnly is why a tool is not called to learn its result.
var errNotReadOnly = errors.New("the server does not mark this tool as read-only (readOnlyHint), " +
	"so mcpgen does not call it to learn its result")

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
