package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// fleetOf makes n projects, and a fleet of them.
func fleetOf(t *testing.T, n int) *Fleet {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		folder := filepath.Join(dir, fmt.Sprintf("p%03d", i))
		if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "mcpgen.yaml"), []byte("version: 1\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "fleet.yaml")
	if err := os.WriteFile(file, []byte("projects: [p*, p000]\nparallel: 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What check --fleet --format json prints fits its schema, which has that of a report in it.
func TestFleetSchema(t *testing.T) {
	one, err := validate.New(report.FleetSchema())
	if err != nil {
		t.Fatal(err)
	}
	for text, fits := range map[string]bool{`{"verdict":"unchanged","servers":[]}`: true, `{"verdict":"fine","servers":[]}`: false} {
		data, err := json.Marshal(map[string]any{"code": 2, "projects": []Outcome{
			{Project: "a", Code: exit.Usage, Errors: "error: x"}, {Project: "b", Seconds: 0.5, Report: json.RawMessage(text)},
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := one.Validate(data); (err == nil) != fits {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// Shards are a partition, whatever their number.
func TestFleetShards(t *testing.T) {
	f := fleetOf(t, 10)
	for n := 1; n <= 12; n++ {
		var all []Project
		for i := 1; i <= n; i++ {
			part := *f
			if err := part.Shard(fmt.Sprintf("%d/%d", i, n)); err != nil {
				t.Fatal(err)
			}
			all = append(all, part.Projects...)
		}
		slices.SortFunc(all, func(a, b Project) int { return slices.Compare([]byte(a.Name), []byte(b.Name)) })
		if !slices.Equal(all, f.Projects) {
			t.Errorf("%d shards: %v", n, all)
		}
	}
	for _, wrong := range []string{"0/2", "3/2", "1", "a/b", "1/0"} {
		if err := f.Shard(wrong); err == nil {
			t.Errorf("%s: no error", wrong)
		}
	}
}

// A run that ends early loses nothing that was done, and no more than three projects are checked at a time.
func TestFleetResumes(t *testing.T) {
	f, file := fleetOf(t, 20), filepath.Join(t.TempDir(), "run")
	var now, most, checked atomic.Int64
	run := func(ctx context.Context, end func(i int64), code int) ([]Outcome, error) {
		checked.Store(0)
		all, _, err := f.Run(ctx, file, "how", func(context.Context, Project) Outcome {
			for n := now.Add(1); ; {
				if old := most.Load(); old >= n || most.CompareAndSwap(old, n) {
					break
				}
			}
			defer now.Add(-1)
			end(checked.Add(1))
			return Outcome{Code: code}
		}, func() {})
		return all, err
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := run(ctx, func(i int64) {
		if i == 8 {
			cancel()
		}
	}, exit.OK)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	data, err := os.ReadFile(file)
	if err == nil { // as if the machine had stopped while it wrote
		err = os.WriteFile(file, append(data, "\n{\"project\": \"p0"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	// What was changed since is checked again.
	if err := os.WriteFile(f.Projects[0].Config, []byte("version: 1\nfakes: false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := run(t.Context(), func(int64) {}, exit.Server)
	if err != nil || len(all) != 20 || checked.Load() < 12 || checked.Load() > 16 || most.Load() > 3 {
		t.Errorf("%d outcomes, %d checked, %d at a time, %v", len(all), checked.Load(), most.Load(), err)
	}
	if WorstCode(all) != exit.Server {
		t.Errorf("code %d", WorstCode(all))
	}
	// Those that could not be reached are checked again, and the file is gone with the last one.
	before := checked.Load()
	if all, err = run(t.Context(), func(int64) {}, exit.OK); err != nil || checked.Load() != before || WorstCode(all) != exit.OK {
		t.Errorf("%d checked, %v", checked.Load(), err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	// A finding is checked again as well: the repair may be in the code, which is not part of the state.
	codes := func(finding int) func(context.Context, Project) Outcome {
		return func(_ context.Context, p Project) Outcome {
			checked.Add(1)
			switch p.Name {
			case "p000":
				return Outcome{Code: finding}
			case "p001":
				return Outcome{Code: exit.Server}
			}
			return Outcome{}
		}
	}
	for i, want := range []int64{20, 2} {
		checked.Store(0)
		all, _, err := f.Run(t.Context(), file, "how", codes([]int{exit.Finding, exit.OK}[i]), func() {})
		if err != nil || checked.Load() != want || all[0].Code != []int{exit.Finding, exit.OK}[i] {
			t.Errorf("run %d: %d checked, code %d, %v", i, checked.Load(), all[0].Code, err)
		}
	}
	if err := os.Remove(file); err != nil { // p001 is still unknown
		t.Error(err)
	}
}
