// Package fleet runs the check of many projects: some at a time, in shards, and again from where it was interrupted.
package fleet

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config"
)

// Bounds of a fleet.
const (
	maxFleetFile    = 4 << 20
	maxFleet        = 100_000 // projects
	maxOutcome      = 64 << 20
	defaultParallel = 4 // projects at the same time
)

// Fleet is a list of projects.
type Fleet struct {
	Projects []Project
	Parallel int // projects at the same time
}

// Project is a project of a fleet.
type Project struct {
	Name   string // slash path of its folder, as in the file
	Config string // path of its mcpgen.yaml
}

// Outcome is the result of the check of a project.
type Outcome struct {
	Project string          `json:"project"`
	Code    int             `json:"code"` // exit code of its check
	Seconds float64         `json:"seconds"`
	Report  json.RawMessage `json:"report,omitempty"` // of check --format json; absent if the check could not begin
	Errors  string          `json:"errors,omitempty"` // what check prints on standard error

	kept
}

// kept is the part of an outcome that only the file of a run has.
type kept struct {
	Text  string    `json:"text,omitempty"`  // the report in the format of the run
	State string    `json:"state,omitempty"` // hash of what was checked, and how
	At    time.Time `json:"at,omitzero"`
}

// Load reads a fleet file: projects are folders, or patterns of folders, relative to the file.
func Load(path string) (*Fleet, error) {
	data, err := regular.ReadFile(path, maxFleetFile)
	if err != nil {
		return nil, err
	}
	var file struct {
		Projects []string `json:"projects"`
		Parallel int      `json:"parallel,omitempty"`
	}
	r := &tree.Report{Path: path}
	if root := tree.ParseYAML(r, data); root != nil {
		d := tree.Decoder{Report: r}
		d.Decode(root, "", &file)
	}
	err = r.Err()
	if len(file.Projects) == 0 {
		err = hint.With(err, "write a list of folders, such as projects: [services/*, agent]")
	}
	if err != nil {
		return nil, err
	}
	if file.Parallel < 0 || file.Parallel > 64 {
		return nil, hint.With(fmt.Errorf("%s: parallel is %d", path, file.Parallel), "write a number from 1 to 64")
	}
	f := &Fleet{Parallel: file.Parallel}
	if f.Parallel == 0 {
		f.Parallel = defaultParallel
	}
	dir := filepath.Dir(path)
	for _, pattern := range file.Projects {
		folders, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, fmt.Errorf("%s: projects: %q: %w", path, pattern, err)
		}
		found := false
		for _, folder := range folders {
			if at, err := config.Find(folder); err == nil && absolute(filepath.Dir(at)) == absolute(folder) {
				f.add(dir, folder, at)
				found = true
			}
		}
		if !found {
			return nil, hint.With(fmt.Errorf("%s: projects: %q: no folder with an mcpgen.yaml", path, pattern),
				"correct it, or remove it")
		}
	}
	if n := len(f.Projects); n == 0 || n > maxFleet {
		return nil, hint.With(fmt.Errorf("%s: it has %d projects", path, n), fmt.Sprintf("list 1 to %d projects", maxFleet))
	}
	slices.SortFunc(f.Projects, func(a, b Project) int { return strings.Compare(a.Name, b.Name) })
	f.Projects = slices.Compact(f.Projects)
	return f, nil
}

func (f *Fleet) add(dir, folder, at string) {
	name, err := filepath.Rel(dir, folder)
	if err != nil {
		name = folder
	}
	if rel, err := filepath.Rel(absolute("."), absolute(at)); err == nil && filepath.IsLocal(rel) {
		at = rel // for next steps
	}
	f.Projects = append(f.Projects, Project{filepath.ToSlash(name), at})
}

// Shard keeps part i of n, such as "2/8": every n-th project from the i-th one. "" keeps all.
func (f *Fleet) Shard(part string) error {
	if part == "" {
		return nil
	}
	first, of, _ := strings.Cut(part, "/")
	i, err := strconv.Atoi(first)
	n, err2 := strconv.Atoi(of)
	if err != nil || err2 != nil || i < 1 || i > n {
		return hint.With(fmt.Errorf("--shard: %q is not a shard", part), "write the second of eight shards as 2/8")
	}
	var own []Project
	for k := i - 1; k < len(f.Projects); k += n {
		own = append(own, f.Projects[k])
	}
	f.Projects = own
	return nil
}

// Run checks the projects, and returns the outcomes in their order. File, if it is not "", keeps the outcomes
// of a run that ends early: the next run takes those without a finding from there, unless how, the lock or the
// configuration has changed. A run that reached all servers removes it. Oldest is the time of the oldest outcome
// that was taken from there. Progress is called after each check.
func (f *Fleet) Run(
	ctx context.Context, file, how string, one func(context.Context, Project) Outcome, progress func(),
) (all []Outcome, oldest time.Time, err error) {
	before, err := readOutcomes(file)
	if err != nil {
		return nil, oldest, err
	}
	var keep *os.File
	if file != "" {
		if keep, err = os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
			return nil, oldest, err
		}
		defer keep.Close()
	}
	all = make([]Outcome, len(f.Projects))
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(f.Parallel)
	for i, p := range f.Projects {
		state := stateOf(p, how)
		if old, ok := before[p.Name]; ok && old.State == state && old.Code == exit.OK {
			if all[i] = old; oldest.IsZero() || old.At.Before(oldest) {
				oldest = old.At
			}
			continue
		}
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			began := time.Now()
			o := one(ctx, p)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			o.Project, o.Seconds, o.State, o.At = p.Name, float64(time.Since(began).Milliseconds())/1000, state, began.UTC()
			mu.Lock()
			defer mu.Unlock()
			progress()
			if all[i] = o; keep == nil {
				return nil
			}
			line, err := json.Marshal(o)
			if err == nil {
				_, err = keep.Write(append([]byte{'\n'}, line...)) // ends a line that was not written whole
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, oldest, err
	}
	if keep != nil && !slices.ContainsFunc(all, func(o Outcome) bool { return o.Code == exit.Server }) {
		err = os.Remove(file)
	}
	return all, oldest, err
}

// readOutcomes reads what a run has left, the last outcome of each project. A line that was not written whole is
// none.
func readOutcomes(file string) (map[string]Outcome, error) {
	out := map[string]Outcome{}
	if file == "" {
		return out, nil
	}
	r, err := regular.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxOutcome)
	for lines.Scan() {
		var o Outcome
		if json.Unmarshal(lines.Bytes(), &o) == nil {
			out[o.Project] = o
		}
	}
	if err := lines.Err(); err != nil {
		return nil, hint.With(fmt.Errorf("%s: %w", file, err), "remove the file, then run the command again")
	}
	return out, nil
}

// stateOf hashes the configuration and the lock of a project, and how it is checked.
func stateOf(p Project, how string) string {
	h := sha256.New()
	for _, path := range []string{p.Config, filepath.Join(filepath.Dir(p.Config), locks.Name)} {
		data, err := regular.ReadFile(path, maxOutcome)
		fmt.Fprintf(h, "%d %t %s\n", len(data), err == nil, data)
	}
	fmt.Fprintln(h, how)
	return hex.EncodeToString(h.Sum(nil))
}

// WorstCode returns the exit code of a fleet.
func WorstCode(all []Outcome) int {
	code := exit.OK
	for _, o := range all {
		code = exit.Worst(code, o.Code)
	}
	return code
}

func absolute(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	return abs
}
