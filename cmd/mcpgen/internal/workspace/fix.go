package workspace

// This file rewrites the user's code after servers gave their tools other names.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/natefinch/atomic"
	"github.com/rogpeppe/go-internal/diff"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// FixOptions are the flags of fix.
type FixOptions struct {
	Against string // what the code was written for: a revision or a file; "" finds it
	DryRun  bool   // write nothing
	// Renamed are tools that have another name even if that is not likely: OLD=NEW, with
	// the server before OLD where several have it. A member has its server and its tool
	// before it: SERVER/TOOL/OLD=NEW.
	Renamed []string
}

// FixReport says what was rewritten.
type FixReport struct {
	Against string          // what the names are compared with, in words
	Files   []string        // that were rewritten, or would be
	Diff    []byte          // unified, of all of them
	Left    []report.Unseen // what could not be read, and what does not compile even then
	Maybe   []string        // what Renamed may name
}

// Fix rewrites the lines of the module that use names which are other ones since the
// lock was what the options say. The errors are the user's side.
func (w *Workspace) Fix(ctx context.Context, o FixOptions) (*FixReport, error) {
	then, where, err := w.then(ctx, o.Against)
	if err != nil {
		return nil, unless(ctx, err)
	}
	now, _, err := w.sides(ctx, nil)
	if err != nil {
		return nil, unless(ctx, err)
	}
	before := w.asLockedThen(now, then)
	sure, err := toolRenames(o.Renamed, before, now)
	if err != nil {
		return nil, err
	}
	fixed, err := impact.Fix(ctx, impact.Options{Dir: w.Root, Root: w.repository(), Before: before, After: now}, sure...)
	if err != nil {
		return nil, unless(ctx, err)
	}
	out := &FixReport{Against: where}
	out.Left = unseen(fixed.Problems, nil)
	for _, r := range fixed.Maybe {
		out.Maybe = append(out.Maybe, r.String())
	}
	for _, r := range fixed.Rewrites {
		if !o.DryRun {
			if err := rewrite(r); err != nil {
				out.Left = append(out.Left, report.Unseen{File: r.File, Reason: "left as it was: " + err.Error()})
				continue
			}
		}
		out.Files = append(out.Files, r.File)
		out.Diff = append(out.Diff, diff.Diff("a/"+r.File, r.Before, "b/"+r.File, r.After)...)
	}
	return out, nil
}

// rewrite writes one file, as a whole or not at all. A file that nobody may write, such as
// one that a version control system locks, stays as it is.
func rewrite(r impact.Rewrite) error {
	path, err := filepath.EvalSymlinks(r.Path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o222 == 0 {
		return hint.New("it is read-only", "make it writable, then run mcpgen fix again")
	}
	return atomic.WriteFile(path, bytes.NewReader(r.After))
}

// toolRenames reads OLD=NEW, SERVER/OLD=NEW and SERVER/TOOL/OLD=NEW.
func toolRenames(given []string, before, after generator.Options) ([]impact.ToolRename, error) {
	var out []impact.ToolRename
	for _, text := range given {
		var found []impact.ToolRename
		for _, s := range before.Servers {
			rest := strings.TrimPrefix(text, s.Name+"/")
			for _, tool := range s.Snapshot.Tools {
				if to, ok := strings.CutPrefix(rest, tool.Name+"="); ok && offers(after, s.Name, to) {
					found = append(found, impact.ToolRename{Server: s.Name, Before: tool.Name, After: to})
				}
				if member, ok := strings.CutPrefix(text, s.Name+"/"+tool.Name+"/"); ok {
					if was, is, _ := strings.Cut(member, "="); declares(before, s.Name, tool.Name, was) && declares(after, s.Name, tool.Name, is) {
						found = append(found, impact.ToolRename{Server: s.Name, Tool: tool.Name, Before: was, After: is})
					}
				}
			}
		}
		if len(found) != 1 {
			return nil, hint.With(fmt.Errorf("--rename %s: %s had the first tool and have the second one now",
				text, safetext.Count(len(found), "server")), "write SERVER/OLD=NEW for a tool, SERVER/TOOL/OLD=NEW for a member, with the names that mcpgen list shows")
		}
		out = append(out, found[0])
	}
	return out, nil
}

// offers reports whether a server has a tool.
func offers(o generator.Options, server, tool string) bool {
	return slices.ContainsFunc(o.Servers, func(s generator.Server) bool {
		return s.Name == server && slices.ContainsFunc(s.Snapshot.Tools, func(t schema.Item) bool { return t.Name == tool })
	})
}

// declares reports whether arguments or results of a tool have a member.
func declares(o generator.Options, server, tool, member string) bool {
	return slices.ContainsFunc(o.Servers, func(s generator.Server) bool {
		return s.Name == server && slices.ContainsFunc(s.Snapshot.Tools, func(t schema.Item) bool {
			var d struct {
				Arguments struct{ Properties map[string]json.RawMessage } `json:"inputSchema"`
				Results   struct{ Properties map[string]json.RawMessage } `json:"outputSchema"`
			}
			return t.Name == tool && json.Unmarshal(t.Raw, &d) == nil && (d.Arguments.Properties[member] != nil || d.Results.Properties[member] != nil)
		})
	})
}

// asLockedThen are the options for what was locked elsewhere, of the servers that are
// there now, with the packages where they were. Result schemas that are not in the files
// any more type nothing.
func (w *Workspace) asLockedThen(now generator.Options, then *other) generator.Options {
	before := now
	before.Servers = nil
	for _, s := range now.Servers {
		if then.snapshots[s.Name] == nil || then.lock == nil || then.lock.Servers[s.Name] == nil {
			continue
		}
		locked := *then.lock.Servers[s.Name]
		s.Snapshot, s.Locked = then.snapshots[s.Name], &locked
		s.Results = w.lockedBefore(s.Name, s.Snapshot, &locked)
		locked.Tools = maps.Clone(locked.Tools)
		for name, item := range locked.Tools {
			if _, ok := s.Results[name]; !ok {
				item.Result = lockfile.LockedResult{}
				locked.Tools[name] = item
			}
		}
		if folder := then.folders[s.Name]; folder != "" {
			s.Package = path.Base(folder)
		}
		before.Servers = append(before.Servers, s)
	}
	if folder := w.oldOutput(then); folder != "" {
		before.Output, before.ImportPath = folder, strings.TrimSuffix(now.ImportPath, now.Output)+folder
	}
	return before
}

// moved reports whether a server had another package, in the same folder.
func (w *Workspace) moved(then *other, server string) bool {
	folder := then.folders[server]
	return folder != "" && path.Dir(folder) == w.Project.Output && w.packages[server] != "" && path.Base(folder) != w.packages[server]
}

// oldOutput is the folder that the packages were in, if they are in another one now;
// else "".
func (w *Workspace) oldOutput(then *other) string {
	for _, name := range slices.Sorted(maps.Keys(then.folders)) {
		if folder := path.Dir(then.folders[name]); folder != w.Project.Output {
			return folder
		}
	}
	return ""
}

// then reads what the code was written for, and says what that is: what is named, the
// commit that is checked out if it has another lock, what the last update replaced, or
// what the last commit that changed the lock replaced.
func (w *Workspace) then(ctx context.Context, against string) (*other, string, error) {
	if against != "" {
		o, err := w.elsewhere(ctx, against)
		if err != nil {
			return nil, "", fmt.Errorf("--against %s: %w", against, err)
		}
		return o, against, nil
	}
	lock, err := w.tree.ReadFile(LockName)
	if err != nil {
		return nil, "", hint.With(fmt.Errorf("%s: %w", LockName, err), "run mcpgen generate")
	}
	if head, err := w.git(ctx, "cat-file", "blob", "HEAD:./"+LockName); err == nil {
		o, err := w.fromGit(ctx, "HEAD")
		moved := o != nil && slices.ContainsFunc(slices.Collect(maps.Keys(o.folders)), func(name string) bool { return w.moved(o, name) })
		if moved = moved || o != nil && w.oldOutput(o) != ""; moved || !bytes.Equal(head, lock) {
			return o, "HEAD", err
		}
	}
	if o := w.replaced(); o != nil {
		return o, "what was replaced last", nil
	}
	if commit, err := w.git(ctx, "log", "-n", "1", "--format=%H", "--", LockName); err == nil && len(bytes.TrimSpace(commit)) > 0 {
		before := string(bytes.TrimSpace(commit)) + "^"
		if o, err := w.fromGit(ctx, before); err == nil {
			return o, before, nil
		}
	}
	return nil, "", hint.New("nothing says which names the code was written for", "pass --against with a git revision, an older mcpgen.lock, or a folder that has one")
}
