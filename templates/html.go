package templates

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // of style and script
	"encoding/base64"
	"fmt"
	"html/template"
)

//go:embed catalogue.css
var style string

//go:embed catalogue.js
var script string

// HTML fills a page of the catalogue, index or server, with view. Everything in view is treated as text. A page only runs
// the embedded script and fetches nothing, which its Content Security Policy enforces. A name that view
// does not have is an error.
func HTML(page string, view any) ([]byte, error) {
	t, err := template.New(page).Option("missingkey=error").Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
		"policy": contentPolicy,
	}).ParseFS(files, "catalogue.html.tmpl")
	if err != nil {
		return nil, fmt.Errorf("template %s: %w", page, err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, page, view); err != nil {
		return nil, fmt.Errorf("template %s: %w", page, err)
	}
	return b.Bytes(), nil
}

// contentPolicy allows a page its own style and script, by their hashes, and embedded icons. Browsers
// block all other content.
func contentPolicy() string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		sourceHash(style), sourceHash(script))
}

func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
