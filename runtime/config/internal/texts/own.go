// Parts that several syntaxes share, and the syntax of mcpgen.yaml.

package texts

import "github.com/mcpgen/mcpgen/runtime/endpoint"

// VariableName returns the length of the name at the beginning of text: letters, digits and _, not
// beginning with a digit.
func VariableName(text string) int {
	if text != "" && '0' <= text[0] && text[0] <= '9' {
		return 0
	}
	return WordName(text)
}

// WordName returns the length of the run of letters, digits and _ at the beginning of text.
func WordName(text string) int {
	for i, r := range text {
		if r != '_' && !IsAlnum(r) {
			return i
		}
	}
	return len(text)
}

// EnvForm is the form ${env:NAME}.
func EnvForm() Form { return Form{Open: "${env:", Close: "}", Name: VariableName} }

// SecretForm is the form {{secret:name}}, which is only valid in env.
func SecretForm() Form {
	env := []endpoint.Field{endpoint.FieldEnv}
	return Form{Open: "{{secret:", Close: "}}", Kind: endpoint.ReferenceSecret, Fields: env}
}

// Own returns the syntax of mcpgen.yaml: ${env:NAME}, ${env:NAME:-default} for a variable that is unset
// or empty, {{secret:name}}, and ${dir}, the absolute folder of the file. If dir is "", ${dir} is an
// error.
func Own(dir string) *Syntax {
	env := EnvForm()
	env.Defaults, env.EmptyIs = true, true
	x := &Syntax{Forms: []Form{env, {Open: "${", Close: "}", Builtin: true}, SecretForm()}, Escape: "$", Strict: true}
	if dir != "" {
		x.Builtin = map[string]string{"dir": dir}
	}
	return x
}
