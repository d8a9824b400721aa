package extension

// This file reads the pages of tools (the Apps extension, SEP-1865).

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// AppScheme is the URI scheme of apps.
const AppScheme = "ui"

// App is a page that hosts show next to the results of a tool. Servers publish no digests of pages, so this
// package computes them.
type App struct {
	URI      string          `json:"uri"`
	MIMEType string          `json:"mimeType,omitempty"`
	Digest   string          `json:"digest"`          // sha256:<64 lower-case hex digits> of its bytes
	Size     int             `json:"size"`            // bytes
	Meta     json.RawMessage `json:"_meta,omitempty"` // of the content: what the page may load and requests from hosts
}

// ReadApp reads a page from the result of resources/read. It fails unless the result has exactly the one
// requested content, and for anything that two readers could interpret differently: both text and blob, a
// duplicate member, or a member name that differs only in case.
func ReadApp(uri string, result json.RawMessage) (App, error) {
	v, wrong := tree.Parse(result)
	if wrong != nil {
		return App{}, fmt.Errorf("the content of the page cannot be read: %w", wrong)
	}
	contents := v.Get("contents")
	if contents == nil || contents.Kind != tree.Array || len(contents.Kids) != 1 || contents.Kids[0].Get("uri") == nil || contents.Kids[0].Get("uri").Text != uri {
		n := 0
		if contents != nil {
			n = len(contents.Kids)
		}
		return App{}, fmt.Errorf("resources/read returned %d contents, want one with the requested address", n)
	}
	c := &contents.Kids[0].Value
	if err := errors.Join(spelled(v, "contents"), spelled(c, "uri", "mimeType", "text", "blob", "_meta")); err != nil {
		return App{}, fmt.Errorf("the content of the page cannot be read: %w", err)
	}
	app := App{URI: uri}
	if mimeType := c.Get("mimeType"); mimeType != nil {
		app.MIMEType = mimeType.Text
	}
	if meta := c.Get("_meta"); meta != nil {
		app.Meta = meta.Raw(result)
	}
	page, err := pageOf(c)
	if err != nil {
		return App{}, fmt.Errorf("the content of the page cannot be read: %w", err)
	}
	app.Digest, app.Size = tree.Digest(page), len(page)
	return app, nil
}

// spelled fails if a member's name matches one of names except for case: case-insensitive readers would accept
// it.
func spelled(v *tree.Value, names ...string) error {
	for i := range v.Kids {
		for _, name := range names {
			if got := v.Kids[i].Name; got != name && strings.EqualFold(got, name) {
				return fmt.Errorf("the member %s must be spelled %q", tree.Quote(got), name)
			}
		}
	}
	return nil
}

// pageOf returns the bytes of a content.
func pageOf(c *tree.Value) ([]byte, error) {
	text, blob := c.Get("text"), c.Get("blob")
	for name, v := range map[string]*tree.Value{"text": text, "blob": blob} {
		if v != nil && v.Kind != tree.String && v.Kind != tree.Null {
			return nil, fmt.Errorf("its %s is %v", name, v.Kind)
		}
	}
	isText, isBlob := text != nil && text.Kind == tree.String, blob != nil && blob.Kind == tree.String
	switch {
	case isText && isBlob:
		return nil, errors.New("it has a text and a blob")
	case isText:
		return []byte(tree.ValidText(text.Text)), nil
	case isBlob:
		return base64.StdEncoding.DecodeString(blob.Text)
	}
	return nil, nil
}

// Item returns the app as an item of a snapshot. It fails if Meta is not JSON.
func (a App) Item() (schema.Item, error) {
	raw, err := json.Marshal(a)
	if err != nil {
		return schema.Item{}, err
	}
	return schema.ParseItem(schema.KindApp, raw)
}

// appURIs returns the sorted URIs of the apps that a surface references: _meta.ui.resourceUri of tools, its
// older form "ui/resourceUri", and resources with the scheme ui.
func appURIs(s *schema.Snapshot) []string {
	var uris []string
	add := func(uri string) {
		if u, err := url.Parse(uri); err == nil && u.Scheme == AppScheme {
			uris = append(uris, uri)
		}
	}
	for _, t := range s.Tools {
		var tool struct {
			Meta struct {
				UI  json.RawMessage
				Old json.RawMessage `json:"ui/resourceUri"`
			} `json:"_meta"`
		}
		_ = json.Unmarshal(t.Raw, &tool) // a _meta that is not an object has no URI
		var ui struct{ ResourceURI string }
		_ = json.Unmarshal(tool.Meta.UI, &ui)
		add(ui.ResourceURI)
		var old string
		_ = json.Unmarshal(tool.Meta.Old, &old)
		add(old)
	}
	for _, r := range s.Resources {
		add(r.Name)
	}
	slices.Sort(uris)
	return slices.Compact(uris)
}
