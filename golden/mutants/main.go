// Command mutants breaks the code on purpose, one change at a time in a copy of the
// project, and runs the test that is named beside each change: it passes without the
// change, and has to fail with it. A change that its test does not notice is a promise that
// nobody keeps.
//
// A file of golden/mutants/SET/*.txtar holds the mutants of one promise, system or room,
// which its first line names. A section is a mutant:
//
//	-- NAME PACKAGE TEST --
//	FILE
//	-text before, which stands once in FILE
//	+text after
//
// Without TEST it is TestSeed/NAME. A section that is a name alone holds the reason why no
// change of the code can break it. Changes inside functions stand in the copy side by side
// and are switched on one by one, so that a package is built once for all of them.
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// options are what the command is asked for.
type options struct {
	set, run    string
	part, parts int
	verbose     bool
	build       bool
}

func main() {
	var o options
	flag.StringVar(&o.set, "set", "", "the set of mutants; empty means all")
	flag.StringVar(&o.run, "run", "", "only mutants that a `PATTERN` matches, as NAME PACKAGE")
	flag.BoolVar(&o.verbose, "v", false, "print what the tests say that fail")
	flag.BoolVar(&o.build, "build", false, "only build the project with all of its mutants")
	part := flag.String("part", "1/1", "which of them: 3/10 is the third tenth")
	flag.Parse()
	if _, err := fmt.Sscanf(*part, "%d/%d", &o.part, &o.parts); err != nil || o.part < 1 || o.part > o.parts {
		fmt.Fprintf(os.Stderr, "mutants: -part %q: want K/N, such as 3/10\n", *part)
		os.Exit(2)
	}
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt)
	defer end()
	if err := mutate(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		end()
		os.Exit(1)
	}
}

// bench is the copy of the project in which mutants run.
type bench struct {
	dir, on string // on is the file that names the mutant which is switched on
	verbose bool
	tests   map[string]string // the tests that are built, by package
	passed  map[string]bool   // those that passed without a change, by package and name
}

// mutate runs the chosen mutants, and fails if one of them survives.
func mutate(ctx context.Context, o options) error {
	all, err := Load(".", o.set)
	if err != nil {
		return err
	}
	chooses, err := regexp.Compile(o.run)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	var kept []Mutant
	for _, m := range all {
		if m.Reason != "" {
			fmt.Printf("%-9s %-40s %s\n", "no change", m.Name, m.Reason)
		} else if chooses.MatchString(m.Name + " " + m.Package) {
			kept = append(kept, m)
		}
	}
	// A part has the mutants of few packages, so that few are built for it.
	slices.SortStableFunc(kept, func(a, b Mutant) int { return strings.Compare(a.Package, b.Package) })
	chosen := kept[len(kept)*(o.part-1)/o.parts : len(kept)*o.part/o.parts]
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	// The same folder each time: the path of the switch is in what the build cache keeps.
	b := bench{verbose: o.verbose, tests: map[string]string{}, passed: map[string]bool{}}
	b.dir = filepath.Join(os.TempDir(), fmt.Sprintf("mutants-%x", sha256.Sum256([]byte(root)))[:16])
	b.on = filepath.Join(b.dir, ".mutant")
	defer os.RemoveAll(b.dir)
	if err := errors.Join(os.RemoveAll(b.dir), copyProject(ctx, b.dir)); err != nil {
		return err
	}
	alone, err := Switches(b.dir, b.on, kept)
	if err != nil {
		return err
	}
	if o.build {
		return b.buildAll(ctx, alone)
	}
	var alive []string
	for _, m := range chosen {
		from := time.Now()
		own := slices.ContainsFunc(alone, func(a Mutant) bool { return a.Name == m.Name })
		verdict, err := b.run(ctx, m, own)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		fmt.Printf("%-9s %-40s %-28s %5.1f s\n", verdict, m.Name, m.Test, time.Since(from).Seconds())
		if verdict != killed {
			alive = append(alive, m.Name)
		}
	}
	fmt.Printf("%d of %d mutants killed\n", len(chosen)-len(alive), len(chosen))
	if len(alive) > 0 {
		return fmt.Errorf("not noticed by the test that is named: %s", strings.Join(alive, ", "))
	}
	return nil
}

// copyProject copies the files that git knows, as they are here.
func copyProject(ctx context.Context, to string) error {
	list, err := exec.CommandContext(ctx, "git", "ls-files", "-z").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		info, err := os.Lstat(name)
		if errors.Is(err, os.ErrNotExist) {
			continue // removed here, and not yet in git
		}
		target := filepath.Join(to, name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(target), 0o777)
		}
		switch {
		case err != nil:
			return err
		case info.Mode()&os.ModeSymlink != 0:
			var leads string
			if leads, err = os.Readlink(name); err == nil {
				err = os.Symlink(leads, target)
			}
		default:
			var data []byte
			if data, err = os.ReadFile(name); err == nil {
				err = os.WriteFile(target, data, info.Mode().Perm())
			}
		}
		if err != nil {
			return err
		}
	}
	// Some tests ask git for the files of the project.
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=mutants", "-c", "user.email=mutants@localhost", "commit", "-qm", "copy"}} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = to
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

// The verdicts about a mutant.
const (
	killed   = "killed"
	survived = "SURVIVED"
	always   = "FAILS" // the test fails without the change, too: it proves nothing
)

// run tells whether the test of a mutant passes without it and fails with it.
func (b bench) run(ctx context.Context, m Mutant, alone bool) (string, error) {
	test, err := b.test(ctx, m.Package)
	if err != nil {
		return "", err
	}
	if before := m.Package + " " + m.Test; !b.passed[before] {
		if b.passed[before], err = b.passes(ctx, test, m); err != nil || !b.passed[before] {
			return always, err
		}
	}
	passed := false
	if alone {
		test += "-alone"
		err = b.changed(m, func() error { // also while it runs: a script may build the project
			err := b.build(ctx, m.Package, test)
			if err == nil {
				passed, err = b.passes(ctx, test, m)
			}
			return err
		})
	} else if err = os.WriteFile(b.on, []byte(m.Name), 0o666); err == nil {
		passed, err = b.passes(ctx, test, m)
		os.Remove(b.on)
	}
	if err != nil || passed {
		return survived, err
	}
	return killed, nil
}

// changed does something while the change of a mutant stands in the files.
func (b bench) changed(m Mutant, do func() error) error {
	for _, e := range m.Edits {
		path := filepath.Join(b.dir, e.File)
		before, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		defer os.WriteFile(path, before, 0o666) //nolint:errcheck // the next mutant of this file shows it
		if err := os.WriteFile(path, bytes.Replace(before, e.Before, e.After, 1), 0o666); err != nil {
			return err
		}
	}
	return do()
}

// buildAll builds all packages with the mutants that stand side by side, and the changed
// packages of the others one by one.
func (b bench) buildAll(ctx context.Context, alone []Mutant) error {
	failed := []error{b.compile(ctx, "./...")}
	for _, m := range alone {
		var rooms []string
		for _, e := range m.Edits {
			rooms = append(rooms, "./"+filepath.Dir(e.File))
		}
		if err := b.changed(m, func() error { return b.compile(ctx, rooms...) }); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", m.Name, err))
		}
	}
	return errors.Join(failed...)
}

// compile builds packages of the copy.
func (b bench) compile(ctx context.Context, pkgs ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"build"}, pkgs...)...)
	cmd.Dir = b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return cmp.Or(ctx.Err(), fmt.Errorf("%s: %w\n%s", strings.Join(pkgs, " "), err, out))
	}
	return nil
}

// test builds the tests of a package, once.
func (b bench) test(ctx context.Context, pkg string) (string, error) {
	if b.tests[pkg] == "" {
		to := filepath.Join(b.dir, ".tests", fmt.Sprint(len(b.tests)), "test")
		if err := b.build(ctx, pkg, to); err != nil {
			return "", err
		}
		b.tests[pkg] = to
	}
	return b.tests[pkg], nil
}

// build makes the tests of a package. A mutant that does not compile proves nothing, and
// ends the run: the compiler names its function.
func (b bench) build(ctx context.Context, pkg, to string) error {
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", to, pkg)
	cmd.Dir = b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return cmp.Or(ctx.Err(), fmt.Errorf("%s does not build with its mutants: %w\n%s", pkg, err, out))
	}
	return nil
}

// passes runs the test of a mutant.
func (b bench) passes(ctx context.Context, test string, m Mutant) (bool, error) {
	args, passed := m.arguments()
	cmd := exec.CommandContext(ctx, test, append(args, "-test.v", "-test.timeout=3m")...)
	cmd.Dir = filepath.Join(b.dir, m.Package)
	out, err := cmd.CombinedOutput()
	_, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil && !failed:
		return false, err
	case err == nil && !bytes.Contains(out, []byte(passed)):
		return false, fmt.Errorf("%s has no test %s that runs", m.Package, m.Test)
	case err != nil && b.verbose:
		os.Stdout.Write(out)
	}
	return err == nil, nil
}
