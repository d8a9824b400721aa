// VS Code: .vscode/mcp.json.

package dialect

import (
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// vscode is the dialect of .vscode/mcp.json.
func vscode() Dialect {
	return Dialect{
		Name:  "vscode",
		names: []string{".vscode/mcp.json", "Code/User/mcp.json", "Code - Insiders/User/mcp.json"},
		sniff: func(root *tree.Node) bool {
			return has("servers", hasKey("type"))(root) || has("servers", nil)(root) && root.Value("inputs") != nil
		},
		folder: []string{".vscode"},
		files:  []place{project(".vscode/mcp.json"), appData("Code/User/mcp.json", "Code - Insiders/User/mcp.json")},
		rows:   "servers",
		read: func(f *File, root *tree.Node) {
			vscodeInputs(f, root.Value("inputs"))
			f.mapping(root)
		},
		keys: common([]rowKey{
			{"envFile", setEnvFile}, {"cwd", setCwd}, {"description", setDescription}, {"disabled", setDisabled},
			{"sandboxEnabled", noted("mcpgen starts the program without the sandbox of VS Code")},
		}, quiet("dev", "gallery", "version", "sandbox", "name")),
		finish: finishVSCode,
		vars: func(f *File) *texts.Syntax {
			x := editorVars(f.builtins())
			x.Forms = append([]texts.Form{inputForm()}, x.Forms...)
			x.Inputs = map[string]string{}
			return x
		},
		start: startWorkspace,
	}
}

// finishVSCode excludes local sockets. VS Code's http falls back to SSE, which is Auto here.
func finishVSCode(e *entry) {
	for _, scheme := range [...]string{"unix:", "pipe:"} {
		if strings.HasPrefix(strings.ToLower(e.address.URL), scheme) {
			e.Left = "it uses a local socket, which mcpgen does not support"
			return
		}
	}
	decide(e)
	if e.address.Transport == endpoint.HTTP {
		e.address.Transport = endpoint.Auto
	}
}

// vscodeInputs reads the inputs that the user is asked for.
func vscodeInputs(f *File, v *tree.Node) {
	if v == nil {
		return
	}
	if v.Kind != tree.List {
		f.Fail(v.Pos, "inputs", "want a list, found "+v.Kind.String())
		return
	}
	for _, input := range v.List {
		if id := input.Value("id"); id != nil && id.Kind == tree.String {
			f.vars.Inputs[id.Text] = ""
			if d := input.Value("description"); d != nil && d.Kind == tree.String {
				f.vars.Inputs[id.Text] = d.Text
			}
		}
	}
}

// inputForm is the form ${input:id}.
func inputForm() texts.Form {
	return texts.Form{Open: "${input:", Close: "}", Kind: endpoint.ReferenceInput, Unset: texts.Fails}
}
