// Built-in names and file references in texts, as editors support them.

package dialect

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// editorVars expands ${env:NAME}, ${input:id}, ${file:/path} and built-in names such as
// ${workspaceFolder}.
func editorVars(builtin map[string]string) *texts.Syntax {
	return &texts.Syntax{Unset: texts.Empty, Builtin: builtin, Forms: []texts.Form{
		{Open: "${env:", Close: "}"},
		{Open: "${", Close: "}", Builtin: true},
	}}
}

// builtins returns the values of names that editors know.
func (f *File) builtins() map[string]string {
	separator := "/"
	if f.m.OS == "windows" {
		separator = `\`
	}
	return map[string]string{
		"workspaceFolder": f.workspace, "workspaceFolderBasename": f.m.base(f.workspace), "workspaceRoot": f.workspace,
		"userHome": f.m.Home, "pathSeparator": separator, "/": separator,
	}
}

// fileVariable returns the path in ${file:…}: ~ is the user's folder, and a relative path is relative to
// the folder of the file that contains it.
func (f *File) fileVariable(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && f.m.Home != "" {
		return f.m.Join(f.m.Home, rest)
	}
	if f.m.isAbs(path) || f.dir == "" {
		return path
	}
	return f.m.Join(f.dir, path)
}
