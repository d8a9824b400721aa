package extension

// This file is the pages that tools bring along (the Apps extension, SEP-1865).

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// AppScheme is the scheme of the URIs of apps.
const AppScheme = "ui"

// App is a page that hosts show to people beside the results of a tool, as it was read:
// servers publish no digests of them, so that we make them.
type App struct {
	URI      string          `json:"uri"`
	MIMEType string          `json:"mimeType,omitempty"`
	Digest   string          `json:"digest"`          // sha256:<64 lower-case hex digits> of its bytes
	Size     int             `json:"size"`            // bytes
	Meta     json.RawMessage `json:"_meta,omitempty"` // of the content: what the page may load, and asks of hosts
}

// ReadApp reads a page from the result of resources/read. It fails if that has not just
// the one content that was asked for.
func ReadApp(uri string, result json.RawMessage) (App, error) {
	var read struct {
		Contents []struct {
			URI, MIMEType string
			Text          *string
			Blob          []byte
			Meta          json.RawMessage `json:"_meta"`
		}
	}
	if err := json.Unmarshal(result, &read); err != nil {
		return App{}, fmt.Errorf("its content cannot be read: %w", err)
	}
	if len(read.Contents) != 1 || read.Contents[0].URI != uri {
		return App{}, fmt.Errorf("reading it gave %d contents, or another one", len(read.Contents))
	}
	c := read.Contents[0]
	page := c.Blob
	if c.Text != nil {
		page = []byte(*c.Text)
	}
	sum := sha256.Sum256(page)
	return App{URI: uri, MIMEType: c.MIMEType, Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: len(page), Meta: c.Meta}, nil
}

// Item returns the app as an item of a snapshot. It fails for a Meta that is no JSON.
func (a App) Item() (schema.Item, error) {
	raw, err := json.Marshal(a)
	if err != nil {
		return schema.Item{}, err
	}
	return schema.ParseItem(schema.KindApp, raw)
}

// appURIs returns the URIs of the apps that a surface names, sorted: what tools say in
// _meta.ui.resourceUri, or in "ui/resourceUri" of its older form, and resources with
// the scheme ui.
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
		_ = json.Unmarshal(t.Raw, &tool) // a _meta that is no object names nothing
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
