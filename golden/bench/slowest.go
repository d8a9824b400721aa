package main

// The slowest decisions: what check does with one changed tool, for each change that two
// corpora have.

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// change is one tool before and after.
type change struct {
	name          string
	before, after *schema.Snapshot
	rounds        sample // seconds of each round
}

// changeOf makes a change of two definitions.
func changeOf(name string, before, after json.RawMessage) (change, error) {
	c := change{name: name, before: &schema.Snapshot{Server: "s"}, after: &schema.Snapshot{Server: "s"}}
	for s, raw := range map[*schema.Snapshot]json.RawMessage{c.before: before, c.after: after} {
		item, err := schema.ParseItem(schema.KindTool, raw)
		if err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
		s.Tools = []schema.Item{item}
	}
	return c, nil
}

// releases are the tools of golden/corpus/releases and upgrades that have another
// definition in the later release.
func (b *bench) releases() ([]change, error) {
	corpus := filepath.Join(b.checkout, "golden", "corpus")
	releases, err := filepath.Glob(filepath.Join(corpus, "releases", "*.json.gz"))
	if err != nil {
		return nil, err
	}
	upgrades, err := filepath.Glob(filepath.Join(corpus, "upgrades", "*.json.gz"))
	if err != nil {
		return nil, err
	}
	var all []change
	for _, path := range slices.Concat(releases, upgrades) {
		var pair struct {
			Before, After struct{ Tools []json.RawMessage }
		}
		if err := readGzip(path, &pair); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		was := map[string]json.RawMessage{}
		for _, raw := range pair.Before.Tools {
			was[nameOf(raw)] = raw
		}
		for _, raw := range pair.After.Tools {
			name := nameOf(raw)
			if was[name] == nil || string(was[name]) == string(raw) {
				continue
			}
			c, err := changeOf(strings.TrimSuffix(filepath.Base(path), ".json.gz")+" "+name, was[name], raw)
			if err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	return all, nil
}

func nameOf(tool json.RawMessage) string {
	var t struct{ Name string }
	_ = json.Unmarshal(tool, &t) // changeOf reports what cannot be read
	return t.Name
}

func readGzip(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	return json.NewDecoder(r).Decode(into)
}

// suite changes each schema of JSON-Schema-Test-Suite into each other one of its file, as
// the result of a tool. The suite is in the module of jsonschema-go.
func (b *bench) suite(ctx context.Context) ([]change, error) {
	u, err := process.Run(ctx, b.checkout, nil, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go")
	if err != nil {
		return nil, err
	}
	var all []change
	for folder, dialect := range map[string]string{"draft7": "http://json-schema.org/draft-07/schema#", "draft2020-12": "https://json-schema.org/draft/2020-12/schema"} {
		paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(u.Stdout)), "jsonschema", "testdata", folder, "*.json"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			var groups []struct {
				Description string
				Schema      json.RawMessage
			}
			data, err := os.ReadFile(path)
			if err == nil {
				err = json.Unmarshal(data, &groups)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			for i, old := range groups {
				for k, now := range groups {
					if i == k {
						continue
					}
					c, err := changeOf(fmt.Sprintf("%s/%s: %s; %s", folder, filepath.Base(path), old.Description, now.Description), returning(old.Schema, dialect), returning(now.Schema, dialect))
					if err != nil {
						return nil, err
					}
					all = append(all, c)
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no file of the suite", strings.TrimSpace(string(u.Stdout)))
	}
	return all, nil
}

// returning is a tool whose results have a schema of a dialect.
func returning(result json.RawMessage, dialect string) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(result, &members) == nil && members["$schema"] == nil {
		members["$schema"] = fmt.Appendf(nil, "%q", dialect)
		result, _ = json.Marshal(members) // raw JSON always marshals
	}
	return fmt.Appendf(nil, `{"name":"t","inputSchema":{"type":"object"},"outputSchema":%s}`, result)
}

// slowest judges each change once, and those that took longest in as many rounds as other
// rows have: what the machine did beside it makes any of them slow once.
func (b *bench) slowest(ctx context.Context, what string, changes []change) ([]row, error) {
	if b.quick {
		changes = changes[:min(len(changes), 100)]
	}
	var once sample
	most, gaveUp := 0, 0
	for i := range changes {
		c := &changes[i]
		took, err := c.judge(ctx)
		if err != nil {
			return nil, err
		}
		once = append(once, took)
		c.rounds = sample{took}
		steps, over := c.steps(ctx)
		if most = max(most, steps); over {
			gaveUp++
		}
	}
	slices.SortFunc(changes, func(x, y change) int { return cmp.Compare(y.rounds[0], x.rounds[0]) })
	again := changes[:min(len(changes), 20)]
	for range b.rounds(7) {
		for i := range again {
			took, err := again[i].judge(ctx)
			if err != nil {
				return nil, err
			}
			again[i].rounds = append(again[i].rounds, took)
		}
	}
	worst := slices.MaxFunc(again, func(x, y change) int { return cmp.Compare(x.rounds.least(), y.rounds.least()) })
	steps, _ := worst.steps(ctx)
	return []row{
		{what: fmt.Sprintf("%d %s: the median", len(changes), what), ratio: once.median() * 1e3, budget: 2, unit: "ms"},
		{what: "the slowest: " + worst.name, cost: worst.rounds.in(1e3, "ms"), ratio: worst.rounds.least() * 1e3, unit: "ms",
			against: fmt.Sprintf("%d steps; two definitions of %.1f kB", steps, float64(len(worst.before.Tools[0].Raw))/1e3)},
		{what: "the most steps of one", against: fmt.Sprintf("limit %d: %d need more, and are unknown", compat.DefaultSteps, gaveUp), ratio: float64(most), unit: "steps"},
	}, nil
}

// judge returns the seconds that the verdict on a change takes.
func (c change) judge(ctx context.Context) (float64, error) {
	start := time.Now()
	_, err := drift.Compare(ctx, c.before, c.after, nil)
	return time.Since(start).Seconds(), err
}

// steps returns the steps of the proof about arguments and that about results, the more
// of the two, and whether there were too few.
func (c change) steps(ctx context.Context) (most int, over bool) {
	old, now := c.schemas(), change{before: c.after}.schemas()
	for i, lens := range []compat.Lens{compat.CallerInput, compat.CallerOutput} {
		if old[i] == nil || now[i] == nil {
			continue
		}
		from, to := old[i], now[i]
		if lens == compat.CallerOutput {
			from, to = to, from
		}
		v := compat.Check(ctx, from, to, &compat.Options{Lens: lens, Arguments: lens == compat.CallerInput})
		most, over = max(most, v.Steps), over || v.GaveUp
	}
	return most, over
}

// schemas are the schemas of arguments and results before the change; nil is none.
func (c change) schemas() (out [2]*jsonschema.Document) {
	tool, _, err := schema.ParseTool(c.before.Tools[0].Raw)
	if err != nil {
		return out
	}
	for i, raw := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
		if raw != nil {
			out[i], _ = jsonschema.Parse(raw) // what cannot be parsed takes no steps
		}
	}
	return out
}
