// Names with a value of their own, and files in texts, as editors have them.

package dialect

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// editorVars are ${env:NAME}, ${input:id}, ${file:/path} and names that the
// editor knows, such as ${workspaceFolder}.
func editorVars(builtin map[string]string) *texts.Syntax {
	return &texts.Syntax{Unset: texts.Empty, Builtin: builtin, Forms: []texts.Form{
		{Open: "${env:", Close: "}"},
		{Open: "${", Close: "}", Builtin: true},
	}}
}

// builtins are the names that editors give a value.
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

// fileVariable is the path in ${file:…}: the user's folder for ~, and else
// relative to the folder of the file that names it.
func (f *File) fileVariable(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && f.m.Home != "" {
		return f.m.Join(f.m.Home, rest)
	}
	if f.m.isAbs(path) || f.dir == "" {
		return path
	}
	return f.m.Join(f.dir, path)
}
