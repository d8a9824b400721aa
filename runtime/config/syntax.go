// How each system writes variables, and what it does with one that is not set.

package config

import "github.com/mcpgen/mcpgen/runtime/endpoint"

// variableName is the length of the name that text begins with: letters, digits
// and _, not beginning with a digit.
func variableName(text string) int {
	for i, r := range text {
		if r != '_' && !isASCIIAlnum(r) || i == 0 && '0' <= r && r <= '9' {
			return i
		}
	}
	return len(text)
}

// wordName is the length of the run of letters, digits and _ that text begins
// with.
func wordName(text string) int {
	for i, r := range text {
		if r != '_' && !isASCIIAlnum(r) {
			return i
		}
	}
	return len(text)
}

func empty(endpoint.Field) unset { return unsetEmpty }

// envForm is ${env:NAME}.
func envForm() form { return form{open: "${env:", close: "}", name: variableName} }

// secretForm is {{secret:name}}, which means something in env alone.
func secretForm() form {
	return form{open: "{{secret:", close: "}}", kind: endpoint.SecretPrefix, fields: []endpoint.Field{endpoint.FieldEnv}}
}

// ownVars is the syntax of mcpgen.yaml.
func ownVars() *syntax {
	return &syntax{forms: []form{envForm(), secretForm()}, escape: "$", strict: true}
}

// manifestVars are secrets and nothing else.
func manifestVars() *syntax { return &syntax{forms: []form{secretForm()}} }

// coreAgentVars are ${env:NAME} in values of env and headers; an unset one is
// empty.
func coreAgentVars() *syntax {
	f := envForm()
	f.fields = []endpoint.Field{endpoint.FieldEnv, endpoint.FieldHeader}
	return &syntax{forms: []form{f}, unset: empty}
}

// covenantVars are $NAME in what starts a process; an unset one is empty.
func covenantVars() *syntax {
	return &syntax{unset: empty, forms: []form{{open: "$", name: variableName,
		fields: []endpoint.Field{endpoint.FieldCommand, endpoint.FieldArg, endpoint.FieldEnv}}}}
}

// claudeVars are ${NAME} and ${NAME:-default}.
func claudeVars() *syntax {
	return &syntax{forms: []form{{open: "${", close: "}", name: variableName, defaults: true}}}
}

// editorVars are ${env:NAME}, ${input:id}, ${file:/path} and names that the
// editor knows, such as ${workspaceFolder}.
func editorVars(builtin map[string]string) *syntax {
	return &syntax{unset: empty, builtin: builtin, forms: []form{
		{open: "${env:", close: "}"},
		{open: "${", close: "}", builtin: true},
	}}
}

// inputForm is ${input:id}.
func inputForm() form {
	return form{open: "${input:", close: "}", kind: endpoint.InputPrefix, unset: fails}
}

func fails(endpoint.Field) unset { return unsetFails }

// geminiVars are $NAME, ${NAME} and ${NAME:-default}: an unset one stays as it
// is written, and is empty in env, which is expanded once more when a process
// starts, on Windows with %NAME% too.
func geminiVars(goos string) *syntax {
	x := &syntax{
		forms: []form{
			{open: "${", close: "}", defaults: true},
			{open: "$", name: wordName},
		},
		unset: func(field endpoint.Field) unset {
			if field == endpoint.FieldEnv {
				return unsetEmpty
			}
			return unsetLiteral
		},
	}
	if goos == "windows" {
		x.forms = append(x.forms, form{open: "%", close: "%", name: wordName, fields: []endpoint.Field{endpoint.FieldEnv}})
	}
	return x
}

// openCodeVars are {env:NAME} and {file:path}.
func openCodeVars(anchor func(string) string) *syntax {
	return &syntax{unset: empty, anchor: anchor, forms: []form{
		{open: "{env:", close: "}"},
		{open: "{file:", close: "}", kind: endpoint.FilePrefix, unset: fails},
	}}
}

// mcporterVars are ${NAME}, ${NAME:-default} and, as a whole value, $env:NAME.
func mcporterVars() *syntax {
	return &syntax{escape: `\`, forms: []form{
		{open: "${", close: "}", name: variableName, defaults: true, emptyIs: true},
		{open: "$env:", name: variableName, whole: true},
	}}
}
