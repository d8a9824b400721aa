package workspace

// This file reports the status of servers.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/config/trust"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// ServerStatus is the status of one server.
type ServerStatus struct {
	Server       string          `json:"server"`
	Description  string          `json:"description,omitempty"` // from its configuration
	Agent        *Agent          `json:"agent,omitempty"`       // the agent whose manifest defines it
	State        string          `json:"state"`
	Since        time.Time       `json:"since,omitzero"` // start of the state
	Error        string          `json:"error,omitempty"`
	LastError    string          `json:"lastError,omitempty"` // the last error, even if the server recovered
	Transport    string          `json:"transport"`
	Protocol     string          `json:"protocol,omitempty"`
	Identity     json.RawMessage `json:"identity,omitempty"` // as the server sent it
	Name         string          `json:"name,omitempty"`     // from Identity, safe to show
	Version      string          `json:"version,omitempty"`
	Tools        int             `json:"tools"`
	Listed       time.Time       `json:"listed,omitzero"` // when the tools were listed
	Restarts     int             `json:"restarts"`
	RestartsLeft int             `json:"restartsLeft"`
	// Trust is of the file that defines the server: the project's trust, or user, system or managed; "" for
	// mcpgen.yaml and other files.
	Trust string `json:"trust,omitempty"`
	PID   int    `json:"pid,omitempty"`
	// Client is what is declared to the server, in the protocol's form. Unanswered are those of its
	// capabilities that this command declines, since it has no handlers for them.
	Client     json.RawMessage `json:"client,omitempty"`
	Unanswered []string        `json:"unanswered,omitempty"`
	// Unoffered are locked items that the server does not list, because fewer capabilities are declared than
	// when it was locked.
	Unoffered []report.Unoffered `json:"unoffered,omitempty"`

	// Drift is "as locked", "differs from the lock (breaking)" or another verdict, both perhaps "with other
	// texts", or "not locked".
	Drift string `json:"drift,omitempty"`
	// Problems say which items of the listing were left out or are odd, and why.
	Problems []string `json:"problems,omitempty"`

	Uncompared   string         `json:"uncompared,omitempty"` // what a runner starts without a comparison; "" if nothing
	SkippedLines int            `json:"skippedLines,omitempty"`
	Dropped      attach.Dropped `json:"dropped,omitzero"`
	PeakMemory   int64          `json:"peakMemory,omitempty"` // maximum bytes of large messages at the same time

	// ToolStates counts the tools by their relation to the lock: verified, changed, missing, new, unoffered;
	// unchecked without a lock.
	ToolStates map[attach.ToolState]int `json:"toolStates,omitempty"`
	// Reworded are the verified tools whose texts differ from the lock, sorted.
	Reworded []string `json:"reworded,omitempty"`

	// Listing has two lines for each tool, one of them its description, for a terminal.
	Listing string `json:"-"`

	// Specs are the tools that may be called, under the names that models see.
	Specs []runtime.Spec `json:"-"`

	err  error // the error of which Error is the text; nil if there is only a text
	code int
}

// Why returns the lines about a problem of the server, and its next steps; nil if there is none.
func (st *ServerStatus) Why() (lines, steps []string) {
	if st.Error == "" {
		return nil, nil
	}
	text, steps := console.Steps(st.Error, st.err)
	return strings.Split(text, "\n"), steps
}

// Agent is the description of an agent in its manifest.
type Agent struct {
	Name       string `json:"name,omitempty"`
	Version    string `json:"version,omitempty"`
	TrustLevel string `json:"trustLevel,omitempty"` // only shown, without effect
	File       string `json:"file"`
}

// Status attaches to the selected servers and returns the status of each, even if some have not answered
// before the timeout. The error is for a run that could not begin or was interrupted.
func Status(ctx context.Context, cl *capturing.Client) ([]ServerStatus, error) {
	host, err := cl.Attach(ctx, cl.Selected())
	if err != nil {
		return nil, err
	}
	defer host.Close()
	out := []ServerStatus{}
	for _, s := range host.Status() {
		out = append(out, serverStatus(ctx, cl.State, host, s))
	}
	for _, name := range cl.AbsentNames() {
		err := cl.NotHere(name)
		out = append(out, ServerStatus{Server: name, State: report.StateUnreachable, Drift: "not compared with the lock",
			Error: err.Error(), err: err, code: exit.Server})
	}
	order := cl.Names()
	for i := range out {
		out[i].Agent = agentOf(cl.Project, out[i].Server)
		if at := slices.Index(order, out[i].Server); at >= 0 {
			out[i].Description = cl.Project.Servers[at].Description
		}
	}
	slices.SortStableFunc(out, func(a, b ServerStatus) int {
		return cmp.Compare(slices.Index(order, a.Server), slices.Index(order, b.Server))
	})
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, context.Cause(ctx)
	}
	return out, nil
}

func serverStatus(ctx context.Context, st *locks.State, host *live.Host, s attach.Status) ServerStatus {
	out := ServerStatus{
		Server: s.Server, State: string(s.State), Transport: string(s.Transport), Protocol: s.Protocol,
		Name: s.Name, Version: s.Version, Tools: s.Tools, PID: s.PID, SkippedLines: s.SkippedLines,
		Dropped: s.Dropped, PeakMemory: s.PeakMemory,
		Since: s.Since, Identity: s.Identity, Listed: s.Listed, Restarts: s.Restarts, RestartsLeft: s.RestartsLeft,
		ToolStates: s.Drift, Reworded: s.Reworded,
		Trust: trustOf(st.Project, s.Server), Specs: host.Specs(s.Server), Unanswered: s.Unanswered,
	}
	if s.Declares != (endpoint.Offers{}) {
		out.Client = s.Declares.Capabilities()
	}
	if s.LastErr != nil {
		out.LastError = s.LastErr.Error()
	}
	for _, p := range s.Problems {
		out.Problems = append(out.Problems, problemText(p))
	}
	if s.Tools == 0 && len(out.Problems) > 0 {
		out.code = exit.Server
	}
	_, out.Listing, _ = strings.Cut(host.Listing(s.Server), "\n")
	if s.Err != nil {
		out.Error, out.err, out.code = s.Err.Error(), s.Err, exit.Code(capturing.ServerFailure(s.Err))
		if isRefused(s.Err) {
			out.State = report.StateRefused
		}
		return out
	}
	locked := st.Lock.Servers[s.Server]
	if locked == nil {
		out.Drift = "not locked"
		return out
	}
	out.Uncompared = uncompared(st.Project, st.Lock, host, s.Server)
	if ctx.Err() != nil {
		out.Drift, out.code = "not compared with the lock", exit.Server
		return out
	}
	snapshot, _, err := host.Snapshot(ctx, s.Server)
	switch {
	case err != nil:
		out.Error, out.err, out.code = err.Error(), err, exit.Server
	default:
		before, unread := st.Accepted(s.Server)
		if unread == nil && capturing.Needs(st.Project, st.Lock, s.Server) != nil {
			snapshot, out.Unoffered = capturing.WithUnoffered(before, snapshot)
		}
		differ := locked.Verify(snapshot)
		switch {
		case len(differ) == 0:
			out.Drift = "as locked"
		case unread != nil:
			out.Drift = "differs from the lock; the snapshot is not the locked one, so mcpgen cannot say how"
		default:
			out.Drift = judging.Live(st.Project, st.Lock, judging.Flags{}).State(ctx, st.Project, s.Server, before, snapshot)
		}
		out.ToolStates, out.Reworded = toolStates(snapshot, differ, out.Unoffered)
	}
	return out
}

// isRefused reports whether a server was not started because of the lock.
func isRefused(err error) bool {
	_, launch := errors.AsType[*live.LaunchError](err)
	_, bytes := errors.AsType[*artifact.MismatchError](err)
	return launch || bytes
}

// uncompared describes what the runner of a locked server starts without a prior comparison with the
// lock.
func uncompared(project *config.Project, lock *lockfile.Lock, host *live.Host, name string) string {
	i := slices.IndexFunc(project.Servers, func(s endpoint.Server) bool { return s.Name == name })
	runner, ok := install.Of(project.Servers[i].Launch)
	if !ok || lock.Servers[name].Artifact.Integrity != "" && host.Runs(project.Servers[i]) != (lockfile.Artifact{}) {
		return ""
	}
	return runner.String()
}

// agentOf returns the agent of a server; nil without a manifest.
func agentOf(project *config.Project, server string) *Agent {
	m := project.Agent(server)
	if m == nil {
		return nil
	}
	return &Agent{Name: m.Name, Version: m.Version, TrustLevel: m.TrustLevel, File: m.Path}
}

// trustOf returns the trust in the file that defines a server.
func trustOf(project *config.Project, name string) string {
	i := slices.IndexFunc(project.Servers, func(s endpoint.Server) bool { return s.Name == name })
	if i < 0 {
		return ""
	}
	source := project.Servers[i].Source
	if source.Scope != "project" {
		return source.Scope
	}
	store, err := trust.Open("")
	if err != nil {
		return string(trust.Untrusted)
	}
	state, _ := store.Status(trust.ProjectOf(source.Path)) // with an error, the status is untrusted
	return string(state.Status)
}

// toolStates counts the states of live tools by their differences from the lock, and names the tools of
// which only texts differ. Live includes the unoffered tools.
func toolStates(live *schema.Snapshot, differ []lockfile.Difference, unoffered []report.Unoffered) (
	counts map[attach.ToolState]int, reworded []string,
) {
	counts = map[attach.ToolState]int{attach.Verified: len(live.Tools)}
	for _, d := range differ {
		switch {
		case d.Kind != schema.KindTool:
		case d.Change == lockfile.Reworded:
			reworded = append(reworded, d.Name)
		case d.Change == lockfile.Removed:
			counts[attach.Missing]++
		default:
			counts[attach.Verified]--
			counts[map[bool]attach.ToolState{true: attach.New, false: attach.Changed}[d.Change == lockfile.Added]]++
		}
	}
	for _, u := range unoffered {
		if u.Kind == schema.KindTool {
			counts[attach.Verified]--
			counts[attach.Unoffered]++
		}
	}
	maps.DeleteFunc(counts, func(_ attach.ToolState, n int) bool { return n == 0 })
	return counts, reworded
}

// StatusCode returns the exit code of a status: a server that is down is the server's side; drift does
// not count.
func StatusCode(all []ServerStatus) int {
	code := exit.OK
	for _, s := range all {
		code = exit.Worst(code, s.code)
	}
	return code
}
