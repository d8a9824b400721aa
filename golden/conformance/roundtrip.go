package main

// Round trips: each valid value is decoded into the generated type and encoded
// again, and has to come back equal.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

func runDriver(ctx context.Context, program string, tasks []task) ([]answer, error) {
	var in, out, problems bytes.Buffer
	e := json.NewEncoder(&in)
	e.SetEscapeHTML(false)
	for _, t := range tasks {
		if err := e.Encode(t); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &problems
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the driver: %w\n%s", err, problems.Bytes())
	}
	answers := make([]answer, len(tasks))
	d := json.NewDecoder(&out)
	for i := range answers {
		if err := d.Decode(&answers[i]); err != nil {
			return nil, fmt.Errorf("the driver's answer %d of %d: %w", i+1, len(tasks), err)
		}
	}
	return answers, nil
}

// trip is a value that goes through its type.
type trip struct {
	schema *toolSchema
	value
	made bool // it is not of the corpus, and counts apart
}

// trips are all valid values. To results, which a corpus may have few of with
// undeclared members, such values are added.
func trips(subjects []*subject) []trip {
	var all []trip
	for _, s := range subjects {
		for _, t := range s.schemas {
			for _, v := range t.valid {
				all = append(all, trip{t, v, false})
			}
			if t.side == output && s.set != setPlaced {
				for _, v := range withUndeclared(t) {
					all = append(all, trip{t, v, true})
				}
			}
		}
	}
	return all
}

// count is how many values of a kind survive.
type count struct{ good, all int }

func (c *count) add(good bool) {
	c.all++
	if good {
		c.good++
	}
}

// tally counts values by what they are.
type tally map[string]*count

func (t tally) add(key string, good bool) {
	if t[key] == nil {
		t[key] = new(count)
	}
	t[key].add(good)
}

func (t tally) share(r *report, name, key string, bar int) {
	c := t[key]
	if c == nil {
		c = new(count)
	}
	r.share(name, c.good, c.all, bar)
}

// roundTrips sends all values through, with encoding/json as it is and, if
// wanted, on its second version.
func (m *module) roundTrips(ctx context.Context, subjects []*subject, r *report, jsonv2 bool) error {
	all := trips(subjects)
	r.heading("Round trip (valid values that come back equal)")
	t, err := m.roundTrip(ctx, nil, subjects, all, r, "roundtrip")
	if err != nil {
		return err
	}
	t.print(r, "")
	for _, key := range slices.Sorted(maps.Keys(t)) {
		if class, ok := cutClass(key); ok {
			t.share(r, "  "+class, key, 0)
		}
	}
	if !jsonv2 {
		return nil
	}
	t, err = m.roundTrip(ctx, []string{"GOEXPERIMENT=jsonv2"}, subjects, all, r, "roundtrip-jsonv2")
	if err != nil {
		return err
	}
	t.print(r, "jsonv2, ")
	return nil
}

const classKey = "class "

func cutClass(key string) (string, bool) {
	if len(key) > len(classKey) && key[:len(classKey)] == classKey {
		return key[len(classKey):], true
	}
	return "", false
}

func (t tally) print(r *report, prefix string) {
	t.share(r, prefix+"real: all values", "real", 995)
	t.share(r, prefix+"real: without undeclared members", "real declared", 1000)
	t.share(r, prefix+"hard: all values", "hard", 970)
	for _, set := range sets {
		t.share(r, prefix+set+": as results", set+" "+output, 1000)
		t.share(r, prefix+set+": as arguments, without what is counted below", set+" "+input, 1000)
		for _, exception := range []string{notDeclared, isDefault, isRefused + ", " + output, isRefused + ", " + input} {
			if c := t[exception+" "+set]; c != nil {
				r.note(prefix+set+":     "+exception, "%d", c.all)
			}
		}
	}
	t.share(r, prefix+"both: undeclared members in results", "undeclared output", 990)
}

func (m *module) roundTrip(ctx context.Context, env []string, subjects []*subject, all []trip, r *report, list string) (tally, error) {
	r.list(list)
	var tasks []task
	for _, t := range all {
		if t.schema.subject.compiles {
			tasks = append(tasks, t.task())
		}
	}
	answers, err := m.drive(ctx, env, subjects, tasks)
	if err != nil {
		return nil, err
	}
	counts := tally{}
	for _, t := range all {
		bad := "its package does not compile"
		if t.schema.subject.compiles {
			a := answers[0]
			answers = answers[1:]
			bad = a.judge(t.raw)
			if bad != "" && a.Err == "" && t.schema.side == input {
				value, took := t.schema.sayable(t.raw, []byte(a.Out))
				if bad = a.judge(value); bad == "" {
					for exception := range took {
						counts.add(exception+" "+t.schema.subject.set, true)
					}
				}
			}
			if t.mayBeRefused(a.Err) {
				bad = ""
				counts.add(isRefused+", "+t.schema.side+" "+t.schema.subject.set, true)
			}
		}
		if bad != "" {
			r.fail(list, "%s %s: %s", t.schema, t.class, bad)
		}
		t.count(counts, bad == "")
	}
	return counts, nil
}

// isRefused is what happens to a number that neither a type nor what is around it holds.
const isRefused = "a number that is refused, and not another one"

// mayBeRefused reports whether an error is one of a number that the value was made to
// have; those that people and servers send have none. A result has room for every number
// but integers beyond 64 bits.
func (t trip) mayBeRefused(err string) bool {
	const reason = "does not fit the Go type "
	made := t.schema.subject.set != setReal
	return made && strings.Contains(err, reason) && (t.schema.side == input || !strings.Contains(err, reason+"float64"))
}

func (t trip) task() task {
	out := task{Target: t.schema.target(), Value: t.raw}
	if t.schema.side == output {
		if in := t.schema.subject.find(t.schema.tool, input); in != nil && len(in.valid) > 0 {
			out.Args = in.valid[0].raw
		}
	}
	return out
}

func (t trip) count(counts tally, good bool) {
	set, side := t.schema.subject.set, t.schema.side
	if t.class == undeclared {
		counts.add("undeclared "+side, good)
	}
	if t.made {
		return
	}
	counts.add(set, good)
	counts.add(set+" "+side, good)
	if set != setReal {
		return
	}
	if t.class != undeclared {
		counts.add("real declared", good)
	}
	counts.add(classKey+side+" "+t.class, good)
}

// judge says what is wrong with an answer; "" is nothing.
func (a answer) judge(sent json.RawMessage) string {
	if a.Err != "" {
		return a.Err + " (of " + brief(sent) + ")"
	}
	return difference(sent, []byte(a.Out))
}
