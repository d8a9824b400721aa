// Package templates holds the texts that mcpgen writes and that are not Go: embedded text/template files
// and CI jobs. Templates only show a view: a template uses only range and if, and the view's values have
// been made safe for its format beforehand.
package templates

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

// Jobs returns the names of the systems that [Job] supports.
func Jobs() []string { return []string{"github", "gitlab", "pre-commit"} }

// Job returns the file with the jobs that check a project on a system: a workflow of GitHub, jobs of
// GitLab, hooks of pre-commit. The view holds what the project needs. A name that is not in [Jobs] is an
// error.
func Job(system string, view any) ([]byte, error) {
	if !slices.Contains(Jobs(), system) {
		return nil, fmt.Errorf("%q is not one of %s", system, strings.Join(Jobs(), ", "))
	}
	return Render("ci-"+system+".yml.tmpl", view)
}

// Render fills the template in the file name with view. A name that view does not have is an error, never a
// gap in the text.
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
