// Package templates holds the texts that mcpgen writes and that are not Go:
// text/template files, embedded. They show a view and decide nothing: a template
// uses range and if alone, and what it prints has been made safe for its format
// beforehand.
package templates

import (
	"bytes"
	"embed"
	"fmt"
	"text/template"
)

// The templates.
const (
	Server = "server.md.tmpl" // the markdown page of one server
	Report = "report.md.tmpl" // what a check found, in markdown
)

// Starter is a first mcpgen.yaml.
const Starter = "mcpgen.yaml.tmpl"

//go:embed *.tmpl
var files embed.FS

// Render fills the template called name with view. A name that view does not
// have is an error, never a gap in the text.
func Render(name string, view any) ([]byte, error) {
	t, err := template.New(name).Option("missingkey=error").ParseFS(files, name)
	if err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, view); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return b.Bytes(), nil
}
