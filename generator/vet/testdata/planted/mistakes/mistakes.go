// Package mistakes has mistakes in calls of a generated package, each with what is to
// be reported of it.
package mistakes

import (
	"context"
	"fmt"

	"example.com/app/internal/mcp/files"
	"github.com/mcpgen/mcpgen/runtime"
)

func literals(ctx context.Context, c *files.Client) error {
	if _, err := c.WriteFile(ctx, files.WriteFileArgs{Path: "a"}); err != nil { // want `files.WriteFileArgs is sent without the required field Content \(the server gets ""\): set it`
		return err
	}
	if _, err := files.WriteFile(ctx, files.WriteFileArgs{}); err != nil { // want `without the required fields Path \(the server gets ""\), Content \(the server gets ""\): set them|without the required fields Content .*, Path`
		return err
	}
	_, err := files.EditFile(ctx, files.EditFileArgs{Path: "a"}) // want `without the required field Edits \(the server gets \[\]\)`
	return err
}

func variable(ctx context.Context) error {
	args := files.WriteFileArgs{Path: "a"} // want `required field Content`
	args.Mode = files.WriteFileArgsModeAppend
	_, err := files.WriteFile(ctx, args)
	return err
}

func declared(ctx context.Context) error {
	var args files.WriteFileArgs // want `required field Path`
	args.Content = "text"
	_, err := files.WriteFile(ctx, args)
	return err
}

func pointer(ctx context.Context) error {
	args := &files.WriteFileArgs{Content: "text"} // want `required field Path`
	_, err := files.WriteFile(ctx, *args)
	return err
}

func allocated(ctx context.Context) error {
	args := new(files.WriteFileArgs) // want `required field Path`
	args.Content = "text"
	_, err := files.WriteFile(ctx, *args)
	return err
}

func tooLate(ctx context.Context) error {
	args := files.WriteFileArgs{Path: "a"} // want `required field Content`
	_, err := files.WriteFile(ctx, args)
	args.Content = "text"
	fmt.Println(args.Content)
	return err
}

func nested(ctx context.Context) error {
	edits := []files.EditFileArgsEditsItem{{OldText: "a", NewText: "b"}}
	edits = append(edits, files.EditFileArgsEditsItem{OldText: "c"}) // want `files.Edit is sent without the required field NewText`
	_, err := files.EditFile(ctx, files.EditFileArgs{Path: "a", Edits: edits})
	return err
}

func elided(ctx context.Context) error {
	_, err := files.EditFile(ctx, files.EditFileArgs{Path: "a", Edits: []files.EditFileArgsEditsItem{
		{OldText: "a", NewText: "b"},
		{NewText: "d"}, // want `required field OldText`
	}})
	return err
}

func base(path string) files.WriteFileArgs {
	return files.WriteFileArgs{Path: path} // want `required field Content`
}

func returned(ctx context.Context) error {
	_, err := files.WriteFile(ctx, base("a"))
	return err
}

func write(ctx context.Context, args files.WriteFileArgs) error {
	_, err := files.WriteFile(ctx, args)
	return err
}

func handedOn(ctx context.Context) error {
	return write(ctx, files.WriteFileArgs{Content: "text"}) // want `required field Path`
}

func table(ctx context.Context) error {
	for _, row := range []struct {
		name string
		args files.WriteFileArgs
	}{
		{"full", files.WriteFileArgs{Path: "a", Content: "b"}},
		{"empty", files.WriteFileArgs{Path: "b"}}, // want `required field Content`
	} {
		if err := write(ctx, row.args); err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
	}
	return nil
}

func closure(ctx context.Context) error {
	retry := func(args files.WriteFileArgs) error { return write(ctx, args) }
	return retry(files.WriteFileArgs{Path: "a"}) // want `required field Content`
}

func generic(ctx context.Context) error {
	return call(ctx, files.WriteFile, files.WriteFileArgs{Path: "a"}) // want `required field Content`
}

func call[A, R any](ctx context.Context, f func(context.Context, A, ...runtime.CallOption) (R, error), args A) error {
	_, err := f(ctx, args)
	return err
}

func flags(ctx context.Context) error {
	_, err := files.Share(ctx, files.ShareArgs{Path: "a", Role: files.ShareArgsRoleReader, With: files.ShareArgsPartyUser{Email: "a@example.com"}}) // want `required field Notify \(the server gets false\)`
	return err
}

func decimals(ctx context.Context) error {
	_, err := files.BuySpace(ctx, files.BuySpaceArgs{}) // want `required field Price \(an empty json.Number makes the call fail\)`
	return err
}

func unions(ctx context.Context) error {
	if _, err := files.Share(ctx, files.ShareArgs{Path: "a", Role: files.ShareArgsRoleReader, Notify: true}); err != nil { // want `required field With \(nil makes the call fail\)`
		return err
	}
	if _, err := files.Share(ctx, files.ShareArgs{Path: "a", Role: files.ShareArgsRoleReader, Notify: true, With: nil}); err != nil { // want `required field With \(nil makes the call fail\)`
		return err
	}
	_, err := files.Share(ctx, files.ShareArgs{
		Path: "a", Role: files.ShareArgsRoleReader, Notify: true,
		With: files.ShareArgsPartyGroup{}, // want `files.PartyGroup is sent without the required field Name`
		Also: []files.ShareArgsParty{nil}, // want `nil is not a value of the union files.ShareArgsParty`
	})
	return err
}

func prompts(ctx context.Context) error {
	_, err := files.ReviewPrompt(ctx, files.ReviewPromptArgs{}) // want `required field Path`
	return err
}

const mine files.ListFilesArgsSort = "nmae" // want `"nmae" is not a value of files.Sort: did you mean SortName\?`

func enums(ctx context.Context, role string) error {
	if _, err := files.ListFiles(ctx, files.ListFilesArgs{Sort: "siez"}); err != nil { // want `"siez" is not a value of files.Sort: did you mean SortSize\?`
		return err
	}
	res, err := files.ListFiles(ctx, files.ListFilesArgs{
		Sort:  files.ListFilesArgsSort("Name"), // want `"Name" is not a value of files.Sort: did you mean SortName\?`
		Depth: 7,                               // want `7 is not a value of files.Depth: use one of its constants, such as Depth1`
	})
	if err != nil {
		return err
	}
	for _, e := range res.Entries {
		if e.Kind == "directory" { // want `"directory" is not a value of files.Kind: use one of its constants, such as KindFile`
			fmt.Println(e.Name)
		}
		switch e.Kind {
		case "flie": // want `did you mean KindFile\?`
		}
	}
	if _, err := files.ListFiles(ctx, files.ListFilesArgs{Sort: "by age"}); err != nil { // want `"by age" is not a value of files.Sort: use one of its constants, such as SortName`
		return err
	}
	args := files.ShareArgs{Path: "a", Notify: true, With: files.ShareArgsPartyGroup{Name: "all"}, Role: ""} // want `"" is not a value of files.Role`
	if role == "owner" {
		args.Role = "owner" // want `"owner" is not a value of files.Role`
	}
	_, err = files.Share(ctx, args)
	return err
}

func errors(ctx context.Context, c *files.Client) int {
	res, _ := files.ListFiles(ctx, files.ListFilesArgs{})                                   // want `the error of files.ListFiles is ignored, and with it a refusal of the tool`
	files.WriteFile(ctx, files.WriteFileArgs{Path: "a", Content: "b"})                      // want `the error of files.WriteFile is ignored`
	go c.WriteFile(ctx, files.WriteFileArgs{Path: "a", Content: "b"})                       // want `the error of c.WriteFile is ignored`
	var again, _ = c.ListFiles(ctx, files.ListFilesArgs{Sort: files.ListFilesArgsSortName}) // want `the error of c.ListFiles is ignored`
	return len(res.Entries) + len(again.Entries)
}

func oldNames(ctx context.Context, c *files.Client) error {
	args := files.SearchFileArgs{ // want `SearchFileArgs is deprecated: use SearchFilesArgs`
		Query: "q",
		In:    files.SearchFileArgsInNames, // want `SearchFileArgsInNames is deprecated: use InNames`
		Glob:  new("*"),                    // want `Glob is deprecated: `
	}
	if _, err := files.SearchFile(ctx, args); err != nil { // want `SearchFile is deprecated: use SearchFiles`
		return err
	}
	_, err := c.SearchFile(ctx, args) // want `SearchFile is deprecated: use SearchFiles`
	return err
}
