package workspace

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// CheckOptions are the flags of check.
type CheckOptions struct {
	judging.Flags
	// Against is a git revision or a file to compare the lock with; "" compares it with the live servers.
	Against string
}

// CheckReport is the outcome of a check.
type CheckReport struct {
	*report.Report
	Fails func(drift.Severity) bool // whether a change of a severity is a finding
	Errs  error                     // why servers or files could not be checked, joined
	// Unlocked is the finding about servers that are not locked, as text; nil if all are locked.
	Unlocked error
	Code     int // exit code: the worst of all findings

	against  string   // the lock that was compared; "" for live servers
	launches int      // servers whose launch differs from the lock; Errs have the next steps
	ways     []string // next steps about tools that are left out, if there are no other findings; or nil

	withheld []judging.Withheld // security findings, as update would withhold them
	fixable  bool               // fix rewrites lines that do not fit the lock of the branch
}

// Check compares the lock with the live servers or with another lock, and the generated files with lock
// and snapshots. It writes nothing.
//
// The error is for a check that could not begin. Problems of one server, or of the files, are in the
// report and its exit code.
func (w *Workspace) Check(ctx context.Context, o CheckOptions) (*CheckReport, error) {
	if err := w.RequireLock(); err != nil {
		return nil, err
	}
	j := judging.Live(w.Project, w.Lock, o.Flags)
	if o.Against != "" {
		j = judging.Of(w.Project, w.Lock, o.Flags)
	}
	r := &run{w: w, judge: j}
	var stale []generator.Stale
	var unseen []report.Unseen
	var err, staleErr error
	var files sync.WaitGroup
	files.Go(func() { stale, staleErr = w.stale(ctx) }) // while waiting for servers
	if o.Against != "" {
		err = r.against(ctx, o.Against)
	} else {
		var end context.CancelFunc
		ctx, end, err = r.live(ctx)
		defer end()
	}
	files.Wait()
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	slices.SortStableFunc(r.servers, func(a, b drift.ServerReport) int { return strings.Compare(a.Server, b.Server) })
	found := drift.Join(&drift.Report{Servers: r.servers})
	if r.gate != nil {
		unseen, err = r.fits(ctx, found, o.Impact)
	} else {
		unseen, err = inCode(ctx, w.Servers, w.Console, found, r.captures, j, o.Impact)
	}
	if err != nil {
		return nil, err
	}
	addBudgets(w.Servers, found, r.captures, j)
	out := report.Of(found)
	out.Unseen = unseen
	for i := range out.Servers {
		out.Servers[i].Unoffered = r.unoffered[out.Servers[i].Server]
	}
	fixable := false
	if r.gate != nil {
		r.settle(out)
		for i := range out.Servers {
			out.Servers[i].Updated()
			out.Servers[i].ReplaceInRemedies("mcpgen fix", "mcpgen fix --against "+hint.Word(o.Against))
		}
		fixable = r.fixable(ctx, out, o.Against)
	}
	for _, f := range stale {
		out.Stale = append(out.Stale, report.File{Path: f.Path, State: string(f.State)})
	}
	if staleErr != nil {
		r.errs = append(r.errs, staleErr)
		out.Error = staleErr.Error()
	}
	setPositions(w.State, out)
	code := exit.Code(errors.Join(append(r.errs, r.unlocked)...))
	if judging.Fails(out, j.Fails) || len(stale) > 0 || r.gate != nil && r.unfit {
		code = exit.Worst(code, exit.Finding)
	}
	return &CheckReport{
		Report: out, Fails: j.Fails, Errs: errors.Join(r.errs...), Unlocked: r.unlocked, Code: code,
		launches: r.launches, ways: ways(w.Project, w.Lock, found, r.left), withheld: r.left,
		against: o.Against, fixable: fixable,
	}, nil
}

// run is a check in progress.
type run struct {
	w         *Workspace
	judge     judging.Judge
	servers   []drift.ServerReport
	captures  []*capturing.Capture // live surfaces that were compared
	*gate                          // nil for live servers
	errs      []error
	unoffered map[string][]report.Unoffered // by server
	unlocked  error                         // the error about servers that are not locked
	launches  int                           // servers whose launch differs from the lock

	left []judging.Withheld // findings for which something is left out, or stays as locked
}

// add adds a server that could not be checked.
func (r *run) add(s drift.ServerReport, err error) {
	r.servers = append(r.servers, s)
	r.errs = append(r.errs, err)
}

// live compares every locked server with its current state. The rest of the check has the returned context, and
// a little more time if the servers used it up.
func (r *run) live(ctx context.Context) (rest context.Context, end context.CancelFunc, err error) {
	rest, end = ctx, func() {}
	before := map[string]*schema.Snapshot{}
	var attachable []endpoint.Server
	if fresh := r.w.Unlocked(); len(fresh) > 0 {
		r.unlocked = NotLocked(fresh)
		for _, s := range fresh {
			err := hint.New(s.Name+": not locked", "run mcpgen generate")
			r.servers = append(r.servers, judging.Unknown(s.Name, report.StateUnlocked, err))
		}
	}
	for _, name := range r.w.AbsentNames() {
		err := r.w.NotHere(name)
		r.add(judging.Unreachable(name, err), err)
	}
	for _, s := range r.w.Selected() {
		if r.w.Lock.Servers[s.Name] == nil {
			continue
		}
		if c := judging.ChangedLaunch(r.w.Lock, r.w.Root, s); c != nil {
			r.launches++
			r.add(c.Refused(r.judge), exit.Fail(exit.Finding, c.Err(judging.NotStarted)))
			continue
		}
		accepted, err := r.w.Accepted(s.Name)
		if err != nil {
			r.add(judging.Unknown(s.Name, report.StateInvalid, err), err)
			continue
		}
		before[s.Name] = accepted
		attachable = append(attachable, s)
	}
	captures, err := r.w.Capture(ctx, attachable, live.Options{Newest: true, AnyLaunch: true})
	if err != nil {
		return rest, end, err
	}
	rest, end = capturing.AfterAll(ctx, len(captures))
	for _, c := range captures {
		_ = problems(r.w.Console, c, false) // warnings
		if other := judging.OtherBytes(c.Server, c.Err); other != nil {
			r.launches++
			r.add(other.Refused(r.judge), c.Err)
			continue
		}
		if c.Err != nil {
			r.add(judging.Unreachable(c.Server.Name, c.Err), c.Err)
			continue
		}
		r.captures = append(r.captures, c)
	}
	r.unoffered = map[string][]report.Unoffered{}
	for _, c := range r.captures {
		name := c.Server.Name
		if c.Snapshot, r.unoffered[name] = capturing.WithUnoffered(before[name], c.Snapshot); r.unoffered[name] != nil {
			if err := c.Hash(); err != nil {
				return rest, end, err
			}
		}
	}
	compared, err := r.compare(rest, before)
	r.servers = append(r.servers, compared...)
	return rest, end, err
}

// unchanged returns the report of a server without a change.
func unchanged(name string) drift.ServerReport {
	return drift.ServerReport{
		Server: name, Verdict: drift.Unchanged, State: report.StateChecked, Changes: []drift.Change{},
	}
}

// compare compares all captures concurrently.
func (r *run) compare(ctx context.Context, before map[string]*schema.Snapshot) ([]drift.ServerReport, error) {
	errs := make([]error, len(r.captures))
	out, left := make([]drift.ServerReport, len(r.captures)), make([][]judging.Withheld, len(r.captures))
	var wg sync.WaitGroup
	for i, c := range r.captures {
		name := c.Server.Name
		if r.judge.Unchanged(name, c.Locked) {
			out[i] = unchanged(name)
			continue
		}
		wg.Go(func() {
			out[i], errs[i] = r.judge.Compare(ctx, judging.Comparison{
				Name: name, Before: before[name], After: c.Snapshot,
				RanBefore: r.w.Lock.Servers[name].Artifact, RanAfter: c.Artifact,
			})
			judging.Explain(&out[i], c.Problems, nil)
			_, left[i] = judging.Excluded(r.w.Project, &out[i], before[name], new(judging.Accepts).Withhold(&out[i]))
			judging.TellLeftOut(&out[i], before[name], left[i])
		})
	}
	wg.Wait()
	r.left = slices.Concat(left...)
	return out, errors.Join(errs...)
}

// stale does the same as generate --check. It returns at once if the project is unchanged since the last clean
// result.
func (w *Workspace) stale(ctx context.Context) ([]generator.Stale, error) {
	o := GenerateOptions{Check: true}
	if w.partly == nil && len(w.Unlocked()) == 0 && remembered(w.State, w.Console.Verbose, o) != nil {
		return nil, nil
	}
	report, errs, err := w.generate(ctx, nil, o, false, false)
	if report == nil {
		return nil, errors.Join(append(errs, err)...)
	}
	return report.Stale, errors.Join(errs...)
}

// ways returns the next steps about items that the lock leaves out; nil if there are none, or if there
// are other findings to review.
func ways(project *config.Project, lock *lockfile.Lock, found *drift.Report, left []judging.Withheld) []string {
	n := 0
	for _, s := range found.Servers {
		for _, c := range s.Changes {
			if c.Severity.AtLeast(drift.Warning) {
				n++
			}
		}
	}
	if n == 0 || n != len(left) || slices.ContainsFunc(left, func(h judging.Withheld) bool { return !h.New(lock) }) {
		return nil
	}
	_, update := judging.Reasons(left)
	steps := []string{"review the tools that are left out, then accept them: " + update}
	if without := judging.Without(project, lock, left); without != "" {
		steps = append(steps, without)
	}
	return steps
}

// NextSteps returns the next steps for the findings; nil if there are none.
func (r *CheckReport) NextSteps() []string {
	changes := 0
	for range r.All() {
		changes++
	}
	switch {
	case r.Code != exit.Finding, r.launches > 0 && r.launches == len(r.Stale)+changes:
		return nil
	case len(r.Stale) > 0 && r.Verdict == drift.Unchanged:
		return []string{"rewrite stale files: mcpgen generate"}
	case r.against != "":
		return r.repairs()
	case r.ways != nil:
		return r.ways
	}
	var steps []string
	if r.acceptable() {
		steps = append(steps, "accept what the servers offer now: mcpgen update")
	}
	if _, update := judging.Reasons(r.withheld); update != "" {
		steps = append(steps, "review the security findings, then accept them: "+update)
	}
	if steps == nil {
		return nil
	}
	return append(steps,
		"accept one change for a while: write an entry under drift.ignore, with the hash that --verbose shows")
}

// acceptable reports whether update accepts any of the findings without --accept.
func (r *CheckReport) acceptable() bool {
	for _, s := range r.Servers {
		kept := func(c report.Change) bool {
			return slices.ContainsFunc(r.withheld, func(h judging.Withheld) bool {
				return judging.MayWithhold(&c.Change) && h.Server == s.Server && h.Change.Kind == c.Kind && h.Change.Name == c.Name
			})
		}
		accepts := func(c report.Change) bool { return c.Rule != drift.SurfaceBudgetExceeded && !kept(c) }
		if s.State != report.StateUnlocked &&
			(s.Verdict == drift.Unchecked || slices.ContainsFunc(s.Changes, accepts)) {
			return true
		}
	}
	return false
}

// mayWork reports whether a line is not known to break.
func mayWork(s drift.CallSite) bool { return s.Kind == drift.SiteCalls }

// repairs returns the next steps for a branch that does not match its lock.
func (r *CheckReport) repairs() []string {
	lines, doubtful, security := false, false, ""
	for s, c := range r.ByServer() {
		lines = lines || len(c.CallSites) > 0
		doubtful = doubtful || slices.ContainsFunc(c.CallSites, mayWork)
		gated := judging.Gated(&c.Change) || c.Rule == drift.ArtifactChanged
		if security == "" && !c.Accepted && gated && (c.Rule != drift.LaunchChanged || r.launches == 0) {
			security = report.Selector(s.Server, &c.Change)
		}
	}
	var out []string
	switch {
	case r.fixable:
		out = append(out, "rewrite the renamed names in your code: mcpgen fix --against "+hint.Word(r.against),
			"repair the other lines by hand")
	case lines:
		out = append(out, "repair the lines by hand")
	}
	if doubtful {
		out = append(out,
			"if a line is right as it is, add code to its function that shows this, such as a check of the value")
	}
	if security != "" {
		out = append(out, "restore the lock, then accept the change: git checkout "+hint.Word(r.against)+
			" -- "+locks.Name+", then mcpgen update --accept "+hint.Word(security))
	}
	return out
}
