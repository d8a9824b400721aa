// Package clean looks like mistakes, and has none.
package clean

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"example.com/app/internal/mcp"
	"example.com/app/internal/mcp/files"
	"github.com/mcpgen/mcpgen/runtime"
)

func complete(ctx context.Context) error {
	if _, err := files.WriteFile(ctx, files.WriteFileArgs{"a", "", files.WriteFileArgsModeCreate}); err != nil {
		return err
	}
	// The zero value, written by hand.
	_, err := files.WriteFile(ctx, files.WriteFileArgs{Path: "a", Content: ""})
	return err
}

func afterwards(ctx context.Context, text string) error {
	args := files.WriteFileArgs{Path: "a"}
	args.Content = text
	if _, err := files.WriteFile(ctx, args); err != nil {
		return err
	}
	var declared files.WriteFileArgs
	declared.Path, declared.Content = "a", "b"
	_, err := files.WriteFile(ctx, declared)
	return err
}

func inBranches(ctx context.Context, long bool) error {
	args := files.WriteFileArgs{Path: "a"}
	switch {
	case long:
		args.Content = "a long text"
	default:
		args.Content += "text"
	}
	_, err := files.WriteFile(ctx, args)
	return err
}

func inLoop(ctx context.Context, texts []string) error {
	args := files.WriteFileArgs{Path: "a"}
	for i, text := range texts {
		if i > 0 {
			if _, err := files.WriteFile(ctx, args); err != nil {
				return err
			}
		}
		args.Content = text
	}
	return nil
}

func replaced(ctx context.Context, long bool) error {
	var args files.WriteFileArgs
	if long {
		args = files.WriteFileArgs{Path: "a", Content: "a long text"}
	} else {
		args = files.WriteFileArgs{Path: "a", Content: "text"}
	}
	_, err := files.WriteFile(ctx, args)
	return err
}

func decoded(ctx context.Context, r io.Reader, raw []byte) error {
	var args, other files.WriteFileArgs
	if err := json.Unmarshal(raw, &args); err != nil {
		return err
	}
	if err := json.NewDecoder(r).Decode(&other); err != nil {
		return err
	}
	third := files.WriteFileArgs{Path: "a"}
	p := &third
	if err := json.Unmarshal(raw, p); err != nil {
		return err
	}
	for _, a := range []files.WriteFileArgs{args, other, third} {
		if _, err := files.WriteFile(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

func fromFlags(ctx context.Context) error {
	args := files.WriteFileArgs{Path: "a"}
	flag.StringVar(&args.Content, "content", "", "the text")
	flag.Parse()
	_, err := files.WriteFile(ctx, args)
	return err
}

func fill(args *files.WriteFileArgs) { args.Content = "text" }

func filled(ctx context.Context) error {
	args := files.WriteFileArgs{Path: "a"}
	fill(&args)
	if _, err := files.WriteFile(ctx, args); err != nil {
		return err
	}
	p := &files.WriteFileArgs{}
	p.Path = "a"
	fill(p)
	_, err := files.WriteFile(ctx, *p)
	return err
}

func defaults(path string) files.WriteFileArgs { return files.WriteFileArgs{Path: path} }

func completed(ctx context.Context) error {
	args := defaults("a")
	args.Content = "text"
	_, err := files.WriteFile(ctx, args)
	return err
}

func checked(path string) (files.WriteFileArgs, error) {
	if path == "" {
		return files.WriteFileArgs{}, errors.New("no path")
	}
	return files.WriteFileArgs{Path: path, Content: "text"}, nil
}

func send(ctx context.Context) error {
	args, err := checked("a")
	if err != nil {
		return err
	}
	_, err = files.WriteFile(ctx, args)
	return err
}

type job struct {
	files.WriteFileArgs
	tries int
}

func embedded(ctx context.Context) error {
	j := job{WriteFileArgs: files.WriteFileArgs{Path: "a"}, tries: 3}
	j.Content = "text"
	_, err := files.WriteFile(ctx, j.WriteFileArgs)
	return err
}

type option func(*files.WriteFileArgs)

func content(text string) option { return func(a *files.WriteFileArgs) { a.Content = text } }

func withOptions(ctx context.Context, opts ...option) error {
	args := files.WriteFileArgs{Path: "a"}
	for _, opt := range append(opts, content("text")) {
		opt(&args)
	}
	_, err := files.WriteFile(ctx, args)
	return err
}

func elements(ctx context.Context) error {
	edits := make([]files.EditFileArgsEditsItem, 0, 2)
	for range 2 {
		edits = append(edits, files.EditFileArgsEditsItem{OldText: "a"})
	}
	for i := range edits {
		e := &edits[i]
		e.NewText = fmt.Sprint(i)
	}
	_, err := files.EditFile(ctx, files.EditFileArgs{Path: "a", Edits: edits})
	return err
}

// The fields are set where nobody can follow it.
func behind(ctx context.Context) error {
	var args files.WriteFileArgs
	*(*string)(unsafe.Pointer(&args)) = "a"
	_, err := files.WriteFile(ctx, args)
	return err
}

// Nothing of this is sent.
func notSent(args files.WriteFileArgs) bool {
	empty := files.WriteFileArgs{}
	want := files.WriteFileArgs{Path: "a"}
	fmt.Println(reflect.TypeOf(files.EditFileArgs{}), want)
	return args == empty || args == (files.WriteFileArgs{Path: "b"}) || reflect.DeepEqual(args, want)
}

func tables(ctx context.Context) error {
	for _, row := range []struct{ send, want files.WriteFileArgs }{
		{send: files.WriteFileArgs{Path: "a", Content: "b"}, want: files.WriteFileArgs{Path: "a"}},
	} {
		if _, err := files.WriteFile(ctx, row.send); err != nil {
			return err
		}
		fmt.Println(row.want)
	}
	return nil
}

// A fake's result may be as short as the test needs it.
func result() *files.ListFilesResult {
	return &files.ListFilesResult{Entries: []files.ListFilesResultEntriesItem{{Name: "a"}}}
}

func optional(ctx context.Context) error {
	_, err := files.Share(ctx, files.ShareArgs{ // null is a value of Expires
		Path: "a", Role: files.ShareArgsRoleWriter, Notify: false, With: files.ShareArgsPartyGroup{Name: "all"},
	})
	return err
}

func setUnion(ctx context.Context, user bool) error {
	args := files.ShareArgs{Path: "a", Role: "reader", Notify: true}
	args.With = files.ShareArgsPartyGroup{Name: "all"}
	if user {
		args.With = files.ShareArgsPartyUser{Email: "a@example.com"}
	}
	_, err := files.Share(ctx, args)
	return err
}

type client interface {
	ListFiles(ctx context.Context, args files.ListFilesArgs, opts ...runtime.CallOption) (*files.ListFilesResult, error)
}

func enums(ctx context.Context, c client, sort string) error {
	args := files.ListFilesArgs{Sort: "name", Depth: 2}
	if args.Sort == "" {
		args.Sort = files.ListFilesArgsSort(sort)
	}
	args.Sort = ""
	args.Depth = 0
	res, err := c.ListFiles(ctx, args)
	if err != nil {
		return err
	}
	for _, e := range res.Entries {
		switch e.Kind {
		case "file", files.ListFilesResultEntriesItemKindFolder:
		case "":
		}
	}
	return nil
}

func noErrors(ctx context.Context, c *files.Client) {
	defer files.WriteFile(ctx, files.WriteFileArgs{Path: "a", Content: "unlocked"})
	_, _ = c.ListFiles(ctx, files.ListFilesArgs{})
	_, err := c.ListFiles(ctx, files.ListFilesArgs{})
	fmt.Println(err)
	fmt.Println(c.ListFiles(ctx, files.ListFilesArgs{}))
}

func newName(ctx context.Context) error {
	args := files.SearchFilesArgs{Query: "q", In: files.SearchFilesArgsInTexts}
	_, err := files.SearchFiles(ctx, args)
	if te, ok := errors.AsType[*runtime.ToolError](err); ok {
		fmt.Println(te.Result.Text())
	}
	return err
}

// The shim is generated, and calls no tool.
func registers(reg runtime.Registrar, inv runtime.Invoker) {
	mcp.Register(reg, inv)
}
