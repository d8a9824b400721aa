package code

import "testing"

// The path of a package in an error of go/types is replaced by its name.
func TestQualified(t *testing.T) {
	for text, want := range map[string]string{
		`cannot use x (variable of type "example.com/app/mcp/a/issues".Label) as "example.com/app/mcp/b/issues".Label value`: `cannot use x (variable of type issues.Label) as issues.Label value`,
		`undefined: issues.Label`:                    `undefined: issues.Label`,
		`"issues".Label`:                             `issues.Label`,
		`cannot use "a text. With a dot" as int`:     `cannot use "a text. With a dot" as int`,
		`cannot use "a/b" (untyped string constant)`: `cannot use "a/b" (untyped string constant)`,
		`[]*"example.com/x".T`:                       `[]*x.T`,
	} {
		if got := qualified().ReplaceAllString(text, "$1."); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
