package texts

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func lookupTestVariable(r endpoint.Reference) (string, bool) {
	value, ok := map[string]string{
		"A": "alpha", "EMPTY": "", "NESTED": "${env:A}${A}$${", "TOKEN": "hunter2-hunter2",
	}[r.String()]
	return value, ok
}

func TestExpand(t *testing.T) {
	tests := []struct {
		name   string
		syntax *Syntax
		text   string
		want   string
		err    string // part of the error; "" is none
	}{
		{"own", Own("/p"), "Bearer ${env:A}", "Bearer alpha", ""},
		{"own twice", Own("/p"), "${env:A}-${env:A}", "alpha-alpha", ""},
		{"own empty is set", Own("/p"), "<${env:EMPTY}>", "<>", ""},
		{"own unset", Own("/p"), "x ${env:GONE}", "", "the environment variable GONE is not set: set it"},
		{"own escape", Own("/p"), "echo $${HOME} $${env:A}", "echo ${HOME} ${env:A}", ""},
		{"own dollars", Own("/p"), "$ $$ $HOME $(x) $", "$ $$ $HOME $(x) $", ""},
		{"own escape after a dollar", Own("/p"), "$$${A}", "$${A}", ""},
		{"own values are not expanded again", Own("/p"), "${env:NESTED}", "${env:A}${A}$${", ""},
		{"own other form", Own("/p"), "${A}", "", "write ${env:A}"},
		{"own default", Own("/p"), "${env:A:-b} ${env:GONE:-c d} ${env:EMPTY:-e} <${env:GONE:-}>", "alpha c d e <>", ""},
		{"own default is not expanded", Own("/p"), "${env:GONE:-$A}", "$A", ""},
		{"own unset, with a way out", Own("/p"), "${env:GONE}", "", "or give it a default: ${env:GONE:-…}"},
		{"own name with a default", Own("/p"), "${env:1:-b}", "", "the name of one environment variable"},
		{"own folder", Own("/p"), "--root=${dir}/data", "--root=/p/data", ""},
		{"own folder, literally", Own("/p"), "$${dir}", "${dir}", ""},
		{"own folder without one", Own(""), "${dir}", "", "this text comes from no file"},
		{"own folder with a default", Own("/p"), "${dir:-x}", "", "is not a variable"},
		{"own unclosed", Own("/p"), "${env:A", "", "not closed"},
		{"literal", nil, "${A} ${env:A}", "${A} ${env:A}", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expand := tt.syntax.Expander()
			if expand == nil {
				if tt.text != tt.want {
					t.Fatalf("there is no expander, so %q stays as it is, want %q", tt.text, tt.want)
				}
				return
			}
			got, err := expand(endpoint.FieldArg, tt.text, lookupTestVariable)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got error %v, want one with %q", err, tt.err)
			}
		})
	}
}

// FuzzExpand takes texts apart in a syntax of each kind.
func FuzzExpand(f *testing.F) {
	f.Add("Bearer ${env:A} ${A:-b} $A {env:A} {{secret:a}} %A% ${input:a} ${file:a} \\${A}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, x := range []*Syntax{
			Own("/p"),
			{Forms: []Form{{Open: "$", Name: VariableName}, {Open: "%", Close: "%", Name: WordName}}, Unset: Empty},
			{Forms: []Form{{Open: "${", Close: "}", Name: VariableName, Defaults: true, EmptyIs: true}, {Open: "$env:", Name: VariableName, Whole: true}}},
			{Forms: []Form{{Open: "${env:", Close: "}"}, {Open: "${", Close: "}", Builtin: true}}, Builtin: map[string]string{"userHome": "/h"}},
			{Forms: []Form{{Open: "{file:", Close: "}", Kind: endpoint.ReferenceFile, Unset: Fails}, SecretForm()}},
		} {
			segments, err := x.split(endpoint.FieldEnv, text)
			if err != nil {
				continue
			}
			var b strings.Builder
			for _, s := range segments {
				b.WriteString(s.literal)
			}
			if x.Escape == "" && b.String() != text {
				t.Errorf("%q became %q", text, b.String())
			}
			_, _ = x.Expander()(endpoint.FieldEnv, text, lookupTestVariable)
		}
	})
}

// FuzzWords wants the words of a command line to be those that it is shown with.
func FuzzWords(f *testing.F) {
	f.Add(`a 'b c' "d \" e" f\ g`)
	f.Fuzz(func(t *testing.T, text string) {
		if words, ok := Words(text); ok {
			if again, ok := Words(Line(words)); !ok || strings.Join(again, "\x00") != strings.Join(words, "\x00") {
				t.Errorf("%q: %q is shown as %s", text, words, Line(words))
			}
		}
	})
}
