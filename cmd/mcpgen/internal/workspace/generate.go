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

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
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
	if added := editing.Added(w.edits); added != nil { // first: if it cannot be locked, the run writes no file
		if i := slices.IndexFunc(fresh, func(s endpoint.Server) bool { return s.Name == added.Name }); i > 0 {
			fresh = slices.Insert(slices.Delete(slices.Clone(fresh), i, i+1), 0, fresh[i])
		}
	}
	errs := []error{w.partly}
	if frozen {
		if err := w.VerifyLock(); err != nil {
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
	if absent := w.AbsentNames(); len(absent) > 0 {
		for _, name := range absent {
			w.Console.Note("%s: %s: mcpgen uses %s and the snapshot instead", name, w.Absent(name), locks.Name)
		}
		w.Console.Help("if a server is gone for good, drop it: mcpgen remove " + hint.Word(absent[0]))
	}
	capturing.NoteClients(w.Console, w.State)
	launches := judging.ChangedLaunches(w.Lock, w.Root, w.Selected())
	if !o.Check {
		errs = append(errs, reportLaunch(w.Console, launches, o.Strict))
		launches = nil
	}
	if errors.Join(errs...) == nil && len(fresh) == 0 && len(w.edits) == 0 {
		if r := remembered(w.State, w.Console.Verbose, o); r != nil {
			countWarnings(w.Console, r.Loose)
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
			if err := w.read(ctx); err != nil {
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
func (w *Workspace) lockSome(ctx context.Context, servers []endpoint.Server, o GenerateOptions, frozen, more bool) (
	report *GenerateReport, bad []error, err error,
) {
	captures, err := w.Capture(ctx, servers, live.Options{Newest: true})
	if err != nil {
		return nil, nil, err
	}
	ctx, end := capturing.AfterAll(ctx, len(captures))
	defer end()
	if err := pin(w.Root, captures, editing.Added(w.edits)); err != nil {
		return nil, nil, err
	}
	captures, wrong := w.usable(ctx, captures, o.Strict, true)
	for {
		report, bad, err = w.generate(ctx, captures, o, frozen, more)
		if !errors.Is(err, generator.ErrChanged) {
			break
		}
		if err := w.read(ctx); err != nil {
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
func (w *Workspace) generate(ctx context.Context, captures []*capturing.Capture, o GenerateOptions, frozen, more bool) (
	*GenerateReport, []error, error,
) {
	made, drop := w.InScope, !o.Frozen || o.Check
	if more {
		made, drop = func(string) bool { return false }, false
	}
	d := NewDraft(w.Servers, w.Console, made, drop)
	d.KeepStale, d.Frozen = more || o.Frozen && !o.Check, frozen
	d.pending = w.edits
	d.UpdateResults(ctx, nil, frozen)
	report := &GenerateReport{}
	for _, c := range captures {
		if w.Lock.Servers[c.Server.Name] != nil {
			continue
		}
		d.Accept(ctx, c)
		report.Withheld = append(report.Withheld, c.Withheld...)
		if err := unusable(c); err != nil && !o.Yes {
			d.Errs = append(d.Errs, err)
		}
	}
	var out *Rendered
	var err error
	if o.Check {
		if out, err = d.render(ctx, o.Strict); out != nil && err == nil {
			var bad error
			if report.Stale, bad = generator.Compare(w.Root, out.files, d.writeOptions()); bad != nil {
				d.Errs = append(d.Errs, bad)
			}
		}
	} else {
		if report.Broken, err = d.usersOfDropped(ctx); err != nil {
			return nil, d.Errs, err
		}
		report.Files, out, err = d.Write(ctx, o.Strict)
		w.edits = d.pending
		report.Dropped, report.Summary = d.removed(report.Files), d.summary(out, report.Files, captures)
		report.Moved = err == nil && !more && w.KeepReplaced(w.Console, false)
	}
	if err != nil {
		return nil, d.Errs, err
	}
	report.Locked, report.Gone, report.Left = d.locked(), d.gone(), leftOf(d.Errs)
	if out != nil && !more && len(d.Errs)+len(report.Gone)+len(report.Stale) == 0 {
		remember(ctx, o, d, out)
	}
	return report, d.Errs, nil
}

// NotLocked returns the finding that servers are not locked.
func NotLocked(servers []endpoint.Server) error {
	err := fmt.Errorf("%s: not locked: %s", locks.Name, strings.Join(locks.ServerNames(servers), ", "))
	return exit.Fail(exit.Finding, hint.With(err, "run mcpgen generate and commit the result"))
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
func (d *Draft) summary(out *Rendered, files *generator.Report, captures []*capturing.Capture) []ServerSummary {
	if out == nil || files == nil {
		return nil
	}
	took, left := map[string]time.Duration{}, map[string]int{}
	for _, c := range captures {
		took[c.Server.Name], left[c.Server.Name] = c.Took, c.LeftOut()
	}
	var all []ServerSummary
	for _, name := range slices.Sorted(maps.Keys(d.Snapshots)) {
		folder := path.Dir(d.in.SnapshotPath(name)) + "/"
		written := slices.ContainsFunc(files.Written, func(file string) bool { return strings.HasPrefix(file, folder) })
		if took[name] == 0 && !written {
			continue
		}
		s := d.Snapshots[name]
		one := ServerSummary{Server: name, Offered: len(s.Tools) + left[name], Out: left[name], Took: took[name]}
		one.Prompts, one.Skills, one.Resources = len(s.Prompts), len(s.Skills), len(s.Resources)+len(s.Templates)
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

// problems reports invalid items. Under strict they are an error.
func problems(con *console.Console, c *capturing.Capture, strict bool) error {
	var errs []error
	for _, p := range c.Problems {
		errs = append(errs, loose(con, strict, fmt.Errorf("%s: %s", c.Server.Name, problemText(p))))
	}
	return exit.Fail(exit.Server, errors.Join(errs...))
}

// problemText names an invalid item, with the reason.
func problemText(p schema.Problem) string {
	what := string(p.Kind)
	if p.Name != "" {
		what += " " + strconv.Quote(p.Name)
	}
	if p.Pointer != "" {
		what += " at " + p.Pointer
	}
	return what + ": " + p.Reason
}

// loose prints a warning, or returns it as an error under strict.
func loose(con *console.Console, strict bool, warning error) error {
	if strict {
		return warning
	}
	con.Warn("%v", warning)
	return nil
}

// looseness returns the errors of --strict about the package of a capture.
func looseness(ctx context.Context, in *inputs.Servers, con *console.Console, c *capturing.Capture) error {
	d := NewDraft(in, con, func(string) bool { return false }, false)
	if d.Accept(ctx, c); len(d.Errs) == 0 {
		_, err := d.render(ctx, true)
		d.Errs = append(d.Errs, err)
	}
	return errors.Join(d.Errs...)
}

// usable returns the captures that can be accepted, and one [*serverError] for each of the others. Under
// first they are checked as new servers, whose text is not reviewed yet.
func (w *Workspace) usable(ctx context.Context, captures []*capturing.Capture, strict, first bool) (
	good []*capturing.Capture, wrong []error,
) {
	for _, c := range captures {
		err := c.Err
		if err == nil {
			err = problems(w.Console, c, strict)
			if first {
				err = errors.Join(err, namesVersion(w.Console, c, strict), c.FirstLook(ctx, w.Project, w.Lock))
			}
			if err != nil {
				err = errors.Join(err, looseness(ctx, w.Servers, w.Console, c)) // so that all problems are named
			}
		}
		if err != nil {
			wrong = append(wrong, &serverError{c.Server.Name, err})
			continue
		}
		noteScripts(w.Project, w.Console, c)
		good = append(good, c)
	}
	return good, wrong
}

// noteScripts names the packages of a dependency tree whose install scripts do not run.
func noteScripts(project *config.Project, con *console.Console, c *capturing.Capture) {
	p, ok := c.Server.Launch.(*endpoint.Process)
	if !ok || c.Tree == nil {
		return
	}
	packages, _ := artifact.ReadTree(c.Tree) // it was installed, so it is valid
	var names []string
	for _, pkg := range packages {
		if pkg.Scripts && !slices.Contains(p.Scripts, pkg.Name) {
			names = append(names, pkg.Name)
		}
	}
	if names = slices.Compact(names); names != nil {
		con.Note("%s: packages whose install scripts do not run: %s", c.Server.Name, safetext.Line(strings.Join(names, ", ")))
		con.Help(fmt.Sprintf("to let an install script run, write in %s: install_scripts: [%s]",
			project.Path, safetext.Line(names[0])))
	}
}

// serverError is an error of one server.
type serverError struct {
	server string
	err    error
}

// Error returns the text of the cause.
func (e *serverError) Error() string { return e.err.Error() }

// Unwrap returns the cause in a list, so that Flatten sees joined causes.
func (e *serverError) Unwrap() []error { return []error{e.err} }

// leftOf returns the servers that errors are about.
func leftOf(errs []error) []string {
	var names []string
	for _, err := range errs {
		if e, ok := errors.AsType[*serverError](err); ok {
			names = append(names, e.server)
		}
	}
	return names
}

// namesVersion warns of a newly locked server whose launch names no version. Under strict that is an
// error.
func namesVersion(con *console.Console, c *capturing.Capture, strict bool) error {
	unpinned := artifact.Unpinned(c.Server)
	if unpinned == "" || c.Artifact.Kind == lockfile.ArtifactGo { // go.mod names it
		return nil
	}
	step := "name a version"
	if c.Artifact.Version != "" {
		step += ", such as " + c.Artifact.Version + ", which ran now"
	}
	err := fmt.Errorf("%sserver %q: %s names no version, so the next start may run another version",
		c.Server.Source.Prefix(), c.Server.Name, unpinned)
	return loose(con, strict, hint.With(err, step))
}

// pin adds the version that the server of added ran to the configuration, so that the next start runs the
// same version.
func pin(root string, captures []*capturing.Capture, added *editing.Edit) error {
	for _, c := range captures {
		pkg, args := artifact.Pinned(c.Server, c.Artifact)
		if c.Err != nil || pkg == "" || added == nil || c.Server.Name != added.Name {
			continue
		}
		if err := added.Pin(pkg, args); err != nil {
			return err
		}
		c.Server.Launch.(*endpoint.Process).Args = args // the project's server has the same launch
		c.Launch = config.LockLaunch(c.Server, root)
		c.Locked.Launch = c.Launch
	}
	return nil
}

// unusable returns the finding that the lock omits invalid tools. The reasons were reported when they
// were listed.
func unusable(c *capturing.Capture) error {
	if len(c.Unusable) == 0 {
		return nil
	}
	names := make([]string, len(c.Unusable))
	for i, name := range c.Unusable {
		names[i] = strconv.Quote(name)
	}
	err := fmt.Errorf("%s: these items cannot be used, so %s lacks them: %s",
		c.Server.Name, locks.Name, safetext.List(names, 8))
	return exit.Fail(exit.Finding, hint.With(err, "lock the server without them: mcpgen generate --yes"))
}
