// What the syntaxes share, and that of mcpgen.yaml.

package texts

import "github.com/mcpgen/mcpgen/runtime/endpoint"

// VariableName is the length of the name that text begins with: letters, digits
// and _, not beginning with a digit.
func VariableName(text string) int {
	if text != "" && '0' <= text[0] && text[0] <= '9' {
		return 0
	}
	return WordName(text)
}

// WordName is the length of the run of letters, digits and _ that text begins
// with.
func WordName(text string) int {
	for i, r := range text {
		if r != '_' && !IsAlnum(r) {
			return i
		}
	}
	return len(text)
}

// EnvForm is ${env:NAME}.
func EnvForm() Form { return Form{Open: "${env:", Close: "}", Name: VariableName} }

// SecretForm is {{secret:name}}, which means something in env alone.
func SecretForm() Form {
	return Form{Open: "{{secret:", Close: "}}", Kind: endpoint.ReferenceSecret, Fields: []endpoint.Field{endpoint.FieldEnv}}
}

// Own is the syntax of mcpgen.yaml: ${env:NAME}, ${env:NAME:-default} for a variable
// that is not set or empty, {{secret:name}}, and ${dir}, the absolute folder of the
// file. Without a folder ${dir} is an error.
func Own(dir string) *Syntax {
	env := EnvForm()
	env.Defaults, env.EmptyIs = true, true
	x := &Syntax{Forms: []Form{env, {Open: "${", Close: "}", Builtin: true}, SecretForm()}, Escape: "$", Strict: true}
	if dir != "" {
		x.Builtin = map[string]string{"dir": dir}
	}
	return x
}
