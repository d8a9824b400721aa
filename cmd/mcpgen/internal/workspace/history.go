package workspace

// This file compares earlier locks: for users of the code that was generated from them, and the commits of the lock one
// by one.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// maxEvents bounds the commits that are read.
const maxEvents = 100

// History returns the changes of the commits of the lock, the latest first. A project without git, or
// whose lock was never committed, has a note instead of events. The error is ctx's.
func History(ctx context.Context, st *locks.State) (*pagefacts.History, error) {
	commits, note, err := lockCommits(ctx, st.Root)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return &pagefacts.History{Note: "The history of the lock is not known: " + err.Error()}, nil
	}
	out, j := &pagefacts.History{Note: note}, judging.Of(st.Project, st.Lock, judging.Flags{})
	later, _ := locks.At(ctx, st.Root, st.Project.Output, commits[0].id) // an unreadable commit has no verdict
	for i, c := range commits {
		var before *locks.Other
		if i+1 < len(commits) {
			before, _ = locks.At(ctx, st.Root, st.Project.Output, commits[i+1].id)
		}
		if i < maxEvents {
			event := pagefacts.Event{Date: c.date, Commit: c.short, Subject: c.subject}
			event.Servers = serverEvents(ctx, j, before, later)
			out.Events = append(out.Events, event)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		later = before
	}
	return out, nil
}

// lockCommit is a commit that changed the lock.
type lockCommit struct{ id, short, date, subject string }

// lockCommits lists the commits, the latest first, and one more than maxEvents, to compare the last event
// with. A merge counts with its changes to the branch. The note says what is missing.
func lockCommits(ctx context.Context, root string) (commits []lockCommit, note string, err error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, "", errors.New("git was not found")
	}
	if _, err := locks.Git(ctx, root, "rev-parse", "--is-inside-work-tree"); err != nil {
		return nil, "", errors.New("the project is not in a git repository")
	}
	data, err := locks.Git(ctx, root, "log", "--first-parent", "-m", fmt.Sprintf("--max-count=%d", maxEvents+1),
		"--date=short", "--format=%H%x00%h%x00%cd%x00%s", "--", locks.Name)
	if err != nil {
		return nil, "", errors.New("no commit yet")
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		if part := strings.Split(line, "\x00"); len(part) == 4 {
			commits = append(commits, lockCommit{part[0], part[1], part[2], part[3]})
		}
	}
	if len(commits) == 0 {
		return nil, "", fmt.Errorf("no commit has %s", locks.Name)
	}
	switch shallow, _ := locks.Git(ctx, root, "rev-parse", "--is-shallow-repository"); {
	case len(commits) > maxEvents:
		note = fmt.Sprintf("Only the latest %d commits of the lock are shown.", maxEvents)
	case strings.TrimSpace(string(shallow)) == "true":
		note = "The repository is a shallow clone, so earlier commits are not known."
	}
	return commits, note, nil
}

// serverEvents returns the changes of servers from one lock to the next. With a nil before, after is the
// first lock.
func serverEvents(ctx context.Context, j judging.Judge, before, after *locks.Other) []pagefacts.ServerEvent {
	if after == nil {
		return nil
	}
	then := map[string]*lockfile.LockedServer{}
	if before != nil {
		then = before.Lock.Servers
	}
	names := maps.Clone(then)
	maps.Copy(names, after.Lock.Servers)
	var out []pagefacts.ServerEvent
	for _, name := range slices.Sorted(maps.Keys(names)) {
		e := lockEvent(then[name], after.Lock.Servers[name])
		e.Server = name
		switch {
		case then[name] == nil:
			e.Verdict = "new"
		case after.Lock.Servers[name] == nil:
			e.Verdict = "gone"
		case len(e.Added)+len(e.Changed)+len(e.Removed)+e.Reworded == 0:
			continue
		default:
			e.Verdict = pastVerdict(ctx, j, name, before.Snapshots[name], after.Snapshots[name])
		}
		out = append(out, e)
	}
	return out
}

// lockEvent compares the hashes of a server's items. Nil means no server.
func lockEvent(before, after *lockfile.LockedServer) pagefacts.ServerEvent {
	var e pagefacts.ServerEvent
	for _, kind := range schema.Kinds() {
		then, now := before.Items(kind), after.Items(kind)
		for _, name := range slices.Sorted(maps.Keys(now)) {
			switch old, ok := then[name]; {
			case !ok:
				e.Added = append(e.Added, name)
			case old.Contract != now[name].Contract:
				e.Changed = append(e.Changed, name)
			case old.Full != now[name].Full:
				e.Reworded++
			}
		}
		for _, name := range slices.Sorted(maps.Keys(then)) {
			if _, ok := now[name]; !ok {
				e.Removed = append(e.Removed, name)
			}
		}
	}
	return e
}

// pastVerdict returns the severity of a server's changes by today's rules; "" if they are harmless or a
// snapshot is missing.
func pastVerdict(ctx context.Context, j judging.Judge, name string, before, after *schema.Snapshot) string {
	if before == nil || after == nil {
		return ""
	}
	found, err := j.Compare(ctx, judging.Comparison{Name: name, Before: before, After: after})
	if err != nil || found.Verdict == drift.Unchanged {
		return ""
	}
	return string(found.Verdict)
}

// Changes returns the change log from one lock to another. Each is a git revision, a lock, or a folder
// with one; an empty to is the lock of the project. No server is started.
func Changes(ctx context.Context, in *inputs.Servers, from, to string) (*report.Log, error) {
	var sides [2]*locks.Other
	for i, where := range []string{from, to} {
		file := where
		if file == "" {
			file = filepath.Join(in.Root, locks.Name)
		}
		o, err := locks.Elsewhere(ctx, in.Root, in.Project.Output, in.Tree, file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cmp.Or(where, locks.Name), err)
		}
		sides[i] = o
	}
	out := &report.Log{From: from, To: cmp.Or(to, locks.Name)}
	before, after := sides[0], sides[1]
	found, j := &drift.Report{}, judging.Of(in.Project, in.Lock, judging.Flags{})
	names := maps.Clone(before.Lock.Servers)
	maps.Copy(names, after.Lock.Servers)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, is := before.Lock.Servers[name], after.Lock.Servers[name]
		switch {
		case was == nil:
			out.New = append(out.New, name)
			continue
		case is == nil:
			out.Gone = append(out.Gone, name)
			continue
		}
		s, err := j.Compare(ctx, judging.Comparison{Name: name, Before: before.Snapshots[name], After: after.Snapshots[name],
			LaunchBefore: was.Launch, LaunchAfter: is.Launch, RanBefore: was.Artifact, RanAfter: is.Artifact})
		if err != nil {
			return nil, err
		}
		found.Servers = append(found.Servers, s)
	}
	out.Report = report.Of(drift.Join(found))
	err := countAPI(ctx, in, before, after, out)
	return out, err
}

// countAPI adds the names that the Go packages lost and gained. For a server that is no longer configured
// no package is generated.
func countAPI(ctx context.Context, in *inputs.Servers, before, after *locks.Other, out *report.Log) error {
	now, _, err := Sides(ctx, in, nil)
	if err != nil {
		return exit.Unless(ctx, err)
	}
	then, later := asLockedThen(in, now, before), asLockedThen(in, now, after)
	lost, err := impact.Source(ctx, then, later)
	if err != nil {
		return exit.Unless(ctx, err)
	}
	for _, server := range slices.Sorted(maps.Keys(lost)) {
		for _, c := range lost[server] {
			out.Lost = append(out.Lost, c.Message)
		}
	}
	was, err := generator.Symbols(ctx, then)
	is, laterErr := generator.Symbols(ctx, later)
	if err := errors.Join(err, laterErr); err != nil {
		return exit.Unless(ctx, err)
	}
	known := map[string]bool{}
	for _, s := range was {
		for _, symbol := range s.Symbols {
			known[s.Server+"."+symbol.Go] = true
		}
	}
	for _, s := range is {
		for _, symbol := range s.Symbols {
			if !known[s.Server+"."+symbol.Go] {
				out.Got++
			}
		}
	}
	return nil
}
