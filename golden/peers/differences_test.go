//go:build peers

package peers

// The table of differences between a gateway and a server: testdata/differences.txt.

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// difference is one, of what one client sees.
type difference struct {
	run
	step, at        string // at is a JSON pointer
	direct, through string
}

func (d difference) String() string {
	return strings.Join([]string{d.client, d.transport, d.revision, d.server, d.step, d.at, d.direct, d.through}, " | ")
}

// compareRuns returns the differences of what a client saw.
func compareRuns(r run, direct, through seen) (all []difference) {
	steps := slices.Sorted(maps.Keys(direct))
	for step := range through {
		if _, ok := direct[step]; !ok {
			steps = append(steps, step)
		}
	}
	for _, step := range steps {
		var walk func(at string, direct, through any)
		walk = func(at string, direct, through any) {
			if reflect.DeepEqual(direct, through) {
				return
			}
			a, isObject := direct.(map[string]any)
			b, both := through.(map[string]any)
			if isObject && both {
				for key := range maps.Keys(a) {
					walk(at+"/"+key, a[key], b[key])
				}
				for key := range maps.Keys(b) {
					if _, known := a[key]; !known {
						walk(at+"/"+key, nil, b[key])
					}
				}
				return
			}
			x, isList := direct.([]any)
			y, both := through.([]any)
			// A client drops progress that it reads together with the result, and under load some
			// repeat it over HTTP: only what comes through the gateway has to grow.
			if isList && both && path.Base(at) == "progress" && len(x) > 0 && grows(y) {
				first, _ := x[0].(map[string]any)
				walk(at+"/total", first["total"], y[0].(map[string]any)["total"])
				return
			}
			if isList && both && named(x) != nil && named(y) != nil {
				walk(at, named(x), named(y))
				return
			}
			if isList && both && len(x) == len(y) {
				for i := range x {
					walk(fmt.Sprint(at, "/", i), x[i], y[i])
				}
				return
			}
			all = append(all, difference{r, step, at, brief(direct), brief(through)})
		}
		walk("", direct[step], through[step])
	}
	return all
}

// grows reports whether a list is of progress, each more than the one before it.
func grows(list []any) bool {
	last := -1.0
	for _, item := range list {
		o, _ := item.(map[string]any)
		progress, ok := o["progress"].(float64)
		if !ok || progress <= last {
			return false
		}
		last = progress
	}
	return len(list) > 0
}

// named returns the items of a listing by their names; nil if the list is none.
func named(list []any) map[string]any {
	by := map[string]any{}
	for _, item := range list {
		o, _ := item.(map[string]any)
		name, ok := o["name"].(string)
		if !ok {
			return nil
		}
		by[name] = item
	}
	if len(by) != len(list) || len(list) == 0 {
		return nil
	}
	return by
}

// brief is a value on one line; of a long one, the beginning.
func brief(v any) string {
	if v == nil {
		return "-"
	}
	var data strings.Builder
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // it was decoded
	text := []rune(strings.ReplaceAll(strings.TrimSpace(data.String()), "|", "¦"))
	if len(text) > 90 {
		text = append(text[:90], '…')
	}
	return string(text)
}

// row is a row of the table: a difference that is meant. Each column but the reason may
// be *, or several values with commas between them.
type row struct {
	columns []string // in the order of difference
	reason  string
	line    int
}

func rows(t *testing.T) (all []row) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "differences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, " | ")
		if len(columns) != 9 {
			t.Fatalf("differences.txt:%d: %d columns, want 9", i+1, len(columns))
		}
		for j := range columns {
			columns[j] = strings.TrimSpace(columns[j])
		}
		all = append(all, row{columns[:8], columns[8], i + 1})
	}
	return all
}

// matches reports whether the first columns of the row match. A place in it that ends in *
// has what is below it, too.
func (r row) matches(columns ...string) bool {
	for i, want := range columns {
		got := r.columns[i]
		fits := got == "*" || got == want
		if i < 5 {
			fits = fits || slices.Contains(strings.Split(got, ","), want)
		} else if i == 5 && !fits {
			fits, _ = path.Match(got, want)
			fits = fits || strings.HasSuffix(got, "*") && strings.HasPrefix(want, strings.TrimSuffix(got, "*"))
		}
		if !fits {
			return false
		}
	}
	return true
}

// judge fails on differences that are not in the table, and on rows of it without one.
func judge(t *testing.T, direct, through map[run]seen) {
	t.Helper()
	table := rows(t)
	others := map[string][]run{}
	used, tried := map[int]bool{}, map[int]bool{}
	for _, r := range slices.SortedFunc(maps.Keys(through), func(a, b run) int { return strings.Compare(a.String(), b.String()) }) {
		want, ok := direct[r]
		if !ok {
			want, ok = direct[run{r.client, "stdio", r.revision, r.server}]
		}
		if !ok {
			t.Errorf("%s: nothing was seen directly", r)
			continue
		}
		for _, row := range table {
			if row.matches(r.client, r.transport, r.revision, r.server) {
				tried[row.line] = true
			}
		}
		for _, d := range compareRuns(r, want, through[r]) {
			meant := false
			for _, row := range table {
				if row.matches(d.client, d.transport, d.revision, d.server, d.step, d.at, d.direct, d.through) {
					used[row.line], meant = true, true
				}
			}
			if !meant {
				key := strings.Join([]string{d.step, d.at, d.direct, d.through}, " | ")
				others[key] = append(others[key], d.run)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(others)) {
		t.Errorf("not in the table: %s | %s", together(others[key]), key)
	}
	for _, row := range table {
		if tried[row.line] && !used[row.line] {
			t.Errorf("differences.txt:%d: nothing differs so any more: %s", row.line, strings.Join(row.columns, " | "))
		}
	}
}

// together returns the first columns of a row for several runs.
func together(runs []run) string {
	var columns [4][]string
	for _, r := range runs {
		for i, value := range []string{r.client, r.transport, r.revision, r.server} {
			if !slices.Contains(columns[i], value) {
				columns[i] = append(columns[i], value)
			}
		}
	}
	var text []string
	for _, values := range columns {
		slices.Sort(values)
		text = append(text, strings.Join(values, ","))
	}
	return strings.Join(text, " | ")
}
