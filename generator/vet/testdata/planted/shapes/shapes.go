// Package shapes has no mistakes, in shapes that are rare.
package shapes

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"reflect"
	"slices"
	"sync"

	"example.com/app/helper"
	. "example.com/app/internal/mcp/files"
	f "example.com/app/internal/mcp/files"
	"github.com/mcpgen/mcpgen/runtime"
)

func dotted(ctx context.Context) error {
	args := WriteFileArgs{Path: "a"}
	args.Content = "b"
	_, err := WriteFile(ctx, args)
	return err
}

func throughAny(ctx context.Context, raw []byte) error {
	args := f.WriteFileArgs{Path: "a"}
	var p any = &args
	if err := json.Unmarshal(raw, p); err != nil {
		return err
	}
	_, err := f.WriteFile(ctx, args)
	return err
}

func throughAnyOfPointer(ctx context.Context, raw []byte) error {
	args := new(f.WriteFileArgs)
	targets := []any{args}
	for _, t := range targets {
		if err := json.Unmarshal(raw, t); err != nil {
			return err
		}
	}
	_, err := f.WriteFile(ctx, *args)
	return err
}

func reflected(ctx context.Context) error {
	args := f.WriteFileArgs{Path: "a"}
	reflect.ValueOf(&args).Elem().FieldByName("Content").SetString("b")
	_, err := f.WriteFile(ctx, args)
	return err
}

func set[T any](p *T, do ...func(*T)) *T {
	for _, d := range do {
		d(p)
	}
	return p
}

func generic(ctx context.Context) error {
	args := set(&f.WriteFileArgs{Path: "a"}, func(a *f.WriteFileArgs) { a.Content = "b" })
	_, err := f.WriteFile(ctx, *args)
	return err
}

type box[T any] struct{ v T }

func (b *box[T]) with(do func(*T)) *box[T] { do(&b.v); return b }

func boxed(ctx context.Context) error {
	b := &box[f.WriteFileArgs]{v: f.WriteFileArgs{Path: "a"}}
	b.with(func(a *f.WriteFileArgs) { a.Content = "b" })
	_, err := f.WriteFile(ctx, b.v)
	return err
}

func boxedDirectly(ctx context.Context) error {
	b := box[f.WriteFileArgs]{f.WriteFileArgs{Path: "a"}}
	b.v.Content = "b"
	_, err := f.WriteFile(ctx, b.v)
	return err
}

type own f.WriteFileArgs

func converted(ctx context.Context) error {
	o := own{Path: "a"}
	o.Content = "b"
	_, err := f.WriteFile(ctx, f.WriteFileArgs(o))
	return err
}

type alias = f.WriteFileArgs

func (b *builder) path(p string) *builder { b.args.Path = p; return b }
func (b *builder) text(p string) *builder { b.args.Content = p; return b }

type builder struct{ args *alias }

func built(ctx context.Context) error {
	b := (&builder{args: &alias{}}).path("a").text("b")
	_, err := f.WriteFile(ctx, *b.args)
	return err
}

func all() iter.Seq[f.WriteFileArgs] {
	return func(yield func(f.WriteFileArgs) bool) {
		yield(f.WriteFileArgs{Path: "a"})
	}
}

func iterated(ctx context.Context) error {
	for a := range all() {
		a.Content = "b"
		if _, err := f.WriteFile(ctx, a); err != nil {
			return err
		}
	}
	for _, a := range slices.Collect(all()) {
		a.Content = "b"
		if _, err := f.WriteFile(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

func mapped(ctx context.Context) error {
	m := map[string]f.WriteFileArgs{"a": {Path: "a"}}
	for k, a := range m {
		a.Content = "b"
		m[k] = a
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if _, err := f.WriteFile(ctx, m[k]); err != nil {
			return err
		}
	}
	return nil
}

func pooled(ctx context.Context) error {
	pool := sync.Pool{New: func() any { return new(f.WriteFileArgs) }}
	a := pool.Get().(*f.WriteFileArgs)
	*a = f.WriteFileArgs{}
	a.Path, a.Content = "a", "b"
	_, err := f.WriteFile(ctx, *a)
	return err
}

func closures(ctx context.Context) error {
	args := f.WriteFileArgs{Path: "a"}
	var wg sync.WaitGroup
	wg.Go(func() { args.Content = "b" })
	wg.Wait()
	_, err := f.WriteFile(ctx, args)
	return err
}

func deferred(ctx context.Context) (err error) {
	var args f.WriteFileArgs
	defer func() { _, err = f.WriteFile(ctx, args) }()
	args.Path = "a"
	args.Content = "b"
	return nil
}

func elsewhere(ctx context.Context) error {
	edits := make([]f.EditFileArgsEditsItem, 2)
	helper.Fill(edits)
	_, err := f.EditFile(ctx, f.EditFileArgs{Path: "a", Edits: edits})
	return err
}

func elsewhereInMap(ctx context.Context) error {
	args := map[string]*f.WriteFileArgs{"a": {Path: "a"}}
	helper.FillMap(args)
	_, err := f.WriteFile(ctx, *args["a"])
	return err
}

func elsewhereInterface(ctx context.Context, filler interface {
	Fill([]f.EditFileArgsEditsItem)
}) error {
	edits := []f.EditFileArgsEditsItem{{OldText: "a"}}
	filler.Fill(edits)
	_, err := f.EditFile(ctx, f.EditFileArgs{Path: "a", Edits: edits})
	return err
}

func methodValue(ctx context.Context, c *f.Client) error {
	write := c.WriteFile
	args := f.WriteFileArgs{Path: "a"}
	args.Content = "b"
	_, err := write(ctx, args)
	if err != nil {
		return err
	}
	_, err = (*f.Client).WriteFile(c, ctx, args)
	return err
}

func table(ctx context.Context) error {
	calls := map[string]func(context.Context, f.WriteFileArgs, ...runtime.CallOption) (string, error){}
	_ = calls
	type step struct {
		args f.WriteFileArgs
		then func(*f.WriteFileArgs)
	}
	for _, s := range []step{{f.WriteFileArgs{Path: "a"}, func(a *f.WriteFileArgs) { a.Content = "b" }}} {
		s.then(&s.args)
		if _, err := f.WriteFile(ctx, s.args); err != nil {
			return err
		}
	}
	return nil
}

func array(ctx context.Context) error {
	var all [2]f.WriteFileArgs
	for i := range all {
		all[i].Path = "a"
		all[i].Content = "b"
	}
	for _, a := range all {
		if _, err := f.WriteFile(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

func swap(ctx context.Context) error {
	a, b := f.WriteFileArgs{Path: "a"}, f.WriteFileArgs{Path: "b", Content: "c"}
	a, b = b, a
	b.Content = "d"
	_, err := f.WriteFile(ctx, a)
	return err
}

func discarded(ctx context.Context) {
	go func() { _, _ = f.WriteFile(ctx, f.WriteFileArgs{Path: "a", Content: "b"}) }()
	if res, err := f.ListFiles(ctx, f.ListFilesArgs{}); err == nil {
		_ = res
	}
}

type sortKind = f.ListFilesArgsSort

func switched(s sortKind) string {
	const prefix = "na"
	switch s {
	case prefix + "me":
		return "x"
	case sortKind("si" + "ze"):
	}
	return string(s) + "other"
}

func prefixed(s f.ListFilesArgsSort) bool { return s+"x" == "namex" || s < "zz" || s[:1] == "n" }
