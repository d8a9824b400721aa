package workspace

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// UpdateOptions are the flags of update.
type UpdateOptions struct {
	judging.Flags
	Servers []string // empty: all selected servers
	Accept  []string // patterns of security findings that are accepted, see [CheckAccept]
	DryRun  bool     // show, write nothing
	Order   bool     // lock the servers' current order even if nothing else has changed
	Strict  bool
	// Reviewed is a report whose changes are all accepted. Any further change prevents all acceptance.
	// Nil means no report.
	Reviewed     *report.Report
	ReviewedFile string // the file with the report
	// Ask is called for every changed item, and its answer replaces Accept; nil asks nobody. Yes accepts the
	// item with its security findings. Rest also accepts all further items without security findings. Items
	// that are not accepted stay as locked.
	Ask func(server string, changes []report.Change) (yes, rest bool, err error)
	// Upgrade also rewrites the lines of the module that use renamed items. Nothing is changed if one of the
	// servers has an error.
	Upgrade bool
	named   map[string]string // under Upgrade, by server: SERVER@VERSION, if the user named the version
	// AskRename is called for likely renames, as [FixOptions.Ask] is; nil accepts none.
	AskRename func(rename, evidence string) (bool, error)
	// Show gets the report before anything is written, and again if the update has to start anew. It returns
	// the changes that it folded: they are accepted only if Accept, Reviewed or an answer names them. Its
	// error ends the update.
	Show func(*UpdateReport) (folded []report.Folded, err error)
}

// UpdateReport is the outcome of an update.
type UpdateReport struct {
	*report.Report
	Fails    func(drift.Severity) bool // whether check would fail for a change of a severity
	Withheld []judging.Withheld        // changes that were not accepted
	Files    *generator.Report         // nil under DryRun, and if there was nothing to write
	// Shapes are the new short names of types, for servers that had short names before.
	Shapes []generator.ShapeName

	Fixed   *FixReport      // under Upgrade: the rewritten parts of the module
	Summary []ServerSummary // of the servers that were attached

	Broken  []impact.Problem // lines of the module that import a dropped package
	Dropped []string         // servers without lock entry and package now, because the configuration no longer has them
	Left    []string         // servers that are unchanged because of errors
}

// Failing reports whether check would fail for one of the changes.
func (r *UpdateReport) Failing() bool { return judging.Fails(r.Report, r.Fails) }

// Update captures the named servers, reports what changed since they were locked, and accepts the
// changes: in snapshot, lock and code. Other servers stay unchanged; but without names, servers that were
// removed from the configuration are dropped. An item with a security finding that Accept does not name
// stays as locked.
//
// Servers are independent: an error of one server keeps its lock entry and its package, and the report
// lists what was done for the others.
func (w *Workspace) Update(ctx context.Context, o UpdateOptions) (*UpdateReport, error) {
	here := slices.DeleteFunc(slices.Clone(o.Servers), func(name string) bool { return w.Absent(name) != "" })
	targets, err := w.Targets(here)
	if len(here) < len(o.Servers) && len(here) == 0 {
		targets = nil
	}
	if err != nil {
		return nil, errors.Join(w.partly, err)
	}
	launches := &updating{w: w, judge: judging.Of(w.Project, w.Lock, o.Flags), asked: judging.NewAsking(o.Ask)}
	launches.accepts = judging.NewAccepts(o.Accept, o.Reviewed, o.ReviewedFile)
	known, refused, err := launches.acceptLaunches(targets)
	if err != nil {
		return nil, errors.Join(w.partly, err)
	}
	captures, unstarted, err := launches.captureAccepted(ctx, known)
	if err != nil {
		return nil, err
	}
	refused = append(refused, unstarted...)
	ctx, end := capturing.AfterAll(ctx, len(captures))
	defer end()
	captures, wrong := w.usable(ctx, captures, o.Strict, false)
	for _, name := range w.AbsentNames() {
		if len(o.Servers) == 0 || slices.Contains(o.Servers, name) {
			wrong = append(wrong, &serverError{name, w.NotHere(name)})
		}
	}
	for {
		u := &updating{w: w, judge: judging.Of(w.Project, w.Lock, o.Flags)}
		u.accepts, u.asked, u.withheld = launches.accepts, launches.asked, slices.Clone(launches.withheld)
		var known []*capturing.Capture
		failed := slices.Clone(wrong)
		for _, c := range captures {
			if err := w.Restore(ctx, c.Server.Name, c.Snapshot); err != nil {
				failed = append(failed, &serverError{c.Server.Name, err})
			} else {
				known = append(known, c)
			}
		}
		out, bad, err := u.update(ctx, known, refused, failed, o)
		if errors.Is(err, generator.ErrChanged) {
			if err := w.read(ctx); err != nil {
				return nil, err
			}
			continue
		}
		return out, errors.Join(append(append([]error{w.partly}, append(failed, bad...)...), err)...)
	}
}

// update compares and accepts once, with the project as read. Refused servers are in the report.
func (u *updating) update(
	ctx context.Context, captures []*capturing.Capture, refused []drift.ServerReport, wrong []error, o UpdateOptions,
) (*UpdateReport, []error, error) {
	w := u.w
	found, err := u.compare(ctx, captures)
	if err != nil {
		return nil, nil, err
	}
	found.Servers = append(found.Servers, refused...)
	out := &UpdateReport{Fails: u.judge.Fails, Withheld: u.withheld, Left: leftOf(wrong)}
	if err := u.accepts.Check(found, u.withheld, out.Left); err != nil {
		return nil, nil, err
	}
	unseen, err := inCode(ctx, w.Servers, w.Console, found, captures, u.judge, o.Impact)
	if err != nil {
		return nil, nil, err
	}
	addBudgets(w.Servers, found, captures, u.judge)
	for _, err := range wrong {
		e, _ := errors.AsType[*serverError](err)
		found.Servers = append(found.Servers, judging.Unreachable(e.server, e.err))
	}
	out.Report = report.Of(drift.Join(found))
	out.Unseen = unseen
	if o.Upgrade && o.DryRun { // the configuration still has the old version
		for i := range out.Servers {
			s := &out.Servers[i]
			s.ReplaceInRemedies("mcpgen update", "mcpgen upgrade "+hint.Word(cmp.Or(o.named[s.Server], s.Server)))
		}
	}
	setPositions(w.State, out.Report)
	folded, err := o.Show(out)
	if err == nil && o.Upgrade && len(wrong)+len(refused) > 0 {
		err = errors.New("nothing was changed")
		others := slices.DeleteFunc(slices.Clone(o.Servers), func(name string) bool {
			return slices.Contains(out.Left, name)
		})
		if len(refused) == 0 && len(others) > 0 {
			err = hint.With(err, "upgrade the others: mcpgen upgrade "+strings.Join(others, " "))
		}
		err = exit.Fail(exit.Finding, err)
	}
	if err != nil {
		return nil, nil, err
	}
	u.unfold(folded)
	out.Withheld = u.withheld
	all := len(o.Servers) == 0
	removed := func(name string) bool { return all && w.InScope(name) && !w.Configured(name) }
	d := NewDraft(w.Servers, w.Console, removed, all)
	d.reorder, d.pending = o.Order, w.edits
	withheld := slices.Concat(u.silent, u.withheld)
	for i, c := range captures {
		kept := *c
		kept.Keep(judging.KeepBack(c.Snapshot, u.before[i], withheld, u.changes[i]))
		d.Accept(ctx, &kept)
		if name := c.Server.Name; d.Snapshots[name] != nil {
			judging.KeepAccepted(name, w.Lock.Servers[name], d.Lock.Servers[name], u.changes[i], withheld)
		}
	}
	if d.whole = o.Upgrade; d.whole && len(wrong)+len(refused)+len(d.Errs) == 0 {
		if out.Fixed, err = d.fix(ctx, o); err != nil {
			return nil, nil, err
		}
	} else if o.Impact {
		if err := d.searchUsed(ctx); err != nil {
			return nil, nil, err
		}
	}
	if out.Broken, err = d.usersOfDropped(ctx); err != nil {
		return nil, nil, err
	}
	if o.DryRun {
		_, err := d.render(ctx, o.Strict)
		out.Dropped = d.dropped
		return out, d.Errs, err
	}
	var made *Rendered
	out.Files, made, err = d.Write(ctx, o.Strict)
	w.edits = d.pending
	if err == nil {
		w.KeepReplaced(w.Console, true)
	}
	out.Dropped, out.Summary = d.removed(out.Files), d.summary(made, out.Files, captures)
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		if before := w.Lock.Servers[name]; len(generator.NewShapes(name, nil, before)) > 0 {
			out.Shapes = append(out.Shapes, generator.NewShapes(name, before, d.Lock.Servers[name])...)
		}
	}
	if errors.Is(err, generator.ErrChanged) {
		return nil, nil, err
	}
	out.Left = append(out.Left, leftOf(d.Errs)...)
	return out, d.Errs, err
}

// unfold withholds folded changes, unless they were accepted elsewhere.
func (u *updating) unfold(folded []report.Folded) {
	if u.asked != nil {
		return // each was shown, or a person accepted the rest
	}
	for _, f := range folded {
		if !u.accepts.Has(f.Server, &f.Change) {
			u.withheld = append(u.withheld, judging.Withheld{Server: f.Server, Change: f.Change, Folded: true})
		}
	}
}

// updating is one update in progress.
type updating struct {
	w        *Workspace
	judge    judging.Judge
	accepts  judging.Accepts
	asked    *judging.Asking
	before   []*schema.Snapshot // by capture; nil if there was none
	changes  [][]drift.Change   // by capture: all changes
	withheld []judging.Withheld // including the launches of servers that were not started
	silent   []judging.Withheld // withheld without a message: see [judging.Excluded]
}

// compare compares each server with its lock, and determines which changes are withheld.
func (u *updating) compare(ctx context.Context, captures []*capturing.Capture) (*drift.Report, error) {
	found := &drift.Report{}
	for _, c := range captures {
		name, locked := c.Server.Name, u.w.Lock.Servers[c.Server.Name]
		before := u.w.OldSnapshot(name)
		u.before = append(u.before, before)
		cmp := judging.Comparison{Name: name, Before: before, After: c.Snapshot, RanAfter: c.Artifact}
		if locked != nil {
			cmp.LaunchBefore, cmp.RanBefore = locked.Launch, locked.Artifact
			cmp.LaunchAfter, _ = config.SameLaunch(locked.Launch, c.Server, u.w.Root)
			if c.Artifact == (lockfile.Artifact{}) && cmp.LaunchAfter.Hash == cmp.LaunchBefore.Hash {
				c.Artifact = locked.Artifact // unknown data stays as locked
			}
		}
		s, err := u.judge.Compare(ctx, cmp)
		if err != nil {
			return nil, err
		}
		judging.Explain(&s, c.Problems, capturing.Needs(u.w.Project, u.w.Lock, name))
		u.changes = append(u.changes, slices.Clone(s.Changes))
		silent, withheld := judging.Excluded(u.w.Project, &s, before, u.accepts.Withhold(&s))
		if withheld, err = u.asked.Answers(&s, withheld); err != nil {
			return nil, err
		}
		u.silent, u.withheld = append(u.silent, silent...), append(u.withheld, withheld...)
		judging.TellLeftOut(&s, before, withheld)
		found.Servers = append(found.Servers, s)
	}
	return drift.Join(found), nil
}

// acceptLaunches splits the targets: known are the servers that update may start, because their launch is as
// locked or was accepted; for the others it returns a report. New launches that were accepted are shown.
func (u *updating) acceptLaunches(targets []endpoint.Server) (
	known []endpoint.Server, refused []drift.ServerReport, err error,
) {
	for _, s := range targets {
		c := judging.ChangedLaunch(u.w.Lock, u.w.Root, s)
		if c == nil {
			known = append(known, s)
			continue
		}
		report, err := u.refuses(c)
		switch {
		case err != nil:
			return nil, nil, err
		case report != nil:
			refused = append(refused, *report)
			continue
		}
		u.w.Console.Note("%s; the new launch is %s", c.Text(), config.Launch(s))
		known = append(known, s)
	}
	return known, refused, nil
}

// refuses returns the report of a server that update does not start; nil if its launch, or what the
// launch runs, was accepted.
func (u *updating) refuses(c *judging.LaunchChange) (*drift.ServerReport, error) {
	found := c.Judge(u.judge)
	withheld, err := u.asked.Answers(&found, u.accepts.Withhold(&found))
	if err != nil || len(withheld) == 0 {
		return nil, err
	}
	u.withheld = append(u.withheld, withheld...)
	refused := c.Refused(u.judge)
	return &refused, nil
}

// captureAccepted captures servers. Servers whose bytes differ from the lock are captured again if the
// new bytes are accepted, and refused otherwise.
func (u *updating) captureAccepted(ctx context.Context, servers []endpoint.Server) (
	captures []*capturing.Capture, refused []drift.ServerReport, err error,
) {
	negotiate := attach.Options{Protocols: map[string]string{}} // not the locked revisions
	all, err := u.w.Capture(ctx, servers, live.Options{Newest: true, AnyLaunch: true, Attach: negotiate})
	if err != nil {
		return nil, nil, err
	}
	var again []endpoint.Server
	for _, c := range all {
		change := judging.OtherBytes(c.Server, c.Err)
		if change == nil {
			captures = append(captures, c)
			continue
		}
		report, err := u.refuses(change)
		switch {
		case err != nil:
			return nil, nil, err
		case report != nil:
			refused = append(refused, *report)
		default:
			again = append(again, c.Server)
		}
	}
	accepted, err := u.w.Capture(ctx, again, live.Options{
		Accepted: locks.ServerNames(again), AnyLaunch: true, Attach: negotiate,
	})
	captures = append(captures, accepted...)
	slices.SortFunc(captures, func(a, b *capturing.Capture) int { return cmp.Compare(a.Server.Name, b.Server.Name) })
	return captures, refused, err
}
