// Command mutants breaks the code on purpose, one change at a time in a copy of the
// project, and runs the test that is named beside each change: it has to fail. A change
// that its test does not notice is a promise that nobody keeps.
//
// A mutant is a file of golden/mutants/SET/*.txtar. Its first line is the promise, as it
// begins in SECURITY.md for the set promises; the second is "PACKAGE TEST", the command
// that has to fail; what follows is the change: a section "FILE before" and one "FILE
// after" for each place, where the text before stands once in FILE.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	set := flag.String("set", "", "the set of mutants; empty means all")
	run := flag.String("run", "", "only mutants whose name contains this")
	part := flag.String("part", "1/1", "which of them: 3/10 is the third tenth")
	flag.Parse()
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt)
	defer end()
	if err := mutate(ctx, *set, *run, *part); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		end()
		os.Exit(1)
	}
}

// mutate runs the chosen mutants, and fails if one of them survives.
func mutate(ctx context.Context, set, run, part string) error {
	var k, n int
	if _, err := fmt.Sscanf(part, "%d/%d", &k, &n); err != nil || n < 1 || k < 1 || k > n {
		return fmt.Errorf("-part %q: want K/N, such as 3/10", part)
	}
	all, err := Load(".", set)
	if err != nil {
		return err
	}
	copied, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(copied)
	if err := copyProject(ctx, copied); err != nil {
		return err
	}
	var alive []string
	count := 0
	for i, m := range all {
		if i%n != k-1 || !strings.Contains(m.Name, run) {
			continue
		}
		count++
		from := time.Now()
		verdict, err := m.run(ctx, copied)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		fmt.Printf("%-9s %-40s %-28s %4.0f s\n", verdict, m.Name, m.Test, time.Since(from).Seconds())
		if verdict != killed {
			alive = append(alive, m.Name)
		}
	}
	fmt.Printf("%d of %d mutants killed\n", count-len(alive), count)
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
	unbuilt  = "UNBUILT" // the change does not compile: it proves nothing
)

// run applies the mutant in a copy, runs its test, and takes the change back.
func (m Mutant) run(ctx context.Context, dir string) (string, error) {
	for _, e := range m.Edits {
		path := filepath.Join(dir, e.File)
		before, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		defer os.WriteFile(path, before, 0o666) //nolint:errcheck // the next mutant of this file fails to apply then
		if err := os.WriteFile(path, bytes.Replace(before, e.Before, e.After, 1), 0o666); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-short", "-timeout=2m", "-run", m.pattern(), m.Package)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-vet=off -buildvcs=false")
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil && bytes.Contains(out, []byte("no tests to run")):
		return "", fmt.Errorf("%s has no test %s", m.Package, m.Test)
	case err == nil:
		return survived, nil
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		os.Stderr.Write(out)
		return unbuilt, nil
	}
	return killed, nil
}
