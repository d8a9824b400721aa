// Package catalogue is the command docs: it writes a catalogue of servers and tools, as web pages.
package catalogue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/sharing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/workspace"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// DocsOptions are the flags of docs.
type DocsOptions struct {
	Out    string // folder of the pages; created if necessary
	Impact bool   // search the module for lines that call a server
	Live   bool   // compare the servers with the lock
	To     string // address of the registry that modules pushed their usage to; "" is the key store:
}

// DocsReport is the outcome of docs.
type DocsReport struct {
	Index string // path of the first page, relative if Out is
	Files *generator.Report
	Errs  error // why servers could not be compared, or usages not be read, joined
}

// Docs writes the catalogue of the selected servers. It removes pages that only the replaced index leads to.
func Docs(ctx context.Context, w *workspace.Workspace, o DocsOptions) (*DocsReport, error) {
	out, err := filepath.Abs(o.Out)
	if err != nil {
		return nil, err
	}
	own := filepath.Join(w.Root, filepath.FromSlash(w.Project.Output))
	if rel, err := filepath.Rel(own, out); err == nil && filepath.IsLocal(rel) {
		return nil, hint.With(fmt.Errorf("--out %s: generate writes into this folder", o.Out),
			"to generate pages there, set docs: html in the configuration", "choose another folder")
	}
	if err := w.RequireLock(); err != nil {
		return nil, err
	}
	selected := func(name string) bool { return w.InScope(name) && w.Configured(name) }
	d := workspace.NewDraft(w.Servers, w.Console, selected, false)
	d.UpdateResults(ctx, nil, false)
	opts, _, err := d.Options(false)
	if err := errors.Join(append(d.Errs, err)...); err != nil {
		return nil, err
	}
	opts.Kept = nil
	if opts.Facts, err = workspace.PolicyFacts(w.Servers, d.Snapshots); err != nil {
		return nil, err
	}
	if err := markFacts(ctx, w.State, d.Snapshots, &opts.Facts); err != nil {
		return nil, err
	}
	result := &DocsReport{Index: filepath.Join(o.Out, generator.IndexName)}
	if result.Errs, err = gather(ctx, w, o, &opts.Facts); err != nil {
		return nil, err
	}
	files, err := generator.Catalogue(ctx, opts)
	if err != nil {
		return nil, exit.Unless(ctx, err)
	}
	if err := makeFolder(w.Root, out, "--out "+o.Out); err != nil {
		return nil, err
	}
	result.Files, err = generator.WriteCatalogue(ctx, out, files)
	return result, exit.Unless(ctx, err)
}

// makeFolder creates a folder. It refuses a folder below the project if a symbolic link leads outside. As
// is its name in errors.
func makeFolder(dir string, path, as string) error {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return os.MkdirAll(path, 0o777)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	err = root.MkdirAll(rel, 0o777)
	if _, system := errors.AsType[syscall.Errno](err); system {
		return fmt.Errorf("%s: %w", as, err)
	}
	if err != nil {
		return hint.With(fmt.Errorf("%s: not a folder of the project: %w", as, err),
			"if this is a link to a folder outside the project, pass the path of that folder")
	}
	return nil
}

// gather adds facts that are not in the configuration. Unreached says what servers and the registry did not say.
func gather(ctx context.Context, w *workspace.Workspace, o DocsOptions, facts *pagefacts.Facts) (unreached, err error) {
	if o.Impact {
		if err := callFacts(ctx, w.Servers, facts); err != nil {
			return nil, err
		}
	}
	if o.Live {
		found, err := w.Check(ctx, workspace.CheckOptions{})
		if err != nil {
			return nil, err
		}
		driftFacts(w.Lock, found.Report, facts)
		unreached = found.Errs
	}
	if o.To != "" || w.Project.Store != "" {
		unread, err := consumerFacts(ctx, w.Client, o.To, facts)
		if err != nil {
			return nil, err
		}
		unreached = errors.Join(unreached, unread)
	}
	facts.History, err = workspace.History(ctx, w.State)
	return unreached, err
}

// markFacts adds the findings of the rules on text.
func markFacts(
	ctx context.Context, st *locks.State, snapshots map[string]*schema.Snapshot, facts *pagefacts.Facts,
) error {
	j := judging.Of(st.Project, st.Lock, judging.Flags{})
	for server, s := range snapshots {
		marks, err := judging.MarksOf(ctx, j, s)
		if err != nil {
			return err
		}
		for at, found := range marks {
			id := pagefacts.ItemID{Server: server, Kind: string(at.Kind), Name: at.Name}
			facts.Change(id, func(f *pagefacts.ItemFacts) { f.Marks = found })
		}
	}
	return nil
}

// callFacts adds the lines of the module that call the servers.
func callFacts(ctx context.Context, in *inputs.Servers, facts *pagefacts.Facts) error {
	uses, missing, err := workspace.Uses(ctx, in)
	if err != nil {
		return err
	}
	facts.Code = &pagefacts.CodeFacts{Unseen: unseenWords(missing)}
	pages := forgeOf(ctx, in.Root)
	lines := sourceLines{root: starter.Repository(in.Root), files: map[string][]string{}}
	for _, u := range uses {
		facts.Change(pagefacts.ItemID{Server: u.Server, Kind: string(u.Kind), Name: u.Item}, func(f *pagefacts.ItemFacts) {
			for _, s := range u.Sites {
				code, page := lines.at(s.File, s.Line), pages.page(s.File, s.Line)
				f.Sites = append(f.Sites, pagefacts.Site{File: s.File, Line: s.Line, Code: code, Href: page})
			}
		})
	}
	return nil
}

func unseenWords(list []report.Unseen) []string {
	var out []string
	for _, u := range list {
		text := u.Reason
		if u.File != "" {
			text = (report.Position{File: u.File, Line: u.Line}).String() + ": " + text
		}
		out = append(out, text)
	}
	return out
}

// sourceLines reads lines of files, each file once.
type sourceLines struct {
	root  string
	files map[string][]string
}

// at returns a line without surrounding spaces, or "" if it cannot be read.
func (l sourceLines) at(file string, line int) string {
	if _, ok := l.files[file]; !ok {
		data, _ := os.ReadFile(filepath.Join(l.root, filepath.FromSlash(file)))
		l.files[file] = strings.Split(string(data), "\n")
	}
	if lines := l.files[file]; line > 0 && line <= len(lines) {
		return strings.TrimSpace(lines[line-1])
	}
	return ""
}

// driftFacts adds the differences between the running servers and the lock.
func driftFacts(lock *lockfile.Lock, found *report.Report, facts *pagefacts.Facts) {
	facts.Live = true
	for _, s := range found.Servers {
		locked := lock.Servers[s.Server]
		if locked == nil {
			continue
		}
		state := "unchanged"
		if s.Verdict == drift.Unchecked {
			state = s.State
		}
		for _, kind := range schema.Kinds() {
			for name := range locked.Items(kind) {
				id := pagefacts.ItemID{Server: s.Server, Kind: string(kind), Name: name}
				facts.Change(id, func(f *pagefacts.ItemFacts) { f.Drift.State = state })
			}
		}
		worst := map[pagefacts.ItemID]drift.Severity{}
		for _, c := range s.Changes {
			id := pagefacts.ItemID{Server: s.Server, Kind: string(c.Kind), Name: c.Name}
			if _, known := facts.Items[id]; !known {
				continue // about the server, or an item that is not locked
			}
			facts.Change(id, func(f *pagefacts.ItemFacts) {
				f.Drift.Changes = append(f.Drift.Changes, fmt.Sprintf("%s: %s: %s", c.Severity, c.Rule, c.Message))
				if worst[id] == "" || c.Severity.AtLeast(worst[id]) {
					worst[id], f.Drift.State = c.Severity, string(c.Severity)
				}
			})
		}
	}
}

// consumerFacts adds the modules that pushed how they use the servers, and whether the locked definitions would
// break them. Unread names what could not be read.
func consumerFacts(ctx context.Context, cl *capturing.Client, to string, facts *pagefacts.Facts) (unread, err error) {
	servers := slices.DeleteFunc(cl.Selected(), func(s endpoint.Server) bool { return cl.Lock.Servers[s.Name] == nil })
	all := make([][]sharing.Consumer, len(servers))
	errs := capturing.Transfer(servers, func(i int, s endpoint.Server) (err error) {
		all[i], err = lockedConsumers(ctx, cl.Servers, s, to)
		return err
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	found := &pagefacts.Consumers{}
	for i, s := range servers {
		if errs[i] != nil {
			found.Note = "Some usages could not be read. Modules may be missing, and for some it is unknown whether they break."
		}
		for _, c := range all[i] {
			m := pagefacts.Consumer{Server: s.Name, Module: c.Module, Commit: c.Commit,
				Version: cmp.Or(c.Version, c.Snapshot), State: "unknown", Uses: c.Words("")}
			if c.Changes != nil {
				m.State = map[bool]string{true: "breaks", false: "fits"}[c.Breaks]
			}
			for _, a := range c.Changes {
				m.Changes = append(m.Changes, a.String())
			}
			found.Modules = append(found.Modules, m)
			for _, used := range c.Items {
				id := pagefacts.ItemID{Server: s.Name, Kind: string(used.Kind), Name: used.Name}
				facts.Change(id, func(f *pagefacts.ItemFacts) {
					f.Users = append(f.Users, c.Module+": "+safetext.Count(used.Lines, "line"))
				})
			}
		}
	}
	unread = errors.Join(errs...)
	if len(found.Modules) > 0 {
		facts.Consumers = found
	} else if unread == nil && len(servers) > 0 {
		sharing.NoteNoUsage(cl.Console, "one of these servers", "")
	}
	return unread, nil
}

// lockedConsumers returns the modules that use a server, judged by the locked definitions.
func lockedConsumers(ctx context.Context, in *inputs.Servers, s endpoint.Server, to string) (
	[]sharing.Consumer, error,
) {
	usages, unread := sharing.Who(ctx, in.Project, s.Name, "", sharing.Options{To: to})
	r, _, err := capturing.RepositoryOf(in.Project, s.Name, to)
	if err != nil {
		return nil, err
	}
	observed, err := in.Observed(s.Name)
	if err != nil {
		return nil, err
	}
	locked, err := in.Accepted(s.Name)
	if err != nil {
		return nil, err
	}
	now := &capturing.Capture{Server: s, Snapshot: locked,
		Observed: observed, Store: capturing.StoredDigest(in.Lock, s.Name)}
	all, err := sharing.Consumers(ctx, in.State, r, now, usages)
	return all, errors.Join(unread, err)
}
