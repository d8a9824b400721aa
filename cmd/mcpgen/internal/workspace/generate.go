package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
)

// GenerateOptions are the flags of generate.
type GenerateOptions struct {
	Frozen bool // lock nothing new
	Check  bool // write nothing; implies Frozen
	Strict bool // a bad tool is an error
	Yes    bool // tools may be missing in a first lock
	// Removed is an absent server to drop, see [locks.State.Absent]; "" means none.
	Removed string
}

// GenerateReport is the outcome of a run, by server.
type GenerateReport struct {
	Locked   []string                // servers that were locked by this run
	Withheld []judging.Withheld      // items of them that were not locked
	Dropped  []string                // servers whose lock entry and package were removed with their configuration
	Left     []string                // servers that are unchanged because of errors
	Broken   []impact.Problem        // lines of the module that import a dropped package
	Gone     []string                // under Frozen: servers that would be dropped
	Moved    bool                    // a package has another name, so code that uses it must change
	Files    *generator.Report       // nil under Check, and if there was nothing to write
	Stale    []generator.Stale       // under Check: outdated files
	Launch   []*judging.LaunchChange // under Check: servers whose launch differs from the lock
	Summary  []ServerSummary         // of servers that were attached or whose files were written
	// Remembered is the number of files if the project was unchanged since the last run and no work was done; Files
	// is then nil.
	Remembered int
}

// Generate locks the servers that are not locked yet, and writes all files from lock and snapshots. With
// a complete lock it connects to no server.
//
// Items with a security finding are not locked: update accepts them by name.
//
// Servers are independent: an error of one server keeps its lock entry and its package, and the report
// lists what was done for the others. If there are many new servers, each group that is captured
// concurrently is locked and written before the next group starts: after an interruption, the next run
// continues from there.
func (w *Workspace) Generate(ctx context.Context, o GenerateOptions) (*GenerateReport, error) {
	fresh, frozen := w.Unlocked(), o.Frozen || o.Check
	errs := []error{w.partly}
	if frozen {
		if err := w.verifyLock(); err != nil {
			return nil, err
		}
	}
	if frozen && len(fresh) > 0 {
		errs = append(errs, NotLocked(fresh))
		fresh = nil
	}
	if o.Removed != "" {
		w.Remove(o.Removed)
	}
	for _, name := range w.AbsentNames() {
		w.Options.Console.Note("%s: %s: mcpgen uses %s and the snapshot instead", name, w.Absent(name), locks.Name)
	}
	noteClients(w.Options.Console, w.State)
	launches := judging.ChangedLaunches(w.Lock, w.Root, w.Selected())
	if !o.Check {
		errs = append(errs, reportLaunch(w.Options.Console, launches, o.Strict))
		launches = nil
	}
	if errors.Join(errs...) == nil && len(fresh) == 0 && len(w.Options.Edits) == 0 {
		if r := w.remembered(o); r != nil {
			countWarnings(w.Options.Console, r.Loose)
			return &GenerateReport{Remembered: r.Files, Launch: launches}, nil
		}
	}
	var report *GenerateReport
	for more := true; more; {
		some := fresh[:min(len(fresh), attach.DefaultParallel)]
		fresh = fresh[len(some):]
		more = len(fresh) > 0
		next, bad, err := w.lockSome(ctx, some, o, frozen, more)
		errs = append(append(errs, bad...), err)
		if next == nil {
			break
		}
		report = next.after(report)
		if more {
			if err := w.Reread(ctx); err != nil {
				return report, errors.Join(append(errs, err)...)
			}
		}
	}
	if report != nil {
		report.Launch = launches
	}
	return report, errors.Join(errs...)
}

// lockSome locks servers and writes the files; if more servers follow, only the files of these servers.
// The report is nil if nothing was generated. Bad has the errors of single servers.
func (w *Workspace) lockSome(ctx context.Context, servers []endpoint.Server, o GenerateOptions, frozen, more bool) (report *GenerateReport, bad []error, err error) {
	captures, err := w.capture(ctx, servers, live.Options{Newest: true})
	if err != nil {
		return nil, nil, err
	}
	ctx, end := afterAll(ctx, len(captures))
	defer end()
	if err := pin(w.Root, captures, editing.Added(w.Options.Edits)); err != nil {
		return nil, nil, err
	}
	captures, wrong := w.usable(ctx, captures, o.Strict, true)
	for {
		report, bad, err = w.generate(ctx, captures, o, frozen, more)
		if !errors.Is(err, generator.ErrChanged) {
			break
		}
		if err := w.Reread(ctx); err != nil {
			return nil, nil, err
		}
	}
	if report == nil {
		return nil, wrong, err
	}
	report.Left = append(report.Left, leftOf(wrong)...)
	return report, append(wrong, bad...), err
}

// after adds an earlier report of the same run; nil adds nothing.
func (r *GenerateReport) after(before *GenerateReport) *GenerateReport {
	if before == nil {
		return r
	}
	r.Locked, r.Withheld = append(before.Locked, r.Locked...), append(before.Withheld, r.Withheld...)
	r.Left, r.Summary = append(before.Left, r.Left...), append(before.Summary, r.Summary...)
	if before.Files != nil && r.Files != nil {
		r.Files.Written = append(before.Files.Written, r.Files.Written...)
		slices.Sort(r.Files.Written)
		r.Files.Written = slices.Compact(r.Files.Written)
		r.Files.Unchanged = slices.DeleteFunc(r.Files.Unchanged, func(file string) bool {
			_, written := slices.BinarySearch(r.Files.Written, file)
			return written
		})
	}
	return r
}

// generate builds the files once from the project as read; if more servers follow, only the files of the
// captures. Servers that another run has locked in the meantime stay as that run locked them. Under
// frozen, a result schema that differs from the lock is an error.
func (w *Workspace) generate(ctx context.Context, captures []*Capture, o GenerateOptions, frozen, more bool) (*GenerateReport, []error, error) {
	made, drop := w.InScope, !o.Frozen || o.Check
	if more {
		made, drop = func(string) bool { return false }, false
	}
	d := NewDraft(w.Servers, w.Options.Console, made, drop)
	d.KeepStale, d.Frozen = more || o.Frozen && !o.Check, frozen
	d.pending = w.Options.Edits
	d.UpdateResults(ctx, nil, frozen)
	report := &GenerateReport{}
	for _, c := range captures {
		if w.Lock.Servers[c.Server.Name] != nil {
			continue
		}
		d.Accept(ctx, c)
		report.Withheld = append(report.Withheld, c.Withheld...)
		if err := c.unusable(); err != nil && !o.Yes {
			d.Errs = append(d.Errs, err)
		}
	}
	var out *Rendered
	var err error
	if o.Check {
		if out, err = d.render(ctx, o.Strict); out != nil && err == nil {
			report.Stale, err = generator.Compare(w.Root, out.files, d.writeOptions())
		}
	} else {
		if report.Broken, err = d.usersOfDropped(ctx); err != nil {
			return nil, d.Errs, err
		}
		report.Files, out, err = d.Write(ctx, o.Strict)
		w.Options.Edits = d.pending
		report.Dropped, report.Summary = d.removed(report.Files), d.summary(out, report.Files, captures)
		report.Moved = err == nil && !more && w.KeepReplaced(w.Options.Console, false)
	}
	if err != nil {
		return nil, d.Errs, err
	}
	report.Locked, report.Gone, report.Left = d.locked(), d.gone(), leftOf(d.Errs)
	if out != nil && !more && len(d.Errs)+len(report.Gone)+len(report.Stale) == 0 {
		w.remember(ctx, o, d, out)
	}
	return report, d.Errs, nil
}

// unusable returns the finding that the lock omits invalid tools. The reasons were reported when they
// were listed.
func (c *Capture) unusable() error {
	if len(c.Unusable) == 0 {
		return nil
	}
	names := make([]string, len(c.Unusable))
	for i, name := range c.Unusable {
		names[i] = strconv.Quote(name)
	}
	return exit.Fail(exit.Finding, hint.With(fmt.Errorf("%s: these items cannot be used, so %s lacks them: %s", c.Server.Name, locks.Name, safetext.List(names, 8)), "lock the server without them: mcpgen generate --yes"))
}

// NotLocked returns the finding that servers are not locked.
func NotLocked(servers []endpoint.Server) error {
	return exit.Fail(exit.Finding, hint.With(fmt.Errorf("%s: not locked: %s", locks.Name, strings.Join(locks.ServerNames(servers), ", ")), "run mcpgen generate and commit the result"))
}

// Unlocked returns the selected servers that are missing in the lock. A server that an edit adds comes
// first: if it cannot be locked, the run writes no file.
func (w *Workspace) Unlocked() []endpoint.Server {
	var out []endpoint.Server
	for _, s := range w.Selected() {
		switch {
		case w.Lock.Servers[s.Name] != nil:
		case editing.Added(w.Options.Edits) != nil && s.Name == editing.Added(w.Options.Edits).Name:
			out = slices.Insert(out, 0, s)
		default:
			out = append(out, s)
		}
	}
	return out
}

// ServerSummary is the outcome of a run for one server.
type ServerSummary struct {
	Server  string
	Tools   int           // tools with generated code
	Typed   int           // how many of Tools have a typed result
	Offered int           // all tools that the server offers
	Out     int           // how many of Offered a first lock omits
	Took    time.Duration // time until everything was listed; 0: not attached
	Ordered bool          // the server's order was locked for the first time

	Prompts, Resources, Skills int // resources include templates

	Long []generator.Tool // tools of more than [MaxToolLines], the longest first
}

// MaxToolLines is the number of lines of types above which a run mentions a tool. Tools of real servers
// have 14 in the median and 240 at most; a schema that was not written for a model, such as Vega-Lite's,
// has thousands.
const MaxToolLines = 1000

// summary describes the servers that were attached, and those whose files were written, sorted by name.
func (d *Draft) summary(out *Rendered, files *generator.Report, captures []*Capture) []ServerSummary {
	if out == nil || files == nil {
		return nil
	}
	took, left := map[string]time.Duration{}, map[string]int{}
	for _, c := range captures {
		took[c.Server.Name], left[c.Server.Name] = c.Took, c.leftOut()
	}
	var all []ServerSummary
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		folder := path.Dir(d.in.SnapshotPath(name)) + "/"
		written := slices.ContainsFunc(files.Written, func(file string) bool { return strings.HasPrefix(file, folder) })
		if took[name] == 0 && !written {
			continue
		}
		s := d.Snapshots[name]
		one := ServerSummary{Server: name, Offered: len(s.Tools) + left[name], Out: left[name], Prompts: len(s.Prompts), Resources: len(s.Resources) + len(s.Templates), Skills: len(s.Skills), Took: took[name]}
		before := d.in.Lock.Servers[name]
		one.Ordered = before != nil && before.Unordered && !d.Lock.Servers[name].Unordered
		for _, t := range out.Tools {
			if t.Server != name {
				continue
			}
			one.Tools++
			if t.Lines > MaxToolLines {
				one.Long = append(one.Long, t)
			}
			if t.Go.Typed() {
				one.Typed++
			}
		}
		slices.SortStableFunc(one.Long, func(x, y generator.Tool) int { return cmp.Compare(y.Lines, x.Lines) })
		all = append(all, one)
	}
	return all
}

// reportLaunch warns of changed launches: the generated code belongs to the surface that was locked with
// the old launch. Under strict the warnings are errors.
func reportLaunch(con *console.Console, changes []*judging.LaunchChange, strict bool) error {
	var errs []error
	for _, c := range changes {
		errs = append(errs, loose(con, strict, c.Err("; the generated code stays unchanged")))
	}
	return exit.Fail(exit.Finding, errors.Join(errs...))
}
