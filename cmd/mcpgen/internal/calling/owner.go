package calling

// This file finds the server that owns a tool name if several servers may have it, without waiting for
// servers that fail to start.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// ownerGrace is how long other servers are awaited once one has the name.
const ownerGrace = 3 * time.Second

// answer is the answer of one candidate.
type answer struct {
	server   string
	offered  []naming.Pair
	problems []schema.Problem // of its listing
	err      error            // it failed to start or could not be listed
}

// owner attaches to the candidates and finds the one with the name. The caller must close the host.
//
// For a locked candidate the lock is decisive: two of them with the name are an error at once, and one
// without it is awaited only if no other has it. Other candidates are awaited until they are up or have
// failed, but no longer than ownerGrace after one server has the name, or has answered without it while
// no package runner may be installing the others. A warning lists the servers that were not awaited,
// since they may have the name too. A name that two servers have is an error, and so is a tool that the
// lock of its server leaves out.
func owner(ctx context.Context, cl *capturing.Client, name string, candidates []endpoint.Server) (
	*live.Host, naming.Pair, error,
) {
	locked := lockedTools(cl.Lock, locks.ServerNames(candidates)...)
	if found := Matching(cl.Servers, name, locked); len(found) > 1 {
		_, err := OnlyOne(cl.Servers, name, found)
		return nil, naming.Pair{}, err
	}
	candidates = cl.Patient(candidates)
	host, done, err := cl.Connect(ctx, candidates)
	defer done()
	if err != nil {
		return nil, naming.Pair{}, err
	}
	asking, cancel := context.WithCancel(ctx)
	answers := make(chan answer, len(candidates))
	for _, s := range candidates {
		go func() { answers <- ask(asking, host, s) }()
	}
	pair, err := await(cl, name, candidates, answers)
	cancel() // pending servers are no longer needed
	if err == nil {
		err = checkLocked(ctx, cl, host, pair)
	}
	if err != nil {
		host.Close()
		return nil, pair, err
	}
	return host, pair, nil
}

// checkLocked returns an error, with the reason, for a tool of a locked server that is missing in the lock, or
// that has an unaccepted security finding. It warns about a tool with another change that programs do not call:
// the call that a report suggests shows the server's answer.
func checkLocked(ctx context.Context, cl *capturing.Client, host *live.Host, p naming.Pair) error {
	locked := cl.Lock.Servers[p.Server]
	if locked == nil {
		return nil
	}
	item, isLocked := locked.Items(schema.KindTool)[p.Tool]
	offered, _ := host.Offered(p.Server)
	if now, err := schema.FullHash(offered.Definition(p.Tool)); isLocked && err == nil && now == item.Full {
		return nil
	}
	now, _, err := host.Snapshot(ctx, p.Server)
	if err != nil {
		return capturing.ServerFailure(err)
	}
	before, err := cl.Accepted(p.Server)
	if err != nil {
		before = nil // everything is new
	}
	judge := judging.Of(cl.Project, cl.Lock, judging.Flags{})
	s, err := judge.Compare(ctx, judging.Comparison{Name: p.Server, Before: before, After: now})
	if err != nil {
		return err
	}
	all := s.All()
	s.Drop(func(c *drift.Change) bool {
		return c.Kind != schema.KindTool || c.Name != p.Tool && judging.RenamedTo(c, all) != p.Tool
	})
	why, update := judging.Reasons(new(judging.Accepts).Withhold(&s))
	review := "review the change, then run " + update
	switch {
	case why != "" && isLocked:
		err = hint.New("the tool has changed, and nobody has accepted the change: "+why, review)
	case why != "":
		err = hint.New("mcpgen.lock does not have this tool, because nobody has accepted the tool: "+why, review)
	case !isLocked:
		err = hint.New("mcpgen.lock does not have this tool, because the tool is new on the server",
			"lock the tool: mcpgen update "+hint.Word(p.Server))
	case len(s.Changes) > 0 && s.Changes[0].Severity.AtLeast(drift.Unknown):
		err = fmt.Errorf("%s/%s differs from %s, so programs do not call it: %s",
			p.Server, p.Tool, locks.Name, s.Changes[0].Message)
		cl.Console.Warn("%v", hint.With(err, "see the changes: mcpgen check"))
		return nil
	default:
		return nil
	}
	return exit.Fail(exit.Finding, fmt.Errorf("%s/%s: %w", p.Server, p.Tool, err))
}

// ask attaches to one candidate and lists its tools.
func ask(ctx context.Context, host *live.Host, s endpoint.Server) answer {
	a := answer{server: s.Name}
	if err := host.Attach(ctx, s); err != nil {
		a.err = capturing.ServerFailure(err)
		return a
	}
	offered, _ := host.Offered(s.Name)
	for _, tool := range offered.Names() {
		a.offered = append(a.offered, naming.Pair{Server: s.Name, Tool: tool})
	}
	for _, st := range host.Status() {
		if st.Server == s.Name {
			a.problems = st.Problems
		}
	}
	return a
}

// whyLeftOut returns why the listing of a server lacks the named tool; nil means unknown, or that the tool is locked.
func (a *answer) whyLeftOut(cl *capturing.Client, name string) error {
	locked := cl.Lock.Servers[a.server].Items(schema.KindTool)
	for _, p := range a.problems {
		if _, ok := locked[p.Name]; ok || p.Kind != schema.KindTool || p.Name == "" {
			continue
		}
		if len(Matching(cl.Servers, name, []naming.Pair{{Server: a.server, Tool: p.Name}})) > 0 {
			err := fmt.Errorf("%s/%s: %s", a.server, p.Name, p.Reason)
			return exit.Fail(exit.Server, hint.With(err, "report it to the author of the server"))
		}
	}
	return nil
}

// notAnswered returns the error for a name that no server with an answer has.
func notAnswered(name string, candidates []endpoint.Server, waiting []string) error {
	answered := slices.DeleteFunc(locks.ServerNames(candidates), func(s string) bool {
		return slices.Contains(waiting, s)
	})
	steps := make([]string, len(waiting))
	for i, server := range waiting {
		steps[i] = "to wait for the server, name it: mcpgen call " + hint.Word(server+"/"+name)
	}
	verb := "has"
	if len(waiting) > 1 {
		verb = "have"
	}
	err := fmt.Errorf("%s: neither %s nor the lock has a tool with this name, and %s %s not answered yet",
		name, strings.Join(answered, ", "), strings.Join(waiting, ", "), verb)
	return exit.Fail(exit.Server, hint.With(err, steps...))
}

// installs reports whether a package runner may still be installing one of the named servers.
func installs(servers []endpoint.Server, names []string) bool {
	return slices.ContainsFunc(servers, func(s endpoint.Server) bool {
		_, ok := install.Of(s.Launch)
		return ok && slices.Contains(names, s.Name)
	})
}

// await receives answers until the owner of the name is known.
func await(cl *capturing.Client, name string, candidates []endpoint.Server, answers <-chan answer) (
	naming.Pair, error,
) {
	waiting := locks.ServerNames(candidates)
	var offered, found []naming.Pair
	var failed []error
	var grace, silent <-chan time.Time
	for len(waiting) > 0 {
		select {
		case a := <-answers:
			waiting = slices.DeleteFunc(waiting, func(s string) bool { return s == a.server })
			offered = append(offered, a.offered...)
			found = Matching(cl.Servers, name, offered)
			failed = append(failed, a.err, a.whyLeftOut(cl, name))
		case <-grace:
			err := fmt.Errorf("%s: called on %s; %s may have a tool of this name too, but is not ready yet",
				name, found[0].Server, strings.Join(waiting, " or "))
			cl.Console.Warn("%v", hint.With(err, "to choose the server, call the tool as server/tool"))
			return OnlyOne(cl.Servers, name, found)
		case <-silent:
			return naming.Pair{}, errors.Join(append(failed, notAnswered(name, candidates, waiting))...)
		}
		if len(found) == 0 {
			if silent == nil && len(offered) > 0 && !installs(candidates, waiting) {
				silent = time.After(ownerGrace)
			}
			continue
		}
		silent = nil
		if len(found) > 1 || !slices.ContainsFunc(waiting, func(s string) bool { return cl.Lock.Servers[s] == nil }) {
			break
		}
		if grace == nil {
			grace = time.After(ownerGrace)
		}
	}
	if err := errors.Join(failed...); len(found) == 0 && err != nil {
		return naming.Pair{}, err
	}
	return OnlyOne(cl.Servers, name, found)
}
