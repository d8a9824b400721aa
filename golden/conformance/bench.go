package main

// Cold builds and decoding, against the same structs written by hand. These are
// ratios of one run on one machine; a noisy machine makes them noisy.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The bars. Decoding is compared with plain structs. Builds are compared with what
// somebody writes by hand to call the same tools: the structs, and a thin method
// for each tool. Structs that nothing calls are built, too, and noted.
const (
	maxBuildRatio  = 2
	maxDecodeRatio = 2
)

// rounds is how often each build is timed; the cheapest counts.
const rounds = 5

// The folders of what is written by hand.
const (
	setPlain = "plain" // structs
	setHand  = "hand"  // structs and methods
)

func (m *module) bench(ctx context.Context, subjects []*subject, r *report) error {
	r.heading("Against the same structs written by hand")
	var real []*subject
	for _, s := range compiled(subjects) {
		if s.set == setReal {
			real = append(real, s)
		}
	}
	if err := m.writeByHand(real); err != nil {
		return err
	}
	if err := m.benchBuild(ctx, real, r); err != nil {
		return err
	}
	return m.benchDecode(ctx, real, r)
}

// writeByHand writes the packages that generated ones are compared with.
func (m *module) writeByHand(subjects []*subject) error {
	for _, s := range subjects {
		text, err := s.plain()
		if err != nil {
			return fmt.Errorf("%s: plain structs: %w", s.name, err)
		}
		client, err := s.handClient()
		if err != nil {
			return fmt.Errorf("%s: client: %w", s.name, err)
		}
		for name, data := range map[string][]byte{setPlain + "/%s/types.go": text, setHand + "/%s/types.go": text, setHand + "/%s/client.go": client} {
			if err := m.write(fmt.Sprintf(name, s.packageName()), data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *module) write(name string, data []byte) error {
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// benchBuild takes the processor time of builds of the packages alone: the standard
// library and the runtime are compiled beforehand, into a cache of their own.
func (m *module) benchBuild(ctx context.Context, real []*subject, r *report) error {
	env := []string{"GOCACHE=" + filepath.Join(m.dir, ".cache")}
	list, err := m.run(ctx, env, "go", "list", "-deps", "./real/...", "./plain/...", "./hand/...")
	if err != nil {
		return err
	}
	args := []string{"build"}
	for path := range strings.FieldsSeq(string(list.Stdout)) {
		if !strings.HasPrefix(path, moduleName) && path != "unsafe" {
			args = append(args, path)
		}
	}
	if _, err := m.run(ctx, env, "go", args...); err != nil {
		return fmt.Errorf("building what the packages import: %w", err)
	}
	best := map[string]float64{setReal: math.Inf(1), setHand: math.Inf(1), setPlain: math.Inf(1)}
	for round := range rounds {
		for set := range best {
			for _, s := range real {
				if err := m.write(set+"/"+s.packageName()+"/round.go", roundFile(s.packageName(), round)); err != nil {
					return err
				}
			}
			u, err := m.run(ctx, env, "go", "build", "./"+set+"/...")
			if err != nil {
				return err
			}
			best[set] = min(best[set], u.CPU)
		}
	}
	r.note("cold build, processor time", "%.2f s; by hand %.2f s; structs alone %.2f s", best[setReal], best[setHand], best[setPlain])
	r.atMost("cold build, to structs and methods by hand", best[setReal]/best[setHand], maxBuildRatio, " ×")
	r.note("cold build, to structs alone", "%.4g ×", best[setReal]/best[setPlain])
	return nil
}

// largest are the results that can be measured, those with the largest schemas
// first: they have values, and types that can be declared as variables.
func largest(real []*subject) []*toolSchema {
	var all []*toolSchema
	for _, s := range real {
		for _, t := range s.schemas {
			if t.side == output && len(t.valid) > 0 && token.IsIdentifier(t.typeName()) {
				all = append(all, t)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *toolSchema) int { return cmp.Compare(len(b.raw), len(a.raw)) })
	return all
}

func (t *toolSchema) typeName() string {
	return strings.TrimPrefix(t.subject.tools[t.tool].Result, "*")
}

// decodeHead is the program that times decoding, but its imports and its calls.
const decodeHead = `
var measured int

func measure[G, P any](name, value string) {
	raw := []byte(value)
	result, err := runtime.Request{Method: "tools/call"}.ParseResult(append(append([]byte("{\"content\":[],\"structuredContent\":"), raw...), '}'))
	if err != nil {
		panic(err)
	}
	if json.Unmarshal(raw, new(P)) != nil || measured == 5 {
		return // nobody decodes a union into a plain struct
	}
	measured++
	generated, plain := math.Inf(1), math.Inf(1)
	for range 5 {
		generated = min(generated, nanoseconds(func() error { return result.Decode(new(G)) }))
		plain = min(plain, nanoseconds(func() error { return json.Unmarshal(raw, new(P)) }))
	}
	fmt.Printf("%s %d %f %f\n", name, len(raw), generated, plain)
}

func nanoseconds(f func() error) float64 {
	r := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			if err := f(); err != nil {
				panic(err)
			}
		}
	})
	return float64(r.T.Nanoseconds()) / float64(r.N)
}

func main() {
	testing.Init()
	if err := flag.Set("test.benchtime", "100ms"); err != nil {
		panic(err)
	}
`

func decodeSource(types []*toolSchema) []byte {
	var b, calls bytes.Buffer
	b.WriteString("package main\n\nimport (\n\t\"encoding/json\"\n\t\"flag\"\n\t\"fmt\"\n\t\"math\"\n\t\"testing\"\n\n\t\"github.com/mcpgen/mcpgen/runtime\"\n")
	for i, t := range types {
		fmt.Fprintf(&b, "\tg%d %q\n\tp%d %q\n", i, t.subject.packagePath(), i, t.subject.plainPath())
		large := slices.MaxFunc(t.valid, func(a, b value) int { return cmp.Compare(len(a.raw), len(b.raw)) })
		var compact bytes.Buffer
		if err := json.Compact(&compact, large.raw); err != nil {
			continue
		}
		fmt.Fprintf(&calls, "\tmeasure[g%d.%s, p%d.%s](%q, %q)\n", i, t.typeName(), i, t.typeName(), t.subject.name+"/"+t.tool, compact.String())
	}
	b.WriteString(")\n" + decodeHead)
	b.Write(calls.Bytes())
	b.WriteString("}\n")
	return b.Bytes()
}

func (m *module) benchDecode(ctx context.Context, real []*subject, r *report) error {
	types := largest(real)
	if len(types) == 0 {
		r.note("decoding large results", "no result to measure")
		return nil
	}
	if err := m.write("decode/main.go", decodeSource(types)); err != nil {
		return err
	}
	u, err := m.run(ctx, nil, "go", "run", "./decode")
	if err != nil {
		return fmt.Errorf("timing the decoding: %w", err)
	}
	for line := range strings.Lines(string(u.Stdout)) {
		var name string
		var size int
		var generated, plain float64
		if _, err := fmt.Sscan(line, &name, &size, &generated, &plain); err != nil {
			return fmt.Errorf("timing the decoding: %q: %w", line, err)
		}
		r.atMost(fmt.Sprintf("decode %s, %d bytes, %.1f and %.1f µs, ratio", name, size, generated/1e3, plain/1e3), generated/plain, maxDecodeRatio, " ×")
	}
	return nil
}
